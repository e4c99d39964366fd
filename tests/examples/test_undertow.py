"""Undertow, the model of a pool of which the highest die counts: its odds, and an evening of it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from astragal import odds
from astragal.check import mistakes_of
from astragal.rule.game import Game
from tests.examples.model import CliTable, referee, written


@pytest.fixture
def undertow(monkeypatch: pytest.MonkeyPatch) -> Game:
    return written("undertow", monkeypatch)


def job(dice: int, position: int, effect: int, faces: tuple[int, ...]) -> tuple[int, int, int, int, str]:
    """The rules UT-1 to UT-5, by hand."""
    best = max(faces) if dice else min(faces)
    sixes = faces.count(6) if dice else 0
    if sixes >= 2:
        return best, sixes, effect + 1, 0, "Masterstroke"
    if best == 6:
        return best, sixes, effect, 0, "Clean job"
    if best >= 4:
        return best, sixes, effect, position - 1, "At a cost"
    return best, sixes, 0, position, "Swept away"


def test_it_keeps_the_contract(undertow: Game) -> None:
    assert mistakes_of(undertow) == []


@pytest.mark.parametrize("knack", range(5))
def test_its_odds_are_those_of_every_throw(undertow: Game, knack: int) -> None:
    for more, position, effect in product((0, 1), (1, 2, 3), (1, 3)):
        dice = knack + more
        throws = product(range(1, 7), repeat=dice or 2)
        expected = referee(throws, lambda faces: job(dice, position, effect, faces))  # noqa: B023
        ask = undertow.main.ask(knack=knack, more=more, position=position, effect=effect)
        assert odds(ask).to_dict() == expected


@pytest.mark.parametrize("friends", range(5))
def test_a_night_on_dry_land_relieves_as_much_as_the_highest_die_shows(undertow: Game, friends: int) -> None:
    throws = product(range(1, 7), repeat=max(friends, 1))
    ask = undertow.kind("rest").ask(friends=friends)
    assert odds(ask, "relief").to_dict() == referee(throws, max)


def test_an_evening_at_a_table(undertow: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = CliTable(tmp_path, capsys)
    table.do("new undertow Wet --name Mira")
    table.do("do create Nell --template 'Nell the Diver'")
    table.do("do clock 'Past the customs' 6")
    dive = "do roll --who Nell --use Dive --use 'Strain for a die' --position 3 --clock 'past the customs'"
    said = table.do(f"{dive} --faces '5 1 2 3'")
    assert "Nell: Strain +2 (Strain for a die) (UT-6)." in said
    assert "Position drowning" in said
    assert "The table: Past the customs +2 (UT-5)." in said
    assert "Nell: Strain +2 (UT-4)." in said
    said = table.do("do roll --who Nell --clock nowhere --faces '6 6'")
    assert 'The table has no Clock "nowhere": 2 ticks for the GM to remember (UT-5).' in said
    assert "Nell: Strain −3 (UT-8)." in table.do("do roll rest --who Nell --faces 3")
    table.do("do change Nell strain Strain 7")
    said = table.do(f"{dive} --faces '5 1 2 3'")
    assert said == "astragal: Nell has room for 1 Strain and 2 were asked for; nothing is spent (UT-6).\n"
    shown = table.do("show")
    assert "Past the customs [##----] 2/6" in shown
    assert "Strain                 ●●●●●●●● 8" in shown
