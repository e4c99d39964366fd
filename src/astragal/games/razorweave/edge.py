"""Edge and Burden: how far they count, what is thrown and kept, and whose help they are (RW-4, RW-7, RW-12)."""

from __future__ import annotations

from astragal.author import Dice, Illegal, Keep, sources_of
from astragal.games.razorweave.rules import cited

CAP = 2
KEPT = 4
MAX_SOURCES = 50
ALL_ONES = frozenset({1})
"""If every die shows a 1, the Check fails critically (RW-7)."""
THROWS = {net: ((Dice(6, KEPT + abs(net), "d6"),), Keep(KEPT, net >= 0, ALL_ONES)) for net in range(-CAP, CAP + 1)}
"""What is thrown, and which dice are kept, for each net Edge (RW-4)."""


def capped(net: int) -> int:
    """Edge less Burden within 2 either way (RW-4)."""
    return CAP if net > CAP else -CAP if net < -CAP else net


def refuse_strangers(said: tuple[tuple[str, str], ...], assist: int) -> None:
    """Refuse to say of somebody who does not help what their help is (RW-12)."""
    helping = [source.label for source in sources_of(assist) if source.label]
    key = "RW-12.no_help" if helping else "RW-12.no_help_named"
    for name, _ in said:
        if name.lower() not in map(str.lower, helping):
            raise Illegal(*cited(key, name=name[:40], there=", ".join(helping)), "assist_as")
