"""What a Check does to the Clocks that it names (RW-11)."""

from __future__ import annotations

from astragal.games.razorweave.tiers import TIERS
from astragal.rule.effect import Effect
from astragal.rule.note import Note

GOAL_TICKS = (3, 2, 1, 0, 0)
THREAT_TICKS = (0, 0, 1, 1, 2)
"""Ticks by tier, critical success first."""


def ticked(goal: str | None, threat: str | None, tier: str | None) -> tuple[Effect, ...]:
    """A success ticks the goal, a partial success or a failure the threat, as far as the roll names them."""
    if tier is None:
        return ()
    place = list(TIERS).index(tier)
    named = (("goal", goal, GOAL_TICKS[place]), ("threat", threat, THREAT_TICKS[place]))
    return tuple(Effect(kind, "table", n, name, "RW-11") for kind, name, n in named if name and n)


def tick_note(effect: Effect) -> Note:
    return Note(f'The {effect.what} Clock "{effect.name}" is ticked by {effect.by}.', effect.rule)
