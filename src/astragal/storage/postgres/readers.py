"""A small pool of connections for reading, since each connection is a process of the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

import psycopg
from psycopg import Connection

from astragal.errors import Unavailable
from astragal.storage.postgres.connector import Connector, Rows
from astragal.storage.postgres.failures import BUSY, CLOSED, LOST_STATEMENT, failure, is_broken
from astragal.storage.sqlite.readers import Idle

MOST = 8
"""Maximum connections; more threads wait for one of them."""
PATIENCE = 10.0
"""Seconds to wait for a connection."""


class ReaderPool:
    """Runs queries from any thread, each on a connection of its own, in a transaction of its own."""

    def __init__(self, connector: Connector) -> None:
        self._connector = connector
        self._idle: Idle[Connection] = Idle(MOST)
        self._free = BoundedSemaphore(MOST)
        self.close = self._idle.close

    def query(self, sql: str, *values: object) -> Rows:
        """All rows of the result. An idle connection that has broken is replaced."""
        with self._turn():
            while True:
                idle = self._idle.take()
                connection = idle or self._connector.connect()
                try:
                    return connection.execute(sql, values, binary=True).fetchall()
                except psycopg.Error as error:
                    if not self._is_connection_error(error, connection) or not idle:
                        raise failure(error) from None
                finally:
                    if not connection.closed:
                        self._idle.put_back(connection)

    def _is_connection_error(self, error: psycopg.Error, connection: Connection) -> bool:
        """True if a new connection may succeed; this one is then closed."""
        lost = isinstance(error, LOST_STATEMENT)
        if lost:  # by a pooler that loses prepared statements
            self._connector.stop_preparing()
        if lost or is_broken(error, connection):
            connection.close()
        return connection.closed

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if self._idle.closed:
            raise Unavailable(CLOSED)
        if not self._free.acquire(timeout=PATIENCE):
            raise Unavailable(BUSY)
        try:
            yield
        finally:
            self._free.release()

    def pids(self) -> list[int]:
        """The database's processes for the connections that are idle."""
        return [connection.info.backend_pid for connection in self._idle]
