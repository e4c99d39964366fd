"""Snapshots: a long table opens by reading a few entries, and a snapshot that cannot be read costs only time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import current_thread
from typing import Any

import pytest

from astragal.storage import Record, SqliteStore, open_store, record
from astragal.storage import store as stores
from astragal.storage.sqlite.file import connect_reader
from astragal.storage.tables import stored_table
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import BEHIND, SNAPSHOT_EVERY, StoredTable
from astragal.table import action as a
from astragal.table.state import encode_state
from astragal.table.table import CHECKPOINT
from tests.share import record as note_down
from tests.share import share
from tests.storage.tables.repositories import Seats, assert_sound, seated, settled

LARGE = a.RollAction(kind="attempt", inputs={"pool": 1000, "again": "8", "rote": True})


class Counted(SqliteStore):
    """A store that counts the records that are read."""

    records = 0

    def read(self, table: str, since: int = 0, limit: int | None = None) -> list[Record]:
        found = super().read(table, since, limit)
        self.records += len(found)
        return found


@pytest.fixture
def counted(path: Path) -> Iterator[Counted]:
    with open_store(path), Counted(path) as store:
        yield store


def write(seats: Seats, n: int) -> None:
    """So many entries, submitted by the hundred."""
    for begun in range(0, n, 100):
        futures = [
            seats.submit(seats.gm, a.NoteAction(text=f"{begun + place}")) for place in range(min(100, n - begun))
        ]
        for future in futures:
            future.result(60)


def test_a_long_table_opens_from_its_snapshot(counted: Counted) -> None:
    n = share(20_000, 2_600)
    seats = seated(Repository(counted))
    write(seats, n)
    settled(counted)
    counted.records = 0
    again = StoredTable(counted, seats.stored_table.id)
    assert BEHIND <= counted.records <= SNAPSHOT_EVERY + 2 * BEHIND + CHECKPOINT
    assert encode_state(again.state) == encode_state(seats.stored_table.state)
    note_down("opening a long table", f"{n:,} entries, of which {counted.records:,} were read")


def steps_of_opening(path: Path, n: int) -> float:
    """The steps of SQLite's machine for each record that is read when a table of n entries is opened."""
    with open_store(path), Counted(path) as store:
        seats = seated(Repository(store))
        write(seats, n)
        settled(store)
        steps = 0

        def step() -> None:
            nonlocal steps
            steps += 1

        reader = connect_reader(path)
        reader.set_progress_handler(step, 1)
        store._readers._idle.close()
        store._readers._idle.closed = False
        store._readers._idle.put_back(reader)
        store.records = 0
        StoredTable(store, seats.stored_table.id)
        # How many entries follow the last snapshot depends on how the writes fell into batches.
        assert BEHIND <= store.records <= SNAPSHOT_EVERY + 2 * BEHIND + CHECKPOINT
        return steps / store.records


def test_the_work_of_opening_does_not_grow_with_the_log(tmp_path: Path) -> None:
    few = steps_of_opening(tmp_path / "few.db", 3 * SNAPSHOT_EVERY)
    many = steps_of_opening(tmp_path / "many.db", 9 * SNAPSHOT_EVERY)
    assert 0 < many < 1.2 * few


def test_the_size_of_a_log_is_kept_with_its_snapshots(counted: Counted) -> None:
    """As if it were added up: after snapshots, after entries were rewritten, and for a table without a snapshot."""
    seats = seated(Repository(counted))
    table = seats.stored_table.id

    def added_up() -> int:
        return sum(len(record.body) for record in counted.read(table))

    assert counted.size(table) == added_up() > 0
    write(seats, 2 * SNAPSHOT_EVERY + 10)
    settled(counted)
    assert counted.size(table) == added_up()
    first = counted.read(table, 0, 1)[0]
    counted.rewrite(table, [Record(1, first.key, first.body + b" " * 1000)]).result(60)
    assert counted.size(table) == added_up()
    counted.drop(table).result(60)
    counted.create(table, "narraject", "", 1, []).result(60)
    assert counted.size(table) == 0


def test_a_table_in_memory_forgets_what_it_can_read_again(seats: Seats) -> None:
    write(seats, 5_000)
    assert len(assert_sound(seats.stored_table)) == 5_003


def test_going_on_after_a_snapshot_is_as_if_there_were_none(counted: Counted) -> None:
    seats = seated(Repository(counted))
    write(seats, SNAPSHOT_EVERY + 10)
    again = Seats(StoredTable(counted, seats.stored_table.id), seats.gm, seats.player)
    target = again.stored_table.history()[5].id
    again.act(again.gm, a.UndoAction(entry=target))
    again.act(again.gm, a.RedoAction())
    entries = assert_sound(again.stored_table)
    assert len(entries) == SNAPSHOT_EVERY + 15


@pytest.mark.parametrize("junk", [b"", b"{", b'{"version": "nine"}', b"\xff\x00"])
def test_a_snapshot_that_cannot_be_read_is_as_good_as_none(seats: Seats, repository: Repository, junk: bytes) -> None:
    repository.store.save_snapshot(seats.stored_table.id, 3, junk).result(60)
    again = StoredTable(repository.store, seats.stored_table.id)
    assert encode_state(again.state) == encode_state(seats.stored_table.state)


def test_the_writer_packs_nothing_and_encodes_no_snapshot(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody waits for it, so whoever throws a thousand dice packs them, and snapshots are made elsewhere."""
    makers: set[str] = set()

    def noted(work: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
        def by(value: Any) -> bytes:
            made = work(value)
            if made is not value:
                makers.add(current_thread().name)
            return made

        return by

    for module in (record, stores, stored_table):
        monkeypatch.setattr(module, "packed", noted(record.packed))
    monkeypatch.setattr(stored_table, "encode_state", noted(encode_state))
    monkeypatch.setattr(stored_table, "SNAPSHOT_EVERY", 3)
    monkeypatch.setattr(stored_table, "BEHIND", 0)
    with open_store(path) as store:
        seats = seated(Repository(store), "chronicles")
        for _ in range(7):
            seats.act(seats.gm, LARGE)
        settled(store)
        assert store.snapshot(seats.stored_table.id)
    assert makers and not [name for name in makers if "writer" in name], makers
