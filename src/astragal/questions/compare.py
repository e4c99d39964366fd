"""Comparisons: two to six questions, about games or in dice notation, side by side."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from string import ascii_uppercase
from typing import Any, NamedTuple

from astragal.dice.distribution import Distribution
from astragal.dice.render.text import listed_values
from astragal.errors import Malformed, Unknown
from astragal.questions import SolvedQuestion
from astragal.questions.notation import FACT, solve_notation

FEWEST, MOST = 2, 6
"""Sides of a comparison."""
NOTATION_UP_TO = 60
"""The last value with a row of its own where values have no end: the same on all sides."""


class FactCompared(NamedTuple):
    """A fact that all sides have: every value that one of them lists, and the odds on each side."""

    title: str
    values: list[Hashable]
    odds: tuple[Distribution[Any], ...]


class Compared(NamedTuple):
    """The sides, and the facts compared, by name; differences are taken to the first side."""

    sides: tuple[SolvedQuestion, ...]
    facts: dict[str, FactCompared]


def side_of_notation(text: str, up_to: int | None = None, dialect: str = "") -> SolvedQuestion:
    """The side of dice notation, whose only fact is its value."""
    found = solve_notation(text, NOTATION_UP_TO if up_to is None else up_to, dialect)
    return found._replace(facts={FACT: found.odds}, notation=found.headline)


def compare(sides: Sequence[SolvedQuestion], facts: Sequence[str] = ()) -> Compared:
    """Compare these facts, or every fact that all sides have; sides with nothing in common are refused."""
    if not FEWEST <= len(sides) <= MOST:
        raise Malformed(f"{len(sides)} questions are given; {FEWEST} to {MOST} can be compared.")
    common = [name for name in sides[0].facts if all(name in side.facts for side in sides)]
    for name in facts:
        if name not in common:
            raise Unknown(f'They have no fact "{name[:40]}" in common; they have {", ".join(common) or "none"}.')
    if not common:
        raise Malformed(_nothing_in_common(sides))
    return Compared(tuple(sides), {name: side_by_side(sides, name) for name in facts or common})


def _nothing_in_common(sides: Sequence[SolvedQuestion]) -> str:
    """The refusal of sides without a common fact: the facts of each, and an example in notation, which always works."""
    has = "; ".join(
        f"{letter} has {', '.join(side.facts)}" for letter, side in zip(ascii_uppercase, sides, strict=False)
    )
    games = [side for side in sides if side.question]
    written = f"; for example {_as_notation(games[0])}" if games else ""
    return (
        f"These questions have no fact in common, so there is nothing to compare: {has}. "
        f"Write all of them in dice notation, each as a comparison or a number{written}."
    )


def _as_notation(side: SolvedQuestion) -> str:
    """A question about a game in notation, such as ``razorweave(dc=16).tier >= full_success``."""
    assert side.question
    game, kind, given, *_ = side.question
    name = game.name if kind is game.main else f"{game.name}_{kind.name}"
    inputs = [
        f"{each}={getattr(given, each)}"
        for each, input in kind.ask.inputs.items()
        if isinstance(getattr(given, each), int) and (input.required or getattr(given, each) != input.default)
    ]
    fact = next(iter(side.facts))
    values = side.values(fact) or []
    compared = f" >= {values[0]}" if values and isinstance(values[0], str) else ""
    return f'"{name}({", ".join(inputs)}).{fact}{compared}"'


def side_by_side(sides: Sequence[SolvedQuestion], name: str) -> FactCompared:
    """A fact of several questions, with every value that one of them lists."""
    odds = tuple(side.facts[name] for side in sides)
    each = [side.values(name) or list(side.facts[name]) for side in sides]
    return FactCompared(sides[0].title(name), listed_values(odds, itertools.chain(*each)), odds)
