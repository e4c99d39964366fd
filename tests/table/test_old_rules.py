"""Rules change while tables go on: finished rolls stay as they were, and open ones that no longer fit can be withdrawn.

Each change is made after the rolls were rolled, at a wild table of each game with hidden, finished and open rolls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from astragal.errors import Refusal
from astragal.games.registry import game, names
from astragal.rule.game import Kind
from astragal.table import action as a
from astragal.table.entry import Entry, decode_entry, encode_entry
from astragal.table.log.export import export_lines
from astragal.table.log.lines import shown
from astragal.table.log.luck import luck_of
from astragal.table.log.story import story
from astragal.table.rolls.chances import advice, chances
from astragal.table.state import Member, State, decode_state, encode_state
from astragal.table.table import Table, folded
from astragal.table.view.build import view
from tests.table.changed_rules import (
    CHANGES,
    Patch,
    check_anew,
    drop_every_kind,
    drop_inputs,
    rename_choices,
    rename_options,
    retitle_and_reword,
    throw_another_die,
)
from tests.table.exports import read_export
from tests.table.tables import Party
from tests.table.wild import Wild

every_game = pytest.mark.parametrize("name", names())


@pytest.fixture(autouse=True)
def kinds_stay_in_order() -> Iterator[None]:
    """A kind that was taken out comes back last, and the first one is the main one."""
    before = {name: dict(game(name).kinds) for name in names()}
    yield
    for name, kinds in before.items():
        now: dict[str, Kind] = game(name).kinds  # type: ignore[assignment]
        now.clear()
        now.update(kinds)


every_change = pytest.mark.parametrize("change", CHANGES)


# What a table shows.


class Shown(NamedTuple):
    """What a seat sees of the finished rolls, and all that it is told."""

    rolls: dict[str, Any]
    log: list[Any]
    story: str


STILL_TO_COME = ("open", "waits_for", "waits_name", "yours")
"""Of a finished roll that leaves a choice open until the roller's next one: the choice, and whose it is."""


def seats_of(state: State) -> Iterator[Member | None]:
    yield from (*state.members.values(), None)


def shown_to(member: Member | None, state: State, entries: list[Entry]) -> Shown:
    finished = {f"rolls/{id}": roll for id, roll in state.world.rolls.items() if roll.over}
    seen = {path: part for path, part in as_json(view(state, member)).items() if path in finished}
    for path, roll in finished.items():
        if roll.after == "open" and path in seen:
            # What may still be said about it is to come, so it goes by today's rules.
            seen[path] = {name: value for name, value in seen[path].items() if name not in STILL_TO_COME}
    log = [told for entry in entries if (told := shown(entry, state, member))]
    return seen, as_json(log), "\n".join(story(entries, state, member))  # type: ignore[return-value]


def shown_to_all(state: State, entries: list[Entry]) -> list[Shown]:
    return [shown_to(member, state, entries) for member in seats_of(state)]


class Played(NamedTuple):
    """A wild table, as it was before the rules changed."""

    table: Table
    entries: list[Entry]
    file: list[bytes]
    seen: list[Shown]

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def gm(self) -> Member:
        return next(member for member in self.state.members.values() if member.role == "gm")


