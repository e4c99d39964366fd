"""The log from the writer's side: what a job does between the beginning of a transaction and its commit.

Only the writer's thread comes here. A job that refuses does so before it has written anything, so the
others of its transaction come to no harm.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from astragal.errors import Illegal, Stale, Unknown
from astragal.store.record import Appended, Record
from astragal.store.record_seal import checked_record, checksum

VERSION = 0xFFFF_FFFF
"""The lower half of a place is the version, the upper half the table's number."""

REMEMBERED = 10_000
"""Of so many tables the last place is kept in memory."""

INSERT = "INSERT INTO log (place, key, sum, body) VALUES (?, ?, ?, ?)"
REWRITE = "UPDATE log SET sum = ?, body = ? WHERE place = ? AND key = ?"
FIND = "SELECT place & 0xFFFFFFFF, key, sum, body FROM log WHERE place >> 32 = ? AND key = ?"
LAST = """
    SELECT ifnull((SELECT max(place) FROM log WHERE place >= number << 32 AND place < (number + 1) << 32), number << 32)
    FROM tables WHERE name = ?
"""
KEY = "SELECT key FROM log WHERE place = ?"
CREATE = "INSERT INTO tables (name, game, title, created) VALUES (?, ?, ?, ?)"
SNAPSHOT = """
    INSERT INTO snapshots (number, version, sum, body) VALUES (?, ?, ?, ?)
    ON CONFLICT (number) DO UPDATE SET version = excluded.version, sum = excluded.sum, body = excluded.body
    WHERE excluded.version >= version
"""
KEEP = "INSERT INTO settings (name, body) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body"


Append: TypeAlias = tuple[str, Record, str | None]
"""A table, a row for it, and the key of the row before."""


@lru_cache(1024)
def _insert_all(rows: int, tables: int) -> str:
    """So many rows if there are all these tables, else none."""
    return (
        f"INSERT INTO log (place, key, sum, body) SELECT * FROM (VALUES {', '.join(['(?, ?, ?, ?)'] * rows)}) "
        f"WHERE (SELECT count(*) FROM tables WHERE number IN ({', '.join('?' * tables)})) = {tables}"
    )


def no_table(table: str) -> Unknown:
    """The refusal for a table that is not there."""
    return Unknown(f'There is no table "{table}".')


