"""Folding is total: whatever is struck, no event fails and no bound is broken."""

from __future__ import annotations

from itertools import combinations

import pytest

from astragal.games.registry import names
from astragal.table import action as a
from astragal.table import event as e
from astragal.table import table as tables
from astragal.table.entry import Entry, weight_of
from astragal.table.fold import FINISHED_DICE, FINISHED_ROLLS, fold, fold_about, fold_world
from astragal.table.log.sample import play_sample
from astragal.table.state import FORMAT, State, decode_state, encode_state
from astragal.table.table import CHECKPOINT, TAIL, Table, folded
from tests.table.tables import Party
from tests.table.test_sequences import assert_within_bounds

every_game = pytest.mark.parametrize("game", names())


@every_game
def test_any_entry_of_a_campaign_can_be_missing(game: str) -> None:
    _, entries = play_sample(game, 1)
    for missing in entries[1:]:
        state = State()
        for entry in entries:
            state = fold_about(fold_world(state, entry, {missing.id: 1}), entry)
        assert_within_bounds(state)


@every_game
def test_entries_can_come_in_any_order_after_the_first(game: str) -> None:
    _, (first, *entries) = play_sample(game, 1)
    assert_within_bounds(fold(State(), [first, *reversed(entries)]))
    assert_within_bounds(fold(State(), [first, *entries[1::2], *entries[::2]]))


@every_game
def test_folding_one_by_one_is_folding_all(game: str) -> None:
    table, entries = play_sample(game, 1)
    assert encode_state(fold(State(), entries)) == encode_state(table.state) == encode_state(folded(entries))


def test_a_state_is_read_back_as_it_was() -> None:
    state = Party().state
    assert encode_state(decode_state(encode_state(state))) == encode_state(state)
    assert decode_state(encode_state(state)) == state
    with pytest.raises(ValueError, match="a snapshot of format 0"):
        decode_state(encode_state(state).replace(b'"format":%d,' % FORMAT, b""))
    with pytest.raises(ValueError, match=f"a snapshot of format {FORMAT + 1}"):
        decode_state(encode_state(state).replace(b'"format":%d,' % FORMAT, b'"format":%d,' % (FORMAT + 1)))


def put(item: str, **fields: object) -> a.EditAction:
    return a.EditAction(holder="Wren", section="stats", item=item, to=fields)


def might(by: int, field: str = "") -> a.ChangeAction:
    return a.ChangeAction(holder="Wren", section="stats", item="Luck", by=by, field=field)


def test_a_count_stays_under_its_top_whatever_is_struck() -> None:
    party = Party()
    done = [
        party.do("Jonas", action).id
        for action in (put("Luck", now=2, full=3), might(1, "full"), might(2), put("Luck", full=9), might(5), might(-4))
    ]
    for n in range(len(done)):
        for struck in combinations(done, n):
            state = State()
            for entry in party.entries:
                state = fold_entry_without(state, entry, struck)
            assert_within_bounds(state)


def fold_entry_without(state: State, entry: Entry, struck: tuple[str, ...]) -> State:
    return fold_about(fold_world(state, entry, dict.fromkeys(struck, 1)), entry)


def test_a_top_that_is_lowered_takes_its_count_along() -> None:
    party = Party()
    party.do("Jonas", put("Luck", now=5, full=5))
    party.do("Jonas", might(-3, "full"))
    assert party.item("Wren", "stats", "Luck") == {"now": 2, "full": 2}
    party.do("Jonas", put("Luck", full=1))
    assert party.item("Wren", "stats", "Luck") == {"now": 1, "full": 1}


def test_a_change_that_changes_nothing_leaves_the_state_as_it_is() -> None:
    party = Party()
    party.do("Jonas", put("Luck", now=5, full=5))
    more = e.Changed(holder=party.holder("Wren").id, section="stats", item="Luck", field="now", by=3)
    assert fold_world(party.state, Entry(0, "", "", "", 0, "", [more])) is party.state


