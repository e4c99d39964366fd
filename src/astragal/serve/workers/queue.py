"""Queues of questions: one for visitors and one for members, so neither can starve the other.

One question of an asker is computed at a time, and askers take turns. A question has a deadline, bounded memory, and an
answer of bounded size; it is dropped if its asker disconnects. Worker processes answer: first a quick worker, and for a
long question a slow one with low priority.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from astragal.errors import Unavailable
from astragal.serve.limits.threads import Threads
from astragal.serve.problems import Limited
from astragal.serve.workers.message import JsonPieces, Long, encode_answer, read_reply, write_question
from astragal.serve.workers.pool import LOST, WorkerPool

MAX_WAITING = 32
"""Questions that run or wait in a queue; more are refused, since the wait would be too long."""
MAX_OF_ONE = 6
"""Questions of one asker at a time; our page sends fewer."""
QUICK = 0.05
"""Seconds of processor time of a question in a quick worker; enough for most."""
GRACE = 1.0
"""Seconds in which a stopped question should end; after them, its worker is killed."""
BUSY = "The server is busy with other questions. Try again in a moment."
TOO_LONG = "The question took longer than {seconds:g} s, so it was stopped. Ask for fewer dice, sides, rolls or values."

T = TypeVar("T")
Begin: TypeAlias = Callable[[asyncio.Task[None]], Awaitable[T]]
"""Begins some work; its argument is a task that ends when the asker disconnects."""


class FairQueue:
    """Turns to work, a few at a time: one question of an asker at a time, and askers in turn.

    So another asker's question waits for at most one question of each asker.
    """

    def __init__(self, size: int) -> None:
        self._free = size
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
        """Start the next turns, as long as there is room."""
        while self._free and (asker := next((one for one in self._waiting if one not in self._working), None)):
            turns = self._waiting[asker]
            turn = turns.popleft()
            if not turns:
                del self._waiting[asker]
            if not turn.cancelled():
                self._free -= 1
                self._working.add(asker)
                turn.set_result(None)


class QuestionQueue:
    """A few threads and processes, and the questions that run or wait for them."""

    def __init__(self, name: str, threads: int, seconds: float, workers: int = 0) -> None:
        self._threads = Threads(threads, f"astragal {name}")
        self._slow = Threads(max(1, workers), f"astragal {name} slow")
        self._quick = Threads(1, f"astragal {name} quick")
        self._turns = {
            self._threads: FairQueue(threads),
            self._quick: FairQueue(1),
            self._slow: FairQueue(max(1, workers)),
        }
        self.workers = WorkerPool() if workers else None
        self.quick = WorkerPool(quick=True) if workers else None
        self._seconds = seconds
        self._too_long = TOO_LONG.format(seconds=seconds)
        self._askers: Counter[str] = Counter()
        self.taken = 0
        """The number of questions whose askers wait."""

    async def answer(
        self, asker: str, request: Request, work: Callable[..., Any], *args: Any, short: bool = True
    ) -> msgspec.Raw:
        """The answer as JSON, of bounded size. ``short`` is false for questions that are likely to be long."""
        if self.workers is None or self.quick is None:
            return await self.compute(asker, request, partial(_answered, work, args))
        self._admit(asker)
        if short:
            with suppress(Long):
                ask = partial(self._ask, self._quick, self.quick, write_question(work, args, QUICK, quick=True))
                return await self._run(asker, request, self._quick, ask)
        ask = partial(self._ask, self._slow, self.workers, write_question(work, args, self._seconds))
        return await self._run(asker, request, self._slow, ask)

    async def compute(self, asker: str, request: Request, work: Callable[[], T]) -> T:
        """The result of work in a thread of the server, which nothing stops; its asker is refused at the deadline."""
        self._admit(asker)

        def begin(gone: asyncio.Task[None]) -> asyncio.Future[T]:
            return asyncio.get_running_loop().run_in_executor(self._threads, work)

        return await self._run(asker, request, self._threads, begin, self._seconds + GRACE)

    def _admit(self, asker: str) -> None:
        if self._askers[asker] >= MAX_OF_ONE:
            raise Limited(1)
        if self.taken >= MAX_WAITING:
            raise Unavailable(BUSY)

    async def _run(
        self, asker: str, request: Request, threads: Threads, begin: Begin[T], patience: float | None = None
    ) -> T:
        """The result of work in a turn of its asker, until the work ends; ClientDisconnect if the asker leaves."""
        self.taken += 1
        self._askers[asker] += 1
        gone, turns = asyncio.create_task(_disconnected(request)), self._turns[threads]

        def on_end(work: asyncio.Future[T]) -> None:
            turns.give(asker)
            work.cancelled() or work.exception()  # marks an error as handled

        try:
            await _before(gone, turns.take(asker))
            work = asyncio.ensure_future(begin(gone))
            work.add_done_callback(on_end)
            await asyncio.wait((work, gone), timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
            raise ClientDisconnect if gone.done() else Unavailable(self._too_long)
        finally:
            gone.cancel()
            self.taken -= 1
            self._askers -= Counter((asker,))

    async def _ask(
        self, threads: Threads, workers: WorkerPool, question: list[bytes], gone: asyncio.Task[None]
    ) -> msgspec.Raw:
        """A worker's answer. After the deadline the worker is interrupted, and killed if that does not help."""
        run = partial(asyncio.get_running_loop().run_in_executor, threads)
        worker = await run(workers.take)
        reply = run(worker.ask, question)
        await asyncio.wait((reply, gone), timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
        if stopped := not reply.done():
            worker.interrupt()
            await asyncio.wait((reply,), timeout=GRACE)
            if not reply.done():
                worker.kill()
        try:
            found = await reply
        except (OSError, EOFError):
            await run(workers.replace, worker)
            raise Unavailable(self._too_long if stopped else LOST) from None
        await run(workers.give_back, worker)
        if stopped:
            raise Unavailable(self._too_long)
        return read_reply(found)

    def warm(self) -> None:
        """Start a quick worker before the first question."""
        if self.quick:
            self.quick.warm()

    @property
    def pids(self) -> list[int]:
        """The processes of all workers."""
        return [pid for each in (self.quick, self.workers) if each for pid in each.pids]

    def close(self) -> None:
        """Drop waiting questions, and end the workers."""
        for threads in self._turns:
            threads.shutdown(wait=False, cancel_futures=True)
        for workers in (self.quick, self.workers):
            if workers:
                workers.close()


def _answered(work: Callable[..., Any], args: tuple[Any, ...]) -> msgspec.Raw:
    return encode_answer(work(*(each.joined() if isinstance(each, JsonPieces) else each for each in args)))


async def _before(gone: asyncio.Task[None], turn: Coroutine[Any, Any, None]) -> None:
    """Wait for a turn; ClientDisconnect if the asker disconnects first."""
    waiting = asyncio.create_task(turn)
    try:
        await asyncio.wait((waiting, gone), return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            raise ClientDisconnect
    finally:
        if not waiting.done():
            waiting.cancel()


async def _disconnected(request: Request) -> None:
    """Wait until the asker disconnects."""
    with suppress(RuntimeError):
        while (await request.receive())["type"] != "http.disconnect":
            pass
