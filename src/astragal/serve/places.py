"""Places: where questions are answered, some for visitors and some for members.

Neither can starve the other, and no single asker takes all places. A question has a budget of steps, a hard stop,
and an answer of bounded size; one that nobody waits for any more is dropped. A short question is answered in a
thread; one that turns out to be long goes to a reckoner, so that everybody else's requests go first.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, NoReturn, Protocol, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from astragal.dice.work import DROPPED, Work, working
from astragal.errors import Unavailable
from astragal.serve.limits.threads import Threads
from astragal.serve.problems import Limited
from astragal.serve.reckon.message import JsonPieces, encode_answer
from astragal.serve.reckon.pool import Errand, Reckoners

MAX_WAITING = 32
"""Questions running or waiting in a place; beyond that, the wait would be longer than people have patience."""
MAX_OF_ONE = 6
"""Questions of one asker at a time; our page asks fewer."""
SHORT = 5_000
"""Steps that a question may take in the server's own process: less than a millisecond, and enough for most."""
GRACE = 1.0
"""Seconds in which a stopped question should end; then its asker is told, and its reckoner is ended."""
BUSY = "The server is busy with other questions. Try again in a moment."
TOO_LONG = "The question took longer than {seconds:g} s, so it was stopped. Ask for fewer dice, sides, rolls or values."

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Place:
    """A few threads, perhaps with reckoners, and the questions that run or wait there."""

    def __init__(self, name: str, threads: int, seconds: float, reckoners: int = 0) -> None:
        self._threads = Threads(threads, f"astragal {name}")
        self._errands = Threads(max(1, reckoners), f"astragal {name} errand")
        self.reckoners = Reckoners() if reckoners else None
        self._seconds = seconds
        self._askers: Counter[str] = Counter()
        self.taken = 0
        """Questions running or waiting, those included that nobody waits for."""

    async def answer(
        self, asker: str, request: Request, work: Callable[..., Any], *args: Any, short: bool = True
    ) -> msgspec.Raw:
        """The answer as JSON, of bounded size. ``short`` is false for what is likely to be long, or counts no steps."""
        self._admit(asker)

        def answered() -> msgspec.Raw:
            return encode_answer(work(*(each.joined() if isinstance(each, JsonPieces) else each for each in args)))

        if self.reckoners is None:
            return await self._run(asker, request, self._threads, InProcess(answered, Work()))
        if short:
            with suppress(Long):
                return await self._run(asker, request, self._threads, InProcess(answered, ShortWork(SHORT)))
        errand = Errand(self.reckoners, work, args, self._seconds + GRACE, self._too_long)
        return await self._run(asker, request, self._errands, errand)

    async def compute(self, asker: str, request: Request, work: Callable[[], T]) -> T:
        """What the work returns, in a thread; it is stopped when the asker is gone or the time is over."""
        self._admit(asker)
        return await self._run(asker, request, self._threads, InProcess(work, Work()))

    def _admit(self, asker: str) -> None:
        if self._askers[asker] >= MAX_OF_ONE:
            raise Limited(1)
        if self.taken >= MAX_WAITING:
            raise Unavailable(BUSY)

    async def _run(self, asker: str, request: Request, threads: Threads, job: Job[T]) -> T:
        self.taken += 1
        self._askers[asker] += 1
        running = _Question(threads, self._seconds, self._too_long, job)
        running.future.add_done_callback(lambda _: self._leave(asker))
        return await running.result(request)

    def _leave(self, asker: str) -> None:
        self.taken -= 1
        self._askers[asker] -= 1
        if not self._askers[asker]:
            del self._askers[asker]

    @property
    def _too_long(self) -> str:
        return TOO_LONG.format(seconds=self._seconds)

    def close(self) -> None:
        """Drop what waits, and end the reckoners."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._errands.shutdown(wait=False, cancel_futures=True)
        if self.reckoners:
            self.reckoners.close()


class Job(Protocol[T_co]):
    """Work for a thread, which can be stopped from another."""

    def run(self, begun: Callable[[], Any]) -> T_co:
        """What the work returns; ``begun`` is called when it starts."""

    def stop(self, sentence: str) -> None:
        """Refuse the work with this sentence, if it still runs."""


class Long(Exception):
    """A question is longer than a thread may take for it."""


class ShortWork(Work):
    """The work of a question that ends in ``Long``, and not in a refusal, where its steps do not suffice."""

    __slots__ = ()

    def _refuse(self, steps: int, sentence: str = "") -> NoReturn:
        if self.stopped:
            raise self.stopped
        raise Long


class InProcess(Generic[T]):
    """A job in a thread of the server."""

    def __init__(self, compute: Callable[[], T], work: Work) -> None:
        self._compute = compute
        self._work = work

    def run(self, begun: Callable[[], Any]) -> T:
        """What is computed, its steps counted."""
        begun()
        with working(self._work):
            return self._compute()

    def stop(self, sentence: str) -> None:
        """Refuse it at its next step."""
        self._work.stop(sentence)


class _Question(Generic[T]):
    """One job in a thread, with its hard stop."""

    def __init__(self, threads: Threads, seconds: float, too_long: str, job: Job[T]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._too_long = too_long
        self._job = job
        self._timer: asyncio.TimerHandle | None = None
        self._late = asyncio.Event()
        self.future = self._loop.run_in_executor(threads, job.run, self._begun)

    def _begun(self) -> None:
        self._loop.call_soon_threadsafe(self._start_timer)

    def _start_timer(self) -> None:
        self._timer = self._loop.call_later(self._seconds, self._stop)

    def _stop(self) -> None:
        self._job.stop(self._too_long)
        self._timer = self._loop.call_later(GRACE, self._late.set)

    async def result(self, request: Request) -> T:
        """The result; ClientDisconnect if the asker went away, Unavailable if the work does not end."""
        gone, late = asyncio.create_task(_disconnected(request)), asyncio.create_task(self._late.wait())
        try:
            await asyncio.wait((self.future, gone, late), return_when=asyncio.FIRST_COMPLETED)
            if self.future.done():
                return self.future.result()
            self._job.stop(DROPPED)
            self.future.cancel()  # if it still waits
            self.future.add_done_callback(lambda future: future.cancelled() or future.exception())  # nobody else asks
            raise ClientDisconnect if gone.done() else Unavailable(self._too_long)
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
