"""Comparisons: two to six questions, about games or in dice notation, side by side."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from string import ascii_uppercase
from typing import Any, NamedTuple

from astragal.dice.distribution import Distribution
from astragal.dice.render.text import listed_values
from astragal.errors import Malformed, Unknown
from astragal.questions.notation import FACT, answer
from astragal.questions.odds import Question, Solved, solve, title_of, values_of

FEWEST, MOST = 2, 6
"""Sides of a comparison."""
NOTATION_UP_TO = 60
"""Values without end are told apart equally far on all sides, so that they can be compared."""


class CompareSide(NamedTuple):
    """An answered question: a game's roll, or an expression of dice notation as it was understood."""

    asked: Question | str
    headline: str
    solved: Solved
    notes: tuple[str, ...] = ()
    """How notation was read where tools differ."""

    def title(self, fact: str) -> str:
        """The fact's title."""
        return fact.capitalize() if isinstance(self.asked, str) else title_of(self.asked.kind, fact, self.asked.ask)

    def values(self, fact: str) -> list[Hashable]:
        """The values that the fact lists on this side."""
        listed = None if isinstance(self.asked, str) else values_of(self.asked.kind, fact, self.asked.ask)
        return list(self.solved[fact]) if listed is None else listed


class FactCompared(NamedTuple):
    """A fact that all sides have: every value that one of them lists, and the odds on each side."""

    title: str
    values: list[Hashable]
    odds: tuple[Distribution[Any], ...]


class Compared(NamedTuple):
    """The sides, and the facts compared, by name; differences are taken to the first side."""

    sides: tuple[CompareSide, ...]
    facts: dict[str, FactCompared]


def side_of(question: Question) -> CompareSide:
    """The side of a question about a game's roll."""
    return CompareSide(question, question.kind.headline(question.ask), solve(question))


def side_of_notation(text: str, up_to: int | None = None, dialect: str = "") -> CompareSide:
    """The side of dice notation, whose only fact is its value."""
    found = answer(text, NOTATION_UP_TO if up_to is None else up_to, dialect)
    return CompareSide(found.headline, found.headline, {FACT: found.odds}, found.notes)


def compare(sides: Sequence[CompareSide], facts: Sequence[str] = ()) -> Compared:
    """Compare these facts, or every fact that all sides have; sides with nothing in common are refused."""
    if not FEWEST <= len(sides) <= MOST:
        raise Malformed(f"{len(sides)} questions are given; {FEWEST} to {MOST} can be compared.")
    common = [name for name in sides[0].solved if all(name in side.solved for side in sides)]
    for name in facts:
        if name not in common:
            raise Unknown(f'They have no fact "{name[:40]}" in common; they have {", ".join(common) or "none"}.')
    if not common:
        raise Malformed(_nothing_in_common(sides))
    return Compared(tuple(sides), {name: _compared(sides, name) for name in facts or common})


def _nothing_in_common(sides: Sequence[CompareSide]) -> str:
    """What each side has, and how a game's fact is written as notation, which every side has in common."""
    has = "; ".join(
        f"{letter} has {', '.join(side.solved)}" for letter, side in zip(ascii_uppercase, sides, strict=False)
    )
    games = [side.asked for side in sides if isinstance(side.asked, Question)]
    written = f"; for example {_as_notation(games[0])}" if games else ""
    return (
        f"These questions have no fact in common, so there is nothing to compare: {has}. "
        f"Write all of them in dice notation, each as a comparison or a number{written}."
    )


def _as_notation(question: Question) -> str:
    """A question about a game in notation, such as ``razorweave(dc=16).tier >= full_success``."""
    kind, given = question.kind, question.ask
    name = question.game.name if kind is question.game.main else f"{question.game.name}_{kind.name}"
    inputs = [
        f"{each}={getattr(given, each)}"
        for each, input in kind.ask.inputs.items()
        if isinstance(getattr(given, each), int) and (input.required or getattr(given, each) != input.default)
    ]
    fact = next(iter(solve(question)))
    values = values_of(kind, fact, given) or []
    compared = f" >= {values[0]}" if values and isinstance(values[0], str) else ""
    return f'"{name}({", ".join(inputs)}).{fact}{compared}"'


def _compared(sides: Sequence[CompareSide], name: str) -> FactCompared:
    odds = tuple(side.solved[name] for side in sides)
    listed = dict.fromkeys(value for side in sides for value in side.values(name))
    return FactCompared(sides[0].title(name), listed_values(odds, listed), odds)
