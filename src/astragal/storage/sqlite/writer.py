"""The writer: a thread that commits all queued writes together; and the merger of the write-ahead log."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import perf_counter, sleep
from typing import Any, ParamSpec, TypeAlias, TypeVar

from astragal.errors import Refusal, Stale, Unavailable
from astragal.storage.record import Appended
from astragal.storage.sqlite.failures import FAILURES, closed, failure
from astragal.storage.sqlite.file import connect
from astragal.storage.sqlite.log import Log

PIECE = 1 << 20
"""Bytes of records after which a merge begins: a sixteenth of the size at which SQLite merges by itself."""


class Merger:
    """Merges the write-ahead log into the file, a little at a time, in a separate thread.

    SQLite would merge all of it within one commit, for which every table waits.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread: Thread | None = None

    def merge(self) -> None:
        """Begin to merge in a thread, unless one is merging; what cannot be merged now waits for the next time."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = Thread(target=self._run, name=f"astragal merge {self._path.name}", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        with suppress(*FAILURES), closing(connect(self._path)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA fullfsync = ON")
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Wait for the merge in progress."""
        if self._thread:
            self._thread.join()


MAX_BATCH = 512
"""Writes per transaction; bounds how long the first of them waits for its commit."""
LINGER = 0.001
"""Seconds that a batch waits for more writes after a batch of several: larger commits save more than this time. A
single writer never waits."""
HAS_THREADS = sys.platform != "emscripten"
"""True if a thread can be started. In a browser none can: a write is done when it is queued, in the event loop."""

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of durations: half of them below 0.1, where people notice no delay."""
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
"""Upper bounds of the number of writes in a commit."""

P = ParamSpec("P")
T = TypeVar("T")


class Histogram:
    """Numbers, counted by bucket. One thread observes; others may read slightly older counts."""

    def __init__(self, bounds: Sequence[float] = SECONDS) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.total = 0.0

    def observe(self, number: float) -> None:
        """Count one number."""
        self.counts[bisect_left(self.bounds, number)] += 1
        self.total += number


class Commits:
    """The duration of commits, the number of their writes, and the outcomes."""

    def __init__(self) -> None:
        self.seconds = Histogram()
        self.sizes = Histogram(SIZES)
        self.stale = 0
        """Writes that lost against another server or program; each is decided again."""
        self.repeated = 0
        """Writes whose key was already stored."""
        self.failed = 0
        """Writes that the database or the disk rejected."""

    def observe(self, seconds: float, outcomes: Iterable[Any]) -> None:
        """Count one commit: how long it took, and the outcome of each of its writes."""
        n = 0
        for outcome in outcomes:
            n += 1
            if isinstance(outcome, Appended):
                self.repeated += outcome.repeated
            elif isinstance(outcome, Stale):
                self.stale += 1
            elif isinstance(outcome, Unavailable) or (
                isinstance(outcome, Exception) and not isinstance(outcome, Refusal)
            ):
                self.failed += 1
        self.seconds.observe(seconds)
        self.sizes.observe(n)


class WriteFuture(Future[T]):
    """The future of a queued write, done after the commit. A queued write cannot be cancelled."""

    def cancel(self) -> bool:
        """False, always."""
        return False

    def resolve(self, outcome: T | Exception) -> None:
        """Set the result or the exception."""
        if isinstance(outcome, Exception):
            self.set_exception(outcome)
        else:
            self.set_result(outcome)


QueuedWrite: TypeAlias = tuple[WriteFuture[Any], Callable[..., Any], tuple[Any, ...]]
"""The future, what to call, and its arguments."""


class WriteQueue(ABC):
    """Does writes in the order of the queue; each is answered once it is on the disk."""

    def __init__(self, name: str) -> None:
        self.commits = Commits()
        self._queue: SimpleQueue[QueuedWrite | None] = SimpleQueue()
        self._lock = Lock()
        self._closed = False
        self._thread = Thread(target=self._run, name=f"astragal writer {name}", daemon=True) if HAS_THREADS else None
        if self._thread:
            self._thread.start()

    @abstractmethod
    def _commit(self, batch: list[QueuedWrite]) -> Sequence[Any]:
        """The outcome of every write, once they are on the disk."""

    @abstractmethod
    def _refusal(self) -> Refusal | None:
        """The reason to refuse new writes now; None to accept them."""

    def _after_commit(self) -> None:  # noqa: B027
        """Work after all answers are given."""

    def submit(self, write: Callable[P, T], *args: P.args, **named: P.kwargs) -> Future[T]:
        """Queue a write: what to call, and its arguments. Its future is done in the writer's thread."""
        future: WriteFuture[T] = WriteFuture()
        with self._lock:  # nothing may be queued after the end of the queue
            if refusal := self._refusal():
                raise refusal
            self._queue.put((future, write, args))
        if self._thread is None:
            self._do(self._next_batch(linger=False)[0])
        return future

    def close(self) -> None:
        """Finish the queued writes and end the thread."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        more = True
        batch: list[QueuedWrite] = []
        while more:
            batch, more = self._next_batch(linger=len(batch) > 1)
            if batch:
                self._do(batch)

    def _do(self, batch: list[QueuedWrite]) -> None:
        """Commit a batch and give all answers."""
        began = perf_counter()
        outcomes = self._commit(batch)
        self.commits.observe(perf_counter() - began, outcomes)
        for (future, _, _), outcome in zip(batch, outcomes, strict=True):
            future.resolve(outcome)
        self._after_commit()

    def _next_batch(self, *, linger: bool) -> tuple[list[QueuedWrite], bool]:
        """Wait for one write, perhaps linger, and take all other queued writes; False at the end of the queue."""
        batch: list[QueuedWrite] = []
        write = self._queue.get()
        if linger and write:
            sleep(LINGER)
        try:
            while write:
                batch.append(write)
                if len(batch) == MAX_BATCH:
                    return batch, True
                write = self._queue.get_nowait()
        except Empty:
            return batch, True
        return batch, False


class Writer(WriteQueue):
    """Does writes, methods of the log, in the order in which they were queued."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._merger = Merger(log.path)
        super().__init__(log.path.name)

    def _refusal(self) -> Unavailable | None:
        return closed(self._log.path) if self._closed else None

    def close(self) -> None:
        """Finish the queued writes and end the thread."""
        super().close()
        self._merger.close()

    def _after_commit(self) -> None:
        """Start a merge if much was written; without threads SQLite merges by itself."""
        if HAS_THREADS and self._log.written >= PIECE:
            self._log.written = 0
            self._merger.merge()

    def _commit(self, batch: list[QueuedWrite]) -> list[Any]:
        """The outcome of every write. If the whole transaction fails, the failure is the outcome of each.

        In the usual case, a batch of appends, this takes one statement.
        """
        append = self._log.append
        try:
            alike = all(write == append for _, write, _ in batch)
            if alike and (appended := self._log.append_batch([args for _, _, args in batch])):
                return appended
            self._log.begin()
            outcomes = [_outcome(write, args) for _, write, args in batch]
            self._log.commit()
            return outcomes
        except FAILURES as error:
            self._log.rollback()
            return [failure(error, self._log.path) for _ in batch]
        except Exception as error:  # a bug must not end the thread, or every caller would wait forever
            self._log.rollback()
            return [error] * len(batch)


def _outcome(write: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """The result of a write; a refusal is an outcome too, and the rest of the batch continues."""
    try:
        return write(*args)
    except Refusal as refusal:
        return refusal
