"""Places: the threads in which questions are answered, some for visitors and some for members.

Neither can starve the other, and no single asker takes all places. A question has a budget of steps, a hard stop,
and an answer of bounded size; one that nobody waits for any more is dropped.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from astragal.dice.work import Work, working
from astragal.errors import Illegal, Unavailable
from astragal.serve.problems import Limited

MAX_WAITING = 32
"""Questions running or waiting in a place; beyond that, the wait would be longer than people have patience."""
MAX_OF_ONE = 6
"""Questions of one asker at a time; our page asks fewer."""
MAX_ANSWER = 1 << 20
"""Bytes of an answer; a hundred times what a chart needs."""
GRACE = 1.0
"""Seconds in which a stopped question should end; then its asker is told, and it ends when it can."""
BUSY = "The server is busy with other questions. Try again in a moment."
TOO_LONG = "The question took longer than {seconds:g} s, so it was stopped. Ask for fewer dice, sides, rolls or values."
TOO_LARGE = f"The answer has more than {MAX_ANSWER:,} bytes; ask for fewer facts with show, or for a lower up_to."

T = TypeVar("T")
_encode = msgspec.json.Encoder().encode


class Place:
    """A few threads, and the questions that run or wait there."""

    def __init__(self, name: str, threads: int, seconds: float) -> None:
        self._threads = ThreadPoolExecutor(threads, f"astragal {name}")
        self._seconds = seconds
        self._askers: Counter[str] = Counter()
        self.taken = 0
        """Questions running or waiting, those included that nobody waits for."""

    async def answer(self, asker: str, request: Request, work: Callable[..., Any], *args: Any) -> msgspec.Raw:
        """The answer as JSON, of bounded size."""
        return await self.compute(asker, request, lambda: _encoded(work(*args)))

    async def compute(self, asker: str, request: Request, work: Callable[[], T]) -> T:
        """What the work returns; it is stopped when the asker is gone or the time is over."""
        if self._askers[asker] >= MAX_OF_ONE:
            raise Limited(1)
        if self.taken >= MAX_WAITING:
            raise Unavailable(BUSY)
        self.taken += 1
        self._askers[asker] += 1
        running = _Question(self._threads, self._seconds, work)
        running.future.add_done_callback(lambda _: self._leave(asker))
        found: T = await running.result(request)
        return found

    def _leave(self, asker: str) -> None:
        self.taken -= 1
        self._askers[asker] -= 1
        if not self._askers[asker]:
            del self._askers[asker]

    def close(self) -> None:
        """Drop what waits."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Question:
    """One question in a thread, with its budget and its hard stop."""

    def __init__(self, threads: ThreadPoolExecutor, seconds: float, work: Callable[[], Any]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._work = Work()
        self._timer: asyncio.TimerHandle | None = None
        self._late = asyncio.Event()
        self.future = self._loop.run_in_executor(threads, self._run, work)

    def _run(self, work: Callable[[], Any]) -> Any:
        self._loop.call_soon_threadsafe(self._start_timer)
        with working(self._work):
            return work()

    def _start_timer(self) -> None:
        self._timer = self._loop.call_later(self._seconds, self._stop)

    def _stop(self) -> None:
        self._work.stop(TOO_LONG.format(seconds=self._seconds))
        self._timer = self._loop.call_later(GRACE, self._late.set)

    async def result(self, request: Request) -> Any:
        """The result; ClientDisconnect if the asker went away, Unavailable if the work does not end."""
        gone, late = asyncio.create_task(_disconnected(request)), asyncio.create_task(self._late.wait())
        try:
            await asyncio.wait((self.future, gone, late), return_when=asyncio.FIRST_COMPLETED)
            if self.future.done():
                return self.future.result()
            self._work.stop()
            self.future.cancel()  # if it still waits
            self.future.add_done_callback(lambda future: future.cancelled() or future.exception())  # nobody else asks
            raise ClientDisconnect if gone.done() else Unavailable(TOO_LONG.format(seconds=self._seconds))
        finally:
            if self._timer and self.future.done():
                self._timer.cancel()
            gone.cancel()
            late.cancel()


async def _disconnected(request: Request) -> None:
    """Wait until whoever asked has gone away."""
    with suppress(RuntimeError):
        while (await request.receive())["type"] != "http.disconnect":
            pass


def _encoded(value: Any) -> msgspec.Raw:
    encoded = _encode(value)
    if len(encoded) > MAX_ANSWER:
        raise Illegal(TOO_LARGE)
    return msgspec.Raw(encoded)
