"""The disk by itself: how long a write takes to be durable, at the honest table's pace, while nobody else writes."""

from __future__ import annotations

import os
from pathlib import Path
from time import perf_counter, sleep
from typing import NamedTuple

from bench.attack.probe import PACE

SIZE = 4096
"""Bytes of a write: a page of the database."""
PAGES = 256


class Bare(NamedTuple):
    """Times of bare writes, in seconds, in order."""

    times: list[float]

    def __str__(self) -> str:
        p50, p99, most = (f"{self._at(share) * 1000:.1f} ms" for share in (0.5, 0.99, 1.0))
        return f"A bare write with fsync on this disk takes {p50} (p50), {p99} (p99), {most} at most."

    def _at(self, share: float) -> float:
        return sorted(self.times)[min(len(self.times) - 1, int(share * len(self.times)))]


def bare(folder: Path, seconds: float) -> Bare:
    """Write and wait until it is durable, for so long."""
    times: list[float] = []
    file = os.open(folder / "bare", os.O_CREAT | os.O_RDWR)
    try:
        os.ftruncate(file, SIZE * PAGES)
        for n in range(max(1, int(seconds / PACE))):
            began = perf_counter()
            os.pwrite(file, os.urandom(SIZE), n % PAGES * SIZE)
            os.fsync(file)
            times.append(perf_counter() - began)
            sleep(max(0.0, PACE - times[-1]))
    finally:
        os.close(file)
    return Bare(times)
