"""The log from the writer's side: all writes but appends, each in its own transaction.

A write may be run again after the connection broke during its commit: it then recognises its own result.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from secrets import randbits
from typing import Any

from psycopg import Connection

from astragal.storage.postgres.notices import CHANNEL
from astragal.storage.postgres.parts import PARTS, write_part
from astragal.storage.record import Record, no_table, private_rows, stored_row, taken
from astragal.storage.sql import NUMBER, SETTING, Cursor, SqlLog
from astragal.storage.sqlite.file import connect_reader
from astragal.storage.sqlite.log import ABOUT, ROWS, SEEN_ROWS

CREATE = """
    INSERT INTO astragal.tables (name, game, title, created, token) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (name) DO NOTHING RETURNING number
"""
REWRITE = "UPDATE astragal.log SET sum = %s, body = %s WHERE number = %s AND version = %s AND key = %s"
MEASURE = """
    UPDATE astragal.snapshots s SET size = (
        SELECT coalesce(sum(length(body)), 0) FROM astragal.log l WHERE l.number = s.number AND l.version <= s.version
    ) WHERE number = %s
"""


class Log(SqlLog):
    """A write. It may be run again if the connection broke, so that its outcome is not known."""

    SIZE = """
        SELECT coalesce(s.size, 0) + (
            SELECT coalesce(sum(length(body)), 0)::bigint FROM astragal.log l
            WHERE l.number = t.number AND l.version > coalesce(s.version, 0) AND l.version <= %s
        ), coalesce((SELECT max(version) FROM astragal.log l WHERE l.number = t.number), 0), t.number
        FROM astragal.tables t LEFT JOIN astragal.snapshots s ON s.number = t.number AND s.version <= %s
        WHERE t.name = %s
    """
    """The size at the snapshot, and the bytes of later records."""
    SAVE_SNAPSHOT = """
        INSERT INTO astragal.snapshots AS s (number, version, sum, body, size)
        SELECT number, %s, %s, %s, %s FROM astragal.tables WHERE number = %s FOR KEY SHARE
        ON CONFLICT (number) DO UPDATE
        SET version = excluded.version, sum = excluded.sum, body = excluded.body, size = excluded.size
        WHERE excluded.version >= s.version
    """

    def __init__(self) -> None:
        self._token = randbits(63)
        """Marks a table that this write has made."""
        self._connection: Connection
        self._again = False

    def write(self, name: str, args: Sequence[Any], connection: Connection, again: bool) -> Any:
        """Run the method of this name on a connection; ``again`` if it was tried before."""
        self._connection, self._again = connection, again
        return getattr(self, name)(*args)

    def _run(self, sql: str, values: Sequence[Any] = ()) -> Cursor:
        return self._connection.execute(sql, values)

    def create(self, table: str, game: str, title: str, created: int, records: Sequence[Record]) -> None:
        """Create a table with its first, checked records."""
        with self._connection.transaction():
            if number := self._create(table, game, title, created):
                log = ((number, record.version, *stored_row(record)) for record in records)
                write_part(self._connection, PARTS["log"], log)
                write_part(self._connection, PARTS["seen"], ((number, *row) for row in private_rows(records)))

    def _create(self, table: str, game: str, title: str, created: int) -> int:
        """The number of a new, empty table; 0 if an earlier attempt has made it."""
        if row := self._run(CREATE, (table, game, title, created, self._token)).fetchone():
            self._drop_settings(table)  # of an earlier table of this id
            return int(row[0])
        if self._again and self._run(f"{NUMBER} AND token = %s", (table, self._token)).fetchone():
            return 0
        raise taken(table)

    def adopt(self, table: str, source: Path, name: str) -> None:
        """Create a table as a copy of one in a SQLite file, row by row, as they are."""
        with closing(connect_reader(source)) as other, self._connection.transaction():
            old, *about = other.execute(ABOUT, (name,)).fetchone()
            if number := self._create(table, *about):
                log = ((number, *row) for row in other.execute(ROWS, (0, old << 32)))
                write_part(self._connection, PARTS["log"], log)
                write_part(self._connection, PARTS["seen"], other.execute(SEEN_ROWS, (number, old)))

    def rewrite(self, table: str, records: Sequence[Record]) -> None:
        """Replace the bodies of records, found by version and key; the table cannot be dropped during that."""
        with self._connection.transaction():
            number = self._run(f"{NUMBER} FOR KEY SHARE", (table,)).fetchone()
            if not number:
                raise no_table(table)
            rows = ((record.version, *stored_row(record)) for record in records)
            with self._connection.cursor() as cursor:
                values = ((total, body, *number, version, key) for version, key, total, body, _ in rows)
                cursor.executemany(REWRITE, values)
            self._run(MEASURE, number)

    def drop(self, table: str) -> None:
        """Delete a table with everything in it; its row first, so no one can append any more."""
        with self._connection.transaction():
            number = self._run("DELETE FROM astragal.tables WHERE name = %s RETURNING number", (table,)).fetchone()
            if not number and not self._again:
                raise no_table(table)
            for part in ("log", "seen", "snapshots") if number else ():
                self._run(f"DELETE FROM astragal.{part} WHERE number = %s", number)
            self._drop_settings(table)

    def swap_setting(self, name: str, old: bytes | None, new: bytes | None) -> bool:
        """Store a setting, or delete it, if it still has the old value; True if it had."""
        if super().swap_setting(name, old, new):
            return True
        return self._again and (self._run(SETTING, (name,)).fetchone() or (None,))[0] == new

    def tell(self, notice: str) -> None:
        """Send a notice to all servers."""
        self._run("SELECT pg_notify(%s, %s)", (CHANNEL, notice))
