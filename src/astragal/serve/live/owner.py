"""The owner of a table: takes all waiting actions, decides them in order, and waits for the disk once.

Then it keeps the stored entries, publishes them and answers. Nothing new is decided before that, so at most one batch
of a table is on its way to the disk. Everything runs in the event loop, except large decisions and reads of the disk.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import Executor
from functools import partial
from logging import getLogger
from time import thread_time
from typing import Any, TypeAlias, TypeVar

from astragal.errors import Refusal, Stale
from astragal.serve.limits.threads import Threads
from astragal.serve.problems import Busy, Limited
from astragal.storage import Appended, Moved
from astragal.storage.tables.stored_table import MAX_RETRIES, Act, Acted, Step, StoredTable, Written
from astragal.table.action import Action, AllowAction, RedoAction, UndoAction
from astragal.table.entry import Entry, decode_entry
from astragal.table.rolls.hand import Roller, SameDice, machine
from astragal.table.table import Table

T = TypeVar("T")
MAX_WAITING = 256
"""Actions that wait at one table; more are refused."""
MAX_UNDOS = 20
"""Undos among them."""
MAX_BATCH = 64
"""Actions that are decided and stored together, at most."""
MANY = 100
"""A number of this size in the inputs of a roll may be a number of dice; such a roll is decided in a thread."""
TURN = 0.004
"""Seconds of deciding after which other tasks of the event loop have a turn."""
PATIENCE = 1.0
"""Seconds that a refresh waits for a batch."""
COMMANDS_TURN = 0.25
"""Seconds that a command has to decide again after it lost against the table; other actions wait."""
LOOKS = 4
"""Attempts to decide an undo in a thread while others act, before they wait for it. From the second attempt on,
only new entries are folded."""
LONG = 20_000
"""Entries of a log that takes long to read back: more than 0.1 s."""
READ_BACK = (UndoAction, AllowAction, RedoAction)
"""Actions that may read the log back from the disk."""

LARGE = Threads(1, "astragal large")
"""One thread for large decisions, views and frames, so that other threads get most of the time."""
SHORT_LOGS, LONG_LOGS = Threads(2, "astragal undo"), Threads(1, "astragal long undo")
"""Undos of tables with long logs have their own thread, so other undos do not wait for them."""

Publish: TypeAlias = Callable[[Sequence[Step]], Awaitable[None]]
Run: TypeAlias = Callable[[Executor | None, Callable[[], Any]], Awaitable[Any]]
"""Does work that may take long, and returns its result."""


async def in_thread(threads: Executor | None, work: Callable[[], T]) -> T:
    """Do work in a thread."""
    return await asyncio.get_running_loop().run_in_executor(threads, work)


async def at_once(threads: Executor | None, work: Callable[[], T]) -> T:
    """Do work immediately, where there are no threads, as in a browser."""
    return work()


def is_large(action: Action) -> bool:
    """True if a roll may be too large to decide while others wait."""
    inputs = getattr(action, "inputs", None) or {}
    return any(isinstance(n, int) and n >= MANY for value in inputs.values() for n in _numbers(value))


def _numbers(value: object) -> Iterable[object]:
    """An input, or the values inside it."""
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)


class Job:
    """An action that waits, and its answer."""

    def __init__(self, act: Act) -> None:
        self.act = act
        self.large = is_large(act.action)
        self.tries = 0
        self.done: asyncio.Future[Acted] = asyncio.get_running_loop().create_future()


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """The result of work, and its seconds."""
    begun = thread_time()
    return work(), thread_time() - begun


class Owner:
    """Decides, stores and publishes the actions of one table."""

    def __init__(
        self,
        table: StoredTable,
        publish: Publish,
        on_moved: Callable[[], None] = lambda: None,
        *,
        rest: Callable[[], float] = lambda: 0.0,
        spend: Callable[[float], None] = lambda seconds: None,
        run: Run = in_thread,
    ) -> None:
        self._table = table
        self._publish = publish
        self._on_moved = on_moved
        """Called when another server has claimed the table, so the store accepts nothing more from this one."""
        self._rest, self._spend = rest, spend
        """Seconds to rest before the next batch; counts seconds of deciding."""
        self._run = run
        self._jobs: dict[str, Job] = {}
        self._queue: deque[Job] = deque()
        self._undos: deque[Job] = deque()
        self._turn = asyncio.Lock()
        """Held while the table is changed; when it is free, every written action has its answer."""
        self._commands_turn: asyncio.TimerHandle | None = None
        """Ends a command's turn."""
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @property
    def busy(self) -> bool:
        """True if an action waits."""
        return bool(self._jobs)

    async def act(self, by: str, action: Action, key: str, at: int, dice: Roller = machine) -> Acted:
        """Act; returns when the entry is stored. An action that has begun continues even if its caller is cancelled.

        A second action with a waiting key gets the same answer.
        """
        job = self._jobs.get(key)
        if job is None:
            job = self._enter(Job(Act(by, action, key, at, SameDice(dice))))
        return await asyncio.shield(job.done)

    def _enter(self, job: Job) -> Job:
        if isinstance(job.act.action, READ_BACK):
            if len(self._undos) >= MAX_UNDOS:
                raise Limited(1)
            self._undos.append(job)
            self._start("undos", self._undo_all)
        else:
            if len(self._queue) >= MAX_WAITING:
                raise Busy
            self._queue.append(job)
            self._start("queue", self._act_all)
        self._jobs[job.act.key] = job
        return job

    def _start(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Work through a queue, unless a task already does."""

        async def go() -> None:
            try:
                await work()
            finally:
                del self._tasks[name]

        if name not in self._tasks:
            self._tasks[name] = asyncio.create_task(go())

    async def refresh(self) -> bool:
        """Read the entries that others have stored; True if there are any.

        Returns early if a batch waits for the disk too long: the batch reads new entries by itself.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                await self._turn.acquire()
        except TimeoutError:
            return False
        try:
            return await self._read_on()
        finally:
            self._turn.release()

    async def wait_for_command(self) -> None:
        """Let no one act for a moment, or until ``resume``, so that a slower command can act next."""
        await self._turn.acquire()
        self._commands_turn = asyncio.get_running_loop().call_later(COMMANDS_TURN, self.resume)

    def resume(self) -> None:
        """End a command's turn, if there is one."""
        if self._commands_turn:
            self._commands_turn.cancel()
            self._commands_turn = None
            self._turn.release()

    async def stop(self) -> None:
        """Wait until every action has an answer."""
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    # One batch after the other.

    async def _act_all(self) -> None:
        while self._queue:
            if rest := self._rest():
                await asyncio.sleep(rest)
            async with self._turn:
                batch = self._next_batch()
                await self._settle(batch, self._write_all(batch))

    def _next_batch(self) -> list[Job]:
        """The waiting actions up to a large one, which is decided alone."""
        batch = [self._queue.popleft()]
        while self._queue and len(batch) < MAX_BATCH and not batch[0].large and not self._queue[0].large:
            batch.append(self._queue.popleft())
        return batch

    async def _settle(self, batch: list[Job], writing: Awaitable[list[tuple[Job, Written]]]) -> None:
        """Write some actions and handle the store's answers: every action is answered, or waits again."""
        try:
            written = await writing
            if written:
                last = asyncio.wrap_future(written[-1][1].answer)  # the store answers in order
                await asyncio.gather(last, return_exceptions=True)
                await self._take_in(written)
        except Exception as error:  # the store cannot be read, or there is a bug: every action needs an answer
            if not isinstance(error, Refusal):
                getLogger("astragal").exception("Actions failed.")
            waiting = {id(job) for job in (*self._queue, *self._undos)}
            for job in batch:
                if id(job) not in waiting and not job.done.done():
                    self._answer(job, error)

    async def _write_all(self, batch: list[Job]) -> list[tuple[Job, Written]]:
        """Decide actions and queue their entries, up to a refused one, which is then decided again alone."""
        if not self._table.is_settled:  # the store failed before
            await self._read_on()
        written: list[tuple[Job, Written]] = []
        clock = asyncio.get_running_loop().time
        begun = clock()
        for n, job in enumerate(batch):
            try:
                written.append((job, await self._write(job)))
            except Exception as error:
                first = not written
                self._queue.extendleft(reversed(batch[n + first :]))
                if first:
                    await self._on_refused(job, error, self._queue)
                break
            if clock() - begun > TURN:
                await asyncio.sleep(0)
                begun = clock()
        return written

    async def _write(self, job: Job) -> Written:
        written: Written
        if job.large:
            written, seconds = await self._run(LARGE, partial(timed, partial(self._table.write, job.act)))
        else:
            begun = thread_time()
            written = self._table.write(job.act)
            seconds = thread_time() - begun
        self._spend(seconds)
        return written

    async def _on_refused(self, job: Job, error: Exception, queue: deque[Job]) -> None:
        """A refusal counts unless the key has done it before, or another program has changed the table."""
        if not isinstance(error, Refusal):  # a bug in this action
            getLogger("astragal").error("An action failed.", exc_info=error)
            self._answer(job, error)
        elif done := await self._run(None, partial(self._table.done_before, job.act.key)):
            self._answer(job, done)
        elif await self._read_on():
            queue.appendleft(job)
        else:
            self._answer(job, error)

    async def _take_in(self, written: list[tuple[Job, Written]]) -> None:
        """Keep the stored entries, publish them, and answer.

        After the first that was not stored, none is kept: the others were decided on a state that does not exist. Some
        of them may be stored anyway; the log shows it.
        """
        kept: list[Step] = []
        for _, (step, answer) in written:
            if answer.exception() or answer.result().repeated:
                break
            kept.append(step)
        if kept:
            self._table.keep(kept)
            await self._publish(kept)
        for (job, _), step in zip(written, kept, strict=False):
            self._answer(job, Acted(step.entry, step.after))
        if rest := written[len(kept) :]:
            await self._read_on()
            if isinstance(rest[0][1].answer.exception(), Moved):
                self._on_moved()
            for job, (_, answer) in reversed(rest):
                self._answer_unkept(job, answer.exception() or answer.result())
        if "snapshot" not in self._tasks and (state := self._table.due_snapshot()):
            self._start("snapshot", partial(self._run, None, partial(self._table.save_snapshot, state)))

    def _answer_unkept(self, job: Job, answer: Appended | BaseException) -> None:
        job.tries += 1
        if isinstance(answer, Stale) and job.tries < MAX_RETRIES:
            undo = isinstance(job.act.action, READ_BACK)
            (self._undos if undo else self._queue).appendleft(job)
        elif isinstance(answer, Appended):  # stored before, or stored after an entry that was not
            self._answer(job, Acted(decode_entry(answer.record.body), self._table.state, answer.repeated))
        else:
            self._answer(job, answer if isinstance(answer, Exception) else RuntimeError(str(answer)))

    def _answer(self, job: Job, outcome: Acted | Exception) -> None:
        """Answer an action; its caller may have disconnected."""
        self._jobs.pop(job.act.key, None)
        if isinstance(outcome, Exception):
            job.done.set_exception(outcome)
            job.done.exception()
        else:
            job.done.set_result(outcome)

    async def _read_on(self) -> bool:
        """Return to the stored state, and read the entries of others."""
        steps = await self._run(None, self._table.read_on)
        if steps:
            await self._publish(steps)
        return bool(steps)

    # Undos, which may fold a whole log: in a thread, one after the other, while other actions continue.

    async def _undo_all(self) -> None:
        while self._undos:
            await self._undo(self._undos.popleft())

    async def _undo(self, job: Job) -> None:
        """Decide an undo while others act; if they did, decide it again, and in the end let them wait."""
        try:
            twin: Table | None = None
            for _ in range(LOOKS):
                if rest := self._rest():
                    await asyncio.sleep(rest)
                async with self._turn:
                    twin = await self._twin(twin)
                found = await self._look(job, twin)
                async with self._turn:
                    if not self._table.has_moved_on(twin):
                        await self._settle([job], self._write_undo(job, twin, found))
                        return
            async with self._turn:
                twin = await self._twin(twin)
                await self._settle([job], self._write_undo(job, twin, await self._look(job, twin)))
        except Exception as error:  # the store cannot be read
            self._answer(job, error)

    async def _twin(self, earlier: Table | None) -> Table:
        """A copy of the table as it is stored, to decide on. The caller holds the turn."""
        if not self._table.is_settled:  # the store failed before
            await self._read_on()
        return self._table.twin(earlier)

    async def _look(self, job: Job, twin: Table) -> Entry | Exception:
        """The entry of an undo, or the reason for none."""

        def look() -> Entry | Exception:
            try:
                return self._table.decide(job.act, twin)
            except Exception as error:
                return error

        found: Entry | Exception
        threads = LONG_LOGS if twin.state.version > LONG else SHORT_LOGS
        found, seconds = await self._run(threads, partial(timed, look))
        self._spend(seconds)
        return found

    async def _write_undo(self, job: Job, twin: Table, found: Entry | Exception) -> list[tuple[Job, Written]]:
        try:
            if isinstance(found, Exception):
                raise found
            return [(job, self._table.write_decided(twin, found))]
        except Exception as error:
            await self._on_refused(job, error, self._undos)
            return []
