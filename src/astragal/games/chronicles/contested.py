"""A contested action: both sides roll, and more successes win (CD-13)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any, NamedTuple

from astragal.author import MAX_DICE, Ask, Choice, Effect, Node, Outcome, Pool, Role, Total, lazy, summed, words
from astragal.games.chronicles import text
from astragal.games.chronicles.contest_result import ContestedResult, SideResult, dramatic, judged
from astragal.games.chronicles.pool import AGAIN, Quality, pool_of
from astragal.games.chronicles.rules import TEXTS, say
from astragal.games.chronicles.team import (
    Helper,
    TeamAsk,
    TeamCount,
    TeamRoll,
    another_condition,
    beat_for,
    beat_options,
    condition_for,
    named_pools,
    refuse_crowd,
    roll_team,
    team_of,
    what_happens,
)
from astragal.games.chronicles.traits import Traits


def _ours(name: str) -> Any:
    """An input of our side, as in every roll; only the pools are asked for first."""
    input = copy(TeamAsk.inputs[name])
    input.guided = False
    return input


def _theirs(name: str) -> Any:
    """The same input for their side."""
    input = _ours(name)
    del input.texts  # it has words of its own
    input.whose = "target"
    input.told = "against {}" if input.told == "with {}" else input.told
    return input


class Contested(Ask, texts=TEXTS.of("contested")):
    """Two sides against each other, each with a pool by all rules for one (CD-13)."""

    ours: int | None = summed(-MAX_DICE, MAX_DICE, default=None, rule="CD-13", guided=True)
    theirs: int | None = summed(
        -MAX_DICE, MAX_DICE, default=None, rule="CD-13", guided=True, whose="target", told="against {}"
    )
    name: str | None = words(default=None, rule="CD-13", whose="sheet")
    their_name: str | None = words(default=None, rule="CD-13", whose="sheet")
    attribute: int | None = _ours("attribute")
    skill: int | None = _ours("skill")
    second_attribute: int | None = _ours("second_attribute")
    specialty: bool = _ours("specialty")
    unskilled: str | None = _ours("unskilled")
    trained_only: bool = _ours("trained_only")
    lacks: str | None = _ours("lacks")
    equipment: int = _ours("equipment")
    modifier: int = _ours("modifier")
    any_modifier: bool = _ours("any_modifier")
    needs: str | None = _ours("needs")
    again: str = _ours("again")
    rote: bool = _ours("rote")
    extra: int = _ours("extra")
    helpers: int = _ours("helpers")
    helper_pool: int | None = _ours("helper_pool")
    their_attribute: int | None = _theirs("attribute")
    their_skill: int | None = _theirs("skill")
    their_second_attribute: int | None = _theirs("second_attribute")
    their_specialty: bool = _theirs("specialty")
    their_unskilled: str | None = _theirs("unskilled")
    their_lacks: str | None = _theirs("lacks")
    their_equipment: int = _theirs("equipment")
    their_modifier: int = _theirs("modifier")
    their_again: str = _theirs("again")
    their_rote: bool = _theirs("rote")
    their_extra: int = _theirs("extra")
    their_helpers: int = _theirs("helpers")
    their_helper_pool: int | None = _theirs("helper_pool")
    boon: str = _ours("boon")
    has_boon: bool = _ours("has_boon")
    their_has_boon: bool = _theirs("has_boon")

    def check(self) -> None:
        for side in (self.our_side, self.their_side):
            side.traits.check()
            if side.helpers or side.helper_pool is not None:
                refuse_crowd(side.helpers, side.helper_pool, side.traits.dice, side.traits.whose)

    @property
    def every_helper(self) -> tuple[Helper, ...]:
        """Everybody who helps, on either side."""
        return (*self.our_side.team, *self.their_side.team)

    @property
    def our_side(self) -> ContestSide:
        """The side that acts."""
        our = say("side.our_side")
        parts = self.attribute, self.skill, self.second_attribute, self.specialty, self.unskilled
        traits = Traits(
            self.ours,
            *parts,
            self.equipment,
            self.modifier,
            self.any_modifier,
            self.needs,
            f"{our}: ",
            self.trained_only,
        )
        quality = Quality(AGAIN[self.again], self.rote)
        return ContestSide(traits, quality, self.extra, self.helpers, self.helper_pool, self.name or our)

    @property
    def their_side(self) -> ContestSide:
        """The side that resists."""
        their = say("side.their_side")
        parts = (
            self.their_attribute,
            self.their_skill,
            self.their_second_attribute,
            self.their_specialty,
            self.their_unskilled,
            self.their_equipment,
            self.their_modifier,
        )
        traits = Traits(self.theirs, *parts, self.any_modifier, whose=f"{their}: ", trained_only=self.trained_only)
        quality, name = Quality(AGAIN[self.their_again], self.their_rote), self.their_name or their
        return ContestSide(
            traits, quality, self.their_extra, self.their_helpers, self.their_helper_pool, name, "target"
        )


class ContestSide(NamedTuple):
    """One side of a contest: its pool, how its dice behave, its extra successes and those who help it."""

    traits: Traits
    quality: Quality
    extra: int
    helpers: int
    helper_pool: int | None
    name: str
    role: Role = "roller"

    @property
    def helper_names(self) -> list[str]:
        """Those who help, where they have names."""
        return list(named_pools(self.helper_pool)) if isinstance(self.helper_pool, Total) else []

    @property
    def team(self) -> tuple[Helper, ...]:
        """Those who help this side, in the order in which they roll."""
        role = "helper" if self.role == "roller" else "their helper"
        return team_of(self.helpers, self.helper_pool, self.traits.dice, role)

    def roll(self, then: Any, *about: Any, level: int | None = None) -> Node[ContestedResult]:
        """Helpers, then the one who leads; ``level`` is how many successes draw with the side that has rolled."""
        roll = TeamRoll(
            self.team, self.traits.dice, self.quality, then, text.contested_pool, about, self.name, self.role
        )
        return roll_team(roll._replace(rivals=level is None, level=level))


def dice_of(ask: Contested) -> tuple[Pool, ...]:
    """The dice of both who lead, before any help."""
    return tuple(pool_of(side.traits.dice, side.quality) for side in (ask.our_side, ask.their_side))


def contested(ask: Contested) -> Node[ContestedResult]:
    """Our side rolls, then theirs."""
    return ask.our_side.roll(rolled, ask)


def rolled(ask: Contested, ours: TeamCount) -> Node[ContestedResult]:
    """Our dice have fallen."""
    return lazy(their_roll, ask, _said(ask, ask.our_side, ours))


def their_roll(ask: Contested, ours: SideResult) -> Node[ContestedResult]:
    """The other side's roll, then the comparison."""
    return ask.their_side.roll(compare, ask, ours, level=max(0, ours.successes - ask.their_side.extra))


