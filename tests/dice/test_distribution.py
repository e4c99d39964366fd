"""Distributions: exact arithmetic throughout."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice.distribution import Beyond, Distribution, Moments, mix
from astragal.errors import Illegal, Malformed

D6 = Distribution(dict.fromkeys(range(1, 7), 1))
WEIGHTS = st.dictionaries(st.integers(-5, 12), st.integers(1, 50), min_size=1, max_size=8)


def test_a_chance_is_an_exact_fraction_and_0_for_what_cannot_happen() -> None:
    assert D6[3] == Fraction(1, 6)
    assert D6[7] == 0
    assert D6.to_dict() == dict.fromkeys(range(1, 7), Fraction(1, 6))


def test_mean_variance_and_deviation() -> None:
    assert (D6.mean, D6.variance) == (Fraction(7, 2), Fraction(35, 12))
    assert D6.deviation**2 == pytest.approx(35 / 12)


def test_at_least_and_at_most() -> None:
    assert D6.at_least(5) == D6.at_most(2) == Fraction(1, 3)
    assert D6.at_least(0) == D6.at_most(9) == 1


def test_dice_are_added_by_convolution() -> None:
    two = D6 + D6
    assert [two[total] for total in (2, 7, 12)] == [Fraction(n, 36) for n in (1, 6, 1)]
    higher = D6.convolve(D6, max)
    assert higher[6] == Fraction(11, 36)


def test_map_and_condition() -> None:
    assert D6.map(lambda face: face % 2 == 0)[True] == Fraction(1, 2)
    assert D6.given(lambda face: face > 3)[6] == Fraction(1, 3)
    assert D6.condition(lambda face: face > 5) == Distribution.certain(6)
    with pytest.raises(Illegal, match="No possible value"):
        D6.given(lambda face: face > 6)


def test_quantiles() -> None:
    assert [D6.quantile(share) for share in (0, "1/6", "1/2", "51/100", 1)] == [1, 1, 3, 4, 6]
    with pytest.raises(Malformed, match="from 0 to 1"):
        D6.quantile(2)


def test_equal_chances_are_equal_whatever_the_denominator() -> None:
    scaled = Distribution(dict.fromkeys(range(1, 7), 5) | {9: 0})
    assert scaled == D6
    assert hash(scaled) == hash(D6)
    assert Distribution.certain(1) != D6


@given(WEIGHTS, WEIGHTS)
def test_chances_add_up_to_one_after_every_operation(first: dict[int, int], second: dict[int, int]) -> None:
    one, two = Distribution(first), Distribution(second)
    for made in (one + two, one.map(lambda value: value // 2), one.convolve(two, min), mix([(2, one), (3, two)], 5)):
        assert sum(chance for _, chance in made.items()) == 1
    assert (one + two).mean == one.mean + two.mean
    assert (one + two).variance == one.variance + two.variance


@given(WEIGHTS, st.integers(-6, 13))
def test_at_least_and_at_most_meet(weights: dict[int, int], limit: int) -> None:
    one = Distribution(weights)
    assert one.at_least(limit) + one.at_most(limit) == 1 + one[limit]


def test_a_mixture_has_each_part_with_its_weight() -> None:
    coin = mix([(1, Distribution.certain("heads")), (3, Distribution({"heads": 1, "tails": 1}))], 4)
    assert coin["tails"] == Fraction(3, 8)


def test_beyond_is_greater_than_every_number_that_was_told_apart() -> None:
    endless = Distribution({0: 7, 1: 2, Beyond(1): 1}, 10, Moments(Fraction(1, 3), Fraction(8, 27)))
    assert list(endless) == [0, 1, Beyond(1)]
    assert (endless.at_least(1), endless.at_least(2), endless.at_most(1)) == (
        Fraction(3, 10),
        Fraction(1, 10),
        Fraction(9, 10),
    )
    assert (endless.mean, endless.variance, str(Beyond(1))) == (Fraction(1, 3), Fraction(8, 27), "1+")
    with pytest.raises(Illegal, match="up to 1 only"):
        endless.at_least(3)


def test_words_have_no_mean() -> None:
    words = Distribution({"heads": 1, "tails": 1})
    assert not words.is_numeric
    with pytest.raises(Malformed, match="not a number"):
        _ = words.mean
    assert list(words) == ["heads", "tails"]
    assert "heads: 1/2" in repr(words)


def test_a_notebook_and_files_show_it() -> None:
    assert D6.to_csv().splitlines()[1].startswith("1,1/6,")
    assert D6.to_svg("A die").startswith("<svg")
    assert "<table" in D6._repr_html_()
