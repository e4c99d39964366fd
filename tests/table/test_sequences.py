"""Wild sequences of actions at tables of every game: what always holds, whatever people do."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, get_args

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.games.registry import names
from astragal.rule.inputs.input import Numbers, Whole
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import may_see, seat_version
from astragal.table.decide.ledger import GAME_ERROR
from astragal.table.entry import Entry, decode_entry, encode_entry
from astragal.table.log.lines import shown
from astragal.table.log.luck import luck_of
from astragal.table.log.story import story
from astragal.table.rolls.chances import advice, chances
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, State, decode_state, encode_state
from astragal.table.table import Table, folded
from astragal.table.view.build import view, views_at
from astragal.table.view.touched import touched
from tests.share import record, share
from tests.table.tables import SeededTickets, seeded_dice, started
from tests.table.wild import Wild

GAMES = names()
DONE: Counter[str] = Counter()
LONGEST = 30


SERVERS_OWN = (a.FoundAction, a.AnnounceAction)
"""Actions that nobody does who sits at the table."""


class Run:
    """A table at which wild actions are done; everything is checked after each."""

    def __init__(self, game: str) -> None:
        state, entries, ids = started(game)
        self.entries = list(entries)
        self.states = [state]
        self.table = Table(state, lambda since: self.entries[since : len(entries)])
        self.actors = [*ids.values(), ids["Mira"], ids["Mira"], ids["Jonas"], ids["Ada"], "nobody"]
        self.views = {seat: view(state, self.member(seat)) for seat in (*ids.values(), "")}

    @property
    def state(self) -> State:
        return self.table.state

    def member(self, id: str) -> Member | None:
        return self.table.state.members.get(id)

    def step(self, number: int) -> None:
        rng = Random(number)
        by = rng.choice(self.actors)
        action = Wild(rng, self.state, [entry.id for entry in self.entries]).action()
        self.act(by, action, f"{len(self.entries)} {number}")

    def decide(self, by: str, action: a.Action, key: str, seed: str) -> Entry | Refusal:
        try:
            return self.table.decide(by, action, key, 1, tickets=SeededTickets(seeded_dice(seed)))
        except Refusal as refusal:
            return refusal

    def act(self, by: str, action: a.Action, key: str) -> bool:
        before = encode_state(self.state)
        if isinstance(action, (a.RollAction, a.ThrowAction, a.AnswerAction)) and not action.faces:
            # Whether something is refused never depends on the dice, or one could go on trying for better ones.
            asked = {outcome_of(self.decide(by, action, key, f"{key} {n}")) for n in range(4)}
            assert len(asked) == 1, asked
        entry = self.decide(by, action, key, key)
        if isinstance(entry, Refusal):
            assert str(entry)
            assert GAME_ERROR not in str(entry)
            assert encode_state(self.state) == before
            DONE["refused"] += 1
            return False
        before_state = self.state
        self.table.apply(entry)
        self.entries.append(entry)
        self.states.append(self.state)
        DONE["entries"] += 1
        assert not [event for event in entry.events if isinstance(event, e.Noted) and GAME_ERROR in event.text]
        assert_told_as_it_was(before_state, self.state, entry)
        assert_entry_is_kept_as_it_was(entry)
        assert_within_bounds(self.state)
        self.assert_seen(entry)
        return True

    def assert_seen(self, entry: Entry) -> None:
        """A seat that may learn nothing of an entry sees no difference; the others see what it touched."""
        before = self.states[-2]
        for seat, seen in self.views.items():
            member = self.member(seat)
            now = view(self.state, member)
            if not any(may_see(member, event.audience) for event in entry.events):
                assert now == seen, f"{entry.do} is hidden and shows"
                assert seat_version(self.state, member) == seat_version(before, member)
                assert shown(entry, self.state, member) is None
            else:
                paths = touched(self.state, entry, member)
                after = now if paths is None else {**seen, **views_at(self.state, member, paths)}
                assert {path: part for path, part in after.items() if part is not None} == now
                assert shown(entry, self.state, member) is not None
            self.views[seat] = now


def outcome_of(entry: Entry | Refusal) -> str:
    return str(entry) if isinstance(entry, Refusal) else "done"


def assert_entry_is_kept_as_it_was(entry: Entry) -> None:
    body = encode_entry(entry)
    read = decode_entry(body)
    assert encode_entry(read) == body
    assert decode_entry(encode_entry(read)) == read


def assert_told_as_it_was(before: State, after: State, entry: Entry) -> None:
    """What an entry says of each count is by how much it moved, and nothing is said of what did not move."""
    told: Counter[tuple[str, str, str, str]] = Counter()
    put: set[tuple[str, str, str]] = set()
    for event in entry.events:
        if isinstance(event, e.Changed) and event.by is not None:
            assert event.by != 0
            told[event.holder, event.section, event.item, event.field] += event.by
        elif isinstance(event, e.Changed):
            put.add((event.holder, event.section, event.item))
    for (holder, section, item, field), by in told.items():
        was, now = (count_of(state, holder, section, item, field) for state in (before, after))
        if {(holder, section, item), (holder, section, "")}.isdisjoint(put) and was is not None and now is not None:
            assert now - was == by, (entry.do, section, item)


def count_of(state: State, holder: str, section: str, item: str, field: str) -> int | None:
    kept = state.world.holders.get(holder)
    value = kept.sheet.get(section, {}).get(item, {}).get(field) if kept else None
    return value if type(value) is int else None


def assert_within_bounds(state: State) -> None:
    """No count is below its lowest or above its highest, whatever was undone."""
    ruleset = ruleset_of(state.game)
    for kept in state.world.holders.values():
        for name, items in kept.sheet.items():
            section = ruleset.sections[kept.kind, name]
            for item in items.values():
                for field, input in section.fields.items():
                    if isinstance(input, Numbers):
                        top = item[section.top] if section.top and field == section.counts else input.highest
                        assert all(input.lowest <= box <= min(top, input.highest) for box in item[field])
                    elif isinstance(input, Whole) and item[field] is not None:
                        low, high = section.bounds(item, field, state.options)
                        assert low <= item[field] <= high, (kept.kind, name, item, field)


def plain(value: Any) -> bytes:
    return msgspec.json.encode(value, order="deterministic")


@given(st.sampled_from(GAMES), st.lists(st.integers(0, 2**40), min_size=8, max_size=LONGEST), st.integers(0, 2**40))
@settings(
    max_examples=share(10_000, 100),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_whatever_people_do_the_table_holds(game: str, numbers: list[int], last: int) -> None:
    run = Run(game)
    for number in numbers:
        run.step(number)
    DONE["sequences"] += 1
    rng = Random(last)
    assert_log_makes_the_state(run, rng)
    assert_undo_and_redo_leave_the_world(run, rng)
    assert_everything_can_be_told(run)


def assert_log_makes_the_state(run: Run, rng: Random) -> None:
    """The whole log, and a snapshot with the rest of the log, give the live state byte for byte."""
    live = encode_state(run.state)
    log = [decode_entry(encode_entry(entry)) for entry in run.entries]
    assert encode_state(folded(log)) == live
    snapshot = decode_state(encode_state(rng.choice(run.states)))
    table = Table(snapshot, lambda since: log[since : snapshot.version])
    for entry in log[snapshot.version :]:
        table.apply(entry)
    assert encode_state(table.state) == live


def assert_undo_and_redo_leave_the_world(run: Run, rng: Random) -> None:
    gm = run.entries[0].by
    before = world_of(run)
    target = rng.choice(run.entries).id if rng.random() < 0.7 else ""
    if run.act(gm, a.UndoAction(entry=target), "undo"):
        DONE["undone"] += 1
        assert run.act(gm, a.RedoAction(), "redo")
        assert world_of(run) == before


def world_of(run: Run) -> bytes:
    """The world, but for who is ready: both sides of a roll gather again when it is back (T-8)."""
    world = run.state.world
    rolls = {id: replace(roll, ready=(), gathers_since=0) for id, roll in world.rolls.items()}
    return encode_state(State(world=replace(world, rolls=rolls)))


def assert_everything_can_be_told(run: Run) -> None:
    """Every seat can read the log, the story, everybody's luck and the chances of what is open."""
    for seat in run.views:
        member = run.member(seat)
        assert "".join(story(run.entries, run.state, member))
        report = luck_of(run.entries, run.state, member)
        assert report.left_out == 0
        for luck in report.luck:
            assert 0 <= luck.percentile <= 1
        for roll in run.state.world.rolls.values():
            if member is None or roll.over:
                continue
            try:
                chances(run.state, roll, member, up_to=5)
                advice(run.state, roll, member, up_to=5)
            except Refusal:
                DONE["no chances"] += 1


def test_people_do_all_that_there_is_to_do_and_say_all_that_can_be_said_with_it() -> None:
    """Every kind of action and every field of it is made up; a new one has to come into ``Wild``."""
    said: set[tuple[type, str]] = set()
    run = Run("razorweave")
    for number in range(4_000):
        action = Wild(Random(number), run.state, [entry.id for entry in run.entries]).action()
        fields = zip(msgspec.structs.fields(action), msgspec.structs.astuple(action), strict=True)
        said |= {(type(action), field.name) for field, value in fields if value != field.default or field.required}
        if number < 300:
            run.act(run.entries[0].by, action, f"{number}")
    every = {(kind, field.name) for kind in get_args(a.Action) for field in msgspec.structs.fields(kind)}
    assert {(kind.__name__, name) for kind, name in every - said if kind not in SERVERS_OWN} == set()


def test_the_sequences_did_something() -> None:
    assert DONE["entries"] > 2 * DONE["sequences"]
    assert DONE["undone"] > DONE["sequences"] / 4
    record(
        "wild sequences of actions, over all games",
        f"{DONE['sequences']:,} with {DONE['entries']:,} entries and {DONE['refused']:,} refusals: replayed, "
        "seen, undone and redone without a difference",
    )
