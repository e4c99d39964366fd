"""Fair timing of several things in one run: turn about, the best of many rounds."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from time import perf_counter

Call = Callable[[], object]

MANY = 5.0


def best_seconds(*calls: Call, times: int = 1000, rounds: int = 15) -> list[float]:
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


def first_seconds(calls: Sequence[Call], forget: Call, budget: float = 1.0, turn: float = 0.003) -> list[float]:
    """Seconds of a first call of each: before every call, all that was remembered is forgotten, off the clock.

    They take turns of at least a few milliseconds, each until its share of time is used
    up and it was called three times; one that takes many seconds is called once.
    """
    best, spent, called = [float("inf")] * len(calls), [0.0] * len(calls), [0] * len(calls)
    left = set(range(len(calls)))
    gc.collect()
    gc.disable()
    while left:
        for place in sorted(left):
            end = spent[place] + turn
            while spent[place] < end:
                seconds = _seconds(calls[place], forget)
                best[place] = min(best[place], seconds)
                spent[place] += seconds
                called[place] += 1
            if spent[place] >= budget and (called[place] >= 3 or spent[place] > MANY):
                left.remove(place)
    gc.enable()
    return best


def _seconds(call: Call, forget: Call) -> float:
    forget()
    start = perf_counter()
    call()
    return perf_counter() - start
