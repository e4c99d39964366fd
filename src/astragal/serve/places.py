"""Places: where questions are answered, some for visitors and some for members.

Neither can starve the other. An asker has one question computed at a time, and askers take turns. A question has a
deadline, bounded memory, and an answer of bounded size; one that nobody waits for any more is dropped. Questions are
answered in processes: first in a quick one, and what turns out to be long in one that lets everybody else's requests
go first.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from astragal.errors import Unavailable
from astragal.serve.limits.threads import Threads
from astragal.serve.problems import Limited
from astragal.serve.reckon.message import DROPPED, JsonPieces, Long, encode_answer
from astragal.serve.reckon.pool import Errand, Reckoners

MAX_WAITING = 32
"""Questions running or waiting in a place; beyond that, the wait would be longer than people have patience."""
MAX_OF_ONE = 6
"""Questions of one asker at a time; our page asks fewer."""
QUICK = 0.05
"""Seconds of the processor that a question may take in a quick reckoner; enough for most."""
GRACE = 1.0
"""Seconds in which a stopped question should end; then its asker is told, and its reckoner is ended."""
BUSY = "The server is busy with other questions. Try again in a moment."
TOO_LONG = "The question took longer than {seconds:g} s, so it was stopped. Ask for fewer dice, sides, rolls or values."

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class FairQueue:
    """Who may work in a few places: one question of an asker at a time, and askers in turn.

    However many questions one asker has, another's next one waits for at most one of them.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._working: set[str] = set()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def take(self, asker: str) -> None:
        """Wait for this asker's turn; ``give`` ends it."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asker, deque()).append(turn)
        self._call()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give(asker)
            raise

    def give(self, asker: str) -> None:
        """End this asker's turn."""
        self._free += 1
        self._working.discard(asker)
        if asker in self._waiting:
            self._waiting.move_to_end(asker)
        self._call()

    def _call(self) -> None:
        """Call those who are next, as long as there are places."""
        while self._free and (asker := next((one for one in self._waiting if one not in self._working), None)):
            turns = self._waiting[asker]
            turn = turns.popleft()
            if not turns:
                del self._waiting[asker]
            if not turn.cancelled():
                self._free -= 1
                self._working.add(asker)
                turn.set_result(None)


class Place:
    """A few threads and processes, and the questions that run or wait there."""

    def __init__(self, name: str, threads: int, seconds: float, reckoners: int = 0) -> None:
        self._threads = Threads(threads, f"astragal {name}")
        self._errands = Threads(max(1, reckoners), f"astragal {name} errand")
        self._quick = Threads(1, f"astragal {name} quick")
        self._turns = {
            self._threads: FairQueue(threads),
            self._quick: FairQueue(1),
            self._errands: FairQueue(max(1, reckoners)),
        }
        self.reckoners = Reckoners() if reckoners else None
        self.quick = Reckoners(quick=True) if reckoners else None
        self._seconds = seconds
        self._askers: Counter[str] = Counter()
        self.taken = 0
        """Questions whose askers wait."""

    async def answer(
        self, asker: str, request: Request, work: Callable[..., Any], *args: Any, short: bool = True
    ) -> msgspec.Raw:
        """The answer as JSON, of bounded size. ``short`` is false for what is likely to be long."""
        self._admit(asker)

        if self.reckoners is None or self.quick is None:
            return await self._run(asker, request, self._threads, InProcess(partial(_answered, work, args)))
        if short:
            with suppress(Long):
                errand = self._errand(self.quick, work, args, QUICK)
                return await self._run(asker, request, self._quick, errand)
        errand = self._errand(self.reckoners, work, args, self._seconds)
        return await self._run(asker, request, self._errands, errand)

    def _errand(self, reckoners: Reckoners, work: Callable[..., Any], args: tuple[Any, ...], seconds: float) -> Errand:
        patience = self._seconds + GRACE
        return Errand(reckoners, work, args, seconds=seconds, patience=patience, too_long=self._too_long)

    async def compute(self, asker: str, request: Request, work: Callable[[], T]) -> T:
        """What the work returns, in a thread; for short work, which nothing can stop."""
        self._admit(asker)
        return await self._run(asker, request, self._threads, InProcess(work))

    def _admit(self, asker: str) -> None:
        if self._askers[asker] >= MAX_OF_ONE:
            raise Limited(1)
        if self.taken >= MAX_WAITING:
            raise Unavailable(BUSY)

    async def _run(self, asker: str, request: Request, threads: Threads, job: Job[T]) -> T:
        self.taken += 1
        self._askers[asker] += 1
        gone = asyncio.create_task(_disconnected(request))
        try:
            await _before(gone, self._turns[threads].take(asker))
            running = _Question(threads, self._seconds, self._too_long, job, partial(self._turns[threads].give, asker))
            return await running.result(gone)
        finally:
            gone.cancel()
            self._leave(asker)

    def _leave(self, asker: str) -> None:
        self.taken -= 1
        self._askers[asker] -= 1
        if not self._askers[asker]:
            del self._askers[asker]

    @property
    def _too_long(self) -> str:
        return TOO_LONG.format(seconds=self._seconds)

    def warm(self) -> None:
        """Have a quick reckoner ready before the first question."""
        if self.quick:
            self.quick.warm()

    @property
    def pids(self) -> list[int]:
        """The processes of all reckoners."""
        return [pid for each in (self.quick, self.reckoners) if each for pid in each.pids]

    def close(self) -> None:
        """Drop what waits, and end the reckoners."""
        for threads in (self._threads, self._quick, self._errands):
            threads.shutdown(wait=False, cancel_futures=True)
        for reckoners in (self.quick, self.reckoners):
            if reckoners:
                reckoners.close()


