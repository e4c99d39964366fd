"""Odds of several throws that do not depend on each other.

Their chances multiply. What is asked of them together rarely minds who threw what: then throws that come to the same
words, in any order, are one, so n throws with w words have as many values as there are ways to share n among w, and
not w to the power of n. The throws are added one by one, equal ones merged after each.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from math import prod
from typing import Any

from astragal.dice.dice import Pool
from astragal.dice.distribution import Distribution
from astragal.dice.estimates import refuse_throws
from astragal.dice.reach import Reach, Reaches


def word_odds(readings: Sequence[Reaches], pool: Pool) -> Distribution[tuple[str, ...]]:
    """Return the odds of all words together, best first."""
    ranks: Distribution[Any] = Distribution.certain(())
    for reading, dice in zip(readings, pool, strict=True):
        ranked = reading.part_odds("word", (dice,), 0).map(reading.bands.ranks.__getitem__)
        ranks = ranks.convolve(ranked, _with)
    words = readings[0].bands.words
    return ranks.map(lambda found: tuple([words[rank] for rank in found]))


def _with(ranks: tuple[int, ...], rank: int) -> tuple[int, ...]:
    more = list(ranks)
    insort(more, rank)
    return tuple(more)


def every_odds(readings: Sequence[Reaches], pool: Pool) -> Distribution[tuple[Reach, ...]]:
    """Return the odds of what each of them comes to; refused where that is too much to list."""
    alone = [reading.odds((dice,), 0) for reading, dice in zip(readings, pool, strict=True)]
    refuse_throws(prod(map(len, alone)), "results")
    found: Distribution[Any] = Distribution.certain(())
    for odds in alone:
        found = found.convolve(odds, lambda so_far, one: (*so_far, one))
    return found
