"""The writer of a database: queued records of many tables are committed by one statement.

If the connection breaks, the outcome of the commit in flight is not known. So the writer connects again and repeats the
writes, which finds stored records by their keys, and only then answers. Until then, new writes are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from time import monotonic, sleep
from typing import Any, TypeAlias, TypeVar

import psycopg
from psycopg import Connection, errors

from astragal.errors import Refusal, Unavailable
from astragal.storage.postgres.append import Appending
from astragal.storage.postgres.connector import Connector
from astragal.storage.postgres.failures import CLOSED, LOST_STATEMENT, SLOW, UNKNOWN, UNREACHABLE, failure, is_broken
from astragal.storage.record import Appended, Record
from astragal.storage.sqlite.writer import QueuedWrite, WriteQueue

HOLD = 60.0
"""Seconds that writes with an unknown outcome are repeated, before their callers get the answer "not known"."""
HOLD_CLOSING = 5.0
"""The same while the store is being closed."""
TRIES = 20
"""Tries of a write that conflicts with others; each time, one of them succeeds."""
PATIENCE = 10.0
"""Seconds of a batch after which new writes are refused."""
PAUSE = 0.05
"""Seconds between two checks if the next attempt to connect is due."""

T = TypeVar("T")
Write: TypeAlias = Callable[[Connection, bool], Any]
"""Does work on a connection; the argument is True if it was tried before with an unknown outcome."""
IN_THE_WAY = (errors.DeadlockDetected, errors.SerializationFailure)


def append(table: str, record: Record, after: str | None, epoch: int | None) -> Appended:
    """Marks a queued append; the writer does consecutive ones together."""
    raise NotImplementedError


def run(write: Write) -> Any:
    """Marks any other queued write."""
    raise NotImplementedError


class Writer(WriteQueue):
    """Does writes in the order of the queue, on one connection, which it replaces if it breaks."""

    def __init__(self, connector: Connector, connection: Connection) -> None:
        self._connector = connector
        self._connection: Connection | None = connection
        self._busy_since = 0.0
        self._holding = False
        """True while the outcome of a batch is not known."""
        super().__init__("postgresql")

    def _refusal(self) -> Refusal | None:
        if self._closed:
            return Unavailable(CLOSED)
        if self._holding:
            return Unavailable(UNREACHABLE)
        if self._connection is None and (refusal := self._connector.refusal()):
            return refusal  # otherwise this write tries to connect
        since = self._busy_since
        return Unavailable(SLOW) if since and monotonic() - since > PATIENCE else None

    def pids(self) -> list[int]:
        """The database's process for the connection."""
        connection = self._connection
        return [connection.info.backend_pid] if connection else []

    def close(self) -> None:
        """Finish the queued writes, and end the thread and the connection."""
        super().close()
        self._disconnect()

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            connection.close()

    def _commit(self, batch: list[QueuedWrite]) -> list[Any]:
        """The outcome of every write: consecutive appends in one statement, others one by one."""
        outcomes: list[Any] = []
        self._busy_since = monotonic()
        for is_append, group in groupby(batch, lambda queued: queued[1] is append):
            args = [args for _, _, args in group]
            outcomes += self._append(args) if is_append else self._write(args)
        self._busy_since = 0.0
        return outcomes

    def _append(self, appends: list[Any]) -> list[Any]:
        """Append; if that fails, known outcomes are kept, and the failure is the outcome of the others."""
        batch = Appending(appends)
        outcome = self._settled(lambda connection, _: batch.run(connection))
        return outcome if isinstance(outcome, list) else [known or outcome for known in batch.outcomes]

    def _write(self, writes: list[Any]) -> Iterator[Any]:
        return (self._settled(write) for (write,) in writes)

    def _settled(self, write: Callable[[Connection, bool], T]) -> T | Exception:
        """Repeat a write until its outcome is known; every failure is an outcome, so nothing ends the thread."""
        try:
            return self._tried(write)
        except Exception as error:
            return error
        finally:
            self._holding = False

    def _tried(self, write: Callable[[Connection, bool], T]) -> T:
        begun, again, tries = monotonic(), False, 0
        while True:
            try:
                return write(self._connected(), again)
            except psycopg.Error as error:
                tries += 1
                broken = is_broken(error, self._connection)
                if not self._may_try_again(error, broken) or (tries > TRIES and not broken):
                    raise failure(error) from None
                again = again or broken
            except _NotConnected as refused:
                if not again:
                    raise refused.refusal from None
            if again and monotonic() - begun > (HOLD_CLOSING if self._closed else HOLD):
                raise Unavailable(UNKNOWN)
            if self._connection is None and again:
                self._holding = True
                sleep(PAUSE)

    def _may_try_again(self, error: psycopg.Error, broken: bool) -> bool:
        """True if the write may be repeated, if necessary on a new connection."""
        if isinstance(error, LOST_STATEMENT):
            self._connector.stop_preparing()
            broken = True
        if broken:
            self._disconnect()
        return broken or isinstance(error, IN_THE_WAY)

    def _connected(self) -> Connection:
        """The connection, re-created if it broke; _NotConnected if that is not possible now."""
        if self._connection is None:
            try:
                self._connection = self._connector.connect()
            except Refusal as refusal:
                raise _NotConnected(refusal) from None
        return self._connection


class _NotConnected(Exception):
    """There is no connection, so nothing was sent."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