@pytest.mark.parametrize(
    "event",
    [
        e.Changed(holder="nobody", section="stats", item="x", field="now", by=1),
        e.Changed(holder="table", section="nothing", item="x", field="now", by=1),
        e.Changed(holder="table", section="clocks", item="x", field="filled", by=1),
        e.Held(holder="nobody", name="x", owner="", seen="all"),
        e.Retired(holder="nobody"),
        e.Built(roll="none", inputs={"d6": 1}),
        e.Asked(roll="none", ask={}),
        e.Thrown(roll="none", faces=()),
        e.Answered(roll="none", choice="spend", answer="settle"),
        e.Told(roll="none", headline="", verdict=""),
        e.Described(roll="none", by="x", text="x"),
        e.Revealed(roll="none"),
        e.Withdrawn(roll="none"),
        e.SceneClosed(),
        e.Noted(text="x"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_about_what_is_not_there_does_nothing(event: e.Event) -> None:
    state = Party().state
    after = fold_world(state, Entry(0, "", "", "", 0, "", [event]))
    assert encode_state(after) == encode_state(state)


def test_finished_rolls_are_cleared_away_and_open_ones_stay() -> None:
    party = Party()
    kept = party.do("Jonas", a.OpenAction(inputs={"d6": 1}))
    for _ in range(FINISHED_ROLLS + 5):
        party.do("Mira", a.RollAction(inputs={"d6": 1}, answers=["settle"], seen="gm"))
    party.do("Jonas", a.NoteAction(text="Still there."))
    rolls = party.state.world.rolls
    assert f"r{kept.id}" in rolls
    assert FINISHED_ROLLS < len(rolls) <= FINISHED_ROLLS + 2


def test_hidden_rolls_clear_nothing_away_that_others_see() -> None:
    party = Party()
    seen = party.do("Jonas", a.RollAction(inputs={"d6": 1}, answers=["settle"]))
    for _ in range(FINISHED_ROLLS + 5):
        party.do("Mira", a.RollAction(inputs={"d6": 1}, answers=["settle"], seen="gm"))
    assert f"rolls/r{seen.id}" in party.see("Olaf")


def test_a_long_table_goes_back_without_its_whole_log() -> None:
    """Going back folds from a checkpoint, so it asks the store for nothing that memory still has."""
    party = Party()
    for n in range(2 * CHECKPOINT):
        party.do("Mira", a.NoteAction(text=f"{n}"))
    asked: list[int] = []
    table = Table(party.state, lambda since: asked.append(since) or party.entries[since:])  # type: ignore[func-returns-value]
    for n in range(3):
        table.apply(table.decide(party.ids["Mira"], a.NoteAction(text="Later."), f"later {n}", 1))
    entry = table.decide(party.ids["Mira"], a.UndoAction(), "undo", 1)
    asked.clear()
    table.apply(entry)
    assert asked == []
    assert len(table.state.struck) == 1


def test_what_is_forgotten_can_be_read_again() -> None:
    party = Party()
    stored = list(party.entries)
    table = Table(party.state, lambda since: stored[since:])
    for n in range(TAIL + 10):
        entry = table.decide(party.ids["Mira"], a.NoteAction(text=f"{n}"), f"n{n}", 1)
        table.apply(entry)
        stored.append(entry)
    table.forget(len(stored))
    assert list(table.history()) == stored
    assert list(table.history(len(stored) - 5)) == stored[-5:]


BOMB = {"pool": 1000, "again": "8", "rote": True}


def dice_in(party: Party) -> int:
    return sum(len(thrown.dice) for roll in party.state.world.rolls.values() for thrown in roll.throws)


def test_rolls_of_very_many_dice_make_room_sooner_and_the_latest_stays() -> None:
    party = Party("chronicles")
    small = party.do("Jonas", a.RollAction(inputs={"pool": 2}, faces="8 8"))
    for _ in range(5):
        party.do("Jonas", a.RollAction(inputs=BOMB))
    latest = party.do("Jonas", a.RollAction(inputs=BOMB))
    assert f"rolls/r{small.id}" not in party.see("Olaf") and f"rolls/r{latest.id}" in party.see("Olaf")
    assert 2000 < dice_in(party) < 2 * FINISHED_DICE


def test_dice_that_not_everybody_may_count_make_no_room() -> None:
    """Else those who may not would learn by what is gone that there were many."""
    party = Party("chronicles")
    seen = party.do("Jonas", a.RollAction(inputs={"pool": 2}, faces="8 8"))
    blind = [party.do("Jonas", a.RollAction(inputs=BOMB, seen="blind")) for _ in range(5)]
    assert f"rolls/r{seen.id}" in party.see("Olaf")
    assert all(f"rolls/r{each.id}" in party.see("Jonas") for each in blind), "who rolled blind may not count them"


def test_large_entries_are_forgotten_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    party = Party("chronicles")
    for n in range(6):
        party.do("Jonas", a.RollAction(inputs=BOMB) if n % 2 else a.NoteAction(text=f"{n}"))
    table = party.table
    table._stored = lambda since: party.entries[since:]
    table.forget(len(party.entries))
    assert len(table._tail) == len(party.entries), "there are few of them"
    monkeypatch.setattr(tables, "TAIL_WEIGHT", 200_000)
    table.forget(len(party.entries) - 3)
    assert len(table._tail) == 3, "what is not stored stays, however large"
    table.forget(len(party.entries))
    assert 0 < len(table._tail) < 3
    assert list(table.history()) == party.entries


def test_forgetting_after_every_entry_costs_the_same_however_long_the_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    weighed = []
    monkeypatch.setattr(tables, "weight_of", lambda entry: weighed.append(entry) or weight_of(entry))  # type: ignore[func-returns-value]
    monkeypatch.setattr(tables, "TAIL", 64)
    party = Party()
    for n in range(500):
        party.do("Jonas", a.NoteAction(text=f"{n}"))
        party.table.forget(len(party.entries))
    assert len(party.table._tail) <= 64
    assert len(weighed) < 4 * len(party.entries)


def test_old_states_are_remembered_with_larger_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "CHECKPOINT", 4)
    monkeypatch.setattr(tables, "CHECKPOINTS", 8)
    party = Party()
    for n in range(200):
        party.do("Jonas", a.NoteAction(text=f"{n}"))
    versions = [state.version for state in party.table._checkpoints]
    assert len(versions) <= 8 and versions[-1] > 196
    party.do("Jonas", a.UndoAction(entry=party.entries[20].id))
    assert encode_state(party.state) == encode_state(folded(party.entries))
