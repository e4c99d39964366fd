"""Transfers: a whole database, at one moment, into one SQLite file that is a store, and back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from psycopg import Connection, IsolationLevel

from astragal.errors import Unavailable
from astragal.storage.postgres.connector import NAME
from astragal.storage.postgres.failures import refusing
from astragal.storage.postgres.parts import PARTS, Progress, compare, copy_in, copy_out
from astragal.storage.sqlite.failures import FAILURES
from astragal.storage.sqlite.failures import failure as file_failure
from astragal.storage.sqlite.file import new_file, open_file

ALL = ", ".join(f"astragal.{name}" for name in PARTS)
OTHERS = """
    SELECT count(*) FROM pg_catalog.pg_stat_activity
    WHERE datname = current_database() AND application_name = %s AND pid <> ALL (%s::bigint[])
"""
EMPTY = "SELECT NOT EXISTS (SELECT 1 FROM astragal.tables) AND NOT EXISTS (SELECT 1 FROM astragal.settings)"


def quiet(n: int) -> None:
    """Ignores progress."""


@contextmanager
def one_moment(connection: Connection, lock: str = "") -> Iterator[None]:
    """A transaction that sees the database at one moment, with a lock of this mode on all tables."""
    connection.isolation_level = IsolationLevel.REPEATABLE_READ
    with refusing(), connection.transaction():
        connection.execute("SET LOCAL statement_timeout = 0")
        connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        if lock:
            connection.execute(f"LOCK TABLE {ALL} IN {lock} MODE")
        yield


def write_file(connection: Connection, target: Path, progress: Progress = quiet, *, alone: bool = False) -> int:
    """Write a new file, readable by its owner only, which gets its name when it is whole and on the disk.

    Others may write to the database in the meantime; with ``alone`` they may not, and every row is compared.
    Returns the number of compared records.
    """
    try:
        with (
            new_file(target) as partial,
            closing(open_file(partial)) as file,
            one_moment(connection, "SHARE" if alone else ""),
        ):
            file.execute("PRAGMA journal_mode = DELETE")  # all of it in the one file
            copy_out(connection, file, progress)
            return compare(connection, file, 0, progress) if alone else 0
    except FAILURES as error:
        raise file_failure(error, target) from error


def read_file(connection: Connection, file: sqlite3.Connection, progress: Progress = quiet, *, empty: bool) -> int:
    """Replace the contents of a database by a file, in one transaction, and compare every row.

    With ``empty``, a database with contents is refused. Returns the number of records.
    """
    with one_moment(connection, "ACCESS EXCLUSIVE"):
        if empty and not is_empty(connection):
            raise Unavailable("The database is not empty. Nothing was changed; choose an empty one.")
        connection.execute(f"TRUNCATE {ALL}")
        base = copy_in(connection, file, progress)
        return compare(connection, file, base, progress)


def is_empty(connection: Connection) -> bool:
    """True if there are no tables and no settings."""
    return bool((connection.execute(EMPTY).fetchone() or (False,))[0])


def others(connection: Connection, own: list[int]) -> int:
    """The number of connections of other Astragal programs, such as servers."""
    from astragal.storage.postgres.arrays import Numbers

    row = connection.execute(OTHERS, (NAME, Numbers([*own, connection.info.backend_pid]))).fetchone()
    return int(row[0]) if row else 0
