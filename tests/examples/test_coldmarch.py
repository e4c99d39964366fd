"""Cold March, the model of a pool that can be pushed: its odds with and without a push, and its sample."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from astragal import odds
from astragal.check import mistakes_of
from astragal.rule.chances.fact import Policy, facts_of, wish_of
from astragal.rule.game import Game
from tests.examples.model import FOLDER, CliTable, installed

D6 = range(1, 7)
Throw = tuple[tuple[int, ...], ...]
"""The faces of the three kinds of dice."""
WORTH = {
    "succeed": lambda end: int(end[1]),
    "unscathed": lambda end: int(end[1] and not end[3]),
    "most": lambda end: end[0],
}
"""What an end is worth, by hand."""


@pytest.fixture
def coldmarch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    return installed("coldmarch", tmp_path / "packages", monkeypatch)


def fields(end: Any) -> tuple[Any, ...]:
    return tuple(end._asdict().values())


def throws(sizes: tuple[int, ...]) -> Iterator[Throw]:
    return product(*(product(D6, repeat=n) for n in sizes))


def result(needed: int, shown: Throw, pushed: bool) -> tuple[Any, ...]:
    """The rules CM-2, CM-4 and CM-5, by hand."""
    sixes = sum(faces.count(6) for faces in shown)
    costs = (shown[0].count(1), shown[2].count(1)) if pushed else (0, 0)
    return (sixes, sixes >= needed, pushed, *costs)


def after_push(needed: int, shown: Throw) -> dict[Any, Fraction]:
    """Every way in which a push can end (CM-3), each throw by itself."""
    stay = [tuple(face for face in faces if face in (1, 6)) for faces in shown]
    left = tuple(len(faces) - len(kept) for faces, kept in zip(shown, stay, strict=True))
    ends = Counter(
        result(needed, tuple(kept + new for kept, new in zip(stay, more, strict=True)), True) for more in throws(left)
    )
    return {end: Fraction(n, ends.total()) for end, n in ends.items()}


def best(needed: int, shown: Throw, worth: Any) -> dict[Any, Fraction]:
    """Push only if that is worth more, and there is a die to roll."""
    keep = {result(needed, shown, False): Fraction(1)}
    if all(face in (1, 6) for faces in shown for face in faces):
        return keep
    pushed = after_push(needed, shown)
    value = {id(way): sum(chance * worth(end) for end, chance in way.items()) for way in (keep, pushed)}
    return pushed if value[id(pushed)] > value[id(keep)] else keep


def test_it_keeps_the_contract(coldmarch: Game) -> None:
    assert mistakes_of(coldmarch) == []


@pytest.mark.parametrize("sizes", [(1, 0, 0), (2, 1, 1), (3, 0, 2), (1, 3, 0)])
def test_its_odds_without_a_push_are_those_of_every_throw(coldmarch: Game, sizes: tuple[int, int, int]) -> None:
    ask = coldmarch.main.ask(**dict(zip(("attribute", "skill", "gear"), sizes, strict=True)))
    seen = Counter(result(1, shown, False) for shown in throws(sizes))
    assert odds(ask).map(fields).to_dict() == {end: Fraction(n, seen.total()) for end, n in seen.items()}


@pytest.mark.parametrize("wish", WORTH)
@pytest.mark.parametrize(("sizes", "needed"), [((1, 1, 1), 1), ((2, 0, 1), 2), ((1, 1, 0), 1)])
def test_its_odds_with_the_best_policy_are_those_of_every_throw_and_push(
    coldmarch: Game, sizes: tuple[int, int, int], needed: int, wish: str
) -> None:
    ask = coldmarch.main.ask(**dict(zip(("attribute", "skill", "gear"), sizes, strict=True)), needed=needed)
    expected: dict[Any, Fraction] = {}
    for shown in throws(sizes):
        for end, chance in best(needed, shown, WORTH[wish]).items():
            expected[end] = expected.get(end, Fraction(0)) + chance / 6 ** sum(sizes)
    policy = Policy("best", wish_of(coldmarch.main, wish))
    assert odds(ask, policy=policy).map(fields).to_dict() == expected


def test_a_pool_of_five_three_and_two_has_exact_odds_with_the_best_policy(coldmarch: Game) -> None:
    ask = coldmarch.main.ask(attribute=5, skill=3, gear=2)
    found = odds(ask, "success", policy=Policy("best", wish_of(coldmarch.main, "succeed")))
    # A die stays without a 6 if it shows a 1, or neither 1 nor 6 and then no 6.
    assert found[False] == (Fraction(1, 6) + Fraction(4, 6) * Fraction(5, 6)) ** 10


@pytest.mark.parametrize("wish", WORTH)
@pytest.mark.parametrize(("sizes", "needed"), [((2, 2, 1), 1), ((3, 1, 1), 2), ((1, 0, 2), 3)])
def test_its_quick_odds_with_the_best_policy_are_those_of_the_tree(
    coldmarch: Game, sizes: tuple[int, int, int], needed: int, wish: str
) -> None:
    ask = coldmarch.main.ask(**dict(zip(("attribute", "skill", "gear"), sizes, strict=True)), needed=needed)
    policy = Policy("best", wish_of(coldmarch.main, wish))
    results = odds(ask, policy=policy)
    for name, fact in facts_of(coldmarch.main).items():
        assert dict(odds(ask, name, policy=policy).items()) == dict(results.map(fact.of).items())


def test_an_evening_at_a_table(coldmarch: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = CliTable(tmp_path / "data", capsys)
    table.do("new coldmarch Ice --name Mira")
    table.do("do create Sunniva --template 'Sunniva, who knows the way'")
    table.do("do roll --who Sunniva --use Body --use Climb --use 'Ice axe' --faces '1 3 4 | 5 | 1 2'")
    said = table.do("do answer push --faces '1 6 | 2 | 1'")
    assert "Sunniva: Frost +2 (pushed) (CM-4)." in said
    assert "Sunniva: Ice axe −2 (wears out) (CM-5)." in said
    assert "Success at a price: 1 success" in said
    refused = table.do("do roll --who Sunniva --use Body --use 'Ice axe' --faces '1 3 4 | 5'")
    assert refused.startswith("astragal: ")
    assert "Sunniva: Frost −2 (by a fire) (CM-7)." in table.do("do move warm --who Sunniva")
    assert table.do("do move warm --who Sunniva") == "astragal: Sunniva has no Frost (CM-7).\n"


def test_its_own_tests_pass(coldmarch: Game, tmp_path: Path) -> None:
    tests = FOLDER / "coldmarch" / "test_coldmarch.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)]
    path = {"PYTHONPATH": str(tmp_path / "packages"), "PATH": ""}
    done = subprocess.run(command, check=False, cwd=tmp_path, env=path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
