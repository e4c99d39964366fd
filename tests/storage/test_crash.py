"""A program that is killed while it writes: what was acknowledged is there, and the file is whole."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from astragal.storage import Address, Database, open_store
from tests.crash import Keys, files, survived
from tests.share import record, share
from tests.storage.hammer import body_of
from tests.storage.stores import start


def read_all(address: Address) -> Keys:
    """Open the store and read it all: the keys of each table; every body has to be the one of its key."""
    with open_store(address) as store:
        found = {info.table: store.read(info.table) for info in store.tables()}
    for records in found.values():
        assert [record.version for record in records] == list(range(1, len(records) + 1))
        assert all(record.body == body_of(record.key) for record in records)
    return {table: [each.key for each in records] for table, records in found.items()}


def integrity(path: Path) -> str:
    connection = sqlite3.connect(path)
    try:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])
    finally:
        connection.close()


def read_whole(path: Path) -> tuple[float, Keys]:
    """How long it takes to open and read it all, and the keys of each table; the file has to be whole."""
    begun = time.perf_counter()
    found = read_all(path)
    seconds = time.perf_counter() - begun
    assert integrity(path) == "ok"
    return seconds, found


def test_nothing_acknowledged_is_lost_when_the_program_is_killed(tmp_path: Path) -> None:
    times = share(200, 8)
    records, worst = survived(partial(start, "hammer"), read_whole, files(tmp_path), times, (0, 0.4))
    record("kill -9 while writing", f"{times} times, {records:,} acknowledged records, none lost, no gap")
    record("opening and reading after kill -9, worst", f"{worst:.2f} s")


def read_database(database: Database) -> tuple[float, Keys]:
    begun = time.perf_counter()
    found = read_all(database)
    return time.perf_counter() - begun, found


def test_nothing_acknowledged_is_lost_in_a_database_when_the_program_is_killed(
    new_database: Callable[[], Database],
) -> None:
    times = share(200, 4)
    records, _ = survived(
        lambda database: start("hammer", database, "open"), read_database, new_database, times, (0.1, 0.5)
    )
    record("kill -9 while writing to PostgreSQL", f"{times} times, {records:,} acknowledged records, none lost, no gap")
