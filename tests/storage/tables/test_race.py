"""Concurrent actions at one table: all get through, each version is one action's, and a key is done once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from astragal.storage import Address, open_store
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import Acted, StoredTable
from astragal.table.entry import encode_entry
from tests.share import record, share
from tests.storage.tables.racer import race_all
from tests.storage.tables.repositories import DESK, Recorder, Seats, assert_sound, might, seated, spend, start


@pytest.fixture
def address(either: Address) -> Address:
    return either


def test_sixteen_threads_act_and_all_get_through(seats: Seats) -> None:
    n, before = share(250, 12), seats.stored_table.state.version
    recorder = Recorder()
    DESK.listen(seats.stored_table, recorder)
    won = race_all(seats.stored_table, seats.gm, "x", 16, n)
    entries = assert_sound(seats.stored_table)
    assert sorted(won) == [(entry.version, entry.key) for entry in entries[before:]]
    assert len(won) == 16 * n
    assert [encode_entry(entry) for entry, _ in recorder.received] == [
        encode_entry(entry) for entry in entries[before:]
    ]
    record("sixteen at one table, in threads", f"{16 * n:,} actions, all through, each version once, no gap")


def test_sixteen_in_four_programs_act_and_all_get_through(address: Address) -> None:
    n = share(60, 4)
    with open_store(address) as store:
        seats = seated(Repository(store))
        before = seats.stored_table.state.version
        programs = [start("racer", address, seats.stored_table.id, seats.gm, name, 4, n) for name in "abc"]
        won = race_all(seats.stored_table, seats.gm, "here", 4, n)
        said = [program.communicate(timeout=600)[0].splitlines() for program in programs]
        assert [program.returncode for program in programs] == [0] * 3
        won += [(int(version), key) for lines in said for version, key in (line.split() for line in lines)]
        DESK.refresh(seats.stored_table)
        entries = assert_sound(seats.stored_table)
    assert sorted(won) == [(entry.version, entry.key) for entry in entries[before:]]
    assert len(won) == 16 * n
    record("sixteen at one table, in four programs", f"{16 * n:,} actions, all through, each version once, no gap")


def test_a_key_that_comes_fifty_times_at_once_is_one_entry_and_one_answer(seats: Seats, address: Address) -> None:
    turns = share(100, 4)
    with open_store(address) as elsewhere:
        tables = (seats.stored_table, StoredTable(elsewhere, seats.stored_table.id))
        for turn in range(turns):
            answers = fifty(tables, seats.player, f"turn {turn}")
            assert len({answer.entry.version for answer in answers}) == 1
            assert all(answer.entry == answers[0].entry for answer in answers)
            assert might(answers[0].state) == 0
            seats.act(seats.gm, spend(-3))
    assert [entry.key for entry in assert_sound(seats.stored_table)[3::2]] == [f"turn {turn}" for turn in range(turns)]
    record("the same key fifty times in parallel", f"{turns} times, each one entry and one answer")


def fifty(tables: tuple[StoredTable, ...], by: str, key: str) -> list[Acted]:
    """The same action with the same key, from fifty threads in two repositories."""
    barrier = Barrier(50)

    def act(place: int) -> Acted:
        barrier.wait()
        return DESK.submit(tables[place % len(tables)], by, spend(3), key, 1).result(60)

    with ThreadPoolExecutor(50) as pool:
        return list(pool.map(act, range(50)))
