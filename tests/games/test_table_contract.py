"""The contract that every registered game keeps at a table. A fifth game is tested by existing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest

from astragal import all_games
from astragal.errors import Illegal, Refusal, Unknown
from astragal.explain.example import examples_of, play_example
from astragal.rule.game import Game, Kind
from astragal.rule.sheets.sheet import Section, read_sheet
from astragal.rule.sheets.table_rules import Change, Move, Offer, TableRules, table_rules_of
from astragal.rule.tree.note import Note
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.decide.ledger import GAME_ERROR, Ledger
from astragal.table.log.sample import play_sample
from astragal.table.rolls.basis import Basis, participants_of
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Roll, State
from astragal.table.table import Table
from tests.fifth_game import install
from tests.table.tables import Party
from tests.table.wild import Wild

ROOT = Path(__file__).parents[2]
BUILT_IN = ("narraject", "tgimh", "chronicles", "razorweave")
HOLDERS = ("character", "player", "table", "scene")
every_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


def sections(game: Game) -> Iterator[tuple[str, Section]]:
    table_rules: TableRules = table_rules_of(game.table_rules)
    return ((kind, section) for kind in HOLDERS for section in table_rules.sections(kind))


@every_game
def test_a_built_in_game_has_ready_made_characters(game: Game) -> None:
    assert len(ruleset_of(game.name).templates) >= 2 or game.name not in BUILT_IN


@every_game
def test_what_is_always_there_starts_with_a_value_in_every_field(game: Game) -> None:
    for _, section in sections(game):
        for name in section.names:
            assert section.read({}, name) == section.start()
    for kind in HOLDERS:
        assert read_sheet(table_rules_of(game.table_rules).sections(kind), {}) is not None


def offers(party: Party, kind: Kind) -> Iterator[Offer]:
    """What two ready-made characters, against each other and with each other's help, may put into a roll."""
    wren, kit = party.holder("Wren").id, party.holder("Kit").id
    for against, helpers in ((kit, ()), ("", (kit,))):
        roll = Roll("r", kind.name, party.ids["Jonas"], wren, against, helpers)
        found = Basis(party.state, roll).offers
        assert all(id == offer.id for id, offer in found.items())
        if not helpers:
            yield from found.values()


@every_game
def test_every_roll_can_be_opened_and_withdrawn_at_a_table(game: Game) -> None:
    party = Party(game.name)
    for kind in game.kinds.values():
        party.do("Jonas", a.OpenAction(kind=kind.name, who="Wren", against="Kit"))
        for name in ("Mira", "Jonas", "Ada", "Olaf", "nobody"):
            assert party.see(name)[f"rolls/{party.roll.id}"]["kind"] == kind.name
        party.do("Jonas", a.WithdrawAction())


BARE = """
from astragal.table import action as a
from tests.table.tables import Party

party = Party("coinflip")
party.do("Jonas", a.EditAction(holder="Wren", section="traits", item="Nimble", to={"dice": 2}))
party.do("Mira", a.SceneAction(title="The inn"))
party.do("Mira", a.EditAction(holder="table", section="clocks", item="Doom", to={"segments": 4}))
party.do("Mira", a.ChangeAction(holder="table", section="clocks", item="Doom", by=4))
party.do("Jonas", a.RollAction(who="Wren", inputs={"coins": 3, "needed": 1}, faces="2 2 1"))
assert party.roll.over, party.see("Olaf")
party.do("Jonas", a.UndoAction())
party.do("Mira", a.AllowAction())
party.do("Jonas", a.RedoAction())
print(len(party.entries), party.lines("Olaf"))
"""


