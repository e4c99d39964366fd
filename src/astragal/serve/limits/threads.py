"""Threads next to the event loop: while one of them works, Python switches threads more often."""

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
"""Seconds that a thread may hold the interpreter while others wait, as long as a thread here works."""


class _SwitchInterval:
    """The time that a thread may hold the interpreter: shorter while a thread here works."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._working = 0
        self._calm = 0.0

    def begin(self) -> None:
        """A thread begins to work."""
        with self._lock:
            self._working += 1
            if self._working == 1:
                self._calm = sys.getswitchinterval()
                sys.setswitchinterval(min(BRISK, self._calm))

    def end(self) -> None:
        """A thread has finished; after the last one, the interval is as before."""
        with self._lock:
            self._working -= 1
            if not self._working:
                sys.setswitchinterval(self._calm)


_interval = _SwitchInterval()


class Threads(ThreadPoolExecutor):
    """Threads for long work in Python, for which the event loop never waits long."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> Future[T]:
        """Do work in a thread."""
        return super().submit(partial(_briskly, fn), *args, **named)


def _briskly(work: Callable[..., T], *args: Any, **named: Any) -> T:
    _interval.begin()
    try:
        return work(*args, **named)
    finally:
        _interval.end()