def compare(ask: Contested, ours: SideResult, theirs: TeamCount) -> Node[ContestedResult]:
    """More successes win; whoever rolled none may take a Beat, whether they lost or not (CD-10, CD-13)."""
    return our_part(ask, ours, _said(ask, ask.their_side, theirs))


def _said(ask: Contested, side: ContestSide, rolled: TeamCount) -> SideResult:
    outcome = rolled.outcome
    boon = ask.boon if outcome == "exceptional_success" else None
    return SideResult(side.name, rolled.successes(side.extra), outcome, False, boon)


def our_part(ask: Contested, ours: SideResult, theirs: SideResult) -> Node[ContestedResult]:
    """The side that acts may make a failure dramatic, and names another Condition if it has the usual one."""
    if ours.condition and ask.has_boon:
        none = ours._replace(condition=None)
        after, named = lazy(their_part, ask, none, theirs), lazy(our_condition, ask, none, theirs)
        return another_condition(ours.condition, after, named, judged(none, theirs))
    if ours.outcome != "failure":
        return their_part(ask, ours, theirs)
    keep, take = lazy(their_part, ask, ours, theirs), lazy(their_part, ask, dramatic(ours), theirs)
    question = say("CD-10.question_side", name=ours.name)
    return Choice("beat", "player", question, beat_options(keep, take), judged(ours, theirs), "keep")


def our_condition(ask: Contested, ours: SideResult, theirs: SideResult, condition: str) -> Node[ContestedResult]:
    """The player has named another Condition."""
    return their_part(ask, ours._replace(condition=condition), theirs)


def their_part(ask: Contested, ours: SideResult, theirs: SideResult) -> Node[ContestedResult]:
    """The same for the side that resists."""
    if theirs.condition and ask.their_has_boon:
        none = theirs._replace(condition=None)
        after, named = lazy(settled, ours, none), lazy(their_condition, ours, none)
        return another_condition(theirs.condition, after, named, judged(ours, none), "target")
    if theirs.outcome != "failure":
        return settled(ours, theirs)
    keep, take = lazy(settled, ours, theirs), lazy(settled, ours, dramatic(theirs))
    question = say("CD-10.question_side", name=theirs.name)
    return Choice("their-beat", "target", question, beat_options(keep, take), judged(ours, theirs), "keep")


def their_condition(ours: SideResult, theirs: SideResult, condition: str) -> Node[ContestedResult]:
    """The player of the other side has named another Condition."""
    return settled(ours, theirs._replace(condition=condition))


def settled(ours: SideResult, theirs: SideResult) -> Node[ContestedResult]:
    """The outcome, with its effects and notes."""
    result = judged(ours, theirs)
    told = effects(result)
    return Outcome(result, tuple(told), tell=lambda: text.contested_notes(result), prompts=what_happens())


def effects(result: ContestedResult) -> Iterator[Effect]:
    """Beats and Conditions of either side (CD-10)."""
    for role, side in (("roller", result.our_side), ("target", result.their_side)):
        if side.beat:
            yield beat_for(role)
        if side.condition:
            yield condition_for(role, side.condition)
