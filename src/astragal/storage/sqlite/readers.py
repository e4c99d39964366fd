"""A pool of read-only connections; readers never wait for the writer."""

from __future__ import annotations

import sqlite3
from collections import deque
from pathlib import Path
from typing import Any

from astragal.storage.sqlite.failures import FAILURES, closed, failure
from astragal.storage.sqlite.file import connect_reader, own

MAX_IDLE = 8
"""Idle connections kept open; more are made while more threads read at once."""


class ReaderPool:
    """Runs queries from any thread, each on a connection of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: deque[sqlite3.Connection] = deque()
        self._closed = False

    def query(self, sql: str, *values: object) -> list[Any]:
        """All rows of the result."""
        try:
            connection = self._acquire()
            try:
                rows = connection.execute(own(sql), values).fetchall()
            except BaseException:
                connection.close()
                raise
        except FAILURES as error:
            raise failure(error, self.path) from error
        self._release(connection)
        return rows

    def _acquire(self) -> sqlite3.Connection:
        if self._closed:
            raise closed(self.path)
        try:
            return self._idle.pop()
        except IndexError:
            return connect_reader(self.path)

    def _release(self, connection: sqlite3.Connection) -> None:
        if len(self._idle) >= MAX_IDLE:
            connection.close()
            return
        self._idle.append(connection)
        if self._closed:  # the pool was closed while this one was in use
            self._close_idle()

    def close(self) -> None:
        """Close all connections; one that is in use is closed when it is released."""
        self._closed = True
        self._close_idle()

    def _close_idle(self) -> None:
        while True:
            try:
                self._idle.pop().close()
            except IndexError:
                return
