"""A seat's log: found by the index, whole and in order from every seat, and read as far as a page goes."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from astragal.storage import Record, SqliteStore
from astragal.storage.tables import log as logs
from astragal.storage.tables.repository import Repository
from astragal.table import action as a
from astragal.table.access import may_see
from astragal.table.entry import Entry, encode_entry
from astragal.table.state import Member
from tests.storage.tables.repositories import Seats, seated


class Counted(SqliteStore):
    """Counts the rows that are read."""

    rows = 0

    def read(self, table: str, since: int = 0, limit: int | None = None) -> list[Record]:
        found = super().read(table, since, limit)
        self.rows += len(found)
        return found

    def read_some(self, table: str, versions: Any) -> list[Record]:
        self.rows += len(versions)
        return super().read_some(table, versions)

    def seen(self, table: str, audience: str, first: int, last: int) -> list[int]:
        found = super().seen(table, audience, first, last)
        self.rows += len(found)
        return found


def plainly_seen(entries: list[Entry], member: Member | None) -> list[Entry]:
    return [entry for entry in entries if any(may_see(member, event.audience) for event in entry.events)]


def talk(seats: Seats, n: int, seed: int = 1) -> None:
    """Notes for everybody, for one of the two, and for the GM."""
    rng = Random(seed)
    for place in range(n):
        by = rng.choice((seats.gm, seats.player))
        seats.submit(by, a.NoteAction(text=f"{place}", seen=rng.choice(("all", "owner", "owner", "gm"))))


@pytest.mark.parametrize("seed", range(3))
def test_every_page_is_what_a_seat_may_see_of_the_log(repository: Repository, seed: int) -> None:
    seats = seated(repository)
    other = seats.stored_table.act("", a.JoinAction(name="Ada"), "join 2", 1).entry.by
    talk(seats, 60, seed)
    seats.act(seats.gm, a.NoteAction(text="The end."))
    state, entries = seats.stored_table.state, seats.stored_table.history()
    for member in (None, *(state.members[id] for id in (seats.gm, seats.player, other))):
        log, wanted = seats.stored_table.seat_log(state, member), plainly_seen(entries, member)
        assert log.last == len(wanted)
        assert list(log.pages()) == wanted
        for first, last in ((1, 1), (1, 5), (7, 19), (log.last - 3, log.last), (5, log.last - 1), (3, 2), (-5, 4)):
            assert log.read(first, last) == wanted[max(first, 1) - 1 : max(last, 0)]


def test_a_page_takes_as_many_reads_however_much_is_hidden(path: Path) -> None:
    with Counted(path) as store:
        seats = seated(Repository(store))
        talk(seats, 200)
        reads = []
        for hidden in (0, 1000):
            for n in range(hidden):
                hidden_note = seats.submit(seats.gm, a.NoteAction(text=f"hidden {n}", seen="gm"))
                if n % 100 == 99:
                    hidden_note.result(60)
            state = seats.act(seats.gm, a.NoteAction(text="The end.")).state
            log = seats.stored_table.seat_log(state, state.members[seats.player])
            store.rows = 0
            assert len(list(log.pages(50))) == 50
            assert len(log.read(40, 60)) == 21
            reads.append(store.rows)
        assert reads[0] == reads[1] < 300


def test_the_latest_entries_that_fit_are_read_as_they_are_stored(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "FEW", 7)
    with Counted(path) as store:
        seats = seated(Repository(store))
        talk(seats, 60)
        state = seats.act(seats.gm, a.NoteAction(text="The end.")).state
        for member in (None, state.members[seats.gm], state.members[seats.player]):
            log = seats.stored_table.seat_log(state, member)
            bodies = [encode_entry(entry) for entry in log.pages()]
            assert log.latest_bodies(1000, 1 << 20) == bodies
            assert log.latest_bodies(12, 1 << 20) == bodies[-12:]
            size = sum(map(len, bodies[-9:]))
            assert log.latest_bodies(1000, size) == bodies[-9:] and log.latest_bodies(1000, size - 1) == bodies[-8:]
            assert log.latest_bodies(1000, 0) == []
            entries = list(log.pages())
            assert log.read_back(log.last, 1000, 1 << 20) == entries
            assert log.read_back(20, 5, 1 << 20) == entries[15:20] and log.read_back(3, 5, 1 << 20) == entries[:3]
            assert log.read_back(20, 5, 0) == entries[19:20], "at least one"
            assert log.read_back(0, 5, 1000) == []
        store.rows = 0
        assert seats.stored_table.seat_log(state, state.members[seats.gm]).latest_bodies(1000, 100) == []
        assert store.rows == 7, "what does not fit is not read"


def test_a_log_as_of_an_earlier_state_stays_what_it_was(seats: Seats) -> None:
    talk(seats, 30)
    state = seats.act(seats.gm, a.NoteAction(text="Midnight.")).state
    member = state.members[seats.player]
    before = list(seats.stored_table.seat_log(state, member).pages(10))
    talk(seats, 30, seed=2)
    seats.act(seats.gm, a.NoteAction(text="Dawn."))
    assert list(seats.stored_table.seat_log(state, member).pages(10)) == before
