"""A store in a PostgreSQL database: one thread writes, every thread reads, and other servers do the same."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from secrets import randbits
from types import TracebackType
from typing import Any, Self

from psycopg import Connection

from astragal.errors import Unavailable
from astragal.store.address import Database
from astragal.store.log import VERSION, no_table
from astragal.store.postgres import log
from astragal.store.postgres.arrays import Numbers, Texts
from astragal.store.postgres.connector import Connector
from astragal.store.postgres.failures import DAMAGED
from astragal.store.postgres.readers import ReaderPool
from astragal.store.postgres.rows import record_of
from astragal.store.postgres.schema import RIGHTS, SCHEMA, check_rights, prepare
from astragal.store.postgres.transfer import write_file
from astragal.store.postgres.writer import Writer, append, run
from astragal.store.record import (
    MAX_SNAPSHOT,
    Appended,
    Callback,
    Record,
    Standing,
    TableInfo,
    Usage,
    check_body,
    check_created,
    check_first_records,
    check_key,
    check_record,
    check_table_id,
    check_title,
    checksum,
    is_intact,
    packed,
    unpacked,
)

INFO = """
    SELECT name, game, title, created,
           coalesce((SELECT max(version) FROM astragal.log l WHERE l.number = t.number), 0) FROM astragal.tables t
"""
USAGE = """
    SELECT (SELECT count(*) FROM astragal.tables),
           (SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_catalog.pg_class c
            WHERE c.relnamespace = 'astragal'::regnamespace AND c.relkind = 'r')
"""
READ = """
    SELECT t.number, l.version, l.key, l.sum, l.body FROM astragal.tables t LEFT JOIN LATERAL (
        SELECT version, key, sum, body FROM astragal.log
        WHERE number = t.number AND version > %s ORDER BY version LIMIT %s
    ) l ON true WHERE t.name = %s ORDER BY l.version
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
    SELECT t.number, l.version FROM astragal.tables t
    LEFT JOIN astragal.log l ON l.number = t.number AND l.public BETWEEN %s AND %s WHERE t.name = %s ORDER BY l.public
"""
SEEN = """
    SELECT t.number, s.version FROM astragal.tables t LEFT JOIN astragal.seen s
    ON s.number = t.number AND s.audience = %s AND s.nth BETWEEN %s AND %s WHERE t.name = %s ORDER BY s.nth
"""
SNAPSHOT = """
    SELECT t.number, s.version, s.sum, s.body
    FROM astragal.tables t LEFT JOIN astragal.snapshots s ON s.number = t.number WHERE t.name = %s
"""
SETTING_NAMES = "SELECT name FROM astragal.settings WHERE name >= %s AND name < %s ORDER BY name"
SETTINGS_UNDER = """
    SELECT DISTINCT s.name, s.body FROM unnest(%s::text[], %s::text[]) AS g (first, last)
    JOIN astragal.settings s ON s.name >= g.first AND s.name < g.last
"""
STANDINGS = """
    SELECT t.name, t.number, coalesce((SELECT max(version) FROM astragal.log l WHERE l.number = t.number), 0)
    FROM unnest(%s::text[]) AS g (name) JOIN astragal.tables t ON t.name = g.name
