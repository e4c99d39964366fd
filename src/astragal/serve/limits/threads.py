"""Threads beside the event loop: while one of them works, the interpreter changes hands more often."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
BRISK = 0.0001
"""Seconds that a thread may hold the interpreter while others wait, as long as one works beside the event loop."""


class _Pace:
    """How long a thread may hold the interpreter: less while somebody works beside the event loop."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._working = 0
        self._calm = 0.0

    def begin(self) -> None:
        """Somebody begins to work."""
        with self._lock:
            self._working += 1
            if self._working == 1:
                self._calm = sys.getswitchinterval()
                sys.setswitchinterval(min(BRISK, self._calm))

    def end(self) -> None:
        """They are done; after the last one everything is as before."""
        with self._lock:
            self._working -= 1
            if not self._working:
                sys.setswitchinterval(self._calm)


_pace = _Pace()


class Threads(ThreadPoolExecutor):
    """Threads for work in Python that may take long. The event loop, which is quick, never waits long for them."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> Future[T]:
        """Have work done in a thread."""
        return super().submit(partial(_briskly, fn), *args, **named)


def _briskly(work: Callable[..., T], *args: Any, **named: Any) -> T:
    _pace.begin()
    try:
        return work(*args, **named)
    finally:
        _pace.end()
