"""Rates that hold for all servers of a store together: buckets in rows, for what protects secrets and the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import ceil
from zlib import crc32

import msgspec
from msgspec import Struct

from astragal.serve.problems import Limited
from astragal.serve.settings import Rate
from astragal.storage import Store

SLOTS = 4096
"""Buckets of a rate. Clients share one by chance, so that no attacker with many addresses fills the store with rows."""
TRIES = 8
"""How often a bucket is taken from that another server takes from at the same time."""


class Bucket(Struct, frozen=True, array_like=True):
    """Tokens left, and when that was, in milliseconds."""

    left: float
    at: int


_decoder = msgspec.json.Decoder(Bucket)


class SharedRate:
    """A token bucket for each client, all of the same rate, in rows that every server of a store takes from."""

    def __init__(
        self, store: Store, name: str, rate: Rate, hashed: Callable[[str, str], str], clock: Callable[[], int]
    ) -> None:
        self._store = store
        self._name = name
        self._rate = rate
        self._hashed = hashed
        self._clock = clock

    async def take(self, client: str) -> None:
        """Take a token; Limited, with the time to wait, if there is none."""
        wait = await asyncio.to_thread(self._take, client)
        if wait:
            raise Limited(max(1, ceil(wait)))

    def _take(self, client: str) -> float:
        """Seconds to wait; 0 if a token was taken."""
        slot = crc32(self._hashed("rate", client).encode()) % SLOTS  # keyed, so that nobody can choose whose they share
        name = f"rate/{self._name}/{slot}"
        for _ in range(TRIES):
            body, now = self._store.setting(name), self._clock()
            left = self._left(_decoder.decode(body) if body else None, now)
            if left < 1:
                return (1 - left) / self._rate.per_second
            if self._store.swap_setting(name, body, msgspec.json.encode(Bucket(left - 1, now))).result():
                return 0.0
        return 1.0

    def _left(self, bucket: Bucket | None, now: int) -> float:
        if bucket is None:
            return self._rate.burst
        gained = max(0, now - bucket.at) / 1000 * self._rate.per_second
        return min(self._rate.burst, bucket.left + gained)
