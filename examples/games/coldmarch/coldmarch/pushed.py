"""Odds with the best policy, without the tree: a die and its push are one die with 36 faces (CM-3).

The tree tries every throw, and every push of it. Here all dice are added up at once, and what the dice show at first
says whether they are pushed. ``astragal check`` compares the two.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from astragal.author import Dice, Distribution, Policy, Symbols
from coldmarch.march import March, Result

D6 = range(1, 7)


class Both(NamedTuple):
    """What dice show at first, how many of them a push rolls again, and what they show after it."""

    sixes: int = 0
    frost: int = 0
    left: int = 0
    sixes_after: int = 0
    frost_after: int = 0
    wear_after: int = 0


PUSHES: dict[str, Callable[[int, Both], bool]] = {
    "succeed": lambda needed, both: both.sixes < needed <= both.sixes + both.left,
    "unscathed": lambda needed, both: both.sixes < needed <= both.sixes + both.left and not both.frost,
    "most": lambda needed, both: both.left > 0,
}
"""When a push is best for each wish: where it can help, and nothing is lost already."""
AFTER = {"success": "sixes_after", "successes": "sixes_after", "frost": "frost_after", "wear": "wear_after"}
"""What each fact has to know of the dice after a push."""


def planned(fact: str) -> Callable[[March, int, Policy], Distribution[Any] | None]:
    """The odds of a fact if the roll is pushed whenever that is best; None for a wish of which that is not known."""

    def odds(ask: March, up_to: int, policy: Policy) -> Distribution[Any] | None:
        wish = policy.wish.name if policy.wish else ""
        if (fact, wish) == ("success", "succeed"):
            # 6s stay, and there is a push wherever it can help: all that counts is what the dice show after it.
            return thrown(ask, ("sixes_after",), up_to).map(lambda value: value[0] >= ask.needed)
        if wish not in PUSHES:
            return None
        known = ("sixes", "left", AFTER[fact], *(("frost",) if wish == "unscathed" else ()))
        return thrown(ask, known, up_to).map(
            lambda value: getattr(ended(ask.needed, wish, Both(**dict(zip(known, value, strict=True)))), fact)
        )

    return odds


def thrown(ask: March, known: tuple[str, ...], up_to: int) -> Distribution[tuple[int, ...]]:
    """The odds of these parts of what all dice show."""
    pool = (Dice(36, ask.attribute), Dice(36, ask.skill), Dice(36, int(ask.gear)))
    return reading(known).odds(pool, up_to)


@cache
def reading(known: tuple[str, ...]) -> Symbols:
    """Adds up these parts of what each die shows."""
    return Symbols(tuple(tuple(tuple(getattr(face, name) for name in known) for face in die) for die in DICE))


def ended(needed: int, wish: str, both: Both) -> Result:
    """The result, with a push where it is best."""
    if PUSHES[wish](needed, both):
        return Result(both.sixes_after, both.sixes_after >= needed, True, both.frost_after, both.wear_after)
    return Result(both.sixes, both.sixes >= needed)


def faces(frost: bool, wear: bool) -> tuple[Both, ...]:
    """A die and its push: every face, and every face that it may show when it is rolled again."""
    return tuple(one(first, first if first in (1, 6) else again, frost, wear) for first in D6 for again in D6)


def one(first: int, after: int, frost: bool, wear: bool) -> Both:
    """A die that shows one face at first and another after a push."""
    return Both(
        sixes=int(first == 6),
        frost=int(frost and first == 1),
        left=int(first not in (1, 6)),
        sixes_after=int(after == 6),
        frost_after=int(frost and after == 1),
        wear_after=int(wear and after == 1),
    )


DICE = (faces(frost=True, wear=False), faces(frost=False, wear=False), faces(frost=False, wear=True))
"""The dice of an Attribute, of a Skill and of Gear."""
