"""Sums of dice without end after cancelling: known fractions, and exact means."""

from __future__ import annotations

from fractions import Fraction

from astragal.dice.solver.series import Ratio, Series
from astragal.notation.endless import Endless
from astragal.notation.odds.pools import Kind
from astragal.notation.odds.versus import cancelled_sum
from astragal.questions.notation import odds_of

D4 = Endless(Series.of(Ratio((0, 1, 1, 1), (4, 0, 0, 0, -1)), 1))
D3 = Kind(1, {1: 1, 2: 1, 3: 1})


def test_a_die_is_cancelled_by_an_equal_one() -> None:
    left = cancelled_sum((D4, 1), (D3,))
    assert left
    odds = left.listed(9)
    assert odds[0] == Fraction(1, 4)
    assert [odds[value] for value in (1, 2, 3)] == [Fraction(1, 6)] * 3
    assert [odds[value] for value in (4, 5, 8, 9)] == [0, Fraction(1, 16), 0, Fraction(1, 64)]
    # 1, 2 or 3 is taken away with 1/12 each.
    assert left.mean == D4.mean - Fraction(1 + 2 + 3, 12)


def test_two_dice_against_one() -> None:
    left = cancelled_sum((D4, 2), (D3,))
    assert left
    # One of two dice is cancelled if one at least shows the value, with 7/16.
    assert left.mean == 2 * D4.mean - Fraction(1 + 2 + 3, 3) * Fraction(7, 16)
    # 1 and 1 against 2 or 3; 2 and another that is cancelled; 2 and 2 against 2.
    assert left.listed(4)[2] == Fraction(2 + 2 + 2 + 1, 16 * 3)


def test_dice_that_meet_no_equal_one_are_added_up() -> None:
    left = cancelled_sum((D4, 2), (Kind(3, {4: 1}),))
    assert left
    assert left.listed(20).to_dict() == D4.repeated(2).listed(20).to_dict()


def test_dice_that_go_on_with_0_have_no_value_beyond() -> None:
    assert odds_of("2d2!p1 cancel 1d3").to_dict() == {2: Fraction(1, 3), 4: Fraction(2, 3)}


def test_values_below_0_are_left_to_others() -> None:
    assert cancelled_sum((-D4, 1), (D3,)) is None
    assert cancelled_sum((D4.plus(-3), 1), (D3,)) is None
