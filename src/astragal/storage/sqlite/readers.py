"""A pool of read-only connections; readers never wait for the writer."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from astragal.storage.sqlite.failures import FAILURES, closed, failure
from astragal.storage.sqlite.file import connect_reader, own


class Closable(Protocol):
    """Anything with ``close``."""

    def close(self) -> None:
        """Close it."""


C = TypeVar("C", bound=Closable)


class Idle(Generic[C]):
    """Idle connections, up to a number: any thread takes one, uses it alone and puts it back."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._connections: deque[C] = deque()
        self.closed = False

    def __iter__(self) -> Iterator[C]:
        return iter(tuple(self._connections))

    def take(self) -> C | None:
        """One of them, or None."""
        try:
            return self._connections.pop()
        except IndexError:
            return None

    def put_back(self, connection: C) -> None:
        """Keep a connection for the next reader, or close it."""
        if len(self._connections) >= self._most:
            connection.close()
            return
        self._connections.append(connection)
        if self.closed:  # while this one was in use
            self.close()

    def close(self) -> None:
        """Close all of them; a connection in use is closed when it is put back."""
        self.closed = True
        while connection := self.take():
            connection.close()


MAX_IDLE = 8
"""Idle connections kept open; more are made while more threads read at once."""


class ReaderPool:
    """Runs queries from any thread, each on a connection of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: Idle[sqlite3.Connection] = Idle(MAX_IDLE)
        self.close = self._idle.close

    def query(self, sql: str, *values: object) -> list[Any]:
        """All rows of the result."""
        if self._idle.closed:
            raise closed(self.path)
        try:
            connection = self._idle.take() or connect_reader(self.path)
            try:
                rows = connection.execute(own(sql), values).fetchall()
            except BaseException:
                connection.close()
                raise
        except FAILURES as error:
            raise failure(error, self.path) from error
        self._idle.put_back(connection)
        return rows
