"""The SQLite file: created privately if missing, recognised by its header, opened so that a commit is durable."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from astragal.errors import Unavailable
from astragal.storage.sqlite.failures import EXISTS, FAILURES, FOREIGN, NO_WAL, OTHER, StoreFailure, failure

APPLICATION = int.from_bytes(b"Astr", "big")
"""SQLite's application id in the file's header, to recognise our files."""
SCHEMA = 5
"""Version of the schema, in the header too; a file of another version is refused and left unchanged."""
LOCK_TIMEOUT = 30.0
"""Seconds to wait for another program that is writing."""
STATEMENT_CACHE = 256
"""Prepared statements; each size of a batch has its own."""

HEADER = 100
"""Bytes of SQLite's file header."""
MAGIC = b"SQLite format 3\0"

TABLES = f"""
    CREATE TABLE tables (
        number INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused, so a reader cannot end up in another table
        name TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        title TEXT NOT NULL,
        created INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE log (
        place INTEGER PRIMARY KEY, -- the table's number << 32 | version: one tree finds and appends
        key TEXT NOT NULL,
        sum INTEGER NOT NULL, -- see record.py
        body BLOB NOT NULL,
        public INTEGER -- everybody may see it, as their first, second, third … record
    ) STRICT;
    CREATE UNIQUE INDEX log_key ON log (place >> 32, key);
    CREATE INDEX log_public ON log (place >> 32, public) WHERE public IS NOT NULL;
    CREATE TABLE seen ( -- what one audience may see and not everybody, as its first, second, third … record
        number INTEGER NOT NULL,
        audience TEXT NOT NULL,
        nth INTEGER NOT NULL,
        version INTEGER NOT NULL,
        PRIMARY KEY (number, audience, nth)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE snapshots (
        number INTEGER PRIMARY KEY,
        version INTEGER NOT NULL,
        sum INTEGER NOT NULL,
        body BLOB NOT NULL,
        size INTEGER NOT NULL DEFAULT 0 -- bytes of the records up to this version
    ) STRICT;
    CREATE TABLE settings (name TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID;
    PRAGMA application_id = {APPLICATION};
    PRAGMA user_version = {SCHEMA};
"""


@cache
def own(sql: str) -> str:
    """A statement of ``storage.sql`` in SQLite's form."""
    return sql.replace("astragal.", "").replace("%s", "?")


def connect(path: Path) -> sqlite3.Connection:
    """A connection that threads may share, one at a time, without automatic transactions.

    It never creates a file: a removed file is refused, and does not become an empty store.
    """
    name = f"{path.as_uri()}?mode=rw"
    return sqlite3.connect(
        name,
        uri=True,
        timeout=LOCK_TIMEOUT,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=STATEMENT_CACHE,
    )


def connect_reader(path: Path) -> sqlite3.Connection:
    """A read-only connection."""
    connection = connect(path)
    connection.execute("PRAGMA query_only = ON")
    return connection


def open_file(path: Path) -> sqlite3.Connection:
    """The one writing connection. A file that is not ours, or of another version, is refused and left unchanged."""
    if "\0" in str(path):
        raise Unavailable("The name of a file cannot hold the character 0.")
    try:
        _create_file(path)
        check_header(path)
        connection = connect(path)
        try:
            _configure(connection, path)
        except BaseException:
            connection.close()
            raise
    except FAILURES as error:
        raise failure(error, path) from error
    return connection


def _create_file(path: Path) -> None:
    """Create a missing file, readable by its owner only; SQLite gives its -wal and -shm files the same permissions."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the new file's name as durable as its contents."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def check_header(path: Path) -> None:
    """Refuse other files before SQLite opens them, since opening may change a file."""
    if path.is_dir():
        raise Unavailable(f'"{path.as_posix()}" is a folder; name a file in it.')
    if not path.is_file():
        raise StoreFailure(FOREIGN, path)
    with path.open("rb") as file:
        header = file.read(HEADER)
    if not header:
        return
    if len(header) < HEADER or not header.startswith(MAGIC) or int.from_bytes(header[68:72], "big") != APPLICATION:
        raise StoreFailure(FOREIGN, path)
    if int.from_bytes(header[60:64], "big") not in (0, SCHEMA):
        raise StoreFailure(OTHER, path)


def _configure(connection: sqlite3.Connection, path: Path) -> None:
    """Create the tables if there are none, and make every commit reach the disk."""
    found = _number(connection, "user_version")
    if found not in (0, SCHEMA):
        raise StoreFailure(OTHER, path)
    if not found:
        _create_tables(connection)
    _enable_wal(connection, path)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: an ordinary fsync may stop in the disk's cache
    connection.execute("PRAGMA secure_delete = FAST")  # erased data leaves the pages that are written anyway
    connection.execute("PRAGMA cache_size = -16000")  # keys are random, so a large part of their index must be cached
    connection.execute("PRAGMA wal_autocheckpoint = 4000")  # 16 MB, so that pages are copied back less often
    # Refuse a read-only file now, not at the first append.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")
    connection.execute("ROLLBACK")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _create_tables(connection: sqlite3.Connection) -> None:
    """Create all tables and the marks in the header in one transaction, by only one of several programs.

    This comes before WAL mode, so the marks are in the file itself from the start.
    """
    connection.execute("BEGIN EXCLUSIVE")
    if not _number(connection, "user_version"):
        for statement in TABLES.split(";\n"):
            connection.execute(statement)
    connection.execute("COMMIT")


@contextlib.contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """A new file, which gets the target's name once it is whole and on the disk. An existing file is refused."""
    if target.exists():
        raise Unavailable(EXISTS.format(path=target.as_posix()))
    partial = target.with_name(f"{target.name}.part")
    remove(partial)
    try:
        yield partial
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
        partial.replace(target)
        sync_folder(target.parent)
    finally:
        remove(partial)


def remove(path: Path) -> None:
    """Remove an incomplete file, with SQLite's files next to it."""
    for ending in ("", "-journal", "-wal", "-shm"):
        path.with_name(f"{path.name}{ending}").unlink(missing_ok=True)


def copy(connection: sqlite3.Connection, target: Path) -> None:
    """Write all committed data to a new file, readable by its owner only."""
    with new_file(target) as partial:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        connection.execute("VACUUM INTO ?", (str(partial),))


def _enable_wal(connection: sqlite3.Connection, path: Path) -> None:
    """Turn on write-ahead logging. It needs exclusive access, for which SQLite does not wait by itself."""
    until = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
            continue
        if mode != "wal":
            raise StoreFailure(NO_WAL, path)
        return
