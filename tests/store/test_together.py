"""Rows that wait are written by one statement; what that cannot do is done one by one, with the same answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from astragal.errors import Stale, Unknown
from astragal.store import SqliteStore, open_store
from tests.store.stores import add, held, row


@pytest.fixture
def statements(store: SqliteStore) -> list[str]:
    """What SQLite is asked to write."""
    seen: list[str] = []
    store._connection.set_trace_callback(lambda sql: seen.append(sql.split()[0]))
    return seen


def test_many_rows_of_two_tables_are_one_statement(path: Path, store: SqliteStore, statements: list[str]) -> None:
    for table in ("t", "u"):
        add(store, table)
        store.append(table, row(1)).result(10)
    with held(path):
        first = store.append("t", row(2))  # the writer may take this one alone
        rest = [store.append("u", row(v), f"key {v - 1}") for v in range(2, 40)]
        rest += [store.append("t", row(v)) for v in range(3, 40)]
        statements.clear()
    assert [future.result(10).repeated for future in (first, *rest)] == [False] * 76
    assert set(statements) <= {"INSERT"} and len(statements) <= 2
    assert store.read("t") == store.read("u") == [row(v) for v in range(1, 40)]


def test_a_key_that_comes_again_is_answered_and_the_others_are_written(path: Path, store: SqliteStore) -> None:
    add(store, "t", 2)
    store.append("t", row(3)).result(10)
    with held(path):
        futures = [store.append("t", row(4)), store.append("t", row(5, "key 1")), store.append("t", row(5))]
        futures += [store.append("t", row(6, "key 5"))]
    assert [future.result(10) for future in futures] == [
        (row(4), False),
        (row(1), True),
        (row(5), False),
        (row(5), True),
    ]
    assert store.read("t") == [row(v) for v in range(1, 6)]


def test_rows_for_a_table_that_another_program_dropped_go_nowhere(path: Path, store: SqliteStore) -> None:
    add(store, "t")
    store.append("t", row(1)).result(10)
    with open_store(path) as other:
        other.drop("t").result(10)
    with held(path):
        futures: list[Any] = [store.append("t", row(v)) for v in (2, 3)]
    assert [type(future.exception(10)) for future in futures] == [Unknown, Unknown]
    with open_store(path) as other:
        add(other, "t")
    assert store.read("t") == []


def test_a_version_that_another_program_took_is_stale_for_all_that_follow(path: Path, store: SqliteStore) -> None:
    add(store, "t")
    store.append("t", row(1)).result(10)
    with open_store(path) as other:
        other.append("t", row(2, "theirs")).result(10)
    with held(path):
        futures: list[Any] = [
            store.append("t", row(v, f"ours {v}"), after) for v, after in ((2, "key 1"), (3, "ours 2"))
        ]
    assert [type(future.exception(10)) for future in futures] == [Stale, Stale]
    assert store.read("t") == [row(1), row(2, "theirs")]


def test_somebody_who_fails_to_take_an_answer_keeps_nobody_waiting(store: SqliteStore) -> None:
    add(store, "t")

    def fails(answer: object) -> None:
        raise RuntimeError("nobody is listening")

    store.hand_in("t", row(1), "", fails)
    assert store.append("t", row(2)).result(10) == (row(2), False)
