"""A stored table: actions, refusals, other programs; results come when an entry is stored, in order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.dice.dice import Faces, Pool
from astragal.errors import Forbidden, Illegal, Malformed, Unavailable
from astragal.storage import Address, open_store
from astragal.storage.tables.limits import Limits
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import StoredTable
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.entry import encode_entry
from astragal.table.state import encode_state
from astragal.table.table import folded
from tests.storage.tables.repositories import DESK, Recorder, Seats, assert_sound, might, seated, spend
from tests.table.tables import seeded_dice


@pytest.fixture
def address(either: Address) -> Address:
    return either


def note(text: str = "Rain.") -> a.NoteAction:
    return a.NoteAction(text=text)


def test_what_is_acknowledged_is_stored(seats: Seats, repository: Repository) -> None:
    acted = seats.act(seats.gm, note())
    assert repository.store.info(seats.stored_table.id).version == acted.entry.version
    assert seats.stored_table.state is acted.state


def test_a_table_opened_again_is_the_same(seats: Seats, repository: Repository) -> None:
    seats.act(seats.player, spend())
    again = StoredTable(repository.store, seats.stored_table.id)
    assert encode_state(again.state) == encode_state(seats.stored_table.state)
    assert_sound(again)


def test_many_can_be_submitted_before_the_first_is_stored(seats: Seats) -> None:
    futures = [seats.submit(seats.player, spend()) for _ in range(3)]
    assert [might(future.result(60).state) for future in futures] == [2, 1, 0]


def test_what_was_submitted_counts_for_what_comes_next(seats: Seats) -> None:
    first, second = seats.submit(seats.player, spend(3)), seats.submit(seats.player, spend())
    assert might(first.result(60).state) == 0
    assert isinstance(second.exception(60), Illegal)


def test_the_state_shows_only_what_is_stored(seats: Seats) -> None:
    futures = [seats.submit(seats.gm, note(f"{n}")) for n in range(100)]
    shown = seats.stored_table.state
    stored = [future.result(60).entry.version for future in futures if future.done()]
    assert shown.version <= max(stored, default=shown.version)
    assert [future.result(60).state.version for future in futures] == list(range(4, 104))


def test_the_same_key_is_answered_with_the_same_entry(seats: Seats) -> None:
    first = seats.act(seats.player, spend(), key="once")
    again = seats.act(seats.player, spend(), key="once")
    assert again.repeated
    assert again.entry == first.entry
    assert might(seats.stored_table.state) == 2
    assert seats.act(seats.player, spend()).entry.version == first.entry.version + 1


def test_a_key_that_was_used_up_is_answered_though_it_could_not_be_done_again(seats: Seats) -> None:
    first = seats.act(seats.player, spend(3), key="all")
    assert seats.act(seats.player, spend(3), key="all").entry == first.entry


def test_a_key_that_waits_is_done_once_and_answered_twice(seats: Seats) -> None:
    first, second = DESK.together(seats.stored_table, *[(seats.gm, note(), "k", 1)] * 2)
    assert first.result(60) is second.result(60)


def test_a_refusal_leaves_nothing_behind(seats: Seats) -> None:
    before = encode_state(seats.stored_table.state)
    for by, action, kind in (
        ("nobody", note(), Forbidden),
        (seats.player, a.SceneAction(title="Night"), Forbidden),
        (seats.player, spend(4), Illegal),
    ):
        assert isinstance(seats.submit(by, action).exception(60), kind)
    assert encode_state(seats.stored_table.state) == before
    assert not DESK.owner(seats.stored_table).busy


@pytest.mark.parametrize("key", ["", "k" * 129, "a\nb"])
def test_a_key_that_cannot_be_stored_is_refused_and_the_table_goes_on(seats: Seats, key: str) -> None:
    future = DESK.submit(seats.stored_table, seats.player, spend(), key, 1)
    assert isinstance(future.exception(60), Malformed)
    assert might(seats.act(seats.player, spend()).state) == 2
    assert not DESK.owner(seats.stored_table).busy
    assert_sound(seats.stored_table)


def test_a_store_that_is_closed_refuses_and_nobody_waits(address: Address) -> None:
    with open_store(address) as store:
        stored_table = Repository(store).create(a.FoundAction(game="narraject", title="T", name="Mira"))
    assert isinstance(
        DESK.submit(stored_table, next(iter(stored_table.state.members)), note(), "k", 1).exception(60), Unavailable
    )
    assert not DESK.owner(stored_table).busy


def test_every_entry_is_published_once_in_order_with_the_state_after_it(seats: Seats) -> None:
    recorder = Recorder()
    DESK.listen(seats.stored_table, recorder)
    futures = [seats.submit(seats.gm, note(f"{n}")) for n in range(200)]
    entries = [future.result(60).entry for future in futures]
    assert [entry for entry, _ in recorder.received] == entries
    log = seats.stored_table.history()
    for place in (0, 57, 199):
        entry, state = recorder.received[place]
        assert encode_state(state) == encode_state(folded(log[: entry.version]))


# Another program at the same table.


@pytest.fixture
def other(seats: Seats, address: Address) -> Iterator[StoredTable]:
    """The same table, opened by somebody else: as far as the two know, they are alone."""
    with open_store(address) as store:
        yield StoredTable(store, seats.stored_table.id)


def test_an_action_is_decided_again_when_somebody_was_faster(seats: Seats, other: StoredTable) -> None:
    other.act(seats.player, spend(2), "theirs", 1)
    acted = seats.act(seats.player, spend())
    assert might(acted.state) == 0
    assert_sound(seats.stored_table)


def test_actions_that_are_decided_again_keep_their_order(seats: Seats, other: StoredTable) -> None:
    other.act(seats.gm, note(), "theirs", 1)
    asked = [(seats.gm, note(f"{n}"), f"in order {n}") for n in range(5)]
    versions = [done.result(60).entry.version for done in DESK.together(seats.stored_table, *asked)]
    assert versions == [other.state.version + 1 + n for n in range(5)]


def test_what_is_refused_is_refused_as_things_are_and_not_as_they_were(seats: Seats, other: StoredTable) -> None:
    seats.act(seats.player, spend(3))
    other.refresh()
    other.act(seats.gm, spend(-3), "theirs", 1)
    assert might(seats.act(seats.player, spend(3)).state) == 0


def test_nothing_is_stored_that_was_decided_on_a_state_that_never_came_to_be(seats: Seats, other: StoredTable) -> None:
    """The other's entry takes our first one's version, so that our second one's would be the next."""
    other.act(seats.player, spend(3), "theirs", 1)
    first, second = seats.submit(seats.gm, note()), seats.submit(seats.player, spend())
    assert first.result(60).entry.version == other.state.version + 1
    assert isinstance(second.exception(60), Illegal)
    assert len(assert_sound(seats.stored_table)) == first.result().entry.version


