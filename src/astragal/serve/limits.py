"""Limits: a bucket of tokens for each who asks; an empty one fills again with time."""

from __future__ import annotations

from collections import OrderedDict
from math import ceil
from time import monotonic

from astragal.serve.problems import Limited
from astragal.serve.settings import Rate

MOST_BUCKETS = 10_000
"""So many are remembered; the one that was used longest ago is full again anyway."""


class RateLimit:
    """One rate for many askers."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> None:
        """One token, or a refusal that says how long to wait."""
        now = monotonic()
        left, since = self._buckets.pop(who, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - since) * self._rate.per_second)
        self._buckets[who] = (left - 1 if left >= 1 else left, now)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        if left < 1:
            raise Limited(max(1, ceil((1 - left) / self._rate.per_second)))
