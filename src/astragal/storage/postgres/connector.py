"""The connector: connects to one database, with growing pauses after failures."""

from __future__ import annotations

from random import uniform
from threading import Lock
from time import monotonic
from typing import Any, TypeAlias

import psycopg
from psycopg import Connection, conninfo

from astragal.errors import Malformed, Refusal, Unavailable
from astragal.storage.address import NO_ADDRESS, Database
from astragal.storage.postgres.arrays import register
from astragal.storage.postgres.failures import POOLED, UNREACHABLE, failure

NAME = "astragal"
"""The name of our connections in the database's list."""
CONNECTING: dict[str, Any] = {
    "connect_timeout": 5,
    "client_encoding": "utf8",
    "target_session_attrs": "read-write",  # of several hosts, the primary
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""Defaults for the address: an unreachable host is noticed within about ten seconds."""
SETTINGS = """
    SELECT direct, current_setting('synchronous_commit') = 'off',
           CASE WHEN direct AND current_setting('statement_timeout') = '0'
                THEN set_config('statement_timeout', '30s', false) END,
           CASE WHEN direct AND current_setting('synchronous_commit') = 'off'
                THEN set_config('synchronous_commit', 'on', false) END,
           CASE WHEN direct THEN set_config('idle_in_transaction_session_timeout', '60s', false) END
    FROM (SELECT pg_backend_pid() = %s::bigint AS direct) AS way
"""
"""A statement that takes too long is ended, and a commit always waits for the disk.

A pooler such as PgBouncer reports a made-up process id, by which we recognise it. Each transaction may then run in
another process, so nothing may be set or prepared there.
"""
PREPARE_FROM = 3
"""The number of runs of a statement before it is prepared."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds without a new attempt after a failure, doubled each time."""

Rows: TypeAlias = list[tuple[Any, ...]]


class Connector:
    """Connects from any thread. After a failure, all callers are refused until the next attempt is due."""

    def __init__(self, database: Database) -> None:
        self._conninfo = with_defaults(database.url)
        self._lock = Lock()
        self._pause = 0.0
        self._next = 0.0
        self._last: Refusal = Unavailable(UNREACHABLE)
        self.prepares = True
        """True if statements are prepared; behind a pooler, a name may belong to another program's statement."""
        self.pooled = False
        """True if there is a pooler in between."""

    def connect(self) -> Connection:
        """A connection without automatic transactions; Unavailable if none can be made now."""
        if refusal := self.refusal():
            raise refusal
        try:
            connection = self._connect()
        except psycopg.Error as error:
            raise self._failed(failure(error)) from None
        with self._lock:
            self._pause = self._next = 0.0
        return connection

    def refusal(self) -> Refusal | None:
        """The refusal without a new attempt; None if an attempt is due."""
        with self._lock:
            return type(self._last)(self._last.sentence) if monotonic() < self._next else None

    def _connect(self) -> Connection:
        connection = psycopg.connect(
            self._conninfo, autocommit=True, prepare_threshold=PREPARE_FROM if self.prepares else None
        )
        try:
            register(connection)
            found = connection.execute(SETTINGS, (connection.info.backend_pid,)).fetchone()
            direct, careless = found[:2] if found else (False, False)
            if not direct:  # behind a pooler, the settings must be those of the database's user
                self.pooled, self.prepares, connection.prepare_threshold = True, False, None
                if careless:
                    raise Unavailable(POOLED)
        except BaseException:
            connection.close()
            raise
        return connection

    def _failed(self, refusal: Refusal) -> Refusal:
        with self._lock:
            self._pause = min(max(2 * self._pause, FIRST_PAUSE), LONGEST_PAUSE)
            self._next = monotonic() + self._pause * uniform(
                0.5, 1
            )  # so servers do not all reconnect at the same moment
            self._last = refusal
        return refusal

    def stop_preparing(self) -> None:
        """Prepare no more statements, since a pooler loses them."""
        self.prepares = False


def with_defaults(url: str, name: str = NAME) -> str:
    """The address in the driver's form, with our defaults; the name is always ours, since migrate looks for it."""
    try:
        given = conninfo.conninfo_to_dict(url)
        return conninfo.make_conninfo("", **{**CONNECTING, **given, "application_name": name})
    except psycopg.Error:
        raise Malformed(NO_ADDRESS) from None