"""
LAST_SIGN = chr(0x10FFFF)


class PostgresStore:
    """A `Store` in a database. Any number of other programs may use the same one at the same time."""

    kind = "postgresql"

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

    def create(self, table: str, game: str, title: str, created: int, records: Sequence[Record]) -> Future[None]:
        """Create a table with its first records, all of them or nothing; Stale if the id is taken."""
        check_table_id(table)
        check_title(game, "A game's name")
        check_title(title)
        check_created(created)
        records = tuple(records)
        check_first_records(table, records)
        return self._writer.submit(run, log.create(log.NewTable(table, game, title, created, randbits(63)), records))

    def adopt(self, table: str, source: Path, name: str) -> Future[None]:
        """Create a table as a copy of one in a SQLite file; Stale if the id is taken."""
        check_table_id(table)
        return self._writer.submit(run, log.adopt(table, source, name, randbits(63)))

    def append(self, table: str, record: Record, after: str | None = None) -> Future[Appended]:
        """Append a record, or answer with the earlier one of this key; Stale if it does not follow the last one."""
        check_record(table, record)
        return self._writer.submit(append, table, record, after)

    def enqueue(self, table: str, record: Record, after: str, callback: Callback[Appended]) -> None:
        """Append without a future: callbacks run on the writer's thread, in the order of the calls."""
        check_record(table, record)
        self._writer.enqueue(callback, append, table, record, after)

    def rewrite(self, table: str, records: Sequence[Record]) -> Future[None]:
        """Replace the bodies of records, found by version and key; all of them or none."""
        records = tuple(records)
        for record in records:
            check_record(table, record)
        return self._writer.submit(run, log.rewrite(table, records))

    def read(self, table: str, since: int = 0, limit: int | None = None) -> list[Record]:
        """The records after a version, in order; Unavailable if one is missing that must be there."""
        since = min(max(since, 0), VERSION)
        most = VERSION if limit is None else min(max(limit, 0), VERSION)
        records = [record_of(row[1:]) for row in self._of_table(table, READ, since, most) if row[1] is not None]
        if any(record.version != n for n, record in enumerate(records, since + 1)):
            raise Unavailable(DAMAGED)
        return records

    def read_some(self, table: str, versions: Sequence[int]) -> list[Record]:
        """The records with these versions, in order; Unavailable if one is missing."""
        rows = self._of_table(table, READ_SOME, Numbers(versions))
        found = [record_of(row[1:]) for row in rows if row[1] is not None]
        if len(found) < len(versions):
            raise Unavailable(DAMAGED)
        return found

    def seen(self, table: str, audience: str, first: int, last: int) -> list[int]:
        """The versions of the first to last record that an audience may see; Unavailable if one is missing."""
        values = (audience, first, last) if audience else (first, last)
        rows = self._of_table(table, SEEN if audience else SEEN_BY_ALL, *values)
        found = [version for _, version in rows if version is not None]
        if len(found) != max(0, last - first + 1):
            raise Unavailable(DAMAGED)
        return found

    def unindexed(self, table: str) -> int:
        """The number of records, from the first, that are not in the index yet."""
        return int(self._of_table(table, "SELECT unindexed FROM astragal.tables WHERE name = %s")[0][0])

    def index(self, table: str, records: Sequence[Record], left: int) -> Future[None]:
        """Index records that are there already; the first ``left`` of the table are still to be indexed."""
        check_table_id(table)
        return self._writer.submit(run, log.index(table, tuple(records), left))

    def backup(self, target: Path) -> None:
        """Write all that is stored now to a new SQLite file, while others read and write; none is replaced."""
        with closing(self._connector.connect()) as connection:
            write_file(connection, target)

    def connect(self) -> Connection:
        """A connection of its own, which the caller closes."""
        return self._connector.connect()

    @property
    def pooled(self) -> bool:
        """Whether a pooler is between this store and the database."""
        return self._connector.pooled

    def pids(self) -> list[int]:
        """The database's processes for this store."""
        return [*self._readers.pids(), *self._writer.pids()]

    def find(self, table: str, key: str) -> Record | None:
        """The record with this key."""
        check_key(key)
        row = self._of_table(table, FIND, key)[0]
        return None if row[1] is None else record_of(row[1:])

    def last(self, table: str) -> int:
        """The version of the last record, 0 if there is none."""
        return self.info(table).version

    def last_versions(self, tables: Sequence[str]) -> dict[str, Standing]:
        """Where each of these tables stands, in one query; a table that is gone is left out."""
        rows = self._readers.query(STANDINGS, Texts(tables))
        return {name: Standing(identity, version) for name, identity, version in rows}

    def check_schema(self) -> None:
        """Look whether a newer program has upgraded the tables meanwhile; if so, everything is refused from now on."""
        rows = self._readers.look("SELECT schema FROM astragal.about")
        self._connector.newer = any(schema > SCHEMA for (schema,) in rows)

    def usage(self) -> Usage:
        """How many tables there are, and how many bytes everything takes on the database's disk."""
        return Usage(*self._readers.query(USAGE)[0])

    def size(self, table: str) -> int:
        """The bytes of a table's records; those before the snapshot were counted when it was saved."""
        return int(self._of_table(table, log.SIZE, VERSION, VERSION)[0][0])

    def tables(self) -> list[TableInfo]:
        """All tables, oldest first."""
        return [TableInfo(*row) for row in self._readers.query(f"{INFO} ORDER BY number")]

    def info(self, table: str) -> TableInfo:
        """One table as the list shows it; Unknown if there is none."""
        return TableInfo(*self._of_table(table, f"{INFO} WHERE name = %s")[0])

    def retitle(self, table: str, title: str) -> Future[None]:
        """Change a table's title."""
        check_table_id(table)
        check_title(title)
        return self._writer.submit(run, log.retitle(table, title))

    def save_snapshot(self, table: str, version: int, body: bytes) -> Future[None]:
        """Store the state at a version, replacing an older one; packed here, since everybody waits for the writer."""
        check_table_id(table)
        check_body(body, MAX_SNAPSHOT)
        total, stored = checksum(max(0, version), body), packed(body)
        return self._writer.submit(run, log.save_snapshot(table, version, total, stored))

    def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """The newest stored state, with its version; None if it is damaged, since the log can replace it."""
        _, version, total, stored = self._of_table(table, SNAPSHOT)[0]
        if version is None:
            return None
        body = unpacked(stored, MAX_SNAPSHOT)
        return (version, body) if is_intact(version, total, body) else None

    def drop(self, table: str) -> Future[None]:
        """Delete a table with all that belongs to it."""
        check_table_id(table)
        return self._writer.submit(run, log.drop(table))

    def set_setting(self, name: str, body: bytes) -> Future[None]:
        """Store a small setting of the installation, replacing the one of that name."""
        check_key(name, "A setting's name")
        check_body(body)
        return self._writer.submit(run, log.set_setting(name, body))

    def setting(self, name: str) -> bytes | None:
        """The setting of that name."""
        check_key(name, "A setting's name")
        rows = self._readers.query("SELECT body FROM astragal.settings WHERE name = %s", name)
        return bytes(rows[0][0]) if rows else None

    def setting_names(self, prefix: str = "") -> list[str]:
        """The names of all settings with this prefix, sorted."""
        return [name for (name,) in self._readers.query(SETTING_NAMES, prefix, prefix + LAST_SIGN)]

    def settings_under(self, prefixes: Sequence[str]) -> dict[str, bytes]:
        """All settings with any of these prefixes, by name, in one query."""
        ends = Texts(prefix + LAST_SIGN for prefix in prefixes)
        return {name: bytes(body) for name, body in self._readers.query(SETTINGS_UNDER, Texts(prefixes), ends)}

    def swap_setting(self, name: str, old: bytes | None, new: bytes | None) -> Future[bool]:
        """Replace a setting if it is still what it was; None stands for none."""
        check_key(name, "A setting's name")
        for body in (old, new):
            check_body(body or b"")
        return self._writer.submit(run, log.swap_setting(name, old, new))

    def delete_setting(self, name: str) -> Future[None]:
        """Delete a setting, if there is one of that name."""
        check_key(name, "A setting's name")
        return self._writer.submit(run, log.delete_setting(name))

    def identity(self, table: str) -> int:
        """A number that no other table of this store ever has or had."""
        return int(self._of_table(table, "SELECT number FROM astragal.tables WHERE name = %s")[0][0])

    def check_rights(self) -> None:
        """Unavailable if the database's user may read and not write."""
        check_rights(self._readers.query(RIGHTS))

    def close(self) -> None:
        """Finish the queued writes and close the connections; a second time does nothing."""
        self._writer.close()
        self._readers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _of_table(self, table: str, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query whose last value is a table's name, at least one; Unknown if there is no such table."""
        check_table_id(table)
        rows = self._readers.query(sql, *values, table)
        if not rows:
            raise no_table(table)
        return rows
