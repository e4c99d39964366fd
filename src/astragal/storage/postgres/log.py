"""The log from the writer's side: every write but appending, each a transaction of its own.

Each may be run again after the connection broke while it was committed: it then finds what it did before.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from secrets import randbits
from typing import NamedTuple, TypeAlias, TypeVar

from psycopg import Connection

from astragal.errors import Illegal, Stale
from astragal.storage.postgres.notices import CHANNEL
from astragal.storage.postgres.parts import PARTS, write_part
from astragal.storage.postgres.rows import columns, pieces, seen_columns
from astragal.storage.record import Record
from astragal.storage.sqlite.file import connect_reader
from astragal.storage.sqlite.log import ABOUT, ROWS, SEEN_ROWS, TABLE_SETTINGS, no_table

T = TypeVar("T")
Write: TypeAlias = Callable[[Connection, bool], T]
"""A write: the connection, and whether it was tried before and nobody knows how that ended."""

CREATE = """
    INSERT INTO astragal.tables (name, game, title, created, token) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (name) DO NOTHING RETURNING number
"""
INSERT = """
    INSERT INTO astragal.log (number, version, key, sum, body, public)
    SELECT %s, * FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::bytea[], %s::bigint[])
"""
SEE = """
    INSERT INTO astragal.seen (number, audience, nth, version)
    SELECT %s, * FROM unnest(%s::text[], %s::bigint[], %s::bigint[])
    ON CONFLICT (number, audience, nth) DO UPDATE SET version = excluded.version
"""
REWRITE = """
    UPDATE astragal.log SET sum = g.sum, body = g.body
    FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::bytea[]) AS g (version, key, sum, body)
    WHERE number = %s AND log.version = g.version AND log.key = g.key
"""
MEASURE = """
    UPDATE astragal.snapshots s SET size = (
        SELECT coalesce(sum(length(body)), 0) FROM astragal.log l WHERE l.number = s.number AND l.version <= s.version
    ) WHERE number = %s
"""
SIZE = """
    SELECT coalesce(s.size, 0) + (
        SELECT coalesce(sum(length(body)), 0)::bigint FROM astragal.log l
        WHERE l.number = t.number AND l.version > coalesce(s.version, 0) AND l.version <= %s
    ), coalesce((SELECT max(version) FROM astragal.log l WHERE l.number = t.number), 0), t.number
    FROM astragal.tables t LEFT JOIN astragal.snapshots s ON s.number = t.number AND s.version <= %s
    WHERE t.name = %s
"""
"""The bytes of the records up to a version: those after the snapshot are added to what was kept with it."""
SAVE_SNAPSHOT = """
    INSERT INTO astragal.snapshots AS s (number, version, sum, body, size)
    SELECT number, %s, %s, %s, %s FROM astragal.tables WHERE number = %s FOR KEY SHARE
    ON CONFLICT (number) DO UPDATE
    SET version = excluded.version, sum = excluded.sum, body = excluded.body, size = excluded.size
    WHERE excluded.version >= s.version
"""
DROP_SETTINGS = "DELETE FROM astragal.settings WHERE name >= %s AND name < %s"
SET_SETTING = """
    INSERT INTO astragal.settings (name, body) VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET body = excluded.body
"""
ADD_SETTING = "INSERT INTO astragal.settings (name, body) VALUES (%s, %s) ON CONFLICT (name) DO NOTHING"
DELETE_SETTING = "DELETE FROM astragal.settings WHERE name = %s"


def find_number(connection: Connection, table: str) -> int:
    """The number of a table, which is kept from being dropped until the end of the transaction."""
    sql = "SELECT number FROM astragal.tables WHERE name = %s FOR KEY SHARE"
    found = connection.execute(sql, (table,)).fetchone()
    if not found:
        raise no_table(table)
    return int(found[0])


class NewTable(NamedTuple):
    """A table that is to be made."""

    name: str
    game: str
    title: str
    created: int
    token: int


def create(name: str, game: str, title: str, created: int, records: Sequence[Record]) -> Write[None]:
    """Create a table with its first records, which have been checked."""
    new = NewTable(name, game, title, created, randbits(63))

    def write(connection: Connection, again: bool) -> None:
        with connection.transaction():
            number = new_number(connection, new, again)
            for piece in pieces(records) if number else ():
                connection.execute(INSERT, (number, *columns(piece)))
                connection.execute(SEE, (number, *seen_columns(piece)))

    return write


def new_number(connection: Connection, new: NewTable, again: bool = False) -> int:
    """The number of a new table without records; 0 if it was made by us before, which we could not know."""
    row = connection.execute(CREATE, new).fetchone()
    if row:
        drop_settings(connection, new.name)  # of an earlier table of this id
        return int(row[0])
    sql = "SELECT 1 FROM astragal.tables WHERE name = %s AND token = %s"
    if again and connection.execute(sql, (new.name, new.token)).fetchone():
        return 0
    raise Stale(f'There is a table "{new.name}" already; choose another id.')


def adopt(table: str, source: Path, name: str) -> Write[None]:
    """Create a table as a copy of one in a SQLite file, row by row, as they are."""
    token = randbits(63)

    def write(connection: Connection, again: bool) -> None:
        with closing(connect_reader(source)) as other, connection.transaction():
            old, game, title, created = other.execute(ABOUT, (name,)).fetchone()
            number = new_number(connection, NewTable(table, game, title, created, token), again)
            if number:
                copy_in(connection, other, old, number)

    return write


def copy_in(connection: Connection, other: sqlite3.Connection, old: int, number: int) -> None:
    """Copy a table's records and their index from a SQLite file, where it has another number."""
    write_part(connection, PARTS["log"], ((number, *row) for row in other.execute(ROWS, (0, old << 32))))
    write_part(connection, PARTS["seen"], other.execute(SEEN_ROWS, (number, old)))


