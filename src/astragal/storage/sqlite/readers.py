"""A pool of read-only connections; readers never wait for the writer."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from astragal.storage.idle import Idle
from astragal.storage.sqlite.failures import FAILURES, closed, failure
from astragal.storage.sqlite.file import connect_reader, own

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
