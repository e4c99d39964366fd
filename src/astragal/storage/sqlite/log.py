"""The log from the writer's side: the writes between the start of a transaction and its commit.

Only the writer's thread uses it. A write is refused before it changes anything, so other writes of the same transaction
are not affected. ``place`` is the row id of a record: the table's number and the version, in one integer.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from logging import getLogger
from pathlib import Path
from typing import Any, TypeAlias

from astragal.storage.record import (
    VERSION,
    Appended,
    Record,
    no_table,
    private_rows,
    record_in,
    stored_row,
    taken,
    too_late,
)
from astragal.storage.sql import SqlLog
from astragal.storage.sqlite.failures import damaged
from astragal.storage.sqlite.file import connect_reader, open_file, own

MAX_CACHED = 10_000
"""Tables whose end is cached; beyond it, the cache is emptied."""

LAST = """
    ifnull((SELECT max(place) & 0xFFFFFFFF FROM log WHERE place >= t.number << 32 AND place < (t.number + 1) << 32), 0)
"""
"""The version of a table's last record."""
INSERT = "INSERT INTO log (place, key, sum, body, public) VALUES (?, ?, ?, ?, ?)"
SEE = "INSERT OR REPLACE INTO seen (number, audience, nth, version) VALUES (?, ?, ?, ?)"
REWRITE = "UPDATE log SET sum = ?, body = ? WHERE place = ? AND key = ?"
FIND = "SELECT place & 0xFFFFFFFF, key, sum, body FROM log WHERE place >> 32 = ? AND key = ?"
END = """
    SELECT ifnull(place, number << 32), ifnull(key, '') FROM tables LEFT JOIN log
    ON place = (SELECT max(place) FROM log WHERE place >= number << 32 AND place < (number + 1) << 32) WHERE name = ?
"""
CREATE = "INSERT INTO tables (name, game, title, created) VALUES (?, ?, ?, ?)"
ABOUT = "SELECT number, game, title, created FROM tables WHERE name = ?"
ROWS = """
    SELECT place - ?2 + ?1, key, sum, body, public FROM log
    WHERE place > ?2 AND place < ?2 + 0x100000000 ORDER BY place
"""
SEEN_ROWS = "SELECT ?, audience, nth, version FROM seen WHERE number = ?"
MEASURE = """
    UPDATE snapshots SET size = (
        SELECT ifnull(sum(length(body)), 0) FROM log WHERE place > number << 32 AND place <= (number << 32) + version
    ) WHERE number = ?
"""

Append: TypeAlias = tuple[str, Record, str | None]
"""A table, a record for it, and the key of the record before."""


@lru_cache(1024)
def _insert_all(records: int, tables: int) -> str:
    """SQL that inserts n records if the record before exists in each of m tables, otherwise none."""
    before = " AND ".join(["EXISTS (SELECT 1 FROM log WHERE place = ? AND key = ?)"] * tables)
    return (
        f"INSERT INTO log (place, key, sum, body, public) "
        f"SELECT * FROM (VALUES {', '.join(['(?, ?, ?, ?, ?)'] * records)}) WHERE {before}"
    )


