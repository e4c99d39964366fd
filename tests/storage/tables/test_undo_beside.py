"""An undo that reads a long log holds nobody up: not its own table, nor other tables, and it comes to an end."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event, current_thread

import pytest

from astragal.errors import Unknown
from astragal.serve.live import owner
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import StoredTable
from astragal.table import action as a
from astragal.table.entry import Entry
from astragal.table.state import State
from astragal.table.table import Table
from tests.storage.tables.repositories import DESK, Seats, assert_sound, seated


class Gate:
    """Holds whoever reads a table's log back, until it is opened."""

    def __init__(self, stored_table: StoredTable) -> None:
        self.reached, self.opened = Event(), Event()
        self.readers: list[str] = []
        self._read = stored_table._log.read
        stored_table._log.read = self  # type: ignore[method-assign]
        stored_table._tip = Table(stored_table.state, self)

    def __call__(self, since: int) -> Iterator[Entry]:
        self.readers.append(current_thread().name)
        self.reached.set()
        assert self.opened.wait(60)
        return self._read(since)


@pytest.mark.parametrize("action", [a.UndoAction(), a.UndoAction(entry="unknown"), a.RedoAction()], ids=str)
def test_while_the_log_is_read_back_its_table_and_others_go_on(
    seats: Seats, repository: Repository, action: a.Action
) -> None:
    """It is decided again on what others did meanwhile."""
    other = seated(repository)
    seats.act(seats.player, a.NoteAction(text="to undo"))
    seats.act(seats.player, a.NoteAction(text="undone"))
    seats.act(seats.player, a.UndoAction())
    gate = Gate(seats.stored_table)
    looking = seats.submit(seats.player, action)
    assert gate.reached.wait(60)
    assert seats.act(seats.gm, a.NoteAction(text="meanwhile")).entry.version == 7
    other.act(other.gm, a.NoteAction(text="elsewhere"))
    assert not looking.done()
    gate.opened.set()
    if action == a.UndoAction(entry="unknown"):
        with pytest.raises(Unknown, match="no entry"):
            looking.result(60)
    else:
        assert looking.result(60).entry.version == 8
    assert all(name.startswith("astragal undo") for name in gate.readers), "never in the event loop"
    assert_sound(seats.stored_table)


def test_an_undo_at_a_table_where_others_act_all_the_time_comes_to_an_end(seats: Seats) -> None:
    """Each look is outdated when it is done, so the last one is made while the others wait."""
    table, looks, late = seats.stored_table, 0, []
    seats.act(seats.player, a.NoteAction(text="to undo"))

    class Outrun(Gate):
        def __call__(self, since: int) -> Iterator[Entry]:
            nonlocal looks
            looks += 1
            held = DESK.owner(table)._turn.locked()
            note = seats.submit(seats.gm, a.NoteAction(text=f"{looks}"))
            if held:
                late.append(note)
            else:
                note.result(60)
            return self._read(since)

    Outrun(table)
    undone = seats.submit(seats.player, a.UndoAction()).result(60)
    assert looks > owner.LOOKS
    assert late and all(each.result(60).entry.version > undone.entry.version for each in late)
    assert_sound(table)


def test_what_was_folded_beside_is_not_folded_again(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where others acted meanwhile, the second look folds only what they did."""
    for n in range(50):
        seats.act(seats.gm, a.NoteAction(text=f"{n}"))
    table = seats.stored_table
    first = table.history()[5]
    action = a.UndoAction(entry=first.id)
    earlier = table.twin()
    earlier.decide(seats.gm, action, "undo", 1)
    seats.act(seats.gm, a.NoteAction(text="meanwhile"))
    folded: list[int] = []
    fold = Table._gone_back

    def counted(self: Table, entry: Entry) -> State:
        before = self._refold.folded
        state = fold(self, entry)
        folded.append(self._refold.folded - before)
        return state

    monkeypatch.setattr(Table, "_gone_back", counted)
    twin = table.twin(earlier)
    entry = twin.decide(seats.gm, action, "undo", 1)
    assert folded == [1]
    plain = table.twin()
    assert twin.apply(entry) == plain.apply(plain.decide(seats.gm, action, "undo", 1))
