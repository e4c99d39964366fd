"""The store in a file: what holds for SQLite alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from astragal.storage import SqliteStore
from tests.storage.stores import add, locked, record_at


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT body FROM log WHERE place > 4294967300 AND place < 8589934592 ORDER BY place LIMIT 5",
        "SELECT body FROM log WHERE place >> 32 = 1 AND key = 'k'",
        "SELECT max(place) FROM log WHERE place >= 1 << 32 AND place < (1 + 1) << 32",
    ],
)
def test_no_query_scans_the_log(path: Path, store: SqliteStore, sql: str) -> None:
    connection = sqlite3.connect(path)
    try:
        plan = " ".join(str(step[3]) for step in connection.execute(f"EXPLAIN QUERY PLAN {sql}"))
    finally:
        connection.close()
    assert "SEARCH log" in plan
    assert "SCAN log" not in plan
    assert "TEMP B-TREE" not in plan


@pytest.fixture
def statements(store: SqliteStore) -> list[str]:
    """The first words of the statements that SQLite runs."""
    seen: list[str] = []
    store._log.connection.set_trace_callback(lambda sql: seen.append(sql.split()[0]))
    return seen


def test_many_records_of_two_tables_are_one_statement(path: Path, store: SqliteStore, statements: list[str]) -> None:
    for table in ("t", "u"):
        add(store, table)
        store.append(table, record_at(1)).result(10)
    with locked(path):
        first = store.append("t", record_at(2))  # the writer may take this one alone
        rest = [store.append("u", record_at(v), f"key {v - 1}") for v in range(2, 40)]
        rest += [store.append("t", record_at(v)) for v in range(3, 40)]
        statements.clear()
    assert [future.result(10).repeated for future in (first, *rest)] == [False] * 76
    assert set(statements) <= {"INSERT"} and len(statements) <= 2
    assert store.read("t") == store.read("u") == [record_at(v) for v in range(1, 40)]