class Log(SqlLog):
    """The one writing connection, with a cache of each table's end: its last place and the key there."""

    SIZE = f"""
        SELECT ifnull(s.size, 0) + (
            SELECT ifnull(sum(length(body)), 0) FROM log
            WHERE place > (t.number << 32) + ifnull(s.version, 0) AND place <= (t.number << 32) + %s
        ), {LAST}, t.number
        FROM tables t LEFT JOIN snapshots s ON s.number = t.number AND s.version <= %s WHERE t.name = %s
    """
    """The size at the snapshot, and the bytes of later records."""
    SAVE_SNAPSHOT = """
        INSERT INTO snapshots (version, sum, body, size, number) VALUES (%s, %s, %s, %s, %s)
        ON CONFLICT (number) DO UPDATE
        SET version = excluded.version, sum = excluded.sum, body = excluded.body, size = excluded.size
        WHERE excluded.version >= version
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection: sqlite3.Connection
        self._execute: Callable[..., sqlite3.Cursor]
        self._is_open = False
        self._ends: dict[str, tuple[int, str]] = {}
        self._data_version = -1
        self.written = 0
        """Approximate bytes that were written since the last merge."""

    def open(self) -> None:
        """Open the file, created if it is missing; does nothing if it is open."""
        if not self._is_open:
            self.connection = open_file(self.path)
            self._execute = self.connection.execute
            self._is_open = True

    def close(self, *, merge: bool = True) -> None:
        """Close the file if it is open; with ``merge``, all data is then in the one file."""
        if not self._is_open:
            return
        self._is_open = False
        try:
            if merge:
                self._execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            getLogger("astragal").error("The write-ahead log could not be merged (%s); the next start does it.", error)
        self.connection.close()

    def begin(self) -> None:
        """Begin a transaction, which excludes other writers. Empty the cache if another program wrote before."""
        self._execute("BEGIN IMMEDIATE")
        (data_version,) = self._execute("PRAGMA data_version").fetchone()
        if data_version != self._data_version or len(self._ends) > MAX_CACHED:
            self._data_version = data_version
            self._ends.clear()

    def commit(self) -> None:
        """Commit; when this returns, everything is on the disk."""
        self._execute("COMMIT")

    def rollback(self) -> None:
        """Undo the transaction."""
        self._ends.clear()
        # After some errors SQLite has rolled back by itself.
        if self.connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                self._execute("ROLLBACK")

    def append(self, table: str, record: Record, after: str | None = None) -> Appended:
        """Append the record if it is the next one and its key is new."""
        place, last = self._end(table)
        if record.version != (place & VERSION) + 1 or after not in (None, last):
            return self._repeated(table, record, place)
        try:
            self._execute(INSERT, (place + 1, *stored_row(record)))
        except sqlite3.IntegrityError:
            return self._repeated(table, record, place)
        self.written += len(record.stored or record.body)
        self._see(place >> 32, [record])
        self._ends[table] = (place + 1, record.key)
        return Appended(record, False)

    def _see(self, number: int, records: Iterable[Record]) -> None:
        """Index private records for their audiences."""
        if rows := [(number, *row) for row in private_rows(records)]:
            self.connection.executemany(SEE, rows)

    def append_batch(self, appends: Sequence[Append]) -> list[Appended] | None:
        """A whole transaction in one statement; None, and nothing is written, if a record does not fit.

        A record does not fit if it is not the next of its table by the cache, if its version or key is taken, if the
        table was deleted, or if it is private. The statement itself notices writes of other programs. One statement
        releases the interpreter lock once, and not for every record.
        """
        ends: dict[str, tuple[int, str]] = {}
        before: list[int | str] = []
        values: list[Any] = []
        for table, record, after in appends:
            end = ends.get(table) or self._ends.get(table)
            if end is None or (record.seen and record.public is None):
                return None
            if table not in ends:
                before += end
            place, key = end
            if record.version != (place & VERSION) + 1 or after not in (None, key):
                return None
            ends[table] = (place + 1, record.key)
            values += (place + 1, *stored_row(record))
            self.written += len(record.stored or record.body)
        try:
            written = self._execute(_insert_all(len(appends), len(ends)), (*values, *before)).rowcount
        except sqlite3.IntegrityError:
            return None
        if written != len(appends):
            return None
        self._ends.update(ends)
        return [Appended(record, False) for _, record, _ in appends]

    def _repeated(self, table: str, record: Record, place: int) -> Appended:
        """The earlier record with this key; Stale if there is none, so another writer was faster."""
        found = self._execute(FIND, (place >> 32, record.key)).fetchone()
        if found:
            return Appended(record_in(found, partial(damaged, self.path)), True)
        raise too_late(table, record.version, place & VERSION)

    def _end(self, table: str) -> tuple[int, str]:
        """The row id and the key of a table's last record; "" before the first."""
        if table not in self._ends:
            found = self._execute(END, (table,)).fetchone()
            if not found:
                raise no_table(table)
            self._ends[table] = found
        return self._ends[table]

    def create(self, table: str, game: str, title: str, created: int, records: Sequence[Record]) -> None:
        """Create a table with its first, checked records: only the first statement can be refused."""
        number = self._create(table, game, title, created)
        first = number << 32
        self.connection.executemany(INSERT, ((first + record.version, *stored_row(record)) for record in records))
        self._see(number, records)
        self._ends.pop(table, None)

    def _create(self, table: str, game: str, title: str, created: int) -> int:
        """The number of a new, empty table."""
        try:
            number = self._execute(CREATE, (table, game, title, created)).lastrowid or 0
        except sqlite3.IntegrityError:
            raise taken(table) from None
        self._drop_settings(table)  # of an earlier table of this id
        return number

    def adopt(self, table: str, source: Path, name: str) -> None:
        """Create a table as a copy of one in another store's file, row by row, as they are."""
        with contextlib.closing(connect_reader(source)) as other:
            old, *about = other.execute(ABOUT, (name,)).fetchone()
            new = self._create(table, *about)
            self.connection.executemany(INSERT, other.execute(ROWS, (new << 32, old << 32)))
            self.connection.executemany(SEE, other.execute(SEEN_ROWS, (new, old)))
        self._ends.pop(table, None)

    def rewrite(self, table: str, records: Sequence[Record]) -> None:
        """Replace the bodies of records; versions and keys stay, so the cache stays right."""
        first = self._end(table)[0] & ~VERSION
        rows = ((first + record.version, *stored_row(record)) for record in records)
        self.connection.executemany(REWRITE, ((total, body, place, key) for place, key, total, body, _ in rows))
        self._execute(MEASURE, (first >> 32,))

    def drop(self, table: str) -> None:
        """Delete a table with its records, index, snapshots and settings."""
        number = self._end(table)[0] >> 32
        del self._ends[table]
        self._execute("DELETE FROM log WHERE place >= ? << 32 AND place < (? + 1) << 32", (number, number))
        self._execute("DELETE FROM seen WHERE number = ?", (number,))
        self._execute("DELETE FROM snapshots WHERE number = ?", (number,))
        self._drop_settings(table)
        self._execute("DELETE FROM tables WHERE number = ?", (number,))

    def save_snapshot(self, table: str, version: int, total: int, stored: bytes) -> None:
        """Replace the table's snapshot, packed and with its checksum, unless the stored one is newer."""
        super().save_snapshot(table, version, total, stored)
        self.written += len(stored)

    def _run(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        return self._execute(own(sql), values)
