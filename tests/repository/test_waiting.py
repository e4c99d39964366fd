"""Nobody waits for an undo: not those at its table, nor the store's writer, nor an event loop."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event, current_thread
from typing import Any

import pytest

from astragal.errors import Refusal, Stale, Unknown
from astragal.repository.repository import Repository
from astragal.repository.stored_table import MAX_LOOKS, STEP, StoredTable
from astragal.table import action as a
from astragal.table.entry import Entry
from astragal.table.table import Table
from tests.repository.repositories import Seats, assert_sound, seated


class Gate:
    """Holds whoever reads a table's log back, until it is opened."""

    def __init__(self, stored_table: StoredTable) -> None:
        self.reached, self.opened = Event(), Event()
        self._read = stored_table._log.read
        stored_table._table._stored = stored_table._log.read = self  # type: ignore[method-assign]
        stored_table._table._base, stored_table._table._tail = stored_table.state.version, []

    def __call__(self, since: int) -> Iterator[Entry]:
        self.reached.set()
        assert self.opened.wait(60)
        return self._read(since)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


def test_while_an_undo_reads_the_log_back_other_tables_go_on(
    seats: Seats, repository: Repository, pool: ThreadPoolExecutor
) -> None:
    other, gate = seated(repository), Gate(seats.stored_table)
    before = seats.submit(seats.gm, a.NoteAction(text="just before"))
    undo = pool.submit(seats.act, seats.gm, a.UndoAction())
    assert gate.reached.wait(60)
    for n in range(20):
        other.act(other.gm, a.NoteAction(text=f"{n}"))
    assert before.result(60).entry.version == 4
    gate.opened.set()
    undo.result(60)
    assert_sound(seats.stored_table)


@pytest.mark.parametrize("action", [a.UndoAction(), a.UndoAction(entry="unknown"), a.RedoAction()], ids=str)
def test_while_the_log_is_read_back_the_same_table_goes_on(
    seats: Seats, pool: ThreadPoolExecutor, action: a.Action
) -> None:
    """What is decided then is decided again on what others did meanwhile."""
    seats.act(seats.player, a.NoteAction(text="to undo"))
    seats.act(seats.player, a.NoteAction(text="undone"))
    seats.act(seats.player, a.UndoAction())
    gate = Gate(seats.stored_table)
    looking = pool.submit(seats.act, seats.player, action)
    assert gate.reached.wait(60)
    acted = seats.stored_table.try_submit(seats.gm, a.NoteAction(text="meanwhile"), "meanwhile", 1)
    assert acted is not None
    assert acted.result(60).entry.version == 7
    gate.opened.set()
    if action == a.UndoAction(entry="unknown"):
        with pytest.raises(Unknown, match="no entry"):
            looking.result(60)
    else:
        assert looking.result(60).entry.version == 8
    assert seats.stored_table._generation == 0, "nothing was written on what nobody has seen, and taken back"
    assert_sound(seats.stored_table)


def test_an_undo_at_a_table_where_others_act_all_the_time_comes_to_an_end(
    seats: Seats, pool: ThreadPoolExecutor
) -> None:
    """Each look is outdated when it is done, so the last one is made while the others wait."""
    table = seats.stored_table
    seats.act(seats.player, a.NoteAction(text="to undo"))
    looks = 0

    class Busy(Gate):
        def __call__(self, since: int) -> Iterator[Entry]:
            nonlocal looks
            looks += 1
            if table._lock.acquire(blocking=False):
                table._lock.release()
                seats.act(seats.gm, a.NoteAction(text=f"{looks}"))
            return self._read(since)

    Busy(table)
    undone = pool.submit(seats.act, seats.player, a.UndoAction()).result(60)
    assert looks > MAX_LOOKS
    assert undone.entry.version == table.state.version
    assert_sound(table)


def test_answers_that_come_during_an_undo_are_taken_in_after_it(seats: Seats, pool: ThreadPoolExecutor) -> None:
    gate = Gate(seats.stored_table)
    futures = [seats.submit(seats.gm, a.NoteAction(text=f"{n}")) for n in range(50)]
    undo = pool.submit(seats.act, seats.player, a.UndoAction())
    assert gate.reached.wait(60)
    gate.opened.set()
    assert [future.result(60).entry.version for future in futures] == list(range(4, 54))
    assert undo.result(60).entry.version == 54
    assert_sound(seats.stored_table)


