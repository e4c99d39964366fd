"""Other servers at the same table: what they store is taken in whatever is on its way here, and nothing left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import pytest

from astragal.errors import Refusal, Unavailable
from astragal.storage import Appended, Store, open_store
from astragal.storage.tables.limits import Limits
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import StoredTable
from astragal.table import action as a
from tests.serve.running import until
from tests.storage.tables.repositories import DESK, Recorder, Seats, assert_sound, seated, spend

BROKEN = Unavailable("The database does not answer. Nothing was changed.")


class OtherStore:
    """A store whose writes, or the answers to them, come when the test lets them; it may fail to read as well."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.held: list[Callable[[], Any]] = []
        self.waiting: list[Future[Appended]] = []
        self.holds = ""
        self.fails = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def read(self, *arguments: Any) -> Any:
        if self.fails:
            raise BROKEN
        return self._store.read(*arguments)

    def append(self, table: str, record: Any, after: str, epoch: int | None) -> Future[Appended]:
        if not self.holds:
            return self._store.append(table, record, after, epoch)
        answer: Future[Appended] = Future()
        if self.holds == "writes":
            self.held.append(lambda: _pass_on(self._store.append(table, record, after, epoch), answer))
        else:
            stored = self._store.append(table, record, after, epoch)
            self._store.set_setting("done", b"").result(30)
            self.held.append(lambda: _pass_on(stored, answer))
        self.waiting.append(answer)
        return answer

    def release(self) -> None:
        self.holds = ""
        held, self.held = self.held, []
        for each in held:
            each()


def _pass_on(stored: Future[Appended], answer: Future[Appended]) -> None:
    try:
        answer.set_result(stored.result(30))
    except Refusal as refusal:
        answer.set_exception(refusal)


@pytest.fixture
def seats(path: Path) -> Iterator[Seats]:
    with open_store(path) as store:
        yield seated(Repository(store))


@pytest.fixture
def held(path: Path, seats: Seats) -> Iterator[OtherStore]:
    with open_store(path) as store:
        yield OtherStore(store)


def elsewhere(store: OtherStore, seats: Seats) -> Seats:
    """The same table at another server."""
    return seats._replace(stored_table=StoredTable(cast(Store, store), seats.stored_table.id))


@pytest.mark.parametrize("what", ["writes", "answers"])
def test_an_action_on_what_others_just_made_is_not_refused_while_ours_is_on_its_way(
    seats: Seats, held: OtherStore, what: str
) -> None:
    here = elsewhere(held, seats)
    held.holds = what
    ours = here.submit(here.gm, a.NoteAction(text="ours"))
    DESK.refresh(seats.stored_table)
    seats.act(seats.gm, a.CreateAction(name="Borik"))
    follows = here.submit(here.gm, a.RetireAction(holder="Borik"))
    assert not follows.done()
    held.release()
    assert follows.result(30).entry.version > 0
    assert ours.result(30).entry.do == "note"
    assert_sound(here.stored_table)


def test_what_was_stored_though_the_store_failed_is_published_in_order(seats: Seats, held: OtherStore) -> None:
    """The answer to the first of two is lost: both are read from the log, and only the second is confirmed."""
    here = elsewhere(held, seats)
    recorder = Recorder()
    DESK.listen(here.stored_table, recorder)
    first = here.stored_table.state.version + 1
    held.holds = "answers"
    lost, kept = DESK.together(here.stored_table, (here.player, spend(), "lost", 1), (here.player, spend(), "kept", 1))
    until(lambda: len(held.held) == 2)
    held.held.pop(0)
    held.waiting[0].set_exception(BROKEN)
    held.release()
    with pytest.raises(Unavailable):
        lost.result(30)
    assert kept.result(30).entry.version == first + 1
    assert [entry.version for entry, _ in recorder.received] == [first, first + 1]
    assert here.act(here.player, spend()).entry.version == first + 2
    assert_sound(here.stored_table)


def test_after_a_store_that_failed_nothing_is_shown_that_was_never_stored(seats: Seats, held: OtherStore) -> None:
    here = elsewhere(held, seats)
    recorder = Recorder()
    DESK.listen(here.stored_table, recorder)
    held.holds = "writes"
    lost = here.submit(here.player, spend())
    until(lambda: held.held)
    held.held.clear()
    held.fails = True
    held.waiting[0].set_exception(BROKEN)
    with pytest.raises(Unavailable):
        lost.result(30)
    held.fails, held.holds = False, ""
    seats.act(seats.gm, a.NoteAction(text="theirs"))
    assert DESK.refresh(here.stored_table)
    assert [entry.do for entry, _ in recorder.received] == ["note"]
    assert here.act(here.player, spend()).entry.version == seats.stored_table.state.version + 1
    assert_sound(here.stored_table)


def test_the_log_of_a_table_is_as_long_as_all_servers_made_it(seats: Seats, held: OtherStore) -> None:
    here = elsewhere(held, seats)
    for _ in range(5):
        seats.act(seats.gm, a.NoteAction(text="theirs " * 20))
    DESK.refresh(here.stored_table)
    assert here.stored_table._bytes == held.size(here.stored_table.id)


def test_an_undo_after_a_conflict_does_not_read_the_whole_log(seats: Seats, held: OtherStore) -> None:
    here = elsewhere(held, seats)
    for _ in range(3):
        here.act(here.player, spend())
    DESK.refresh(seats.stored_table)
    seats.act(seats.gm, a.NoteAction(text="theirs"))
    here.act(here.gm, a.NoteAction(text="after a conflict"))
    held.fails = True
    assert [entry.version for entry in here.stored_table._tip.history(4)][-1] == here.stored_table.state.version


def test_a_table_too_many_is_taken_back_by_whoever_made_it(path: Path) -> None:
    with open_store(path) as store:
        first = seated(Repository(store))
        full = Repository(store, Limits(tables=1))
        full.quota.check_table = lambda: None  # type: ignore[method-assign]  # as when two servers ask at once
        with pytest.raises(Unavailable, match="at most 1 tables"):
            full.create(a.FoundAction(game="narraject", title="Second", name="Mira"))
        assert [info.table for info in store.tables()] == [first.stored_table.id]
