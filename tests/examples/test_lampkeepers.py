"""Lampkeepers, the model of a game with symbol dice: its odds, and an evening at a table."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from astragal import odds
from astragal.check import mistakes_of
from astragal.rule.game import Game
from tests.examples.model import CliTable, referee, written

# Flames, gleams, dawns, gusts, chills and nights on each face.
LAMP = [(0, 0, 0), (1, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (2, 0, 0)]
OIL = [(1, 0, 0), (0, 1, 0), (2, 0, 0), (1, 1, 0), (0, 2, 0), (0, 0, 1)]
WIND = [(0, 0, 0), (1, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 1, 0)]
STORM = [(1, 0, 0), (0, 1, 0), (2, 0, 0), (1, 1, 0), (0, 2, 0), (0, 0, 1)]
Symbols = tuple[tuple[int, int, int], ...]


@pytest.fixture
def lampkeepers(monkeypatch: pytest.MonkeyPatch) -> Game:
    return written("lampkeepers", monkeypatch)


def judged(ours: Symbols, theirs: Symbols) -> tuple[int, int, int, str]:
    """The rules LK-3 to LK-6, by hand."""
    flames, gleams, dawns = (sum(face[place] for face in ours) for place in range(3))
    gusts, chills, nights = (sum(face[place] for face in theirs) for place in range(3))
    light, boon = flames + dawns - gusts - nights, gleams - chills
    fate = (dawns > nights) - (dawns < nights)
    if light > 0:
        name = "Lit for good" if fate > 0 else "Lit" if boon >= 0 else "Lit, and cold"
    elif fate < 0:
        name = "Lost for the season"
    else:
        name = "Dark, with a boon" if boon > 0 else "Dark"
    return light, boon, fate, name


def test_it_keeps_the_contract(lampkeepers: Game) -> None:
    assert mistakes_of(lampkeepers) == []


@pytest.mark.parametrize(
    ("lamps", "oil", "wind", "storm"), [(0, 0, 0, 0), (1, 0, 0, 0), (2, 1, 1, 1), (0, 2, 0, 2), (3, 0, 2, 0)]
)
def test_its_odds_are_those_of_every_throw(lampkeepers: Game, lamps: int, oil: int, wind: int, storm: int) -> None:
    ours = list(product(*[LAMP] * lamps, *[OIL] * oil))
    theirs = list(product(*[WIND] * wind, *[STORM] * storm))
    expected = referee(product(ours, theirs), lambda thrown: judged(*thrown))
    ask = lampkeepers.main.ask(lamps=lamps, flasks=oil, winds=wind, storms=storm)
    assert odds(ask).to_dict() == expected


def test_an_evening_at_a_table(lampkeepers: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = CliTable(tmp_path, capsys)
    table.do("new lampkeepers Coast --name Mira")
    table.do("do create Maren --template 'Old Maren'")
    lit = "do roll --who Maren --use Courage --use Fires --use 'A spare lantern' --winds 2"
    said = table.do(f"{lit} --faces 'flame blank flame | flame gleam | chill gust+chill'")
    assert "Maren: Spare lanterns −1 (A spare lantern) (LK-8)." in said
    assert "lamp        flame · blank · flame" in said
    assert "Lit, and cold: light 2, boon −1, fate 0." in said
    assert "Maren: Warmth −1 (LK-4)." in said
    assert "Maren has 0 Spare lanterns and 1 were asked for" in table.do(lit)
    assert '"sun" is not on the lamp' in table.do("do roll --who Maren --use Courage --faces 'sun flame | gust gust'")
    assert "Dice: lamp flame blank flame | oil flame gleam | wind chill gust+chill (typed by Mira)" in table.do("log")
