"""Pairs of two pools without end: known fractions, the comparison of two dice, and every throw up to a bound."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from astragal.dice.distribution import Beyond
from astragal.dice.solver.endless.mixed import comparison_odds
from astragal.dice.solver.endless.pairs import Chances, endless_pairs, tails_of
from astragal.dice.solver.series import Ratio, Series
from tests.dice.solver.dice import listed
from tests.referee import tally_groups


def exploding(sides: int) -> Ratio:
    """A die that goes on with its highest face."""
    return Ratio((0, *[1] * (sides - 1)), (sides, *[0] * (sides - 1), -1))


def pairs(n: int, sides: int, m: int, others: int, ties: bool = False) -> Chances:
    tails = tails_of(Series.of(exploding(sides), 1), Series.of(exploding(others), 1))
    assert tails
    mine, other, start = tails
    return endless_pairs((n, mine), (m, other), start, ties)


def test_two_coins_that_go_on_are_equal_once_in_three() -> None:
    """They show 1, 3, 5 … with 1/2, 1/4, 1/8 …, and the squares of these add up to 1/3."""
    assert pairs(1, 2, 1, 2) == (Fraction(2, 3), Fraction(1, 3))
    assert pairs(1, 2, 1, 2, ties=True) == (Fraction(1, 3), Fraction(2, 3))


@pytest.mark.parametrize(("sides", "others"), [(4, 6), (6, 4), (3, 5), (10, 8)])
def test_a_single_pair_is_a_comparison(sides: int, others: int) -> None:
    compared = comparison_odds(Series.of(exploding(sides), 1), Series.of(exploding(others), 1))
    assert pairs(1, sides, 1, others)[1] == compared["ours"]
    assert pairs(1, sides, 1, others, ties=True)[1] == compared["ours"] + compared["draw"]


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(("n", "sides", "m", "others"), [(2, 3, 1, 2), (1, 4, 2, 3), (2, 2, 2, 3)])
def test_every_throw_up_to_a_bound_is_counted(n: int, sides: int, m: int, others: int, ties: bool) -> None:
    found = tally_groups(
        [(n, listed(exploding(sides), 12)), (m, listed(exploding(others), 12))],
        lambda ours, theirs: won(ours, theirs, ties),
    )
    unknown = found.pop(None, Fraction(0))
    assert 0 < unknown < Fraction(1, 5)
    solved = pairs(n, sides, m, others, ties)
    assert sum(solved) == 1
    for count, chance in enumerate(solved):
        assert found.get(count, 0) <= chance <= found.get(count, 0) + unknown


def won(ours: tuple[Any, ...], theirs: tuple[Any, ...], ties: bool) -> int | None:
    """Pairs won; None if a value lies beyond the bound."""
    if any(isinstance(value, Beyond) for value in (*ours, *theirs)):
        return None
    both = zip(sorted(ours, reverse=True), sorted(theirs, reverse=True), strict=False)
    return len([1 for mine, other in both if mine > other or (ties and mine == other)])


def test_dice_that_go_on_in_several_ways_have_no_tail() -> None:
    several = Ratio((0, 1, 1), (4, 0, 0, -1, -1))
    assert tails_of(Series.of(several, 1), Series.of(exploding(6), 1)) is None
    assert tails_of(Series.of(exploding(6), 2), Series.of(exploding(6), 1)) is None
