"""A contested action: both sides roll, and more successes win (CD-13)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Literal, NamedTuple

from astragal.author import Ask, Effect, Node, Outcome, Pool, Role, lazy, side, words
from astragal.games.chronicles import text
from astragal.games.chronicles.after import after_dice, beat_for, condition_for, what_happens
from astragal.games.chronicles.dice import pool_of
from astragal.games.chronicles.rules import TEXTS, say
from astragal.games.chronicles.team import (
    Helper,
    TeamAsk,
    TeamCount,
    TeamRoll,
    roll_team,
)


class ContestSide(TeamAsk, texts=TEXTS.of("contested")):
    """One side of a contest, with a pool by all rules for one, and those who help it."""

    name: str | None = words(default=None, rule="CD-13", whose="sheet", reads="roller")

    @property
    def called(self) -> str:
        """The side by itself: "Our side"."""
        return say("side.our_side" if self.role == "roller" else "side.their_side")

    @property
    def title(self) -> str:
        """The name of its leader, or of the side."""
        return self.name or self.called

    @property
    def whose(self) -> str:
        return f"{self.called}: "

    @property
    def helps(self) -> Role:
        return "helper" if self.role == "roller" else "their helper"

    @property
    def decides(self) -> Role:
        return "player" if self.role == "roller" else "target"


class Contested(Ask, texts=TEXTS.of("contested"), init=False):
    """Two sides against each other (CD-13)."""

    our_side: ContestSide = side(ContestSide, "roller", "{}", pool="ours")
    their_side: ContestSide = side(
        ContestSide,
        "target",
        "their_{}",
        pool="theirs",
        trained_only="trained_only",
        any_modifier="any_modifier",
        boon="boon",
        needs=None,
    )

    def check(self) -> None:
        self.our_side.check()
        self.their_side.check()

    @property
    def every_helper(self) -> tuple[Helper, ...]:
        """Everybody who helps, on either side."""
        return (*self.our_side.team, *self.their_side.team)


for _name, _input in Contested.inputs.items():
    _input.guided = _name in ("ours", "theirs")  # only the pools are asked for step by step
    _input.rule = "CD-13" if _input.guided else _input.rule


class SideResult(NamedTuple):
    """The roll of one side, in words: its successes with the extra ones, its outcome, a Beat, a Condition."""

    name: str
    successes: int
    outcome: str
    beat: bool = False
    condition: str | None = None


Winner = Literal["ours", "draw", "theirs"]
"""The side with more successes, from best to worst for our side."""


class ContestedResult(NamedTuple):
    """Both sides' successes, and who has more."""

    winner: Winner
    ours: int
    theirs: int
    our_outcome: str
    their_outcome: str
    our_side: SideResult
    their_side: SideResult


def dice_of(ask: Contested) -> tuple[Pool, ...]:
    """The dice of both who lead, before any help."""
    return tuple(pool_of(side.dice, side.quality) for side in (ask.our_side, ask.their_side))


def contested(ask: Contested) -> Node[ContestedResult]:
    """Our side rolls, then theirs."""
    return roll_team(_roll_of(ask.our_side, rolled, ask)._replace(rivals=True))


def rolled(ask: Contested, ours: TeamCount) -> Node[ContestedResult]:
    """Our dice have fallen."""
    return lazy(their_roll, ask, _said(ask.our_side, ours))


def their_roll(ask: Contested, ours: SideResult) -> Node[ContestedResult]:
    """The other side's roll, then the comparison."""
    side = ask.their_side
    return roll_team(_roll_of(side, compare, ask, ours)._replace(level=max(0, ours.successes - side.extra)))


def _roll_of(side: ContestSide, then: Any, *about: Any) -> TeamRoll:
    return TeamRoll(side.team, side.dice, side.quality, then, text.contested_pool_notes, about, side.title, side.role)


def compare(ask: Contested, ours: SideResult, theirs: TeamCount) -> Node[ContestedResult]:
    """A side without a success may take a Beat, whether it lost or not (CD-10, CD-13)."""
    return answered(ask, (ours, _said(ask.their_side, theirs)), 0)


def _said(side: ContestSide, rolled: TeamCount) -> SideResult:
    outcome = rolled.outcome
    boon = side.boon if outcome == "exceptional_success" else None
    return SideResult(side.title, rolled.successes(side.extra), outcome, False, boon)


Sides = tuple[SideResult, SideResult]


def answered(ask: Contested, sides: Sides, place: int) -> Node[ContestedResult]:
    """Each side in turn answers what its dice leave to answer (CD-10)."""
    if place == len(sides):
        return settled(sides)
    own, side = sides[place], (ask.our_side, ask.their_side)[place]
    so_far = partial(judged, _with(sides, place, condition=None))
    question = partial(say, "CD-10.question_side", name=own.name)
    return after_dice(side, own.outcome, lazy(has_answered, ask, sides, place), so_far, question)


def has_answered(
    ask: Contested, sides: Sides, place: int, beat: bool, condition: str | None = None
) -> Node[ContestedResult]:
    """A side has answered, or has nothing to answer; for a Beat, its failure is dramatic."""
    outcome = "dramatic_failure" if beat else sides[place].outcome
    return answered(ask, _with(sides, place, outcome=outcome, beat=beat, condition=condition), place + 1)


def _with(sides: Sides, place: int, **changes: Any) -> Sides:
    ours, theirs = sides
    return (ours._replace(**changes), theirs) if place == 0 else (ours, theirs._replace(**changes))


def judged(sides: Sides) -> ContestedResult:
    """More successes win, and equal is a draw (CD-13)."""
    (ours, theirs), mine, other = sides, sides[0].successes, sides[1].successes
    winner: Winner = "ours" if mine > other else "theirs" if other > mine else "draw"
    return ContestedResult(winner, mine, other, ours.outcome, theirs.outcome, ours, theirs)


def settled(sides: Sides) -> Node[ContestedResult]:
    """The outcome, with its effects and notes."""
    result = judged(sides)
    return Outcome(result, tuple(effects(sides)), tell=lambda: text.contested_notes(result), prompts=what_happens())


def effects(sides: Sides) -> Iterator[Effect]:
    """Beats and Conditions of either side (CD-10)."""
    for role, own in zip(("roller", "target"), sides, strict=True):
        if own.beat:
            yield beat_for(role)
        if own.condition:
            yield condition_for(role, own.condition)
