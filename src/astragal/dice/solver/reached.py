"""Odds of bands, as differences of cumulated counts.

The throws that have a word are those that reach its step, without those that reach the step above it. So the counts are
made once for a pool, and each word is one look-up, whatever is added to the number or asked of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from astragal.dice.dice import Dice
from astragal.dice.distribution import Distribution
from astragal.dice.reach import Bands
from astragal.dice.reading import Keep
from astragal.dice.solver.cards import kept_draws
from astragal.dice.solver.readings import every_counts, kept_counts

ROOM = 40
"""Numbers beyond the highest that are listed as reached by no throw, so that most bands need no look at the end."""


class Reached:
    """How many throws reach each number; ``nothing`` are throws besides that reach none and have the last word."""

    def __init__(self, ways: Sequence[int], nothing: int = 0) -> None:
        """Count throws by the number that they come to, from 0 up."""
        self._at_least = [*list(accumulate(reversed(ways)))[::-1], *[0] * ROOM]
        self._total = sum(ways) + nothing

    @classmethod
    def kept(cls, keep: Keep, dice: Dice) -> Reached:
        """Count throws, or draws, by what they keep; those that only show faces in ``keep.every`` reach nothing."""
        if dice.cards:
            drawn, ways = kept_draws(keep, dice).weights, [0] * (dice.n * dice.sides + 1)
            for kept, draws in drawn.items():
                ways[kept.total] += 0 if kept.every else draws
            return cls(ways, sum([draws for kept, draws in drawn.items() if kept.every]))
        ways, only = kept_counts(keep.n, keep.best, dice), every_counts(keep, dice)
        for total, throws in only.items():
            ways[total] -= throws
        return cls(ways, sum(only.values()))

    def throws(self, number: int) -> int:
        """Return how many throws reach this number."""
        return self._at_least[max(number, 0)] if number < len(self._at_least) else 0

    def odds(self, bands: Bands, needed: int = 0) -> Distribution[str]:
        """Return the odds of each word for the number less ``needed``."""
        at_least, total = self._at_least, self._total
        inside = needed + bands.least >= 0 and needed + bands.most < len(at_least)
        weights, above = {}, 0
        for step, word in bands.steps:
            ways = at_least[needed + step] if inside else self.throws(needed + step)
            weights[word] = ways - above
            above = ways
        weights[bands.last] = total - above
        return Distribution(weights, total, None, bands.words)
