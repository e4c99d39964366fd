"""Forgetting: what was computed for one question must not help with the next."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from astragal.rule.chances.odds import forget
from bench.peers import with_icepool

OURS = ("astragal.dice.", "astragal.games.", "astragal.rule.chances.odds", "astragal.rule.chances.solve")


def forget_all() -> None:
    """Ours by the public call, and any cache that it might overlook; icepool's; dyce and lea keep none."""
    forget()
    for cache in _caches(len(sys.modules)):
        cache.cache_clear()
    with_icepool.clear_caches()


def left_over(questions: Sequence[Callable[[], object]]) -> list[str]:
    """Our functions that still remember something after ``forget``."""
    for ask in questions:
        ask()
    forget()
    caches = _caches(len(sys.modules))
    return sorted(f"{cache.__module__}.{cache.__name__}" for cache in caches if cache.cache_info().currsize)


@lru_cache(maxsize=1)
def _caches(loaded: int) -> list[Any]:
    """Every function of ours that remembers answers, as far as modules are loaded."""
    found = {
        id(value): value
        for name, module in sys.modules.items()
        if name.startswith(OURS)
        for value in vars(module).values()
        if hasattr(value, "cache_clear")
    }
    return list(found.values())