def as_json(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


@cache
def entries_of(name: str) -> list[Entry]:
    """The log of a wild table, with six finished rolls at its end."""
    party = Party(name)
    seats = [*party.ids.values(), party.ids["Mira"]]
    for number in range(600):
        rng = Random(number)
        action = Wild(rng, party.state, [entry.id for entry in party.entries]).action()
        with suppress(Refusal):
            party.do(rng.choice(seats), action)
    for roll in [roll for roll in party.state.world.rolls.values() if roll.reopened]:
        party.do("Mira", a.WithdrawAction(roll=roll.id))
    kind = next(iter(game(name).kinds.values()))
    inputs = {input: BUILT[name][input] for input in kind.ask.inputs if input in BUILT[name]}
    for _ in range(6):
        party.do("Mira", a.RollAction(name="Doom", inputs=inputs))
        finish(party, party.roll.id)
    return party.entries


def wild(name: str) -> Played:
    entries = entries_of(name)
    state = folded(entries)
    table = Table(state, lambda since: entries[since:])
    return Played(table, entries, list(export_lines("t", state, entries)), shown_to_all(state, entries))


@every_change
@every_game
def test_finished_rolls_are_shown_as_they_were(name: str, change: Callable[..., None], monkeypatch: Patch) -> None:
    played = wild(name)
    assert sum(roll.over for roll in played.state.world.rolls.values()) >= 5
    snapshot = encode_state(played.state)
    change(monkeypatch, game(name))
    assert shown_to_all(played.state, played.entries) == played.seen
    assert shown_to_all(decode_state(snapshot), played.entries) == played.seen
    log = [decode_entry(encode_entry(entry)) for entry in played.entries]
    assert shown_to_all(folded(log), log) == played.seen
    imported = read_export(played.file)
    assert shown_to_all(imported.state, imported.entries) == played.seen
    assert list(export_lines("t", imported.state, imported.entries)) == played.file


@every_change
@every_game
def test_a_live_table_goes_on(name: str, change: Callable[..., None], monkeypatch: Patch) -> None:
    """Things are done, undone and done again after the change, and finished rolls stay as they were."""
    played = wild(name)
    change(monkeypatch, game(name))
    table = played.table
    actions: list[a.Action] = [a.NoteAction(text="On we go."), a.UndoAction(), a.RedoAction()]
    for turn, action in enumerate(actions):
        table.apply(table.decide(played.gm.id, action, f"turn {turn}", 1))
    told = [decode_entry(encode_entry(entry)) for entry in table.history()]
    assert [rolls for rolls, _, _ in shown_to_all(table.state, told)] == [rolls for rolls, _, _ in played.seen]


@every_change
@every_game
def test_hidden_rolls_are_revealed_as_they_were(name: str, change: Callable[..., None], monkeypatch: Patch) -> None:
    party = Party(name)
    kind = next(iter(game(name).kinds.values()))
    inputs = {input: BUILT[name][input] for input in kind.ask.inputs if input in BUILT[name]}
    for seen in ("gm", "blind", "all"):
        hide = [next(iter(inputs))] if seen == "all" else []
        party.do("Mira", a.RollAction(who="Wren", inputs=inputs, seen=seen, hide=hide))
    finish(party)
    before = party.see("Mira")
    change(monkeypatch, game(name))
    over = [id for id, roll in party.state.world.rolls.items() if roll.over]
    assert over
    for id in over:
        party.do("Mira", a.RevealAction(roll=id))
        for key in ("dice", "headline", "ask", "verdict", "result", "title"):
            assert party.see("Olaf")[f"rolls/{id}"][key] == before[f"rolls/{id}"][key]
        assert party.lines("Olaf")[0] == f"Revealed: {before[f'rolls/{id}']['headline']}."
        assert any(before[f"rolls/{id}"]["verdict"] in line for line in party.lines("Olaf"))


BUILT: dict[str, dict[str, Any]] = {
    "narraject": {"d6": 3, "difficulty": 2},
    "tgimh": {"ours": 4, "theirs": 3},
    "chronicles": {"pool": 5},
    "razorweave": {"dc": 18, "modifier": 2},
}
"""Inputs of each game's first kind of roll."""


def finish(party: Party, *rolls: str) -> None:
    """Answer what is open in these rolls, or in all, with the first option that takes no words, until nothing is."""
    for id in rolls or list(party.state.world.rolls):
        while not (roll := party.see("Mira")[f"rolls/{id}"])["over"]:
            if roll["waits"] == "dice":
                party.do("Mira", a.ThrowAction(roll=id))
            else:
                option = next(option for option in roll["open"]["options"] if not option["needs_words"])
                party.do("Mira", a.AnswerAction(roll=id, answer=option["name"]))


# Open rolls.


def opened(name: str) -> Party:
    """A table with a roll that is being built and, where a game has such, rolls that wait for dice or an answer."""
    party = Party(name)
    kinds = game(name).kinds
    for kind, inputs in OPEN[name]:
        assert kind in kinds
        party.do("Jonas", a.OpenAction(kind=kind, who="Wren", inputs=inputs))
        party.do("Jonas", a.OpenAction(kind=kind, who="Wren", inputs=inputs))
        party.do("Jonas", a.ThrowAction())
    return party


OPEN: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "narraject": [("attempt", {"d6": 5, "difficulty": 9})],
    "tgimh": [("contest", {"ours": 9, "theirs": 2})],
    "chronicles": [("contested", {"ours": 4, "theirs": 3}), ("extended", {"pool": 4, "target": 40})],
    "razorweave": [("check", {"dc": 18, "intent": "x"}), ("race", {"dc": 18})],
}