def rewrite(table: str, records: Sequence[Record]) -> Write[None]:
    """Replace the bodies of records, found by version and key."""

    def write(connection: Connection, again: bool) -> None:
        with connection.transaction():
            number = find_number(connection, table)
            for piece in pieces(records):
                connection.execute(REWRITE, (*columns(piece)[:4], number))
            connection.execute(MEASURE, (number,))

    return write


def retitle(table: str, title: str) -> Write[None]:
    """Change a table's title."""

    def write(connection: Connection, again: bool) -> None:
        if not connection.execute("UPDATE astragal.tables SET title = %s WHERE name = %s", (title, table)).rowcount:
            raise no_table(table)

    return write


def drop(table: str) -> Write[None]:
    """Delete a table with all that belongs to it; its row first, so that nobody appends to it any more."""

    def write(connection: Connection, again: bool) -> None:
        with connection.transaction():
            found = connection.execute("DELETE FROM astragal.tables WHERE name = %s RETURNING number", (table,))
            row = found.fetchone()
            if not row and not again:
                raise no_table(table)
            for part in ("log", "seen", "snapshots") if row else ():
                connection.execute(f"DELETE FROM astragal.{part} WHERE number = %s", row)
            drop_settings(connection, table)

    return write


def drop_settings(connection: Connection, table: str) -> None:
    """Delete the settings of a table."""
    for kind in TABLE_SETTINGS:
        connection.execute(DROP_SETTINGS, (f"{kind}/{table}/", f"{kind}/{table}0"))  # 0 comes next after /


def save_snapshot(table: str, version: int, total: int, stored: bytes) -> Write[None]:
    """Replace the table's snapshot, packed and with its checksum, unless the stored one is newer."""

    def write(connection: Connection, again: bool) -> None:
        found = connection.execute(SIZE, (version, version, table)).fetchone()
        if not found:
            raise no_table(table)
        size, last, number = found
        if not 0 <= version <= last:
            raise Illegal(f'There is no version {version} of the table "{table}", so it can have no snapshot.')
        connection.execute(SAVE_SNAPSHOT, (version, total, stored, size, number))

    return write


def set_setting(name: str, body: bytes) -> Write[None]:
    """Store a setting, replacing the one of that name."""
    return lambda connection, again: _done(connection.execute(SET_SETTING, (name, body)))


def swap_setting(name: str, old: bytes | None, new: bytes | None) -> Write[bool]:
    """Store a setting, or delete it, if it still is the old one; whether it was."""

    def write(connection: Connection, again: bool) -> bool:
        if old is None:
            done = new is not None and connection.execute(ADD_SETTING, (name, new)).rowcount == 1
        elif new is None:
            done = connection.execute(f"{DELETE_SETTING} AND body = %s", (name, old)).rowcount == 1
        else:
            sql = "UPDATE astragal.settings SET body = %s WHERE name = %s AND body = %s"
            done = connection.execute(sql, (new, name, old)).rowcount == 1
        return done or (again and _setting(connection, name) == new)

    return write


def _setting(connection: Connection, name: str) -> bytes | None:
    row = connection.execute("SELECT body FROM astragal.settings WHERE name = %s", (name,)).fetchone()
    return bytes(row[0]) if row else None


def delete_setting(name: str) -> Write[None]:
    """Delete a setting, if there is one of that name."""
    return lambda connection, again: _done(connection.execute(DELETE_SETTING, (name,)))


def tell(notice: str) -> Write[None]:
    """Send a notice to all servers."""
    return lambda connection, again: _done(connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, notice)))


def _done(cursor: object) -> None:
    """Nothing, whatever the statement returned."""
