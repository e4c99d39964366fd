"""Readers: a few connections that wait for nobody, not even for the writer."""

from __future__ import annotations

import sqlite3
from collections import deque
from pathlib import Path
from typing import Any

from astragal.store.failures import FAILURES, failure
from astragal.store.file import closed, connect_reader

IDLE = 8
"""As many connections are kept for the next reader; more are made when more read at once."""


class Readers:
    """Answers questions from whatever thread asks; each uses a connection of its own while it does."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: deque[sqlite3.Connection] = deque()
        self._closed = False

    def ask(self, sql: str, *values: object) -> list[Any]:
        """All rows of the answer."""
        try:
            connection = self._take()
            try:
                rows = connection.execute(sql, values).fetchall()
            except BaseException:
                connection.close()
                raise
        except FAILURES as error:
            raise failure(error, self.path) from error
        self._give(connection)
        return rows

    def _take(self) -> sqlite3.Connection:
        if self._closed:
            raise closed(self.path)
        try:
            return self._idle.pop()
        except IndexError:
            return connect_reader(self.path)

    def _give(self, connection: sqlite3.Connection) -> None:
        if len(self._idle) >= IDLE:
            connection.close()
            return
        self._idle.append(connection)
        if self._closed:  # the end came while this one was out
            self._empty()

    def close(self) -> None:
        """Close all connections; one that is out is closed when it comes back."""
        self._closed = True
        self._empty()

    def _empty(self) -> None:
        while True:
            try:
                self._idle.pop().close()
            except IndexError:
                return