def test_dice_stay_the_same_when_an_action_is_decided_again(seats: Seats, other: StoredTable) -> None:
    thrown: list[Faces] = []

    def dice(pool: Pool) -> Faces:
        thrown.append(tuple((tuple((len(thrown) + place) % 6 + 1 for place in range(part.n)),) for part in pool))
        return thrown[-1]

    other.act(seats.gm, note(), "theirs", 1)
    acted = seats.stored_table.act(seats.gm, a.RollAction(inputs={"d6": 3}), "roll", 1, dice=dice)
    assert [event.faces for event in acted.entry.events if isinstance(event, e.Thrown)] == thrown
    assert len(thrown) == 1


def test_what_others_stored_is_published_in_its_place_with_its_own_state(seats: Seats, other: StoredTable) -> None:
    recorder = Recorder()
    DESK.listen(seats.stored_table, recorder)
    for n in range(3):
        other.act(seats.player, spend(), f"theirs {n}", 1)
    seats.act(seats.gm, note())
    assert recorder.versions == [4, 5, 6, 7]
    assert [might(state) for _, state in recorder.received] == [2, 1, 0, 0]


def test_a_refresh_takes_in_what_others_stored(seats: Seats, other: StoredTable) -> None:
    recorder = Recorder()
    DESK.listen(seats.stored_table, recorder)
    other.act(seats.player, spend(), "theirs", 1)
    DESK.refresh(seats.stored_table)
    DESK.refresh(seats.stored_table)
    assert recorder.versions == [4]
    assert might(seats.stored_table.state) == 2
    assert seats.act(seats.gm, note()).entry.version == 5


def test_a_key_that_another_program_used_is_answered_with_its_entry(seats: Seats, other: StoredTable) -> None:
    theirs = other.act(seats.player, spend(), "shared", 1)
    ours = seats.act(seats.player, spend(), key="shared")
    assert ours.repeated
    assert ours.entry == theirs.entry
    assert might(seats.stored_table.state) == 2


LARGE = a.RollAction(kind="attempt", inputs={"pool": 1000, "again": "8", "rote": True})


def entries_until_full(path: Path, reopen: bool) -> int:
    """How many large entries a small table takes, which is opened again after each of them or stays open."""
    with open_store(path) as store:
        repository = Repository(store, Limits(table_bytes=60_000))
        seats = seated(repository, "chronicles")
        table, dice = seats.stored_table, seeded_dice("large")
        for n in range(100):
            try:
                table.act(seats.gm, LARGE, f"large {n}", 1, dice=dice)
            except Illegal as refusal:
                assert "60,000 bytes" in refusal.sentence
                return n
            if reopen:
                table = StoredTable(store, table.id, repository.quota)
    raise AssertionError("never full")


def test_a_table_is_full_at_the_same_entry_whether_it_stays_open_or_not(tmp_path: Path) -> None:
    """Large entries are packed on the disk, and count as much as they take there, also before they are there."""
    n = entries_until_full(tmp_path / "open.db", reopen=False)
    assert n == entries_until_full(tmp_path / "again.db", reopen=True) > 1


def test_what_another_program_stored_counts_as_much_as_ones_own(seats: Seats, repository: Repository) -> None:
    own, other = seats.stored_table, StoredTable(repository.store, seats.stored_table.id)
    roll = a.RollAction(inputs={"d6": 900}, answers=["settle"])
    own.act(seats.gm, roll, "large", 1)
    other.refresh()
    assert own._bytes == other._bytes == repository.store.size(own.id) < len(encode_entry(own.history()[-1]))
