"""Fair timing of two things in one run: turn about, the best of many rounds."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import perf_counter


def best_seconds(*calls: Callable[[], object], times: int = 1000, rounds: int = 15) -> list[float]:
    """Seconds of one call of each; the rounds alternate, so that a busy machine is busy for all of them."""
    best = [float("inf")] * len(calls)
    gc.disable()
    for _ in range(rounds):
        for place, call in enumerate(calls):
            start = perf_counter()
            for _ in range(times):
                call()
            best[place] = min(best[place], (perf_counter() - start) / times)
        gc.collect()
    gc.enable()
    return best
