"""Copying out: all that is in the database, as of one moment, into one SQLite file that is a store by itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from psycopg import Connection, IsolationLevel

from astragal.errors import Unavailable
from astragal.store.failures import FAILURES
from astragal.store.failures import failure as file_failure
from astragal.store.file import open_file, sync_file, sync_folder
from astragal.store.postgres.failures import refusing

PARTS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "SELECT number, name, game, title, created, unindexed FROM astragal.tables ORDER BY number",
        ("int8", "text", "text", "text", "int8", "int8"),
        "INSERT INTO tables (number, name, game, title, created, unindexed) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    (
        "SELECT number << 32 | version, key, sum, body, public FROM astragal.log ORDER BY number, version",
        ("int8", "text", "int8", "bytea", "int8"),
        "INSERT INTO log (place, key, sum, body, public) VALUES (?, ?, ?, ?, ?)",
    ),
    (
        "SELECT number, audience, nth, version FROM astragal.seen ORDER BY number, audience, nth",
        ("int8", "text", "int8", "int8"),
        "INSERT INTO seen (number, audience, nth, version) VALUES (?, ?, ?, ?)",
    ),
    (
        "SELECT number, version, sum, body, size FROM astragal.snapshots ORDER BY number",
        ("int8", "int8", "int8", "bytea", "int8"),
        "INSERT INTO snapshots (number, version, sum, body, size) VALUES (?, ?, ?, ?, ?)",
    ),
    (
        "SELECT name, body FROM astragal.settings ORDER BY name",
        ("text", "bytea"),
        "INSERT INTO settings (name, body) VALUES (?, ?)",
    ),
)
"""What is read, its types, and where it goes."""


def write_file(connection: Connection, target: Path) -> None:
    """Write a new file, readable by its owner only, which appears under its name when it is whole and on the disk."""
    if target.exists():
        raise Unavailable(f'There is a file "{target.as_posix()}" already. Nothing was changed; choose another name.')
    partial = target.with_name(f"{target.name}.part")
    remove(partial)
    try:
        with closing(open_file(partial)) as file:
            file.execute("PRAGMA journal_mode = DELETE")  # all of it in the one file
            with refusing():
                copy_all(connection, file)
        sync_file(partial)
        partial.replace(target)
        sync_folder(target.parent)
    except FAILURES as error:
        raise file_failure(error, target) from error
    finally:
        remove(partial)


def remove(partial: Path) -> None:
    """Remove a file that is no whole store, with what SQLite puts beside it."""
    for ending in ("", "-journal", "-wal", "-shm"):
        partial.with_name(f"{partial.name}{ending}").unlink(missing_ok=True)


def copy_all(connection: Connection, file: sqlite3.Connection) -> None:
    """Copy every row as of one moment, row by row, so that memory does not grow with their number."""
    connection.isolation_level = IsolationLevel.REPEATABLE_READ
    connection.read_only = True
    file.execute("BEGIN IMMEDIATE")
    with connection.transaction():
        connection.execute("SET LOCAL statement_timeout = 0")
        connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        for sql, types, insert in PARTS:
            file.executemany(insert, rows_of(connection, sql, types))
    file.execute("COMMIT")


def rows_of(connection: Connection, sql: str, types: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The rows of a query, one after the other as they arrive."""
    with connection.cursor() as cursor, cursor.copy(f"COPY ({sql}) TO STDOUT (FORMAT BINARY)") as copy:
        copy.set_types(types)
        yield from copy.rows()
