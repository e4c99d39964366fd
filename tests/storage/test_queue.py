"""The queue of writes of every store: in order, refused one by one, finished at the end."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest

from astragal.errors import Stale, Unknown
from astragal.storage import Address, Store, open_store
from tests.storage.stores import add, locked, record_at


@pytest.fixture
def store(any_store: Store) -> Store:
    return any_store


def test_a_refused_write_does_not_affect_its_batch(address: Address, store: Store) -> None:
    add(store, "t", 1)
    with locked(address):
        first = store.append("t", record_at(2))
        refused: list[Future[Any]] = [
            store.append("t", record_at(2, "late")),
            store.append("nowhere", record_at(1)),
            store.create("t", "g", "", 1, []),
        ]
        repeated = [store.append("t", record_at(3, "key 1")), store.append("t", record_at(3, "key 2"))]
        after = store.append("t", record_at(3))
    assert [type(future.exception(10)) for future in refused] == [Stale, Unknown, Stale]
    assert [future.result(10) for future in repeated] == [(record_at(1), True), (record_at(2), True)]
    assert (first.result(10).record, after.result(10).record) == (record_at(2), record_at(3))
    assert store.read("t") == [record_at(1), record_at(2), record_at(3)]


def test_writes_are_done_in_order(address: Address, store: Store) -> None:
    with locked(address):
        writes: list[Future[Any]] = [
            store.create("t", "g", "", 1, [record_at(1)]),
            store.append("t", record_at(2)),
            store.drop("t"),
            store.create("t", "g", "", 2, []),
            store.append("t", record_at(1, "other")),
        ]
    assert [write.exception(10) for write in writes] == [None] * 5
    assert store.read("t") == [record_at(1, "other")]


def test_a_queued_write_cannot_be_cancelled(address: Address, store: Store) -> None:
    add(store, "t")
    with locked(address):
        future = store.append("t", record_at(1))
        assert not future.cancel()
    assert future.result(10).record == record_at(1)


def test_closing_finishes_queued_writes(address: Address) -> None:
    store = open_store(address)
    add(store, "t")
    futures = [store.append("t", record_at(v)) for v in range(1, 2000)]
    store.close()
    assert all(future.done() and not future.exception() for future in futures)
    with open_store(address) as store:
        assert store.info("t").version == 1999
