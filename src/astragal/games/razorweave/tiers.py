"""Tiers of a Check by its margin (RW-6, RW-7)."""

from __future__ import annotations

TIERS = {
    "critical_success": "Critical success",
    "full_success": "Full success",
    "partial_success": "Partial success",
    "failure": "Failure",
    "critical_failure": "Critical failure",
}


def tier_of(margin: int, all_ones: bool = False) -> str:
    """The tier of this margin; dice that all show 1 fail critically whatever it is (RW-7)."""
    if all_ones or margin <= -7:
        return "critical_failure"
    if margin >= 0:
        return "critical_success" if margin >= 5 else "full_success"
    return "partial_success" if margin >= -2 else "failure"
