"""The store in PostgreSQL against bare statements on the same one, and against SQLite, measured in turns.

    python -m bench.postgres

It starts a PostgreSQL of its own with fsync on. What counts are the ratios: all are measured in the same minutes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import psycopg

from astragal.storage import Record, Store, open_store
from tools.postgres import Postgres

BODY = b'{"v":3,"do":"roll","events":[' + b"x" * 560 + b"]}"
TURNS = 5
ONE_BY_ONE = 200
MANY = 4000
TABLES = 64
WAITING = 128
"""Appends on their way at once, of many tables."""


def insert_one_by_one(url: str, turn: int) -> float:
    """Seconds of a bare INSERT, at the median."""
    sql = "INSERT INTO bare VALUES (%s, %s, %s, %s, %s)"
    with psycopg.connect(url, autocommit=True) as connection:
        return _median(lambda n: connection.execute(sql, (turn, n, f"key {n}", 1, BODY), prepare=True), ONE_BY_ONE)


def append_one_by_one(store: Store, turn: int) -> float:
    """Seconds of an append that waits for the one before, at the median."""
    table = f"one-{turn}"
    store.create(table, "g", "", 1, []).result()
    return _median(lambda n: store.append(table, Record(n, f"key {n}", BODY, (("", n),))).result(), ONE_BY_ONE)


def _median(work: Callable[[int], object], n: int) -> float:
    seconds = []
    for turn in range(1, n + 1):
        begun = perf_counter()
        work(turn)
        seconds.append(perf_counter() - begun)
    return median(seconds)


def append_many(store: Store, turn: int) -> float:
    """Appends a second, of many tables, many on their way at once."""
    tables = [f"many-{turn}-{n}" for n in range(TABLES)]
    for table in tables:
        store.create(table, "g", "", 1, []).result()
    waiting: deque[Future[object]] = deque()
    begun = perf_counter()
    for n in range(MANY):
        version = n // TABLES + 1
        record = Record(version, f"key {version}", BODY, (("", version),))
        waiting.append(store.append(tables[n % TABLES], record))  # type: ignore[arg-type]
        if len(waiting) >= WAITING:
            waiting.popleft().result()
    for future in waiting:
        future.result()
    return MANY / (perf_counter() - begun)


def read_pages(store: Store, table: str) -> float:
    """Seconds of a page of 25 records, at the median."""
    return _median(lambda n: store.read(table, n, 25), ONE_BY_ONE)


def main() -> None:
    with TemporaryDirectory() as folder, Postgres() as postgres:
        url = postgres.new_database("bench")
        postgres.psql("CREATE TABLE bare (a bigint, b bigint, c text, d bigint, e bytea, PRIMARY KEY (a, b))", "bench")
        with open_store(url) as database, open_store(Path(folder) / "tables.db") as file:
            for turn in range(TURNS):
                bare = insert_one_by_one(url, turn)
                one, one_file = append_one_by_one(database, turn), append_one_by_one(file, turn)
                many, many_file = append_many(database, turn), append_many(file, turn)
                page, page_file = read_pages(database, f"one-{turn}"), read_pages(file, f"one-{turn}")
                print(
                    f"bare INSERT {bare * 1e3:.2f} ms ({1 / bare:,.0f}/s) · append {one * 1e3:.2f} ms "
                    f"({one / bare:.2f} of it; SQLite {one_file * 1e3:.2f} ms) · {many:,.0f} appends/s of {TABLES} "
                    f"tables ({many * bare:.1f} of the bare INSERT; SQLite {many_file:,.0f}/s) · page of 25 "
                    f"{page * 1e3:.2f} ms (SQLite {page_file * 1e3:.2f} ms)"
                )


if __name__ == "__main__":
    main()
