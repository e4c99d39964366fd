"""Deadlines: a ``with`` block that ends in a refusal when its time is up.

    with Deadline(60, "There was no answer within a minute."):
        odds("100d20kh50")

What runs in the block counts nothing. In the main thread it is interrupted between two instructions of Python; a long
product of large numbers is finished first. In another thread nothing is interrupted, and ``time_is_up`` tells.
"""

from __future__ import annotations

import gc
import signal
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable
from contextvars import ContextVar, Token
from types import FrameType, FunctionType
from typing import Any

from astragal.errors import Unavailable

POLL = 0.02
"""Seconds between two looks at the clock, and between two interruptions of somebody who does not listen."""
SIGNAL = getattr(signal, "SIGALRM", signal.SIGINT)
"""What interrupts the main thread; Windows has no alarm, and takes Ctrl+C for it."""


class Deadline:
    """A block that ends after ``seconds`` by ``clock``; without them, never.

    With ``interrupts``, work in it is refused wherever it is, until somebody asks ``time_is_up``. Without, only the
    question whether time is up is answered, for work in portions.
    """

    def __init__(
        self,
        seconds: float | None = None,
        sentence: str = "",
        *,
        clock: Callable[[], float] = time.monotonic,
        interrupts: bool = True,
    ) -> None:
        self._seconds, self._clock = seconds, clock
        self._refusal = Unavailable(sentence or f"This took longer than {seconds or 0:g} seconds.")
        self._interrupts = interrupts and threading.current_thread() is threading.main_thread()
        self._closed, self._known = threading.Event(), False
        self._end: float | None = None
        self._outer: Deadline | None = None
        self._token: Token[Deadline | None] | None = None
        self._before: Any = None

    def __enter__(self) -> Deadline:
        self._outer = _deadline.get()
        self._token = _deadline.set(self)
        if self._seconds is not None:
            self._end = self._clock() + self._seconds
            if self._interrupts:
                self._before = signal.signal(SIGNAL, self._interrupted)
                threading.Thread(target=self._wait, daemon=True).start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._closed.set()
        if self._before is not None:
            signal.signal(SIGNAL, self._before)
        if self._token is not None:
            _deadline.reset(self._token)

    @property
    def is_over(self) -> bool:
        """Whether the time of this block is up, or that of one around it."""
        own = self._end is not None and self._clock() >= self._end
        self._known = self._known or own
        return own or (self._outer is not None and self._outer.is_over)

    def _wait(self) -> None:
        while not self._closed.wait(POLL):
            if self._end is not None and self._clock() >= self._end and not self._known:
                interrupt_main(SIGNAL)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self._end is None or self._clock() < self._end:
            if number == signal.SIGINT:  # somebody's Ctrl+C
                signal.default_int_handler(number, frame)
            elif self._outer and self._outer._interrupts:  # else it is late, of a block that has ended
                self._outer._interrupted(number, frame)
        elif not self._closed.is_set() and not _would_be_lost(frame):
            raise self._refusal.with_traceback(None)


def _would_be_lost(frame: FrameType | None) -> bool:
    """True where an exception does harm: it would leave a block half open, or Python would print and drop it.

    Python drops what finalizers and callbacks of the garbage collector raise. The next poll tries again.
    """
    fragile = {Deadline.__enter__.__code__, Deadline.__exit__.__code__}
    fragile.update(callback.__code__ for callback in gc.callbacks if isinstance(callback, FunctionType))
    while frame is not None:
        if frame.f_code in fragile or frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


_deadline: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


def time_is_up() -> bool:
    """Whether the time of the block around this is up."""
    deadline = _deadline.get()
    return deadline is not None and deadline.is_over
