"""The words of a written roll: values and dice in sentences, and the sentences of the file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from astragal.dice.dice import Dice
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.total import signed
from astragal.written.change import given_key
from astragal.written.document import Part, near
from astragal.written.formula import Values
from astragal.written.reading import Plain, Worded


def values_of(ask: Ask) -> dict[str, Any]:
    """The inputs: as numbers where formulas can use them, and as they were given."""
    given = {name: getattr(ask, name) for name in ask.inputs}
    numbers = {name: int(value) if isinstance(value, int) else value for name, value in given.items()}
    return {**numbers, **{given_key(name): value for name, value in given.items()}}


def said(value: Any) -> str:
    """A value in a sentence."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return signed(value).removeprefix("+") if isinstance(value, int) else str(value)


def in_a_row(dice: Iterable[tuple[Plain | Worded, Dice]]) -> str:
    """The dice of a headline."""
    *first, last = [f"{each.n}{named.called(each)}" for named, each in dice if each.n] or ["no dice"]
    return f"{', '.join(first)} and {last}" if first else last


def inputs_in(ask: Ask) -> str:
    """The inputs that were given, in brackets."""
    given = [
        f"{input.called} {dict(input.steps).get(value) or said(value)}"
        for name, input in ask.inputs.items()
        if (value := getattr(ask, name)) is not None and input.kind != "cards"
    ]
    return f" ({', '.join(given)})" if given else ""


def listed(names: Iterable[str], result: Any) -> str:
    """Readings of a result with their values."""
    return ", ".join(f"{name.replace('_', ' ')} {said(getattr(result, name))}" for name in names)


def filled(text: str, values: Values) -> str:
    """A text with values in the places of their {names}."""
    for name, value in values.items():
        text = text.replace(given_key(name), said(values.get(given_key(name), value)))
    return text


def check_says(part: Part, names: Collection[str], what: str = "input") -> None:
    """Refuse a sentence with unknown {names}."""
    for name in re.findall("{([^{}]*)}", part.text("says", "")):
        if name not in names:
            part.refuse(f"says has {{{name}}}, and there is no such {what}; {near(name, names)}.", "says")
