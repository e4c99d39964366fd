"""Palisade, the model of a d20 game with advantage, damage and hit points: its odds, and a fight."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from astragal import odds
from astragal.check import mistakes_of
from astragal.rule.game import Game
from tests.examples.model import CliTable, referee, written

D20, D6 = range(1, 21), range(1, 7)


@pytest.fixture
def palisade(monkeypatch: pytest.MonkeyPatch) -> Game:
    return written("palisade", monkeypatch)


Thrown = tuple[tuple[int, ...], tuple[int, ...]]


def strike(given: dict[str, int], thrown: Thrown) -> tuple[int, int, int, str]:
    """The rules PA-1 to PA-4, by hand."""
    d20s, steel = thrown
    shown = min(d20s) if given["hand"] < 0 else max(d20s)
    total, might = shown + given["arms"], given["might"]
    if shown == 20:
        return shown, total, max(1, sum(steel) * 2 + might), "Crushing hit"
    if shown == 1:
        return shown, total, 0, "Fumble"
    if total >= given["guard"]:
        return shown, total, max(1, sum(steel) + might), "Hit"
    return shown, total, 0, "Miss"


def test_it_keeps_the_contract(palisade: Game) -> None:
    assert mistakes_of(palisade) == []


@pytest.mark.parametrize("hand", [-1, 0, 1])
@pytest.mark.parametrize(
    "given",
    [
        {"arms": 0, "guard": 12, "weapon": 1, "might": 0},
        {"arms": 8, "guard": 5, "weapon": 1, "might": -2},
        {"arms": 3, "guard": 30, "weapon": 2, "might": 5},
    ],
)
def test_the_odds_of_a_strike_are_those_of_every_throw(palisade: Game, hand: int, given: dict[str, int]) -> None:
    given = {**given, "hand": hand}
    throws = product(product(D20, repeat=2 if hand else 1), product(D6, repeat=given["weapon"]))
    expected = referee(throws, lambda thrown: strike(given, thrown))
    assert odds(palisade.main.ask(**given)).to_dict() == expected


@pytest.mark.parametrize("hand", [-1, 0, 1])
def test_the_odds_of_trying_are_those_of_every_throw(palisade: Game, hand: int) -> None:
    def tried(faces: tuple[int, ...]) -> tuple[Any, ...]:
        total = (min(faces) if hand < 0 else max(faces)) + 2
        return total, "Done" if total >= 16 else "Failed"

    ask = palisade.kind("try").ask(skill=2, hard=16, hand=hand)
    assert odds(ask).to_dict() == referee(product(D20, repeat=2 if hand else 1), tried)


@pytest.mark.parametrize(("hand", "theirs"), [(0, 0), (1, 0), (0, -1)])
def test_the_odds_of_a_grapple_are_those_of_every_throw_of_both(palisade: Game, hand: int, theirs: int) -> None:
    names = {(1, 1): "Thrown down", (1, 0): "Held", (0, 0): "Neither lets go", (-1, 0): "Held fast"}

    def grappled(thrown: Thrown) -> str:
        ours, other = ((min if side < 0 else max)(faces) for side, faces in zip((hand, theirs), thrown, strict=True))
        lead = ours + 3 - (other + 1)
        return names.get(((lead > 0) - (lead < 0), int(abs(lead) >= 10)), "Flat on the ground")

    throws = product(product(D20, repeat=2 if hand else 1), product(D20, repeat=2 if theirs else 1))
    ask = palisade.kind("grapple").ask(might=3, their_might=1, hand=hand, their_hand=theirs)
    found = {name: chance for name, chance in odds(ask, "outcome").items() if chance}
    assert found == referee(throws, grappled)


def test_a_fight_at_a_table(palisade: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = CliTable(tmp_path, capsys)
    table.do("new palisade Gate --name Mira")
    table.do("do create Hild --template 'Hild Oakhand'")
    table.do("do create Troll --template 'A marsh troll'")
    said = table.do("do roll --who Hild --against Troll --use 'Spend Grit' --weapon 2 --faces '8 3 | 6 2'")
    assert "Hild: Grit −1 (Spend Grit) (PA-9)." in said
    assert "Guard 11, Hand upper hand" in said
    assert "Troll: Health −11 (PA-3)." in said
    said = table.do("do roll --who Hild --against Troll --use 'Spend Grit' --faces '8 3 | 6'")
    assert said == "astragal: Hild has 0 Grit and 1 were asked for; nothing is spent (PA-9).\n"
    assert "Troll: Health +6 (PA-8)." in table.do("do roll mend --who Hild --against Troll --use Heal --faces 6")
    assert "Failed: total 15." in table.do("do roll try --who Hild --use Climb --hard 16 --faces 14")
    assert "Hild: Health −18 (PA-3)." in table.do(
        "do roll --who Troll --against Hild --weapon 4 --faces '20 | 6 6 6 6'"
    )
    said = table.do("do roll grapple --who Hild --against Troll --hand 1 --faces '17 2 | 20'")
    assert "Grapple with somebody: 2d20 against 1d20" in said
    shown = table.do("show")
    assert "[###################-----] 19/24" in shown
    assert "[------------------] 0/18" in shown
