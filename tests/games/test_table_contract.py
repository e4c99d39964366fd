"""The contract that every registered game keeps at a table. A fifth game is tested by existing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal import all_games
from astragal.rule.game import Game, Kind
from astragal.rule.input import Numbers, Whole
from astragal.rule.sheet import Section, read_sheet
from astragal.rule.table_rules import Offer, TableRules, table_rules_of
from astragal.table import action as a
from astragal.table.decide.sheets import templates_of
from astragal.table.rolls.ask import offers_of
from astragal.table.state import Roll
from tests.fifth_game import install
from tests.table.tables import Party

ROOT = Path(__file__).parents[2]
BUILT_IN = ("narraject", "tgimh", "chronicles", "razorweave")
HOLDERS = ("character", "player", "table", "scene")
every_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


def sections(game: Game) -> Iterator[tuple[str, Section]]:
    table_rules: TableRules = table_rules_of(game.table_rules)
    return ((kind, section) for kind in HOLDERS for section in table_rules.sections(kind))


@every_game
def test_every_section_is_named_once_and_explains_itself(game: Game) -> None:
    named = [(kind, section.name) for kind, section in sections(game)]
    assert len(set(named)) == len(named)
    for _, section in sections(game):
        assert section.name.isidentifier()
        assert section.title
        assert section.fields
        for input in section.fields.values():
            assert input.help
            assert not input.help.endswith(".")


@every_game
def test_what_a_section_counts_is_a_field_with_bounds(game: Game) -> None:
    for _, section in sections(game):
        for field in filter(None, (section.counts, section.top)):
            assert {"min", "max"} <= set(section.field(field).bounds())
        assert section.counts or not section.top
        if section.look == "boxes":
            assert isinstance(section.fields[section.counts], Numbers)
        if section.top:
            assert isinstance(section.fields[section.top], Whole)


@every_game
def test_what_is_always_there_starts_with_a_value_in_every_field(game: Game) -> None:
    for _, section in sections(game):
        for name in section.names:
            assert section.read({}, name) == section.start()
    for kind in HOLDERS:
        assert read_sheet(table_rules_of(game.table_rules).sections(kind), {}) is not None


@every_game
def test_the_table_has_clocks(game: Game) -> None:
    assert any(section.look == "clock" for section in table_rules_of(game.table_rules).table)


@every_game
def test_rules_that_are_named_are_rules_that_there_are(game: Game) -> None:
    table_rules = table_rules_of(game.table_rules)
    named = [section.rule for _, section in sections(game)]
    named += [input.rule for _, section in sections(game) for input in section.fields.values()]
    named += [input.rule for input in table_rules.options.inputs.values()]
    named += [move.rule for move in table_rules.moves]
    named += [input.rule for move in table_rules.moves for input in move.ask.inputs.values()]
    assert {*filter(None, named)} <= set(game.rules)


@every_game
def test_settings_and_moves_explain_themselves(game: Game) -> None:
    table_rules = table_rules_of(game.table_rules)
    assert table_rules.options().values() is not None
    assert len({move.name for move in table_rules.moves}) == len(table_rules.moves)
    for move in table_rules.moves:
        assert move.name.isidentifier()
        assert move.title[0].isupper()
        assert not move.title.endswith(".")
        assert all(input.help for input in move.ask.inputs.values())


@every_game
def test_ready_made_characters_can_be_read(game: Game) -> None:
    templates = templates_of(game.name)
    assert len(templates) >= 2 or game.name not in BUILT_IN
    for character in templates.values():
        sheet = read_sheet(table_rules_of(game.table_rules).character, character["sheet"])
        assert read_sheet(table_rules_of(game.table_rules).character, sheet) == sheet


@every_game
def test_offers_name_inputs_that_there_are_and_places_that_pay(game: Game) -> None:
    party = Party(game.name)
    for kind in game.kinds.values():
        offered = list(offers(party, kind))
        assert len({offer.id for offer in offered}) == len(offered)
        for offer in offered:
            assert {offer.input, *(name for name, _ in offer.also)} <= set(kind.ask.inputs)
            assert offer.by in party.state.world.holders
            assert offer.label
            assert not offer.rule or offer.rule in game.rules
            for price in offer.changes:
                assert price.item in party.state.world.holders[price.holder].sheet[price.section]


def offers(party: Party, kind: Kind) -> Iterator[Offer]:
    """What two ready-made characters, against each other and with each other's help, may put into a roll."""
    wren, kit = party.holder("Wren").id, party.holder("Kit").id
    for against, helpers in ((kit, ()), ("", (kit,))):
        roll = Roll("r", kind.name, party.ids["Jonas"], wren, against, helpers)
        found = offers_of(party.state, roll)
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
