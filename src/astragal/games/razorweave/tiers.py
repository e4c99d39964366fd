"""Tiers of a Check, the ladder of DCs, what tiers tick, and what a roll uses up (RW-2, RW-3, RW-6, RW-7, RW-11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from astragal.author import Bands, Effect, Tone, sources_of

Tier = Literal["critical_success", "full_success", "partial_success", "failure", "critical_failure"]
"""From best to worst (RW-6)."""
TIERS: tuple[Tier, ...] = get_args(Tier)
BANDS = Bands(
    ((5, "critical_success"), (0, "full_success"), (-2, "partial_success"), (-6, "failure")), "critical_failure"
)
"""The tiers by margin (RW-6)."""
FULL = ("critical_success", "full_success")
FAILED = ("failure", "critical_failure")
TONES: dict[str | None, Tone] = {
    "critical_success": "triumph",
    "full_success": "good",
    "partial_success": "mixed",
    "failure": "bad",
    "critical_failure": "disaster",
    None: "mixed",
}
"""The tone of each tier; a Check that needs no roll has none of its own."""
Together = Literal["all", "some", "none"]
TOGETHER: dict[Together, Tone] = {"all": "good", "some": "mixed", "none": "bad"}
First = Literal["goal", "both", "threat"]
"""Which Clock of a race is full first; from best to worst (RW-11)."""
RACES: dict[First, Tone] = {"goal": "good", "both": "mixed", "threat": "bad"}
ORACLE: dict[int, Tone] = {12: "good", 14: "good", 16: "mixed", 18: "bad", 20: "bad", 22: "bad"}
"""An easy DC is good news (RW-14)."""
LADDER = {12: "Easy", 14: "Routine", 16: "Tough", 18: "Hard", 20: "Heroic", 22: "Legendary"}
EASIEST, HARDEST = 12, 22
RUNG = 2
START = 14
"""The DC from which the oracle sets out (RW-14)."""
GOAL_TICKS = (3, 2, 1, 0, 0)
THREAT_TICKS = (0, 0, 1, 1, 2)
"""Ticks by tier, critical success first."""
PART = ": "
"""Between a member's name and what is theirs in a roll of several, as in "Kira: Might"."""


def nearest(dc: int) -> int:
    """The nearest step; between two of them, the easier one (RW-2)."""
    return dc if dc in LADDER else min(LADDER, key=lambda step: abs(step - dc))


def name_of(dc: int) -> str:
    """The name of the nearest step (RW-2)."""
    return LADDER[nearest(dc)]


def moved(dc: int, steps: int) -> int:
    """Along the ladder by a number of steps, never off its ends unless the DC was beyond them (RW-3)."""
    lowest, highest = min(dc, EASIEST), max(dc, HARDEST)
    return max(lowest, min(highest, dc + RUNG * steps))


def held(dc: int) -> int:
    """The DC within the ladder's ends (RW-14)."""
    return max(EASIEST, min(HARDEST, dc))


def ticked(goal: str | None, threat: str | None, tier: str | None) -> tuple[Effect, ...]:
    """A success ticks the goal, a partial success or a failure the threat, as far as the roll names them."""
    if tier is None:
        return ()
    place = TIERS.index(tier)
    named = (("goal", goal, GOAL_TICKS[place]), ("threat", threat, THREAT_TICKS[place]))
    return tuple(Effect(kind, "table", n, name, "RW-11") for kind, name, n in named if name and n)


def used_up(prepared: int, several: bool = False) -> Iterator[Effect]:
    """What was set up is gone as soon as the dice are thrown, so that no other roll has it too (RW-12).

    Where several roll, each source begins with the name of the one for whom it was set up.
    """
    for source in sources_of(prepared, "set up"):
        name = source.label.partition(PART)[2] if several else source.label
        if name:
            yield Effect("prepared", "scene", -1, name, "RW-12", "throw")