def test_a_game_that_says_nothing_about_a_table_has_one(tmp_path: Path) -> None:
    """The outside game of the docs without its table rules: traits, Clocks, scenes, rolls and undo all the same."""
    name = install(tmp_path)
    module = tmp_path / name / "__init__.py"
    text, line = module.read_text("utf-8"), f'    table_rules="{name}.table",\n'
    assert line in text
    module.write_text(text.replace(line, ""), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", BARE],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# A change to a section, an item or a field that there is not is an error of the game.


def errors_of(state: State, changes: Iterable[Change | Note]) -> list[str]:
    """What a sheet says to changes that it cannot take, each made by itself; a typed name may be on no sheet."""
    found = []
    for change in changes:
        if isinstance(change, Change):
            try:
                Ledger(state).change(change)
            except Unknown as unknown:
                found.append(str(unknown))
    return found


def of_the_game(errors: Iterable[str]) -> list[str]:
    return [error for error in errors if GAME_ERROR in error]


@every_game
def test_what_the_examples_do_is_done_to_something_that_there_is(game: Game) -> None:
    party = Party(game.name)
    wren, kit = party.holder("Wren").id, party.holder("Kit").id
    together = participants_of(party.state, wren, kit, (kit,), their_helpers=(wren,))
    for example in filter(lambda example: not example.refused, examples_of(game)):
        kind, played = game.kind(example.roll), play_example(game, example)
        ask = kind.ask.read(example.given)
        changes = table_rules_of(game.table_rules).apply(kind.name, ask, played.effects, together)
        assert not of_the_game(errors_of(party.state, changes)), example.title


@every_game
def test_what_moves_and_scenes_do_is_done_to_something_that_there_is(game: Game) -> None:
    """On sheets that a sample and many edits have left behind, with any name that stands on them."""
    rules = table_rules_of(game.table_rules)
    if not rules.sample:
        pytest.skip("no sample campaign")
    table, entries = play_sample(game.name, 0)
    assert not of_the_game(event.text for entry in entries for event in entry.events if isinstance(event, e.Noted))
    done: set[str] = set()
    for number in range(3000):
        rng = Random(number)
        wild = Wild(rng, table.state, [])
        if number % 3:
            edit(table, entries[0].by, rng.choice((wild.edit, wild.change))(), number)
            continue
        move = rng.choice(rules.moves)
        try:
            changes = list(made(wild, move))
        except Refusal:
            continue
        assert not errors_of(table.state, changes), (move.name, changes)
        done |= {move.name} if changes else set()
        everybody = tuple(kept for kept in table.state.world.holders.values() if kept.kind == "character")
        for happens in (rules.opens, rules.closes):
            assert not errors_of(table.state, happens(everybody, table.state.options))
    assert done == {move.name for move in rules.moves}


def edit(table: Table, by: str, action: a.Action, number: int) -> None:
    """Change something, if it may be changed."""
    try:
        table.apply(table.decide(by, action, f"edit {number}", number))
    except Refusal:
        return


def made(wild: Wild, move: Move) -> Iterable[Change | Note]:
    """A move with likely inputs: names that stand on the sheets of those concerned, and the rest at random."""
    who, other = wild.holder("character"), wild.holder("character")
    names = [
        name for kept in (who, wild.state.world.holders["table"]) for items in kept.sheet.values() for name in items
    ]
    inputs = wild.inputs(move.ask, chance=1.0)
    words = {name: wild.one(names, "x") for name, input in move.ask.inputs.items() if input.kind == "words"}
    concerned = participants_of(wild.state, who.id, other.id)
    everybody = tuple(kept for kept in wild.state.world.holders.values() if kept.kind == "character")
    return move.does(move.ask.read({**inputs, **words}), concerned._replace(characters=everybody))


@pytest.mark.parametrize(
    "wrong",
    [
        Change("table", "purse", "IP", "now", by=1),
        Change("table", "ip", "Gold", "now", by=1),
        Change("table", "ip", "IP", "hp", by=1),
        Change("table", "clocks", "Doom", to={"segments": 4, "hp": 1}),
    ],
    ids=["section", "item", "field", "field of a new item"],
)
def test_an_error_of_the_game_is_found(wrong: Change) -> None:
    assert of_the_game(errors_of(Party("narraject").state, [wrong]))


@every_game
def test_a_move_is_made_for_a_character_and_for_nothing_else_with_a_sheet(game: Game) -> None:
    party = Party(game.name)
    for move in table_rules_of(game.table_rules).moves:
        for who in ("table", "scene", "Jonas"):
            with pytest.raises(Illegal, match="is no character"):
                party.do("Mira", a.MoveAction(name=move.name, who=who))
