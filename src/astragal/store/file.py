"""The file: made privately if it is missing, told apart from others' files, and opened so that a commit lasts."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from pathlib import Path

from astragal.errors import Unavailable
from astragal.store.failures import CLOSED, FAILURES, FOREIGN, NEWER, failure, unavailable

APPLICATION = int.from_bytes(b"Astr", "big")
SCHEMA = 1
PATIENCE = 30.0
"""Seconds to wait for another program that is writing."""

STATEMENTS = 256
"""So many are kept ready: rows are written by one statement for each size of a group."""

HEADER = 100
MAGIC = b"SQLite format 3\0"

TABLES = f"""
    CREATE TABLE tables (
        number INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice, so a reader cannot end up in another table
        name TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        title TEXT NOT NULL,
        created INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE log (
        place INTEGER PRIMARY KEY, -- the table's number << 32 | version: a row is found and appended in one tree
        key TEXT NOT NULL,
        sum INTEGER NOT NULL, -- see seal.py
        body BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX log_key ON log (place >> 32, key);
    CREATE TABLE snapshots (
        number INTEGER PRIMARY KEY,
        version INTEGER NOT NULL,
        sum INTEGER NOT NULL,
        body BLOB NOT NULL
    ) STRICT;
    CREATE TABLE settings (name TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID;
    PRAGMA application_id = {APPLICATION};
    PRAGMA user_version = {SCHEMA};
"""


def connect(path: Path) -> sqlite3.Connection:
    """A connection that may go from thread to thread, one at a time, and opens no transaction by itself.

    It never makes a file: if somebody has taken ours away, that is a refusal and not an empty store.
    """
    name = f"{path.as_uri()}?mode=rw"
    return sqlite3.connect(
        name, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS
    )


def connect_reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    connection = connect(path)
    connection.execute("PRAGMA query_only = ON")
    return connection


def open_file(path: Path) -> sqlite3.Connection:
    """The one connection that writes. A file that is not ours, or newer than we are, is refused and left as it is."""
    if "\0" in str(path):
        raise Unavailable("The name of a file cannot hold the character 0; nothing was opened.")
    try:
        _make(path)
        _look(path)
        connection = connect(path)
        try:
            _settle(connection, path)
        except BaseException:
            connection.close()
            raise
    except FAILURES as error:
        raise failure(error, path) from error
    return connection


def _make(path: Path) -> None:
    """A missing file is made empty, for its owner's eyes only; SQLite gives its companions the same permissions."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """The name of a new file has to last as well as what will be in it."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _look(path: Path) -> None:
    """Read the first bytes before SQLite does, since opening a file may already change it."""
    if path.is_dir():
        raise Unavailable(f'"{path.as_posix()}" is a folder; name a file in it.')
    if not path.is_file():
        raise unavailable(FOREIGN, path)
    with path.open("rb") as file:
        header = file.read(HEADER)
    if not header:
        return
    if len(header) < HEADER or not header.startswith(MAGIC) or int.from_bytes(header[68:72], "big") != APPLICATION:
        raise unavailable(FOREIGN, path)
    if int.from_bytes(header[60:64], "big") > SCHEMA:
        raise unavailable(NEWER, path)


def _settle(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables if there are none, and choose how to write: ahead of the file, and on disk before we go on."""
    if not _number(connection, "user_version"):
        _make_tables(connection)
    if _number(connection, "user_version") > SCHEMA:
        raise unavailable(NEWER, path)
    _write_ahead(connection, path)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: an ordinary fsync may stop in the disk's cache
    connection.execute("PRAGMA cache_size = -16000")  # keys come in no order, so more of their index is kept at hand
    connection.execute("PRAGMA wal_autocheckpoint = 4000")  # 16 MB, so that pages are copied back less often
    _try_writing(connection)


def _try_writing(connection: sqlite3.Connection) -> None:
    """A file that cannot be written is refused now, not at the first append. What is tried is taken back."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")
    connection.execute("ROLLBACK")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _make_tables(connection: sqlite3.Connection) -> None:
    """All tables and the marks in the header at once; of two programs that start together, one makes them.

    This comes before writing ahead is switched on, so that the marks are in the file itself from the beginning.
    """
    connection.execute("BEGIN EXCLUSIVE")
    if not _number(connection, "user_version"):
        for statement in TABLES.split(";\n"):
            connection.execute(statement)
    connection.execute("COMMIT")


def _write_ahead(connection: sqlite3.Connection, path: Path) -> None:
    """Switching it on needs the file for a moment, and SQLite does not wait for that by itself."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
            continue
        if mode != "wal":
            raise Unavailable(f'"{path.as_posix()}" lies where SQLite cannot write ahead; choose a local disk.')
        return


def closed(path: Path) -> Unavailable:
    """What a store says after its end."""
    return unavailable(CLOSED, path)
