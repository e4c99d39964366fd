"""Snapshots: a long table opens by reading a few entries, and a snapshot that cannot be read costs only time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.repository.repository import Desk
from astragal.repository.stored_table import SNAPSHOT, Campaign
from astragal.store import Row, SqliteStore, open_store
from astragal.table import action as a
from astragal.table.state import encode_state
from tests.desk.desks import Seats, assert_sound, seated
from tests.share import record, share


class Counted(SqliteStore):
    """A store that counts the rows that are read."""

    rows = 0

    def read(self, table: str, since: int = 0, limit: int | None = None) -> list[Row]:
        found = super().read(table, since, limit)
        self.rows += len(found)
        return found


@pytest.fixture
def counted(path: Path) -> Iterator[Counted]:
    with open_store(path), Counted(path) as store:
        yield store


def write(seats: Seats, n: int) -> None:
    """So many entries, handed in by the hundred."""
    for begun in range(0, n, 100):
        futures = [seats.submit(seats.gm, a.Note(text=f"{begun + place}")) for place in range(min(100, n - begun))]
        for future in futures:
            future.result(60)


def test_a_long_table_opens_from_its_snapshot(counted: Counted) -> None:
    n = share(20_000, 2_600)
    seats = seated(Desk(counted))
    write(seats, n)
    counted.keep("last", b"").result(60)  # what was handed in before, snapshots too, is stored
    counted.rows = 0
    again = Campaign(counted, seats.campaign.id)
    assert counted.rows <= SNAPSHOT
    assert encode_state(again.state) == encode_state(seats.campaign.state)
    record("opening a long table", f"{n:,} entries, of which {counted.rows:,} were read")


def test_a_table_in_memory_forgets_what_it_can_read_again(seats: Seats) -> None:
    write(seats, 5_000)
    assert len(assert_sound(seats.campaign)) == 5_003


def test_going_on_after_a_snapshot_is_as_if_there_were_none(counted: Counted) -> None:
    seats = seated(Desk(counted))
    write(seats, SNAPSHOT + 10)
    again = Seats(Campaign(counted, seats.campaign.id), seats.gm, seats.player)
    target = again.campaign.history()[5].id
    again.act(again.gm, a.Undo(entry=target))
    again.act(again.gm, a.Redo())
    entries = assert_sound(again.campaign)
    assert len(entries) == SNAPSHOT + 15


@pytest.mark.parametrize("junk", [b"", b"{", b'{"version": "nine"}', b"\xff\x00"])
def test_a_snapshot_that_cannot_be_read_is_as_good_as_none(seats: Seats, desk: Desk, junk: bytes) -> None:
    desk.store.save_snapshot(seats.campaign.id, 3, junk).result(60)
    again = Campaign(desk.store, seats.campaign.id)
    assert encode_state(again.state) == encode_state(seats.campaign.state)
