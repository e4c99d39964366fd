"""Moves with inputs, and changes whose items are named at the table: lists, tracks, what was put into a roll."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal import Typed, odds, play
from astragal.check import mistakes_of
from astragal.games.folder import VARIABLE
from astragal.games.registry import game
from astragal.rule.game import Game
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Node
from tests.examples.model import CliTable
from tests.referee import tally


@pytest.fixture
def errands(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setenv(VARIABLE, str(Path(__file__).parent))
    return game("errands")


@pytest.fixture
def table(errands: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> CliTable:
    found = CliTable(tmp_path, capsys)
    found.do("new errands Up --name Mira")
    found.do("do create Ada")
    for item in ("tools Rope", "tools Lamp", "promises 'The bell'"):
        found.do(f"do edit Ada {item} now=2")
    return found


def effects(node: Node[object], faces: str) -> tuple[Effect, ...]:
    return play(node, Typed(faces)).effects


def test_it_keeps_the_contract(errands: Game) -> None:
    assert mistakes_of(errands) == []


def test_a_roll_changes_something_whatever_comes_of_it(errands: Game) -> None:
    ask = errands.main.ask.read({"tools": {"Rope": 2, "Lamp": 2}})
    done, left = effects(errands.main.rule(ask), "6 1 1 1 2"), effects(errands.main.rule(ask), "5 1 1 1 2")
    worn = (Effect("tools", "roller", -2, "Rope", "ER-2"), Effect("tools", "roller", -1, "Lamp", "ER-2"))
    assert done == worn
    assert left[-2:] == worn
    # Without words, no mark has their name.
    assert [effect.what for effect in left[:-2]] == ["marks", "cold", "gloom", "troubles"]


def test_changes_leave_the_odds_as_they_are(errands: Game) -> None:
    ask = errands.main.ask(tools=2)
    found = tally(errands.main.rule(ask))
    assert odds(ask).to_dict() == found
    assert odds(ask, "ones").to_dict() == {
        n: sum(chance for result, chance in found.items() if result.ones == n) for n in range(4)
    }


def test_items_of_a_list_come_and_go(table: CliTable) -> None:
    said = table.do("do roll --who Ada --about Shaken --faces 5")
    assert "Ada: Shaken (ER-3).\nAda: Tired (ER-3).\nAda: Cold +2 (ER-3).\n" in said
    said = table.do("do roll --who Ada --use Lamp --about shaken --faces '6 6 2'")
    assert "Ada: Shaken is gone (ER-3).\n" in said
    assert "Marks                  Tired" in table.do("show")


def test_what_was_put_in_is_used_up_the_first_one_first(table: CliTable) -> None:
    said = table.do("do roll --who Ada --use Rope --use Lamp --faces '1 1 1 2 3'")
    assert "Ada: Rope −2 (ER-2).\nAda: Lamp −1 (ER-2).\n" in said
    said = table.do("do roll --who Ada --tools '1 string' --faces '1 1'")
    assert 'Ada has no "string" in Tools (ER-2).' in said


def test_the_table_and_the_scene_have_sheets_too(table: CliTable) -> None:
    assert table.do("do scene Yard")
    table.do("do edit scene around Ladder now=2")
    assert "With Ladder.\n" in table.do("do roll --who Ada --use Ladder --faces '6 2 3'")
    said = table.do("do roll --who Ada --faces 5")
    assert "Gloom 1)" in said
    assert "Gloom +1 (ER-3).\nThe scene: Mess (ER-3).\n" in said
    assert "Gloom +1" in table.do("do roll --who Ada --faces 5")
    assert "Gloom +1" not in table.do("do roll --who Ada --faces 5")
    for _ in range(3):
        assert "Gloom −1 (ER-7)." in table.do("do move sing")
    assert table.do("do move sing") == "astragal: There is no Gloom to sing away.\n"


def test_an_item_brings_all_its_fields(table: CliTable) -> None:
    table.do("do edit Ada trades Smith now=2 level=10 slow=yes")
    table.do("do edit Ada habits Hums level=8")
    said = table.do("do roll work --who Ada --use Smith --faces '1 2 | 9'")
    assert "Work at it: 2d6 and 1d10 (Dots 2, Level 10, Slow yes)." in said
    said = table.do("do roll work --who Ada --use Hums --faces '7'")
    assert "Work at it: 1d8 (Dots 0, Level 8, Slow no)." in said
    assert table.do("do roll --who Ada --use Smith --faces 6").startswith("astragal: ")  # it carries nothing


def test_a_move_asks_and_reads(table: CliTable) -> None:
    said = table.do("do move keep --who Ada --promise 'The bell' --far 12")
    assert said == "A step towards The bell (ER-4).\nAda: The bell +12 (ER-4).\n"
    said = table.do("do move keep --who Ada --promise 'The moon'")
    assert 'Ada has no item of Promises "The moon": The moon +4 for the GM to remember (ER-4).' in said
    assert table.do("do move fire --who Ada") == "astragal: Nobody is cold here (ER-5).\n"
    table.do("do edit Ada cold Cold now=1")
    assert table.do("do move fire --who Ada") == "Ada: Cold −1 (ER-5).\n"
    assert table.do("do move keep --who Ada").startswith("astragal: promise is missing (which promise)")


def test_dice_of_a_move_add_to_its_inputs(table: CliTable) -> None:
    assert "Cold" not in table.do("do move try --who Ada --more 2 --faces 3")
    assert "Ada: Cold +6 (ER-4)." in table.do("do move try --who Ada --more 2 --faces 4")
