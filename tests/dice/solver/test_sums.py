"""Sums: the same as the referee's, by whichever way they are found."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.estimates import TooMuch
from astragal.dice.solver.sums import Group, sum_odds
from tests.dice.solver.dice import dice, fair, groups
from tests.referee import tally_groups


@settings(deadline=None)
@given(groups())
def test_the_sum_of_all_dice(groups: list[Group]) -> None:
    wanted = tally_groups(groups, lambda *dice: sum(map(sum, dice)))
    assert sum_odds(groups).to_dict() == wanted


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(1, 40), dice(0, 20, 8)), min_size=1, max_size=4))
def test_many_dice_are_the_dice_one_after_the_other(groups: list[Group]) -> None:
    together = sum_odds(groups)
    apart = sum_odds([])
    for group in groups:
        apart = apart + sum_odds([group])
    assert together == apart


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 40), st.integers(1, 20))
def test_fair_dice_by_recurrence_and_by_halves(n: int, sides: int) -> None:
    found = sum_odds([(n, fair(sides))])
    halves = sum_odds([(n // 2, fair(sides))]) + sum_odds([(n - n // 2, fair(sides))])
    assert found == halves


def test_values_far_apart_take_no_more_room_than_near_ones() -> None:
    found = sum_odds([(2, {0: 1, 10**9: 1}), (1, {5: 1, 7 * 10**8: 3})])
    assert found[10**9 + 5] == Fraction(1, 8)


def test_multiples_are_found_as_their_common_part() -> None:
    tens = sum_odds([(30, {10 * face: 1 for face in range(1, 7)})])
    assert tens.map(lambda value: value // 10) == sum_odds([(30, fair(6))])


def test_known_sums() -> None:
    assert sum_odds([(3, fair(6))])[10] == Fraction(1, 8)
    assert sum_odds([(1000, fair(6))]).mean == 3500
    assert sum_odds([(4, {-1: 1, 0: 1, 1: 1})])[0] == Fraction(19, 81)
    assert sum_odds([])[0] == 1


def test_sums_that_need_gigabytes_are_refused_beforehand() -> None:
    with pytest.raises(TooMuch, match="more than 128 MB of memory; ask for fewer dice"):
        sum_odds([(1000, fair(1000)), (1000, fair(999))])
