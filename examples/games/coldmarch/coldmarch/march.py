"""Roll a pool of three kinds of dice, and once more if you dare (CM-1 to CM-5)."""

from __future__ import annotations

from functools import partial
from operator import add
from typing import Any, NamedTuple

from astragal.author import (
    Ask,
    Choice,
    Dice,
    Effect,
    Fields,
    Illegal,
    Node,
    Option,
    Outcome,
    Push,
    Symbols,
    Throw,
    field,
    lazy,
    summed,
    whole,
    words,
)
from coldmarch import text

MOST = 10
"""Most dice of one kind."""


class Counted(NamedTuple):
    """What a throw shows: 6s, 1s that may cost something, and the dice of each kind that a push rolls again."""

    sixes: int = 0
    frost: int = 0
    wear: int = 0
    attribute: int = 0
    skill: int = 0
    gear: int = 0

    @property
    def left(self) -> int:
        """How many dice a push would roll."""
        return self.attribute + self.skill + self.gear


def faces(one: Counted, between: Counted) -> tuple[Counted, ...]:
    """What each face of a d6 counts: a 1, the faces from 2 to 5, and a 6."""
    return (one, between, between, between, between, Counted(sixes=1))


COUNTED = Symbols(
    (
        faces(Counted(frost=1), Counted(attribute=1)),
        faces(Counted(), Counted(skill=1)),
        faces(Counted(wear=1), Counted(gear=1)),
    )
)
STAYS = frozenset({1, 6})
"""Faces that a push leaves alone."""
COUNTS = {name: tuple(tuple(getattr(face, name) for face in die) for die in COUNTED.worth) for name in Counted._fields}
"""What each face of each kind of dice counts, by name: what odds are worked out from."""
PUSHED = Symbols(tuple(tuple(face[:3] for face in die) for die in COUNTED.worth))
"""After a push nothing is rolled again, so 6s and 1s are all that matters."""


class March(Ask):
    """What a roll needs to know."""

    attribute: int = whole(1, 5, "points of the Attribute", rule="CM-1")
    skill: int = whole(0, 5, "points of the Skill", default=0, rule="CM-1", guided=True, advanced=False)
    gear: int = summed(0, MOST, "dice of Gear, a number or named pieces", default=0, rule="CM-1", advanced=False)
    needed: int = whole(
        1, 5, "successes needed", default=1, rule="CM-2", steps=((1, "usual"), (2, "hard"), (3, "grim")), dice=False
    )
    about: str | None = words("what is attempted", default=None, told="about: {}")

    def check(self) -> None:
        if self.needed > self.attribute + self.skill + self.gear:
            raise Illegal(f"{self.needed} successes are needed, and there are fewer dice.", "CM-2")


class Result(Fields):
    """How many successes there are, whether that is enough, and what it cost; 1s cost only a roll that was pushed."""

    def __init__(self, needed: int, counted: Any, pushed: bool = False) -> None:
        self._needed, self._counted, self.pushed = needed, counted, pushed

    @field
    def successes(self) -> int:
        """Every 6 (CM-1)."""
        return int(self._counted.sixes)

    @field
    def success(self) -> bool:
        """Whether that is enough (CM-2)."""
        return self.successes >= self._needed

    pushed: bool = False

    @field
    def frost(self) -> int:
        """1s on the dice of the Attribute (CM-4)."""
        return self._counted.frost if self.pushed else 0

    @field
    def wear(self) -> int:
        """1s on the dice of Gear (CM-5)."""
        return self._counted.wear if self.pushed else 0


def pool(attribute: int, skill: int, gear: int) -> tuple[Dice, ...]:
    """The dice of each kind, in the order of what they count."""
    return Dice(6, attribute, "attribute"), Dice(6, skill, "skill"), Dice(6, gear, "gear")


def march(ask: March) -> Node[Result]:
    """Roll the three kinds of dice (CM-1)."""
    return Throw(
        pool(ask.attribute, ask.skill, int(ask.gear)),
        COUNTED,
        then=lambda value: judge(ask.needed, Counted(*value)),
        tell=lambda faces: text.tell_dice(ask, faces),
        push=Push(
            (STAYS,) * 3, COUNTS.__getitem__, partial(Result, ask.needed), partial(Result, ask.needed, pushed=True)
        ),
    )


def judge(needed: int, shown: Counted) -> Node[Result]:
    """Count successes (CM-2); while there is a die to roll again, the player may push (CM-3)."""
    if not shown.left:
        return settled(needed, shown)
    options = {
        "keep": Option("Let it stand", lazy(settled, needed, shown), "CM-3"),
        "push": Option("Push", lazy(push, needed, shown), "CM-3", detail=f"{shown.left} dice again; every 1 will cost"),
    }
    return Choice("push", "player", "Push?", options, Result(needed, shown), "keep")


def push(needed: int, shown: Counted) -> Node[Result]:
    """Every die that shows neither 1 nor 6 is rolled once more (CM-3)."""
    return Throw(
        pool(shown.attribute, shown.skill, shown.gear),
        PUSHED,
        then=lambda value: settled(needed, Counted(*map(add, shown, value)), True),
        tell=text.tell_push,
        title="pushed",
    )


def settled(needed: int, shown: Counted, pushed: bool = False) -> Node[Result]:
    """The end, with what it cost."""
    result = Result(needed, shown, pushed)
    costs = (
        Effect("frost", "roller", result.frost, "Frost", "CM-4", cause="pushed"),
        Effect("gear", "roller", -result.wear, "", "CM-5", cause="wears out"),
    )
    effects = tuple(cost for cost in costs if cost.by)
    return Outcome(result, effects, tell=lambda: text.tell_result(needed, result))