@every_change
@every_game
def test_open_rolls_that_no_longer_fit_say_so_and_can_be_withdrawn(
    name: str, change: Callable[..., None], monkeypatch: Patch
) -> None:
    party = opened(name)
    dice = {path: part.get("dice") for path, part in party.see("Olaf").items() if path.startswith("rolls/")}
    change(monkeypatch, game(name))
    open_rolls = [id for id, roll in party.state.world.rolls.items() if not roll.over]
    assert open_rolls
    for id in open_rolls:
        for seat in ("Mira", "Jonas", "Ada", "Olaf", "nobody"):
            part = party.see(seat)[f"rolls/{id}"]
            assert part.get("dice") == dice[f"rolls/{id}"]
            assert part["title"]
        if part["thrown"] and not part["waits"]:
            assert part["missing"].startswith("This roll does not fit the rules any more; withdraw or undo it")
            for action in (a.ThrowAction(roll=id), a.AnswerAction(roll=id, answer="settle")):
                with pytest.raises(Refusal, match="does not fit the rules any more"):
                    party.do("Jonas", action)
            with pytest.raises(Refusal, match="not yours"):
                party.do("Ada", a.WithdrawAction(roll=id))
        elif part["thrown"]:
            continue
        party.do("Mira", a.WithdrawAction(roll=id))
        assert f"rolls/{id}" not in party.see("Mira")
        party.do("Mira", a.UndoAction())
        assert party.see("nobody")[f"rolls/{id}"] == part
        party.do("Mira", a.RedoAction())
    still_open = [id for id, roll in party.state.world.rolls.items() if not roll.over]
    assert change in MILD or not still_open


MILD = (drop_inputs, rename_options, rename_choices, throw_another_die, retitle_and_reword)
"""Changes with which some open rolls of some games can go on."""


@every_change
@every_game
def test_the_throw_of_an_open_roll_can_be_undone(name: str, change: Callable[..., None], monkeypatch: Patch) -> None:
    party = opened(name)
    thrown = [entry for entry in party.entries if entry.do == "throw"]
    change(monkeypatch, game(name))
    for entry in reversed(thrown):
        party.do("Mira", a.UndoAction(entry=entry.id))
    assert not any(part["thrown"] for path, part in party.see("nobody").items() if path.startswith("rolls/"))


def test_dice_that_fit_are_not_withdrawn() -> None:
    party = opened("narraject")
    with pytest.raises(Refusal, match="The dice of this roll are thrown"):
        party.do("Mira", a.WithdrawAction(roll=party.roll.id))


def test_a_hidden_input_does_not_tell_a_player_that_it_no_longer_fits(monkeypatch: Patch) -> None:
    """Whether a hidden DC is still allowed would tell something of it."""
    party = Party("narraject")
    party.do("Mira", a.OpenAction(who="Wren", inputs={"d6": 2, "difficulty": 14}, hide=["difficulty"]))
    id = party.roll.id
    party.do("Jonas", a.ThrowAction(faces="6 1 | 3"))
    before = party.see("Jonas")[f"rolls/{id}"]
    ask = game("narraject").kind("attempt").ask
    monkeypatch.setattr(ask.inputs["difficulty"], "highest", 10)
    check_anew(monkeypatch, ask, ask.inputs)
    assert party.see("Jonas")[f"rolls/{id}"] == before
    assert "difficulty" in party.see("Mira")[f"rolls/{id}"]["missing"]
    with pytest.raises(Refusal, match="The dice of this roll are thrown"):
        party.do("Jonas", a.WithdrawAction(roll=id))
    party.do("Mira", a.WithdrawAction(roll=id))


# What else looks at rolls.


@every_change
@every_game
def test_odds_advice_and_luck_answer_or_refuse(name: str, change: Callable[..., None], monkeypatch: Patch) -> None:
    played = wild(name)
    party = opened(name)
    change(monkeypatch, game(name))
    for state, entries in ((played.state, played.entries), (party.state, party.entries)):
        for member in state.members.values():
            luck_of(entries, state, member)
            for roll in state.world.rolls.values():
                for ask in (chances, advice):
                    try:
                        ask(state, roll, member, up_to=5)
                    except Refusal as refusal:
                        assert refusal.sentence


@every_game
def test_luck_leaves_out_what_the_rules_read_otherwise_and_says_how_many(name: str, monkeypatch: Patch) -> None:
    played = wild(name)
    whole = luck_of(played.entries, played.state, played.gm)
    assert (whole.left_out, bool(whole.luck)) == (0, True)
    with monkeypatch.context() as patch:
        throw_another_die(patch, game(name))
        changed = luck_of(played.entries, played.state, played.gm)
        assert changed.left_out > 0
    with monkeypatch.context() as patch:
        drop_every_kind(patch, game(name))
        assert luck_of(played.entries, played.state, played.gm)[:2] == ([], changed.left_out)
    assert luck_of(played.entries, played.state, played.gm) == whole
