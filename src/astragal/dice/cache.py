"""The cache of solved odds: results that are kept until ``forget`` is called."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_clear_caches: list[Callable[[], None]] = []


def cached(size: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache the last ``size`` results of a function until ``forget`` is called."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        wrapped = lru_cache(maxsize=size)(function)
        _clear_caches.append(wrapped.cache_clear)
        return wrapped  # type: ignore[return-value]

    return decorate


def forget() -> None:
    """Empty every cache made by ``cached``."""
    for clear in _clear_caches:
        clear()
