"""Concurrent writers: each version has one winner, and a key is written once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier

import pytest

from astragal.errors import Stale, Unknown
from astragal.storage import Address, Appended, Record, Store, open_store
from tests.share import record, share
from tests.storage.racer import race_all
from tests.storage.stores import add, race_of_programs, record_at, start


@pytest.fixture
def store(any_store: Store) -> Store:
    return any_store


def test_sixteen_threads_win_each_version_once(store: Store) -> None:
    add(store, "t")
    n = share(500, 25)
    won, lost = race_all(store, "x", 16, n)
    assert sorted(won) == [(one.version, one.key) for one in store.read("t")]
    assert sorted(version for version, _ in won) == list(range(1, 16 * n + 1))
    assert lost
    record("sixteen writers in threads", f"{16 * n:,} versions, one winner each, {len(lost):,} were told to try again")


def test_four_programs_win_each_version_once(address: Address) -> None:
    n = share(400, 40)
    won, lost = race_of_programs(address, n)
    with open_store(address) as store:
        assert won == [(one.version, one.key) for one in store.read("t")]
    assert [version for version, _ in won] == list(range(1, 16 * n + 1))
    record("sixteen writers in four programs", f"{16 * n:,} versions, one winner each, {lost:,} were told to try again")


def test_programs_that_start_together_make_one_store(address: Address) -> None:
    programs = [start("racer", address, name, 0, 0) for name in "abcd"]
    for program in programs:
        program.communicate(timeout=60)
    assert [program.returncode for program in programs] == [0] * 4
    with open_store(address) as store:
        assert store.tables() == []


def test_one_of_many_next_records_is_written(store: Store) -> None:
    add(store, "t", 1)
    futures = [store.append("t", record_at(2, f"k{n}")) for n in range(50)]
    stale = [future for future in futures if isinstance(future.exception(30), Stale)]
    assert len(stale) == 49
    assert store.info("t").version == 2


def test_a_key_that_comes_fifty_times_at_once_is_written_once(store: Store) -> None:
    add(store, "t", 1)
    turns = share(200, 5)
    for turn in range(turns):
        barrier, version = Barrier(50), store.info("t").version + 1

        def submit(body: bytes, key: str, version: int, barrier: Barrier) -> Appended:
            barrier.wait()
            return store.append("t", Record(version, key, body)).result(30)

        with ThreadPoolExecutor(50) as pool:
            futures = [pool.submit(submit, b"%d" % n, f"turn {turn}", version, barrier) for n in range(50)]
        answers = [future.result() for future in futures]
        assert {answer.record for answer in answers} == {*store.read("t", version - 1)}
        assert sum(not answer.repeated for answer in answers) == 1
    assert [one.key for one in store.read("t", 1)] == [f"turn {turn}" for turn in range(turns)]


def test_a_table_that_is_dropped_and_created_again_while_it_is_read_is_not_called_damaged(store: Store) -> None:
    add(store, "t", 5)
    whole, futures = store.read("t"), []
    for turn in range(share(2000, 100)):
        futures += [store.drop("t"), store.create("t", "g", "", turn, whole)]
        with suppress(Unknown):  # between the two
            assert store.read("t") == whole
    assert [future.exception(30) for future in futures] == [None] * len(futures)
    assert store.read("t") == whole
