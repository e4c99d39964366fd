"""Memory: answers that are kept because equal questions have equal answers, and how to forget them all."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_forget: list[Callable[[], None]] = []


def cached(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last so many answers of a function."""

    def keep(function: Callable[P, R]) -> Callable[P, R]:
        kept = lru_cache(maxsize=most)(function)
        _forget.append(kept.cache_clear)
        return kept  # type: ignore[return-value]

    return keep


def forget() -> None:
    """Forget everything that has been asked before."""
    for clear in _forget:
        clear()
