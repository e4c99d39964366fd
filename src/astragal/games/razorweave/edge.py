"""Edge and Burden: how far they count, and what is thrown and kept (RW-4, RW-7)."""

from __future__ import annotations

from astragal.author import Dice, Keep

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
