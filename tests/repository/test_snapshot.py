"""Snapshots: a long table opens by reading a few entries, and a snapshot that cannot be read costs only time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.repository.repository import Repository
from astragal.repository.stored_table import SNAPSHOT_EVERY, StoredTable
from astragal.store import Record, SqliteStore, open_store
from astragal.table import action as a
from astragal.table.state import encode_state
from tests.repository.repositories import Seats, assert_sound, seated
from tests.share import record, share


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
    counted.set_setting("last", b"").result(60)  # everything queued before it, snapshots too, is stored
    counted.records = 0
    again = StoredTable(counted, seats.stored_table.id)
    assert counted.records <= SNAPSHOT_EVERY
    assert encode_state(again.state) == encode_state(seats.stored_table.state)
    record("opening a long table", f"{n:,} entries, of which {counted.records:,} were read")


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
