"""A store in a PostgreSQL database: one thread writes, every thread reads, and other servers do the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

from psycopg import Connection

from astragal.errors import Unavailable
from astragal.storage.address import Database
from astragal.storage.postgres.arrays import Numbers, Texts
from astragal.storage.postgres.connector import Connector
from astragal.storage.postgres.failures import MAY_NOT_WRITE, damaged
from astragal.storage.postgres.log import Log
from astragal.storage.postgres.notices import CHANNEL, encode_notice, listen
from astragal.storage.postgres.readers import ReaderPool
from astragal.storage.postgres.schema import RIGHTS, prepare
from astragal.storage.postgres.transfer import write_file
from astragal.storage.postgres.writer import Writer, append, run
from astragal.storage.record import VERSION, Appended, Claim, Record, check_record, check_table_id, no_table
from astragal.storage.store import Store

READ = """
    SELECT t.number, l.version, l.key, l.sum, l.body FROM astragal.tables t LEFT JOIN LATERAL (
        SELECT version, key, sum, body FROM astragal.log
        WHERE number = t.number AND version > %s ORDER BY version LIMIT %s
    ) l ON true WHERE t.name = %s ORDER BY l.version
"""
HOLD = 1.0
"""Seconds that a claim holds before another server can take the table, so that alternating requests make progress."""
CLAIM = """
    WITH held AS (
        SELECT number, server, epoch, claimed FROM astragal.tables WHERE name = %s FOR UPDATE
    ), taken AS (
        UPDATE astragal.tables t SET server = %s, epoch = t.epoch + 1, claimed = clock_timestamp() FROM held
        WHERE t.number = held.number AND held.server <> %s
        AND held.claimed < clock_timestamp() - make_interval(secs => %s) RETURNING t.epoch
    ), sent AS (
        SELECT pg_notify(%s, json_build_array('moved', %s::text, %s::text, epoch)::text)::text FROM taken
    )
    SELECT coalesce(taken.epoch, held.epoch), CASE WHEN taken.epoch IS NULL AND held.server <> %s
        THEN greatest(0.001, extract(epoch FROM held.claimed - clock_timestamp()) + %s)::float8 ELSE 0 END,
        (SELECT count(*) FROM sent)
    FROM held LEFT JOIN taken ON true
"""
"""The lock waits for earlier appends, and later appends wait for the claim: see the fence in ``append``. The time is
the database's own, so the servers' clocks do not matter."""


class PostgresStore(Store):
    """A `Store` in a database. Any number of other programs may use the same one at the same time."""

    kind = "postgresql"
    log = Log
    INFO = """
        SELECT name, game, title, created,
               coalesce((SELECT max(version) FROM astragal.log l WHERE l.number = t.number), 0) FROM astragal.tables t
    """
    USAGE = """
        SELECT (SELECT count(*) FROM astragal.tables),
               (SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_catalog.pg_class c
                WHERE c.relnamespace = 'astragal'::regnamespace AND c.relkind = 'r')
    """
    READ_SOME = """
        SELECT t.number, l.version, l.key, l.sum, l.body
        FROM astragal.tables t LEFT JOIN astragal.log l ON l.number = t.number AND l.version = ANY (%s::bigint[])
        WHERE t.name = %s ORDER BY l.version
    """
    FIND = """
        SELECT t.number, l.version, l.key, l.sum, l.body
        FROM astragal.tables t LEFT JOIN astragal.log l ON l.number = t.number AND l.key = %s WHERE t.name = %s
    """
    SEEN_BY_ALL = """
        SELECT t.number, l.version
        FROM astragal.tables t LEFT JOIN astragal.log l ON l.number = t.number AND l.public BETWEEN %s AND %s
        WHERE t.name = %s ORDER BY l.public
    """
    STANDINGS = """
        SELECT t.name, t.number,
               coalesce((SELECT max(version) FROM astragal.log l WHERE l.number = t.number), 0), t.epoch
        FROM unnest(%s::text[]) AS g (name) JOIN astragal.tables t ON t.name = g.name
    """
    SETTINGS_UNDER = """
        SELECT DISTINCT s.name, s.body FROM unnest(%s::text[]) AS g (first)
        JOIN astragal.settings s ON s.name >= g.first AND s.name < g.first || chr(1114111)
    """

    _readers: ReaderPool

    def __init__(self, database: Database) -> None:
        self.database = database
        self._connector = Connector(database)
        connection = self._connector.connect()
        try:
            prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._readers = ReaderPool(self._connector)
        self._writer = Writer(self._connector, connection)
        self.commits = self._writer.commits

    def do(self, write: str, *args: Any) -> Future[Any]:
        """Queue a checked write, by its name in the log."""
        return self._writer.submit(run, partial(Log().write, write, args))

    def append(
        self, table: str, record: Record, after: str | None = None, epoch: int | None = None
    ) -> Future[Appended]:
        """Append a record, or answer with the earlier one of this key; Stale if it does not follow the last one."""
        check_record(table, record)
        return self._writer.submit(append, table, record, after, epoch)

    def read(self, table: str, since: int = 0, limit: int | None = None) -> list[Record]:
        """The records after a version, in order; Unavailable if one is missing."""
        since = min(max(since, 0), VERSION)
        most = VERSION if limit is None else min(max(limit, 0), VERSION)
        records = [self._record(row[1:]) for row in self._of_table(table, READ, since, most) if row[1] is not None]
        if any(record.version != n for n, record in enumerate(records, since + 1)):
            raise self._damaged()
        return records

    def backup(self, target: Path) -> None:
        """Write the stored data to a new SQLite file, while others read and write; an existing file is refused."""
        with closing(self._connector.connect()) as connection:
            write_file(connection, target)

    def connect(self) -> Connection:
        """A new connection, which the caller closes."""
        return self._connector.connect()

    @property
    def pooled(self) -> bool:
        """True if a pooler is between this store and the database."""
        return self._connector.pooled

    def pids(self) -> list[int]:
        """The database's processes for this store."""
        return [*self._readers.pids(), *self._writer.pids()]

    def claim(self, table: str, server: str) -> Claim:
        """Claim a table for a server, unless another one did so within the last second."""
        check_table_id(table)
        rows = self._readers.query(CLAIM, table, server, server, HOLD, CHANNEL, table, server, server, HOLD)
        if not rows:
            raise no_table(table)
        return Claim(*rows[0][:2])

    def notify_changed(self, table: str) -> None:
        """Send the servers a notice that a table has changed, after earlier queued writes; it may be lost."""
        with suppress(Unavailable):
            sent = self._writer.submit(run, partial(Log().write, "tell", (encode_notice("changed", table),)))
            sent.add_done_callback(lambda future: future.exception())

    async def listen(self, take: Callable[[str], None]) -> None:
        """Receive notices until the connection is lost; the first, empty one confirms the connection."""
        await listen(self.database.url, take)

    def check_rights(self) -> None:
        """Unavailable if the database user may read and not write."""
        if self._readers.query(RIGHTS) != [(True,)]:
            raise Unavailable(MAY_NOT_WRITE)

    def close(self) -> None:
        """Finish the queued writes and close the connections; a second time does nothing."""
        self._writer.close()
        self._readers.close()

    def _list(self, items: Sequence[Any]) -> Texts | Numbers:
        return Numbers(items) if items and isinstance(items[0], int) else Texts(items)

    def _damaged(self) -> Unavailable:
        return damaged()
