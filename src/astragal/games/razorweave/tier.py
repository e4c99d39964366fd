"""Tiers of a Check by its margin (RW-6, RW-7)."""

from __future__ import annotations

TIERS = {
    "critical_success": "Critical success",
    "full_success": "Full success",
    "partial_success": "Partial success",
    "failure": "Failure",
    "critical_failure": "Critical failure",
}
_LOWEST = ((5, "critical_success"), (0, "full_success"), (-2, "partial_success"), (-6, "failure"))


def tier_of(margin: int, all_ones: bool = False) -> str:
    """The tier of this margin; dice that all show 1 fail critically whatever it is (RW-7)."""
    if not all_ones:
        for lowest, tier in _LOWEST:
            if margin >= lowest:
                return tier
    return "critical_failure"
