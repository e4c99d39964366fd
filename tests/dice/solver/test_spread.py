"""Count, lowest and highest, and a die beside others: every throw is read, and the odds must be the same fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from astragal.dice.dice import Dice, Pool
from astragal.dice.reading import Beside, Spread
from astragal.errors import Illegal
from tests.referee import every_throw

COUNTING = [frozenset({5, 6}), frozenset({1}), frozenset(range(1, 13)), frozenset[int](), frozenset({2, 7})]


def by_every_throw(reading: Any, pool: Pool) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for faces, chance in every_throw(pool, 1):
        value = reading.read(faces)
        found[value] = found.get(value, Fraction(0)) + chance
    return found


@pytest.mark.parametrize("counting", COUNTING, ids=str)
@pytest.mark.parametrize(("n", "sides"), [(0, 6), (1, 6), (3, 6), (4, 2), (2, 8), (3, 1)])
def test_count_lowest_and_highest_are_those_of_every_throw(n: int, sides: int, counting: frozenset[int]) -> None:
    pool = (Dice(sides, n),)
    assert Spread(counting).odds(pool, 0).to_dict() == by_every_throw(Spread(counting), pool)


@pytest.mark.parametrize("counting", COUNTING, ids=str)
@pytest.mark.parametrize(("n", "sides", "single"), [(0, 6, 4), (1, 6, 6), (2, 6, 10), (3, 4, 3), (3, 6, 12), (4, 2, 1)])
def test_a_die_beside_others_stands_as_in_every_throw(
    n: int, sides: int, single: int, counting: frozenset[int]
) -> None:
    pool = (Dice(sides, n), Dice(single, 1))
    for means in (lambda face: face <= 2, lambda face: 0, lambda face: face):
        beside = Beside(counting, means)
        assert beside.odds(pool, 0).to_dict() == by_every_throw(beside, pool)


@pytest.mark.parametrize(
    ("faces", "value"),
    [
        (((6, 5, 1), (7,)), (3, "highest", 7)),
        (((6, 5, 1), (6,)), (3, "neither", 6)),
        (((6, 5, 2), (1,)), (2, "lowest", 1)),
        (((), (5,)), (1, "neither", 5)),
    ],
)
def test_a_tie_is_neither_and_so_is_a_die_alone(faces: Any, value: tuple[int, str, int]) -> None:
    assert Beside(frozenset({5, 6, 7}), lambda face: face).read(tuple((wave,) for wave in faces)) == value


def test_dice_that_go_again_are_refused() -> None:
    with pytest.raises(Illegal, match="thrown once"):
        Spread(frozenset({6})).odds((Dice(6, 2, again=frozenset({6})),), 0)
