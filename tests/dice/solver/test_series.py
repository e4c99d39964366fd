"""Generating functions: each coefficient an exact chance, whatever the powers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.dice import Dice, faces_below, faces_from
from astragal.dice.solver.series import Ratio, Series, power, ratio_of, times
from astragal.errors import Illegal

SUCCEEDS = faces_from(8, 10)
LINE = st.tuples(st.integers(1, 9), st.integers(-9, 9))
FACTORS = st.lists(
    st.tuples(st.one_of(LINE, st.tuples(*[st.integers(1, 5)] * 3)), st.integers(-4, 6)), min_size=1, max_size=3
)


def by_long_division(series: Series, last: int) -> list[Fraction]:
    """The same coefficients the slow way: multiply out above and below, then divide term by term."""
    above: tuple[int, ...] = (1,)
    below: tuple[int, ...] = (1,)
    for polynomial, exponent in series.factors:
        if exponent >= 0:
            above = times(above, power(polynomial, exponent))
        else:
            below = times(below, power(polynomial, -exponent))
    found: list[Fraction] = []
    for k in range(last + 1):
        value = Fraction(above[k] if k < len(above) else 0)
        value -= sum((below[j] * found[k - j] for j in range(1, min(k, len(below) - 1) + 1)), Fraction(0))
        found.append(value / below[0])
    return found


@settings(deadline=None)
@given(FACTORS, st.integers(0, 12))
def test_the_recurrence_gives_what_long_division_gives(factors: list[tuple[tuple[int, ...], int]], last: int) -> None:
    series = Series(tuple(factors))
    weights, total = series.weights(last)
    assert [Fraction(weight, total) for weight in weights] == by_long_division(series, last)


def test_one_die_with_10_again() -> None:
    assert ratio_of(Dice(10, again=faces_from(10, 10)), SUCCEEDS) == Ratio((7, 2), (10, -1))


def test_8_again_has_no_success_that_stays() -> None:
    assert ratio_of(Dice(10, again=faces_from(8, 10)), SUCCEEDS) == Ratio((7,), (10, -3))


def test_rote_is_a_second_chance_for_the_dice_that_failed() -> None:
    plain = ratio_of(Dice(10, retry=faces_below(8)), SUCCEEDS)
    assert plain == Ratio((49, 51), (100,))
    assert ratio_of(Dice(10, again=faces_from(10, 10), retry=faces_below(8)), SUCCEEDS) == Ratio((49, 41), (100, -10))


def test_a_die_that_goes_again_on_every_face_is_refused() -> None:
    with pytest.raises(Illegal, match="never comes to rest"):
        ratio_of(Dice(6, again=faces_from(1, 6)), frozenset())


def test_a_function_of_a_function_is_as_many_dice_as_the_outer_die_says() -> None:
    die = Ratio((7, 2), (10, -1))
    assert die.of(die) == Ratio((28, -1), (31, -4))


def test_mean_and_variance_come_from_the_function_itself() -> None:
    two_d6 = Series.of(Ratio((4, 2), (6,)), 3)
    assert two_d6.degree == 3
    assert (two_d6.mean, two_d6.variance) == (Fraction(1), Fraction(2, 3))
    assert Series.of(Ratio((7, 2), (10, -1)), 2).degree is None


def test_a_die_that_always_counts_has_no_smaller_coefficients() -> None:
    assert Series.of(Ratio((0, 1), (1,)), 3).weights(4) == ([0, 0, 0, 1, 0], 1)
    assert Series.of(Ratio((0, 1), (1,)), 3).weights(2) == ([0, 0, 0], 1)


def test_products_are_dice_thrown_together() -> None:
    die = Ratio((7, 2), (10, -1))
    assert (Series.of(die, 2) * Series.of(die, 3)).weights(5) == Series(
        (*Series.of(die, 2).factors, *Series.of(die, 3).factors)
    ).weights(5)
    weights, total = (Series.of(die, 2) * Series.of(die, 3)).weights(5)
    whole, of = Series.of(die, 5).weights(5)
    assert [Fraction(a, total) for a in weights] == [Fraction(a, of) for a in whole]
