"""What was put into a roll, in words: aims, ways and sources by name, as the log and the story tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from astragal.rule.ask import Ask
from astragal.rule.input import Input, Summed

DESPITE = "despite {}"
"""How sources that take something away are told, whatever their input says."""


def told_inputs(ask: type[Ask] | None, given: Mapping[str, Any]) -> Iterator[str]:
    """Sentences about the inputs of a roll that are worth telling, from what was stored of them.

    An input says by ``told`` how it is told. What today's game does not know any more is left out.
    """
    sources: dict[str, list[str]] = {}
    for name, input in ask.inputs.items() if ask else ():
        value = given.get(name)
        if not input.told or value in (None, "", False):
            continue
        if isinstance(input, Summed):
            for template, label in _sources(input, value):
                sources.setdefault(template, []).append(label)
        else:
            yield sentence(input.told.format(value))
    if sources:
        yield sentence(", ".join(template.format(listed(labels)) for template, labels in sources.items()))


def _sources(input: Input, value: Any) -> Iterator[tuple[str, str]]:
    """The names of sources, each with how it is told: as the input says, or as something that stands against it."""
    for label, n, *_ in value["sources"] if isinstance(value, dict) else ():
        if label:
            yield (input.told if n >= 0 else DESPITE), label


def listed(names: list[str]) -> str:
    """Names in a row: "Ada, Ben and Cat"."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def sentence(text: str) -> str:
    """The text with a capital at its start and a sign at its end."""
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.!?…' else '.'}"