class Job(Protocol[T_co]):
    """Work for a thread, which can be stopped from another."""

    def run(self, begun: Callable[[], Any]) -> T_co:
        """What the work returns; ``begun`` is called when it starts."""

    def stop(self, sentence: str) -> None:
        """Refuse the work with this sentence, if it still runs."""


class InProcess(Generic[T]):
    """A job in a thread of the server. Nothing can stop it; whoever asked is told when the time is over."""

    def __init__(self, compute: Callable[[], T]) -> None:
        self._compute = compute

    def run(self, begun: Callable[[], Any]) -> T:
        """What is computed."""
        begun()
        return self._compute()

    def stop(self, sentence: str) -> None:
        """Let it go on: its place is free when it ends."""


def _answered(work: Callable[..., Any], args: tuple[Any, ...]) -> msgspec.Raw:
    return encode_answer(work(*(each.joined() if isinstance(each, JsonPieces) else each for each in args)))


class _Question(Generic[T]):
    """One job in a thread, with its hard stop."""

    def __init__(self, threads: Threads, seconds: float, too_long: str, job: Job[T], done: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._too_long = too_long
        self._job = job
        self._timer: asyncio.TimerHandle | None = None
        self._late = asyncio.Event()
        self._done = done
        """Called in the event loop when the thread is free again, whether or not somebody still waits."""
        self.future = self._loop.run_in_executor(threads, self._run)

    def _run(self) -> T:
        try:
            return self._job.run(self._begun)
        finally:
            with suppress(RuntimeError):  # the event loop has ended
                self._loop.call_soon_threadsafe(self._done)

    def _begun(self) -> None:
        self._loop.call_soon_threadsafe(self._start_timer)

    def _start_timer(self) -> None:
        self._timer = self._loop.call_later(self._seconds, self._stop)

    def _stop(self) -> None:
        self._job.stop(self._too_long)
        self._timer = self._loop.call_later(GRACE, self._late.set)

    async def result(self, gone: asyncio.Task[None]) -> T:
        """The result; ClientDisconnect if the asker is gone, Unavailable if the work does not end."""
        late = asyncio.create_task(self._late.wait())
        try:
            await asyncio.wait((self.future, gone, late), return_when=asyncio.FIRST_COMPLETED)
            if self.future.done():
                return self.future.result()
            self._job.stop(DROPPED)
            self.future.add_done_callback(lambda future: future.cancelled() or future.exception())  # nobody else asks
            raise ClientDisconnect if gone.done() else Unavailable(self._too_long)
        finally:
            if self._timer and self.future.done():
                self._timer.cancel()
            late.cancel()


async def _before(gone: asyncio.Task[None], turn: Coroutine[Any, Any, None]) -> None:
    """Wait for a turn; ClientDisconnect if the asker goes away first."""
    waiting = asyncio.create_task(turn)
    try:
        await asyncio.wait((waiting, gone), return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            raise ClientDisconnect
    finally:
        if not waiting.done():
            waiting.cancel()


async def _disconnected(request: Request) -> None:
    """Wait until whoever asked has gone away."""
    with suppress(RuntimeError):
        while (await request.receive())["type"] != "http.disconnect":
            pass
