"""Tar and Tinsel: its odds against every throw, by hand, also when a mind is changed for the best."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from astragal import Game, odds
from astragal.games.registry import game
from tests.shelf.throws import average, expected, present

OUTCOMES = ("It goes wrong", "Just enough", "Success", "Triumph")
TAR, TINSEL = 0, 1
LEAST = {"work": 1, "success": 2, "triumph": 3}


@pytest.fixture(scope="module")
def tinsel() -> Game:
    return game("tinsel")


def counted(thrown: tuple[int, ...], way: int, number: int) -> int:
    return sum(die <= number if way == TAR else die >= number for die in thrown)


def throws(n: int) -> list[tuple[int, ...]]:
    return list(product(range(1, 7), repeat=n))


@pytest.mark.parametrize("way", [TAR, TINSEL])
@pytest.mark.parametrize("number", [2, 3, 4, 5])
@pytest.mark.parametrize(("prepared", "knack"), [(False, 0), (True, 0), (True, 1)])
def test_what_counts(tinsel: Game, way: int, number: int, prepared: bool, knack: int) -> None:
    ask = tinsel.main.ask(way=way, number=number, prepared=prepared, knack=knack)
    found = odds(ask, "outcome")
    assert present(found) == expected(
        throws(1 + prepared + knack), lambda thrown: OUTCOMES[min(counted(thrown, way, number), 3)]
    )


@pytest.mark.parametrize(("way", "number"), [(TAR, 2), (TINSEL, 5), (TAR, 4)])
@pytest.mark.parametrize("wish", LEAST)
def test_a_mind_changed_for_the_best(tinsel: Game, way: int, number: int, wish: str) -> None:
    every = throws(3)
    other = average(every, lambda thrown: counted(thrown, 1 - way, number) >= LEAST[wish])

    def worth(thrown: tuple[int, ...]) -> Fraction:
        now = Fraction(counted(thrown, way, number) >= LEAST[wish])
        return max(now, other) if number in thrown else now

    ask = tinsel.main.ask(way=way, number=number, prepared=True, knack=1)
    found = odds(ask, "counts", policy="best", wish=wish)
    assert found.at_least(LEAST[wish]) == average(every, worth)


@pytest.mark.parametrize("theirs", [2, 4])
def test_a_helper_brings_a_die_by_their_own_number(tinsel: Game, theirs: int) -> None:
    found = odds(tinsel.main.ask.read({"way": TAR, "number": 3, "theirs": f"{theirs} Pim"}), "counts")
    helped = Fraction(theirs, 6)
    alone, two = (expected(throws(n), lambda thrown: counted(thrown, TAR, 3)) for n in (1, 2))
    assert present(found) == {n: (1 - helped) * alone.get(n, 0) + helped * two[n] for n in range(3)}
