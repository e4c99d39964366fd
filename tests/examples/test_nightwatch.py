"""Night Watch, the model of decks that a table keeps: its odds, also of what is left, and an evening of it."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from astragal import odds
from astragal.check import mistakes_of
from astragal.rule.game import Game
from tests.examples.model import CliTable, referee, written

TIDES = {"calm": 5, "calm+gull": 1, "swell": 4, "swell+swell": 2, "gull": 2, "wreck": 2}
LEFT = {"calm": 1, "calm+gull": 1, "swell": 2, "swell+swell": 1, "gull": 0, "wreck": 1}
"""What may be left late in a night."""


@pytest.fixture
def nightwatch(monkeypatch: pytest.MonkeyPatch) -> Game:
    return written("nightwatch", monkeypatch)


def cards(left: dict[str, int]) -> list[str]:
    return [card for card, n in left.items() for _ in range(n)]


def watch(song: bool, drawn: tuple[str, ...]) -> tuple[int, int, str]:
    """The rules NW-2 to NW-4 and NW-10, by hand."""
    words = "+".join(drawn).split("+")
    rough = max(words.count("swell") - words.count("calm") - song, 0)
    news = words.count("gull")
    if "wreck" in words:
        return rough, news, "Wreck"
    if rough:
        return rough, news, "Rough"
    return rough, news, "Quiet, with news" if news else "Quiet"


def test_it_keeps_the_contract(nightwatch: Game) -> None:
    assert mistakes_of(nightwatch) == []


@pytest.mark.parametrize("left", [TIDES, LEFT], ids=["all", "some"])
@pytest.mark.parametrize("song", [False, True])
@pytest.mark.parametrize("eye", range(4))
def test_its_odds_are_those_of_every_draw(nightwatch: Game, eye: int, song: bool, left: dict[str, int]) -> None:
    expected = referee(combinations(cards(left), 2 + eye), lambda drawn: watch(song, drawn))
    ask = nightwatch.main.ask(eye=eye, song=song, tides=tuple(left.values()))
    assert odds(ask).to_dict() == expected


@pytest.mark.parametrize("left", [range(1, 13), (3, 7, 9)], ids=["all", "three"])
def test_the_later_of_two_hours_counts(nightwatch: Game, left: range | tuple[int, ...]) -> None:
    ask = nightwatch.kind("first").ask(hour=8, hours=tuple(int(hour in left) for hour in range(1, 13)))
    assert odds(ask, "later").to_dict() == referee(combinations(left, 2), max)


def test_an_evening_at_a_table(nightwatch: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = CliTable(tmp_path, capsys)
    table.do("new nightwatch Anchor --name Mira")
    table.do("do create Brann --template Brann")
    said = table.do("do roll --who Brann --use 'Strong coffee' --faces 'swell swell+swell calm'")
    assert "Brann: Rest −1 (Strong coffee) (NW-10)." in said
    assert "Brann: Rest −2 (NW-2)." in said
    refused = table.do("do roll --who Brann --faces 'swell+swell swell+swell'")
    assert refused.startswith("astragal: ")
    assert "swell+swell" in refused
    said = table.do("do move sky --who Brann --faces 'swell+swell'")
    assert "swell+swell: Something large goes by below (NW-8)." in said
    assert "Brann: Rest −2 (NW-8)." in said
    assert "swell+swell 0" in table.do("show").replace("●", "").replace("  ", " ")
    said = table.do("do roll --who Brann --faces 'wreck calm'")
    assert "Tides: all cards are shuffled together (NW-5)." in said
    assert "Brann: Rest +3 (NW-6)." in table.do("do move sleep --who Brann --faces 5")
