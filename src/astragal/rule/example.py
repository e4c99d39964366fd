"""Worked examples: data that ships with a game, for tests and readers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from astragal.errors import Refusal
from astragal.rule.game import Game
from astragal.rule.node import Choice
from astragal.rule.play import Played, Rolled, play
from astragal.rule.report import plain
from astragal.rule.typed import Typed


class Example(NamedTuple):
    """Inputs, faces and answers, with the expected result or the rule that refuses them."""

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
    """The worked examples of a game."""
    import tomllib

    data = tomllib.loads(Path(game.examples).read_text("utf-8"))
    return tuple(Example(**{**entry, "rules": tuple(entry["rules"])}) for entry in data["example"])


def replay(game: Game, example: Example) -> Replayed:
    """Play an example with its faces and answers and compare the result."""
    try:
        played = play_example(game, example)
    except Refusal as refusal:
        wrong = () if example.refused == refusal.rule else (f"refused: {refusal}",)
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
        f"{name} is {facts.get(name)!r}, not {value!r}"
        for name, value in example.gives.items()
        if facts.get(name) != value
    ]
    waiting = played.node.name if isinstance(played.node, Choice) else ""
    return wrong if waiting == example.open else [*wrong, f"open is {waiting!r}, not {example.open!r}"]