def test_what_needs_no_disk_is_decided_at_once(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    table, store = seats.stored_table, seats.stored_table._store

    def no_disk(*args: Any, **named: Any) -> Any:
        raise AssertionError("the disk was asked")

    for name in ("read", "read_some", "find", "last", "info", "seen", "snapshot", "size"):
        monkeypatch.setattr(store, name, no_disk)
    future = table.try_submit(seats.gm, a.NoteAction(text="x"), "x", 1)
    assert future is not None
    assert table.try_submit(seats.gm, a.NoteAction(text="x"), "x", 1) in (future, None)
    assert table.try_submit(seats.gm, a.UndoAction(), "y", 1) is None
    assert table.try_submit(seats.player, a.ChangeAction(holder="Nobody", section="x", item="x", by=1), "z", 1) is None
    assert future.result(60).entry.version == 4


def test_an_undo_that_somebody_was_faster_than_is_decided_again_and_not_by_the_writer(
    seats: Seats, repository: Repository
) -> None:
    other = StoredTable(repository.store, seats.stored_table.id)
    for n in range(5):
        other.act(seats.gm, a.NoteAction(text=f"{n}"), f"other {n}", 1)
        undone = seats.act(seats.player, a.UndoAction()) if n == 0 else seats.act(seats.player, a.RedoAction())
        assert undone.entry.version == other.state.version + 1
        other.refresh()
        if n:
            seats.act(seats.player, a.UndoAction())
            other.refresh()
    assert_sound(seats.stored_table)
    assert issubclass(Stale, Exception)


class Noted:
    """A lock that notes who waits for it."""

    def __init__(self, lock: Any) -> None:
        self._lock = lock
        self.waited: list[str] = []
        self.locked = lock.locked

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if blocking and self._lock.locked():
            self.waited.append(current_thread().name)
        return bool(self._lock.acquire(blocking, timeout))

    def release(self) -> None:
        self._lock.release()


def test_the_writer_never_waits_for_somebody_who_decides_for_long(seats: Seats) -> None:
    table = seats.stored_table
    noted = table._lock = Noted(table._lock)  # type: ignore[assignment]
    began, go_on = Event(), Event()

    def dice(pool: Any) -> Any:
        began.set()
        assert go_on.wait(60)
        return tuple(((1,) * part.n,) for part in pool)

    futures = [seats.submit(seats.gm, a.NoteAction(text=f"{n}")) for n in range(20)]
    with ThreadPoolExecutor(1) as large:
        roll = a.RollAction(inputs={"d6": 1}, answers=["settle"])
        decided = large.submit(table.try_submit, seats.player, roll, "roll", 1, dice=dice, large=True)
        assert began.wait(60)
        other = Event()
        table._store.set_setting("other", b"x").add_done_callback(lambda _: other.set())
        assert other.wait(60), "the writer has gone on to what others wrote"
        assert not all(future.done() for future in futures) or not noted.waited
        go_on.set()
        found = decided.result(60)
    assert found is not None and found.result(60).entry.version == 24
    assert [future.result(60).entry.version for future in futures] == list(range(4, 24))
    assert not [name for name in noted.waited if "writer" in name]
    assert_sound(table)


def test_nobody_waits_for_an_undo_that_is_decided_under_the_lock(seats: Seats, repository: Repository) -> None:
    """After as many outdated looks it holds its table's lock: its event loop is told so at once, others go on."""
    table, other = seats.stored_table, seated(repository)
    seats.act(seats.player, a.NoteAction(text="to undo"))
    reached, go_on = Event(), Event()

    class Outdated(Gate):
        looks = 0

        def __call__(self, since: int) -> Iterator[Entry]:
            self.looks += 1
            if not table._lock.locked():
                seats.act(seats.gm, a.NoteAction(text=f"{self.looks}"))
            else:
                reached.set()
                assert go_on.wait(60)
            return self._read(since)

    Outdated(table)
    with ThreadPoolExecutor(1) as pool:
        undo = pool.submit(seats.act, seats.player, a.UndoAction())
        assert reached.wait(60)
        assert table.try_submit(seats.gm, a.NoteAction(text="now"), "now", 1) is None, "at once, without a wait"
        assert not table.refresh(wait=False)
        for n in range(20):
            other.act(other.gm, a.NoteAction(text=f"{n}"))
        go_on.set()
        undone = undo.result(60)
    assert undone.entry.version == table.state.version
    assert_sound(table)


class Clock:
    """Time that goes on only when somebody decides, the longer the more entries there are, and when somebody waits."""

    def __init__(self, stored_table: StoredTable, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.waits = 100.0, 0
        decide = Table.decide

        def slow(table: Table, *asked: Any, **more: Any) -> Entry:
            self.now += 0.0001 * len(list(table.history()))
            return decide(table, *asked, **more)

        monkeypatch.setattr(Table, "decide", slow)
        monkeypatch.setattr("astragal.repository.stored_table.time.monotonic", lambda: self.now)
        monkeypatch.setattr("astragal.repository.stored_table.time.sleep", self._wait)

    def _wait(self, seconds: float) -> None:
        self.now, self.waits = self.now + seconds, self.waits + 1

    def taken(self, seats: Seats, by: str, action: a.Action) -> float:
        """Seconds until it is stored, or refused."""
        began = self.now
        with suppress(Refusal):
            seats.act(by, action)
        return self.now - began


@pytest.mark.parametrize("action", [a.UndoAction(), a.UndoAction(entry="unknown"), a.RedoAction()], ids=str)
def test_a_players_undo_takes_the_same_time_however_much_is_hidden_in_between(
    seats: Seats, monkeypatch: pytest.MonkeyPatch, action: a.Action
) -> None:
    clock, taken = Clock(seats.stored_table, monkeypatch), []
    for hidden in (0, 1, 60):
        for n in range(hidden):
            seats.act(seats.gm, a.NoteAction(text=f"{n}", seen="gm"))
        seats.act(seats.player, a.NoteAction(text="to undo"))
        taken.append(clock.taken(seats, seats.player, action))
    assert taken == pytest.approx([STEP] * 3)
    assert clock.taken(seats, seats.gm, a.UndoAction()) < STEP, "a GM sees all of it, and waits for nothing"
    assert clock.waits == 3
