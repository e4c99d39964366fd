"""The ladder of DCs (RW-2, RW-3)."""

from __future__ import annotations

LADDER = {12: "Easy", 14: "Routine", 16: "Tough", 18: "Hard", 20: "Heroic", 22: "Legendary"}
EASIEST, HARDEST = 12, 22
RUNG = 2


def name_of(dc: int) -> str:
    """The name of the nearest step; between two steps, of the easier one (RW-2)."""
    return LADDER.get(dc) or LADDER[min(LADDER, key=lambda step: abs(step - dc))]


def moved(dc: int, steps: int) -> int:
    """Along the ladder by so many steps, never off its ends unless the DC was beyond them (RW-3)."""
    lowest, highest = min(dc, EASIEST), max(dc, HARDEST)
    return max(lowest, min(highest, dc + RUNG * steps))
