"""The connector: makes connections to one database, and waits a little longer after each failure."""

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
"""How our connections are named in the database's list of them."""
CONNECTING: dict[str, Any] = {
    "connect_timeout": 5,
    "client_encoding": "utf8",
    "target_session_attrs": "read-write",  # of several hosts, the one that is no standby
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""Where the address does not say otherwise: a host that is gone is noticed within ten seconds or so."""
SETTINGS = """
    SELECT direct, current_setting('synchronous_commit') = 'off',
           CASE WHEN direct AND current_setting('statement_timeout') = '0'
                THEN set_config('statement_timeout', '30s', false) END,
           CASE WHEN direct AND current_setting('synchronous_commit') = 'off'
                THEN set_config('synchronous_commit', 'on', false) END,
           CASE WHEN direct THEN set_config('idle_in_transaction_session_timeout', '60s', false) END
    FROM (SELECT pg_backend_pid() = %s::bigint AS direct) AS way
"""
"""A statement that takes too long ends; what is committed is on the disk, whatever the database's own setting.

A pooler such as PgBouncer makes up the number of the process that it tells us, so it can be told from a database.
Each transaction may then have another process: what is set or prepared there is somebody else's next time.
"""
PREPARE_FROM = 3
"""How often a statement is run before it is prepared."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds without a new attempt after a failure; doubled each time."""

Rows: TypeAlias = list[tuple[Any, ...]]


class Connector:
    """Makes connections from any thread. After a failure everybody is refused until the next attempt is due."""

    def __init__(self, database: Database) -> None:
        self._conninfo = with_defaults(database.url)
        self._lock = Lock()
        self._pause = 0.0
        self._next = 0.0
        self._last: Refusal = Unavailable(UNREACHABLE)
        self.prepares = True
        """Whether statements are prepared; behind a pooler, a name may mean somebody else's statement."""
        self.pooled = False
        """Whether a pooler is in between."""

    def connect(self) -> Connection:
        """A connection that begins no transaction by itself; Unavailable if there is none to be had now."""
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
        """What everybody is told without an attempt; None if one is due."""
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
            if not direct:  # a pooler is in between, so what our connections need is for the database's user to have
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
            self._next = monotonic() + self._pause * uniform(0.5, 1)  # servers do not all come back at once
            self._last = refusal
        return refusal

    def stop_preparing(self) -> None:
        """Prepare no statements from now on, since they are lost between the database and us."""
        self.prepares = False


def with_defaults(url: str, name: str = NAME) -> str:
    """The address as the driver takes it, with our defaults; the name is always ours, since migrate looks for it."""
    try:
        given = conninfo.conninfo_to_dict(url)
        return conninfo.make_conninfo("", **{**CONNECTING, **given, "application_name": name})
    except psycopg.Error:
        raise Malformed(NO_ADDRESS) from None
