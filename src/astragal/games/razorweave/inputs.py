"""Inputs that several kinds of roll have: the DC, Clocks by name, the conditions of a Check (RW-1, RW-2)."""

from __future__ import annotations

from typing import Any

from astragal.author import one_of, whole, words
from astragal.games.razorweave.tiers import LADDER

MAX_DC = 99
MAX_BONUS = 50
CONDITIONS = ("uncertain", "matters", "agency")
"""A Check is needed unless one of these inputs is denied (RW-1)."""


def dc_input(**more: Any) -> Any:
    """The input of a DC, with its ladder (RW-2); a Check's may be the table's."""
    return whole(1, MAX_DC, rule="RW-2", steps=tuple(LADDER.items()), **more)


def clock_input(rule: str = "RW-11", **more: Any) -> Any:
    """The input that names a Clock; at a table the Clock must be there (RW-9, RW-11)."""
    return words(default=None, rule=rule, names="clocks", **more)


def condition() -> Any:
    """The input of one of the three conditions under which a Check is needed, which the GM judges (RW-1)."""
    return one_of(("yes", "no"), default=None, rule="RW-1", guided=True, advanced=False, judged=True)
