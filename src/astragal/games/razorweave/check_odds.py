"""Exact odds of the dice that are kept, and of the tiers that follow (RW-4 to RW-7)."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from astragal.dice.distribution import Distribution
from astragal.dice.solver import cached, kept_counts
from astragal.games.razorweave.check import THROWS


class Throws(NamedTuple):
    """How many throws keep each sum, and how many keep at least that much, the throw with only 1s left out."""

    exactly: list[int]
    at_least: list[int]
    total: int
    ones: int
    """The sum that a throw with only 1s keeps."""

    def above(self, sum: int) -> int:
        """Throws that keep this sum or more."""
        return self.at_least[0 if sum < 0 else sum] if sum < len(self.at_least) else 0


@cached(8)
def throws(net: int) -> Throws:
    """What is kept with this Edge or Burden (RW-4)."""
    (dice,), keep = THROWS[net]
    exactly = kept_counts(keep.n, keep.best, dice)
    exactly[keep.n] -= 1
    return Throws(exactly, list(accumulate(reversed(exactly)))[::-1], dice.sides**dice.n, keep.n)


def tier_odds(net: int, needed: int) -> Distribution[str]:
    """The tiers when the kept dice must come to ``needed`` for a full success."""
    thrown = throws(net)
    above = thrown.above
    critical, full, partial, failure = above(needed + 5), above(needed), above(needed - 2), above(needed - 6)
    return Distribution(
        {
            "critical_success": critical,
            "full_success": full - critical,
            "partial_success": partial - full,
            "failure": failure - partial,
            "critical_failure": thrown.total - failure,
        },
        thrown.total,
    )
