"""Inputs that several kinds of roll have: the DC, Clocks by name, the conditions of a Check (RW-1, RW-2)."""

from __future__ import annotations

from typing import Any

from astragal.author import one_of, whole, words
from astragal.games.razorweave.tiers import LADDER

MAX_DC = 99
MAX_BONUS = 50
CONDITIONS = ("uncertain", "matters", "agency")
"""A Check is needed unless one of these inputs is denied (RW-1)."""


def dc_input(help: str, **more: Any) -> Any:
    """The input of a DC, with its ladder (RW-2)."""
    steps, asks = tuple(LADDER.items()), "Choose a difficulty"
    return whole(1, MAX_DC, help, rule="RW-2", title="How hard?", steps=steps, asks=asks, granted="DC {}", **more)


def clock_input(help: str, title: str, rule: str = "RW-11", **more: Any) -> Any:
    """The input that names a Clock; at a table the Clock must be there (RW-9, RW-11)."""
    return words(help, default=None, rule=rule, title=title, names="clocks", **more)


def condition(help: str, title: str) -> Any:
    """The input of one of the three conditions under which a Check is needed, which the GM judges (RW-1)."""
    return one_of(("yes", "no"), help, default=None, rule="RW-1", guided=True, title=title, advanced=False, judged=True)