class Log:
    """One connection that writes, and the last place of each table as far as it is known."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._connection = connection
        self._run = connection.execute
        self._last: dict[str, int] = {}
        self._keys: dict[str, tuple[int, str]] = {}
        self._seen = -1

    def begin(self) -> None:
        """From here to the commit nobody else can write; what others wrote before makes us forget what we knew."""
        self._run("BEGIN IMMEDIATE")
        (seen,) = self._run("PRAGMA data_version").fetchone()
        if seen != self._seen or len(self._last) > REMEMBERED:
            self._seen = seen
            self._last.clear()
            self._keys.clear()

    def commit(self) -> None:
        """When this returns, everything is on the disk."""
        self._run("COMMIT")

    def rollback(self) -> None:
        """As if the transaction had never begun."""
        self._last.clear()
        self._keys.clear()
        # After some errors SQLite has gone back by itself.
        if self._connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                self._run("ROLLBACK")

    def append(self, table: str, row: Record, after: str | None = None) -> Appended:
        """Write the row if it is the next one and its key is new: one statement, and the index finds a repeated key."""
        place = self._last.get(table) or self._find_last(table)
        if row.version != (place & VERSION) + 1 or (after is not None and after != self._key_at(table, place)):
            return self._repeated(table, row, place)
        try:
            self._run(INSERT, (place + 1, row.key, checksum(row.version, row.body, row.key), row.body))
        except sqlite3.IntegrityError:
            return self._repeated(table, row, place)
        self._last[table] = place + 1
        self._keys[table] = (place + 1, row.key)
        return Appended(row, False)

    def append_at_once(self, appends: Sequence[Append]) -> list[Appended] | None:
        """A whole transaction in one statement, if each row is the next of its table as far as we know.

        It fails as a whole, and nothing is written, if a version or a key is taken or a table is gone: what
        others wrote meanwhile needs no asking. The thread lets go of Python once, and not for every row.
        """
        ends: dict[str, tuple[int, str]] = {}
        values: list[int | str | bytes] = []
        for table, row, after in appends:
            place, key = ends.get(table) or self._end(table)
            if row.version != (place & VERSION) + 1 or (after is not None and after != key):
                return None
            ends[table] = (place + 1, row.key)
            values += (place + 1, row.key, checksum(row.version, row.body, row.key), row.body)
        numbers = {place >> 32 for place, _ in ends.values()}
        try:
            written = self._run(_insert_all(len(appends), len(numbers)), (*values, *numbers)).rowcount
        except sqlite3.IntegrityError:
            return None
        if written != len(appends):
            return None
        self._last.update({table: place for table, (place, _) in ends.items()})
        self._keys.update(ends)
        return [Appended(row, False) for _, row, _ in appends]

    def _end(self, table: str) -> tuple[int, str | None]:
        """The last place and its key as far as they are known; before the first place there is nothing."""
        place = self._last.get(table, 0)
        known, key = self._keys.get(table, (0, ""))
        return place, key if known == place else None

    def _repeated(self, table: str, row: Record, place: int) -> Appended:
        """A row that cannot be written: either its key is there already, or somebody was faster."""
        found = self._run(FIND, (place >> 32, row.key)).fetchone()
        if found:
            return Appended(checked_record(found, self.path), True)
        raise Stale(
            f'Version {row.version} cannot be added to the table "{table}", which is at version {place & VERSION}: '
            "somebody was faster. Read what is new and try again."
        )

    def _key_at(self, table: str, place: int) -> str:
        """The key of the last row; rows never change, so what is known of a place stays true."""
        known, key = self._keys.get(table, (0, ""))
        if known != place:
            found = self._run(KEY, (place,)).fetchone()
            key = str(found[0]) if found else ""
            self._keys[table] = (place, key)
        return key

    def _find_last(self, table: str) -> int:
        found = self._run(LAST, (table,)).fetchone()
        if not found:
            raise no_table(table)
        self._last[table] = place = int(found[0])
        return place

    def create(self, table: str, game: str, title: str, created: int, rows: Sequence[Record]) -> None:
        """A new table with its first rows, which have been checked: after the first statement nothing is refused."""
        try:
            number = self._run(CREATE, (table, game, title, created)).lastrowid or 0
        except sqlite3.IntegrityError:
            raise Stale(f'There is a table "{table}" already; choose another id.') from None
        first = number << 32
        self._connection.executemany(
            INSERT, ((first + row.version, row.key, checksum(row.version, row.body, row.key), row.body) for row in rows)
        )
        self._last[table] = first + len(rows)

    def rewrite(self, table: str, rows: Sequence[Record]) -> None:
        """Newer bodies for rows that are there. Versions and keys stay, so what is known of places stays true."""
        first = self._find_last(table) & ~VERSION
        values = ((checksum(row.version, row.body, row.key), row.body, first + row.version, row.key) for row in rows)
        self._connection.executemany(REWRITE, values)

    def retitle(self, table: str, title: str) -> None:
        """Another title for a table."""
        if not self._run("UPDATE tables SET title = ? WHERE name = ?", (title, table)).rowcount:
            raise no_table(table)

    def drop(self, table: str) -> None:
        """Remove a table with all that belongs to it."""
        number = self._find_last(table) >> 32
        del self._last[table]
        self._run("DELETE FROM log WHERE place >= ? << 32 AND place < (? + 1) << 32", (number, number))
        self._run("DELETE FROM snapshots WHERE number = ?", (number,))
        self._run("DELETE FROM tables WHERE number = ?", (number,))

    def save_snapshot(self, table: str, version: int, body: bytes) -> None:
        """The newest snapshot of a table takes the place of the one before; an older one changes nothing."""
        place = self._last.get(table) or self._find_last(table)
        if not 0 <= version <= place & VERSION:
            raise Illegal(f'There is no version {version} of the table "{table}", so it can have no snapshot.')
        self._run(SNAPSHOT, (place >> 32, version, checksum(version, body), body))

    def keep(self, name: str, body: bytes) -> None:
        """A setting, in place of the one of that name."""
        self._run(KEEP, (name, body))

    def forget(self, name: str) -> None:
        """No setting of that name."""
        self._run("DELETE FROM settings WHERE name = ?", (name,))
