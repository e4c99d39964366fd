"""The parts of a store, row by row, in the same form for a database and a SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from psycopg import Connection

from astragal.errors import Unavailable
from astragal.storage.record import MAX_SNAPSHOT, is_intact, unpacked

Row: TypeAlias = tuple[Any, ...]
Progress: TypeAlias = Callable[[int], object]
"""Called from time to time with the number of processed records."""
EVERY = 5000
"""Records between two reports."""
DIFFERENT = "The copy differs from the original, in {part}. Nothing was kept; try again."

DAMAGED = "The original is damaged, in {part}. Nothing was kept; restore a backup of it first."


class Part(NamedTuple):
    """One table of the schema, with its columns in the database and the order of its rows."""

    name: str
    columns: str
    order: str

    @property
    def numbered(self) -> bool:
        """True if its rows begin with a table's number."""
        return self.columns.startswith("number")

    @property
    def types(self) -> list[str]:
        """The database's types of the columns."""
        return [TYPES.get(column, "int8") for column in self.columns.split(", ")]

    @property
    def select(self) -> str:
        """The statement that reads the rows from a SQLite file."""
        if self.name == "log":
            return "SELECT place >> 32, place & 0xFFFFFFFF, key, sum, body, public FROM log ORDER BY place"
        return f"SELECT {self.columns} FROM {self.name} ORDER BY {self.order}"

    @property
    def insert(self) -> str:
        """The statement that writes a row into a SQLite file."""
        if self.name == "log":
            return "INSERT INTO log (place, key, sum, body, public) VALUES (?1 << 32 | ?2, ?3, ?4, ?5, ?6)"
        return f"INSERT INTO {self.name} ({self.columns}) VALUES ({', '.join('?' for _ in self.types)})"


TYPES = {"name": "text", "game": "text", "title": "text", "key": "text", "audience": "text", "body": "bytea"}
"""The types of columns that are not numbers."""
PARTS = {
    part.name: part
    for part in (
        Part("tables", "number, name, game, title, created", "number"),
        Part("log", "number, version, key, sum, body, public", "number, version"),
        Part("seen", "number, audience, nth, version", "number, audience, nth"),
        Part("snapshots", "number, version, sum, body, size", "number"),
        Part("settings", "name, body", "name"),
    )
}


def read_part(connection: Connection, part: Part, base: int = 0) -> Generator[Row, None, None]:
    """The rows of a part in the database, as they arrive; tables count from ``base``."""
    columns = part.columns.replace("number", f"number - {base:d}", 1) if part.numbered and base else part.columns
    sql = f"COPY (SELECT {columns} FROM astragal.{part.name} ORDER BY {part.order}) TO STDOUT (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(sql) as copy:
        copy.set_types(part.types)
        yield from copy.rows()


def write_part(connection: Connection, part: Part, rows: Iterable[Row], base: int = 0) -> None:
    """Add rows to a part in the database, row by row."""
    sql = f"COPY astragal.{part.name} ({part.columns}) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(sql) as copy:
        copy.set_types(part.types)
        for row in rows:
            copy.write_row((row[0] + base, *row[1:]) if part.numbered and base else row)


def copy_in(connection: Connection, file: sqlite3.Connection, progress: Progress) -> int:
    """Copy a file into an empty database; returns the number from which its tables count now."""
    sequence = "pg_get_serial_sequence('astragal.tables', 'number')"
    (base,) = connection.execute(f"SELECT nextval({sequence})").fetchone() or (0,)
    for part in PARTS.values():
        with closing(file.execute(part.select)) as rows:
            write_part(connection, part, counted(part, rows, progress), base)
    (last,) = file.execute("SELECT ifnull(max(number), 0) FROM tables").fetchone()
    connection.execute(f"SELECT setval({sequence}, %s)", (base + last,))
    return int(base)


def copy_out(connection: Connection, file: sqlite3.Connection, progress: Progress) -> None:
    """Copy a database into an empty file."""
    file.execute("BEGIN IMMEDIATE")
    for part in PARTS.values():
        with closing(read_part(connection, part)) as rows:
            file.executemany(part.insert, counted(part, rows, progress))
    file.execute("COMMIT")


def compare(connection: Connection, file: sqlite3.Connection, base: int, progress: Progress) -> int:
    """Compare a database with a file, row by row, and check every checksum; Unavailable at the first difference.

    Returns the number of records. Rows are read one by one, so memory does not grow with their number.
    """
    n = 0
    for part in PARTS.values():
        # Close both before the transaction ends: SQLite waits half a minute for an unfinished reader.
        with closing(read_part(connection, part, base)) as rows, closing(file.execute(part.select)) as those:
            for here, there in counted(part, zip_longest(rows, those), progress):
                if here is None or there is None or tuple(here) != tuple(there):
                    raise Unavailable(DIFFERENT.format(part=part.name))
                if not is_whole(part, there):
                    raise Unavailable(DAMAGED.format(part=part.name))
                n += part.name == "log"
    return n


def is_whole(part: Part, row: Row) -> bool:
    """True if the checksum in a row matches its body."""
    if part.name == "log":
        _, version, key, total, body, _ = row
        return is_intact(version, total, unpacked(body), key)
    if part.name == "snapshots":
        _, version, total, body, _ = row
        return is_intact(version, total, unpacked(body, MAX_SNAPSHOT))
    return True


def counted(part: Part, rows: Iterable[Any], progress: Progress) -> Iterator[Any]:
    """The rows; the number of records is reported from time to time."""
    n = 0
    for n, row in enumerate(rows, 1):
        yield row
        if part.name == "log" and n % EVERY == 0:
            progress(n)
    if part.name == "log":
        progress(n)
