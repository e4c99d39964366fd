"""Files of schema 1, which 0.5 wrote."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from zlib import crc32

SCHEMA_1 = f"""
    CREATE TABLE tables (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        title TEXT NOT NULL,
        created INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE log (
        place INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        sum INTEGER NOT NULL,
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
    PRAGMA application_id = {int.from_bytes(b"Astr", "big")};
    PRAGMA user_version = 1;
    PRAGMA journal_mode = WAL;
"""


def downgraded(path: Path, tables: dict[str, int]) -> None:
    """A file of schema 1 with these tables, each with so many records."""
    write(path, {name: [(f"key {version}", b"body") for version in range(1, n + 1)] for name, n in tables.items()})


def write(path: Path, tables: dict[str, list[tuple[str, bytes]]], game: str = "narraject") -> None:
    """A file of schema 1 with these records: keys and bodies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = sqlite3.connect(path, isolation_level=None)
    file.executescript(SCHEMA_1)
    for number, (name, records) in enumerate(tables.items(), 1):
        file.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?)", (number, name, game, f"Table {name}", 1))
        for version, (key, body) in enumerate(records, 1):
            total = crc32(key.encode(), crc32(body, version))
            file.execute("INSERT INTO log VALUES (?, ?, ?, ?)", ((number << 32) + version, key, total, body))
    file.close()
