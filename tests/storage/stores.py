"""Helpers of the store's tests."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from astragal.storage import Address, Database, Record, Store, open_store
from tests.databases import word

ROOT = Path(__file__).parents[2]


def record_at(version: int, key: str = "", body: bytes = b"body") -> Record:
    return Record(version, key or f"key {version}", body)


def add(store: Store, table: str, n: int = 0) -> None:
    """Create a table with so many records."""
    store.create(table, "narraject", f"Table {table}", 1, [record_at(v) for v in range(1, n + 1)]).result(30)


def start(script: str, *values: object) -> subprocess.Popen[str]:
    """Another program that uses a store: one of the modules beside this one."""
    return subprocess.Popen(
        [sys.executable, "-m", f"tests.storage.{script}", *map(word, values)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def run(script: str, *values: object) -> str:
    """What the other program prints."""
    with start(script, *values) as program:
        said, _ = program.communicate(timeout=120)
    assert program.returncode == 0
    return said


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@contextmanager
def locked(address: Address) -> Iterator[None]:
    """Hold the write lock, as another program would, so that every write waits."""
    with _locked_database(address) if isinstance(address, Database) else _locked_file(address):
        yield


@contextmanager
def _locked_file(path: Path) -> Iterator[None]:
    other = sqlite3.connect(path, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
    finally:
        other.close()


@contextmanager
def _locked_database(database: Database) -> Iterator[None]:
    with psycopg.connect(database.url) as other:
        other.execute("LOCK TABLE astragal.tables, astragal.log, astragal.settings IN EXCLUSIVE MODE")
        yield


def race_of_programs(address: Address, n: int) -> tuple[list[tuple[int, str]], int]:
    """Four programs of four threads each append to one table: who won which version, and how many lost."""
    with open_store(address) as store:
        add(store, "t")
    programs = [start("racer", address, name, 4, n) for name in "abcd"]
    said = [program.communicate(timeout=300)[0].splitlines() for program in programs]
    assert [program.returncode for program in programs] == [0] * 4
    won = sorted((int(version), key) for lines in said for version, key in (line.split() for line in lines[:-1]))
    return won, sum(int(lines[-1].split()[1]) for lines in said)
