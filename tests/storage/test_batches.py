"""Queued records are written by one statement; where that fails, one by one, with the same results."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Stale, Unknown
from astragal.storage import Address, Store, open_store
from tests.storage.stores import add, locked, record_at


@pytest.fixture
def store(any_store: Store) -> Store:
    return any_store


def test_a_repeated_key_is_answered_and_the_others_are_written(address: Address, store: Store) -> None:
    add(store, "t", 2)
    store.append("t", record_at(3)).result(10)
    with locked(address):
        futures = [
            store.append("t", record_at(4)),
            store.append("t", record_at(5, "key 1")),
            store.append("t", record_at(5)),
        ]
        futures += [store.append("t", record_at(6, "key 5"))]
    assert [future.result(10) for future in futures] == [
        (record_at(4), False),
        (record_at(1), True),
        (record_at(5), False),
        (record_at(5), True),
    ]
    assert store.read("t") == [record_at(v) for v in range(1, 6)]


def test_records_for_a_table_that_another_program_dropped_are_refused(address: Address, store: Store) -> None:
    add(store, "t")
    store.append("t", record_at(1)).result(10)
    with open_store(address) as other:
        other.drop("t").result(10)
    with locked(address):
        futures: list[Any] = [store.append("t", record_at(v)) for v in (2, 3)]
    assert [type(future.exception(10)) for future in futures] == [Unknown, Unknown]
    with open_store(address) as other:
        add(other, "t")
    assert store.read("t") == []


def test_a_version_that_another_program_took_is_stale_for_all_that_follow(address: Address, store: Store) -> None:
    add(store, "t")
    store.append("t", record_at(1)).result(10)
    with open_store(address) as other:
        other.append("t", record_at(2, "theirs")).result(10)
    with locked(address):
        futures: list[Any] = [
            store.append("t", record_at(v, f"ours {v}"), after) for v, after in ((2, "key 1"), (3, "ours 2"))
        ]
    assert [type(future.exception(10)) for future in futures] == [Stale, Stale]
    assert store.read("t") == [record_at(1), record_at(2, "theirs")]


def test_a_failing_callback_does_not_stop_the_writer(store: Store) -> None:
    add(store, "t")

    def fails(outcome: object) -> None:
        raise RuntimeError("no")

    store.append("t", record_at(1), "").add_done_callback(fails)
    assert store.append("t", record_at(2)).result(10) == (record_at(2), False)
