"""Fellwalk, the model of a die against two with a burn after the roll: its odds by hand, and a journey."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from astragal import Typed, advise, odds, play
from astragal.check import mistakes_of
from astragal.rule.chances.fact import PolicyName, wish_of
from astragal.rule.game import Game
from tests.examples.model import CliTable, referee, written

D6, D10 = range(1, 7), range(1, 11)
NAMES = ("Fall", "Stumble", "Clean stride")
LEAST = {"stride": 2, "arrive": 1}
"""How many of the d10s a wish wants to beat."""


@pytest.fixture
def fellwalk(monkeypatch: pytest.MonkeyPatch) -> Game:
    return written("fellwalk", monkeypatch)


def beaten(score: int, weather: tuple[int, int]) -> int:
    """The rule FW-2, by hand."""
    return sum(score > shown for shown in weather)


def stride(given: dict[str, int], thrown: tuple[int, ...], least: int = 0) -> str:
    """The rules FW-1 to FW-5, by hand; Headway is burned where that alone beats at least so many."""
    own, weather, headway = thrown[0], thrown[1:], given["headway"]
    counts = 0 if headway == -own else own
    score = min(10, counts + given["stat"] + given["adds"])
    found = beaten(score, weather)  # type: ignore[arg-type]
    burnt = beaten(headway, weather)  # type: ignore[arg-type]
    return NAMES[burnt if found < least <= burnt else found]


def test_it_keeps_the_contract(fellwalk: Game) -> None:
    assert mistakes_of(fellwalk) == []


GIVEN = [
    {"stat": 2, "adds": 1, "headway": 7},
    {"stat": 4, "adds": 5, "headway": 10},
    {"stat": 1, "adds": 0, "headway": -3},
    {"stat": 3, "adds": 0, "headway": 2},
]


@pytest.mark.parametrize("given", GIVEN, ids=str)
@pytest.mark.parametrize(
    ("policy", "wish"),
    [("never", ""), ("best", "stride"), ("best", "arrive"), ("cheapest", "stride"), ("cheapest", "arrive")],
)
def test_the_odds_of_a_stride_are_those_of_every_throw(
    fellwalk: Game, given: dict[str, int], policy: PolicyName, wish: str
) -> None:
    least = LEAST.get(wish, 0)
    expected = referee(product(D6, D10, D10), lambda thrown: stride(given, thrown, least))
    found = odds(fellwalk.main.ask(**given), "outcome", policy=policy, wish=wish)
    assert {name: chance for name, chance in found.items() if chance} == expected


def test_advice_says_what_burning_is_worth_and_costs(fellwalk: Game) -> None:
    for weather in product(D10, D10):
        for headway in (3, 6, 10):
            ask = fellwalk.main.ask(stat=2, headway=headway)
            opened = play(fellwalk.main.rule(ask), Typed(f"1 | {weather[0]} {weather[1]}"))
            score, burnt = beaten(3, weather), beaten(headway, weather)
            if burnt <= score:
                assert opened.outcome is not None
                continue
            advice = advise(opened.node, wish_of(fellwalk.main, "arrive"))
            found: Any = {each.name: (each.worth, dict(each.costs)) for each in advice.options}
            assert found == {
                "settle": (Fraction(score >= 1), {}), "burn": (Fraction(1), {"headway": Fraction(headway - 2)}),
            }  # fmt: skip


@pytest.mark.parametrize("marks", [0, 3, 4, 27, 40])
def test_the_odds_of_an_oath_are_those_of_every_throw(fellwalk: Game, marks: int) -> None:
    names = ("Not yet", "Kept, and not over", "Kept")
    found = odds(fellwalk.kind("keep").ask(marks=marks), "outcome")
    expected = referee(product(D10, D10), lambda weather: names[beaten(marks // 4, weather)])
    assert {name: chance for name, chance in found.items() if chance} == expected


def test_the_stones_say_yes_as_often_as_it_fits(fellwalk: Game) -> None:
    for fits in (1, 50, 99):
        assert odds(fellwalk.kind("ask").ask(fits=fits), "outcome")["Yes"] == Fraction(fits, 100)


def test_a_sign_stands_at_every_number(fellwalk: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = CliTable(tmp_path, capsys)
    table.do("new fellwalk Signs --name Mira")
    table.do("do create Maelle")
    said = Counter(
        table.do(f"do move sign --who Maelle --faces {face}").rpartition(": ")[2] for face in range(10, 101, 10)
    )
    assert sorted(said.values()) == [2, 2, 2, 2, 2]


def test_a_journey_at_a_table(fellwalk: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = CliTable(tmp_path, capsys)
    table.do("new fellwalk Bell --name Mira")
    table.do("do create Maelle --template 'Maelle Tarn'")
    said = table.do("do roll --who Maelle --use Wits --use 'Good boots' --faces '2 | 6 3'")
    assert "burn    Burn Headway, costs 5 (FW-4)" in said
    said = table.do("do answer burn")
    assert "Maelle: Headway −5 (Burn Headway) (FW-4)." in said
    assert "Maelle: Headway +1 (FW-3)." in said
    assert table.do("do move step --who Maelle --oath 'the bell' --marks 12") == "Maelle: The bell +12 (FW-8).\n"
    said = table.do("do roll keep --who Maelle --use 'The bell' --faces '8 3'")
    assert "Kept: score 9, beaten 2." in said
    assert "Maelle: Tales +2 (FW-9)." in said
    assert "Oaths                  The bell 36" in table.do("show")
