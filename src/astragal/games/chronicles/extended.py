"""An extended action: successes gathered over several rolls, up to a target (CD-13)."""

from __future__ import annotations

from typing import NamedTuple

from astragal.author import Illegal, Node, Outcome, lazy, whole
from astragal.games.chronicles import text
from astragal.games.chronicles.pool import Count, PoolAsk, throw_pool

MAX_ROLLS = 100
MAX_TARGET = 1000


class Extended(PoolAsk):
    """A long task: each roll uses the full pool, and earlier rolls cost nothing."""

    target: int = whole(1, MAX_TARGET, "successes needed in all", rule="CD-13")
    rolls: int | None = whole(
        1, MAX_ROLLS, "rolls allowed, if not Attribute + Skill + Specialty", default=None, rule="CD-13"
    )

    def check(self) -> None:
        """Refuse an action that allows no roll."""
        super().check()
        if self.most_rolls < 1:
            raise Illegal(
                "Attribute and Skill come to less than 1, so no roll is allowed; say how many with rolls.", "CD-13"
            )

    @property
    def most_rolls(self) -> int:
        """As many rolls as Attribute + Skill + Specialty, before any modifier (CD-13)."""
        return self.rolls or min(self.dots, MAX_ROLLS)


class ExtendedResult(NamedTuple):
    """What the rolls gave together."""

    pool: int
    chance_die: bool
    target: int
    successes: int
    rolls: int
    rolls_left: int
    outcome: str


def extended(ask: Extended) -> Node[ExtendedResult]:
    """Roll until the target is reached or no roll is left (CD-13)."""
    return gather(ask, 0, 0)


def gather(ask: Extended, rolls: int, successes: int) -> Node[ExtendedResult]:
    """Roll until the target is reached or no roll is left."""
    if successes >= ask.target or rolls == ask.most_rolls:
        return settled(ask, rolls, successes)
    return throw_pool(
        ask.dice,
        ask.quality,
        then=lambda count: lazy(gather, ask, rolls + 1, successes + counted(ask, count)),
        notes=() if rolls else tuple(text.extended_pool(ask)),
        title=f"Roll {rolls + 1}",
        enough=ask.target - successes,
    )


def counted(ask: Extended, count: Count) -> int:
    """Extra successes come with every roll that has one of its own (CD-9)."""
    return count.rolled + ask.extra if count.rolled else 0


def settled(ask: Extended, rolls: int, successes: int) -> Node[ExtendedResult]:
    """The outcome after the last roll."""
    outcome = "success" if successes >= ask.target else "failure"
    result = ExtendedResult(ask.dice, ask.dice < 1, ask.target, successes, rolls, ask.most_rolls - rolls, outcome)
    return Outcome(result, tell=lambda: text.extended_notes(result))
