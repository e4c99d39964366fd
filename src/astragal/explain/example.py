"""Worked examples: data that ships with a game, for tests and readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from astragal.errors import Faulty, Refusal
from astragal.explain.report import plain
from astragal.rule.game import Game
from astragal.rule.tree.node import Choice
from astragal.rule.tree.play import Played, Rolled, play
from astragal.rule.typed import Typed


class Example(NamedTuple):
    """Inputs, faces and answers, with the expected result or the rule that refuses them.

    ``refused`` is the number of that rule, or "yes" where an input is refused and no rule has to say so.
    """

    title: str
    rules: tuple[str, ...]
    origin: str
    roll: str = ""
    given: dict[str, Any] = {}
    faces: str = ""
    answers: dict[str, list[str]] = {}
    gives: dict[str, Any] = {}
    open: str = ""
    refused: str = ""
    note: str = ""


class Replayed(NamedTuple):
    """A replayed example, with every difference from what it expects."""

    example: Example
    played: Played[Any] | None
    refusal: Refusal | None
    differences: tuple[str, ...]


def examples_of(game: Game) -> tuple[Example, ...]:
    """The worked examples of a game; a file with a mistake in it is refused with all of them."""
    import tomllib

    data = tomllib.loads(Path(game.examples).read_text("utf-8"))
    wrong = [f"{title}: {sentence}" for title, sentence in example_mistakes(data, game)]
    if wrong:
        raise Faulty(game.name, f"The worked examples of {game.title} cannot be read: {' '.join(wrong)}")
    return tuple(Example(**{**entry, "rules": tuple(entry["rules"])}) for entry in data["example"])


NO_EXAMPLE = (
    "it has no worked example; write at least one [[example]]: a roll whose end you know, with title, origin, rules, "
    "given, faces and gives."
)


def example_mistakes(data: Mapping[str, Any], game: Game) -> Iterator[tuple[str, str]]:
    """What is wrong with the file of worked examples, by the title of the example."""
    entries = data.get("example")
    alone = len(data) == 1 or "rules" in data  # a written game has its examples in its own file
    if not entries and alone:
        yield "the file", NO_EXAMPLE
        return
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries) or not alone:
        yield "the file", "it needs [[example]] parts, and has nothing else beside them."
        return
    for place, entry in enumerate(entries, 1):
        title = f'"{entry["title"]}"' if isinstance(entry.get("title"), str) else f"example {place}"
        for sentence in _entry_mistakes(entry, game):
            yield title, sentence


def _entry_mistakes(entry: Mapping[str, Any], game: Game) -> Iterator[str]:
    types = {name: kind for name, kind in _TYPES.items() if name in entry}
    for name in entry:
        if name not in _TYPES:
            yield f'there is no "{name}" in an example; there are {", ".join(_TYPES)}.'
    for name in ("title", "rules", "origin"):
        if name not in entry:
            yield f"it needs {name}."
    for name, kind in types.items():
        if not isinstance(entry[name], kind):
            yield f"{name} must be {_CALLED[kind]}."
            return
    if entry.get("origin", ORIGINS[0]) not in ORIGINS:
        yield f'origin is "{entry["origin"]}"; it is one of {", ".join(ORIGINS)}.'
    if entry.get("roll", "") not in ("", *game.kinds):
        yield f'there is no roll "{entry["roll"]}"; there are {", ".join(game.kinds)}.'
        return
    for name in entry.get("given", ()):
        if name not in game.kind(entry.get("roll", "")).ask.inputs:
            yield f'given names "{name}", and the roll has no such input.'
    yield from _cited_and_answered(entry, game)


def _cited_and_answered(entry: Mapping[str, Any], game: Game) -> Iterator[str]:
    for name, given in entry.get("answers", {}).items():
        if not isinstance(given, list):
            yield f'the answers to {name} must be a list, such as ["{given}"].'
    for rule in (*entry.get("rules", ()), entry.get("refused") or REFUSED):
        if rule not in game.rules and rule != REFUSED:
            yield f'it cites the rule "{rule}", which the game does not have.'


REFUSED = "yes"
"""What an example says that is refused without a rule."""
ORIGINS = ("rules page", "document", "ours")
"""Where an example may come from."""
_TYPES: dict[str, type] = {
    **dict.fromkeys(Example._fields, str),
    **{"rules": list, "given": dict, "answers": dict, "gives": dict},
}
_CALLED: dict[type, str] = {str: "a text", list: "a list", dict: "a table of names and values"}


def replay(game: Game, example: Example) -> Replayed:
    """Play an example with its faces and answers and compare the result."""
    try:
        played = play_example(game, example)
    except Refusal as refusal:
        wrong = () if example.refused == (refusal.rule or REFUSED) else (f"refused: {refusal}",)
        return Replayed(example, None, refusal, wrong)
    return Replayed(example, played, None, tuple(_differences(example, played)))


def play_example(game: Game, example: Example) -> Played[Any]:
    """Play an example; faces that it leaves out are rolled."""
    kind = game.kind(example.roll)
    faces, answers = example.faces, example.answers
    hand = Typed(faces, answers, kind.several) if faces else Rolled(answers, kind.several)
    return play(kind.rule(kind.ask.read(example.given)), hand)


def _differences(example: Example, played: Played[Any]) -> list[str]:
    if example.refused:
        return [f"not refused by {example.refused}"]
    facts = plain(played.result) if played.result is not None else {}
    wrong = [
        f"{name} is {facts[name]!r}, not {value!r}" if name in facts else f"the result has no {name}"
        for name, value in example.gives.items()
        if facts.get(name) != value
    ]
    waiting = played.node.name if isinstance(played.node, Choice) else ""
    return wrong if waiting == example.open else [*wrong, f"open is {waiting!r}, not {example.open!r}"]
