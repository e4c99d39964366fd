"""Rustfall, the model of a pool of three kinds of dice that may be pushed: its odds, and a night in the yard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from astragal import odds
from astragal.check import mistakes_of
from astragal.rule.game import Game
from tests.examples.model import CliTable, written

D6 = range(1, 7)
Thrown = tuple[tuple[int, ...], ...]
"""The faces of the three kinds of dice."""
End = tuple[int, int, int]
"""Successes, Harm and Wear."""
WORTH: dict[str, Callable[[int, End], int]] = {
    "succeed": lambda needed, end: int(end[0] >= needed),
    "unscathed": lambda needed, end: int(end[0] >= needed and end[1:] == (0, 0)),
    "most": lambda needed, end: end[0],
}


@pytest.fixture
def rustfall(monkeypatch: pytest.MonkeyPatch) -> Game:
    return written("rustfall", monkeypatch)


def throws(sizes: tuple[int, ...]) -> Iterator[Thrown]:
    return product(*(product(D6, repeat=n) for n in sizes))


def end(shown: Thrown, pushed: bool) -> End:
    """The rules RF-1, RF-4 and RF-5, by hand."""
    sixes = sum(faces.count(6) for faces in shown)
    return (sixes, shown[0].count(1), shown[2].count(1)) if pushed else (sixes, 0, 0)


def pushed(shown: Thrown) -> dict[End, Fraction]:
    """Every way in which a push can end (RF-3)."""
    stay = [tuple(face for face in faces if face in (1, 6)) for faces in shown]
    again = throws(tuple(len(faces) - len(kept) for faces, kept in zip(shown, stay, strict=True)))
    ends = Counter(end(tuple(kept + new for kept, new in zip(stay, more, strict=True)), True) for more in again)
    return {each: Fraction(n, ends.total()) for each, n in ends.items()}


def name_of(needed: int, found: End) -> str:
    if found[0] < needed:
        return "Not done"
    return "Done at a price" if any(found[1:]) else "Done"


def test_it_keeps_the_contract(rustfall: Game) -> None:
    assert mistakes_of(rustfall) == []


@pytest.mark.parametrize("wish", WORTH)
@pytest.mark.parametrize(("sizes", "needed"), [((1, 1, 1), 1), ((2, 0, 1), 2), ((1, 2, 0), 1), ((3, 0, 0), 2)])
def test_its_odds_are_those_of_every_throw_and_push(
    rustfall: Game, sizes: tuple[int, int, int], needed: int, wish: str
) -> None:
    never: dict[str, Fraction] = {}
    best: dict[str, Fraction] = {}
    for shown in throws(sizes):
        chance = Fraction(1, 6 ** sum(sizes))
        kept, after = end(shown, False), pushed(shown)
        loose = any(face not in (1, 6) for faces in shown for face in faces)
        never[name_of(needed, kept)] = never.get(name_of(needed, kept), Fraction(0)) + chance
        worth = sum(part * WORTH[wish](needed, each) for each, part in after.items())
        ends = after if loose and worth > WORTH[wish](needed, kept) else {kept: Fraction(1)}
        for each, part in ends.items():
            best[name_of(needed, each)] = best.get(name_of(needed, each), Fraction(0)) + chance * part
    ask = rustfall.main.ask(**dict(zip(("trait", "craft", "tools"), sizes, strict=True)), needed=needed)
    assert without_zeros(odds(ask, "outcome")) == never
    assert without_zeros(odds(ask, "outcome", policy="best", wish=wish)) == best


def without_zeros(found: Any) -> dict[Any, Fraction]:
    return {value: chance for value, chance in found.items() if chance}


def test_ten_dice_have_exact_odds_with_the_best_policy(rustfall: Game) -> None:
    found = odds(rustfall.main.ask(trait=5, craft=3, tools=2), "success", policy="best", wish="succeed")
    # A die stays without a 6 if it shows a 1, or neither 1 nor 6 and then no 6.
    assert found[False] == (Fraction(1, 6) + Fraction(4, 6) * Fraction(5, 6)) ** 10


def test_a_push_costs_what_was_put_in_and_rest_brings_it_back(
    rustfall: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = CliTable(tmp_path, capsys)
    table.do("new rustfall Yard --name Mira")
    table.do("do create Ilse --template 'Ilse Gantry'")
    table.do("do edit Ilse tools Rope now=1")
    uses = "--use Brawn --use Weld --use Rope --use 'Cutting torch'"
    table.do(f"do roll --who Ilse {uses} --faces '6 3 1 2 | 4 2 | 1 5 1'")
    said = table.do("do answer push --faces '1 2 | 3 6 | 1'")
    assert "Done, for 2 Harm and 3 Wear (RF-2)." in said
    assert "Ilse: Brawn −2 (RF-4).\nIlse: Rope −1 (RF-5).\nIlse: Cutting torch −2 (RF-5).\n" in said
    said = table.do("do move mend --who Ilse --tool 'cutting torch'")
    assert said == "Ilse: Scrap −1 (Mend a tool) (RF-7).\nIlse: Cutting torch +1 (RF-7).\n"
    assert "Ilse: Brawn +1 (RF-7)." in table.do("do move rest --who Ilse")
    assert "Brawn ●●●○ 3/4" in table.do("show")
