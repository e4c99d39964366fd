"""Inputs and dice of a roll: a DC, Clocks by name, Edge and Burden (RW-1, RW-2, RW-4, RW-7, RW-12)."""

from __future__ import annotations

from typing import Any

from astragal.author import Dice, Illegal, Keep, one_of, sources_of, whole, words
from astragal.games.razorweave.rules import cited
from astragal.games.razorweave.tiers import LADDER

MAX_DC = 99
MAX_BONUS = 50
CONDITIONS = ("uncertain", "matters", "agency")
"""A Check is needed unless one of these inputs is denied (RW-1)."""
CAP = 2
KEPT = 4
MAX_SOURCES = 50
ALL_ONES = frozenset({1})
"""If every die shows a 1, the Check fails critically (RW-7)."""
THROWS = {net: ((Dice(6, KEPT + abs(net), "d6"),), Keep(KEPT, net >= 0, ALL_ONES)) for net in range(-CAP, CAP + 1)}
"""The dice thrown and the dice kept, for each net Edge (RW-4)."""


def dc_input(**more: Any) -> Any:
    """The input of a DC, with its ladder (RW-2); a Check's may be the table's."""
    return whole(1, MAX_DC, rule="RW-2", steps=tuple(LADDER.items()), **more)


def clock_input(rule: str = "RW-11", **more: Any) -> Any:
    """The input that names a Clock; at a table the Clock must be there (RW-9, RW-11)."""
    return words(default=None, rule=rule, names="clocks", **more)


def condition() -> Any:
    """The input of one of the three conditions under which a Check is needed, which the GM judges (RW-1)."""
    return one_of(("yes", "no"), default=None, rule="RW-1", guided=True, advanced=False, judged=True)


def capped(net: int) -> int:
    """Edge less Burden within 2 either way (RW-4)."""
    return max(-CAP, min(CAP, net))


def refuse_strangers(said: tuple[tuple[str, str], ...], assist: int) -> None:
    """Refuse to say what the help of a character is who does not help (RW-12)."""
    helping = [source.label for source in sources_of(assist) if source.label]
    key = "RW-12.no_help" if helping else "RW-12.no_help_named"
    for name, _ in said:
        if name.lower() not in map(str.lower, helping):
            raise Illegal(*cited(key, name=name[:40], there=", ".join(helping)), "assist_as")
