"""What the tests of the store have in common."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from astragal.store import Record, SqliteStore

ROOT = Path(__file__).parents[2]


def row(version: int, key: str = "", body: bytes = b"body") -> Record:
    return Record(version, key or f"key {version}", body)


def add(store: SqliteStore, table: str, n: int = 0) -> None:
    """A table with so many rows."""
    store.create(table, "narraject", f"Table {table}", 1, [row(v) for v in range(1, n + 1)]).result(30)


def start(script: str, *values: object) -> subprocess.Popen[str]:
    """Another program that uses a store: one of the modules beside this one."""
    return subprocess.Popen(
        [sys.executable, "-m", f"tests.store.{script}", *map(str, values)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def run(script: str, *values: object) -> str:
    """What the other program says when it has done its work."""
    with start(script, *values) as program:
        said, _ = program.communicate(timeout=120)
    assert program.returncode == 0
    return said


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another program is writing, so that everything waits."""
    other = sqlite3.connect(path, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
    finally:
        other.close()
