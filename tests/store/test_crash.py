"""A program that is killed while it writes: what was acknowledged is there, and the file is whole."""

from __future__ import annotations

import random
import sqlite3
import time
from pathlib import Path
from threading import Thread

from astragal.store import open_store
from tests.share import record, share
from tests.store.hammer import body_of
from tests.store.stores import start

AT_ONCE = 10
"""So many times the same file is used again, then a new one."""


def acknowledged(path: Path, moment: float) -> list[tuple[str, int, str]]:
    """What a program said that it had written, before it was killed at this moment."""
    said: list[str] = []
    with start("hammer", path) as program:
        assert program.stdout
        assert program.stdout.readline() == "ready\n"
        listener = Thread(target=said.extend, args=(program.stdout,))
        listener.start()
        time.sleep(moment)
        program.kill()
        listener.join()
    lines = (line.split() for line in said if line.endswith("\n"))
    return [(table, int(version), key) for table, version, key in lines]


def read_all(path: Path) -> dict[str, list[str]]:
    """Open the store and read it all: the keys of each table; every body has to be the one of its key."""
    with open_store(path) as store:
        found = {about.table: store.read(about.table) for about in store.tables()}
    for rows in found.values():
        assert [row.version for row in rows] == list(range(1, len(rows) + 1))
        assert all(row.body == body_of(row.key) for row in rows)
    return {table: [row.key for row in rows] for table, rows in found.items()}


def integrity(path: Path) -> str:
    connection = sqlite3.connect(path)
    try:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])
    finally:
        connection.close()


def test_nothing_acknowledged_is_lost_when_the_program_is_killed(tmp_path: Path) -> None:
    rng, times, worst, rows = random.Random(4), share(200, 8), 0.0, 0
    before: list[tuple[str, int, str]] = []
    for turn in range(times):
        path = tmp_path / f"{turn // AT_ONCE}.db"
        before = before if turn % AT_ONCE else []
        before += (new := acknowledged(path, rng.uniform(0, 0.4)))
        begun = time.perf_counter()
        found = read_all(path)
        worst = max(worst, time.perf_counter() - begun)
        assert all(found[table][version - 1] == key for table, version, key in before)
        assert integrity(path) == "ok"
        rows += len(new)
    assert rows
    assert worst < 2
    record("kill -9 while writing", f"{times} times, {rows:,} acknowledged rows, none lost, no gap")
    record("opening and reading after kill -9, worst", f"{worst:.2f} s")
