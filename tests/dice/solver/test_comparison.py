"""Comparisons: exact chances that one sum is the greater, with and without an end."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.solver.endless.comparison import split_chances
from astragal.dice.solver.endless.mixed import comparison_odds
from astragal.dice.solver.series import Ratio, Series, trimmed

COIN, HEADS = Ratio((1, 1), (2,)), Ratio((1,), (2, -1))
"""Heads of one coin; heads until the first tail."""


def of(die: Ratio, n: int = 1) -> Series:
    return Series.of(die, n)


def exploding(sides: int, lowest: int = 0) -> Ratio:
    """A die that explodes on its highest face, or from ``lowest`` up."""
    lowest = lowest or sides
    stay = [0] + [int(face < lowest) for face in range(1, sides + 1)]
    return trimmed(tuple(stay), (sides, *[-int(face >= lowest) for face in range(1, sides + 1)]))


def test_two_coins_against_one() -> None:
    found = comparison_odds(of(COIN, 2), of(COIN))
    assert (found["ours"], found["draw"], found["theirs"]) == (Fraction(1, 2), Fraction(3, 8), Fraction(1, 8))


def test_counts_without_end() -> None:
    found = comparison_odds(of(HEADS), of(HEADS))
    assert (found["ours"], found["draw"], found["theirs"]) == (Fraction(1, 3),) * 3


def test_a_count_without_end_against_one_that_ends() -> None:
    found = comparison_odds(of(HEADS), of(COIN))
    assert (found["ours"], found["draw"]) == (Fraction(3, 8), Fraction(3, 8))
    mirrored = comparison_odds(of(COIN), of(HEADS))
    assert (mirrored["theirs"], mirrored["draw"]) == (Fraction(3, 8), Fraction(3, 8))


def test_an_exploding_d8_against_an_exploding_d6() -> None:
    assert comparison_odds(of(exploding(8)), of(exploding(6)))["ours"] == Fraction(355785, 663551)


DICE = st.lists(st.tuples(st.integers(1, 2), st.integers(2, 6)), min_size=1, max_size=2)


def series(dice: list[tuple[int, int]], more: int) -> Series:
    """Exploding dice and a number."""
    found = Series((((0,) * more + (1,), 1),))
    for n, sides in dice:
        found *= of(exploding(sides), n)
    return found


@settings(deadline=None, max_examples=40)
@given(DICE, st.integers(0, 3), DICE, st.integers(0, 3))
def test_periods_and_the_split_agree_and_lie_between_bounds(
    mine: list[tuple[int, int]], more: int, other: list[tuple[int, int]], worse: int
) -> None:
    ours, theirs = series(mine, more), series(other, worse)
    found = comparison_odds(ours, theirs)
    assert (found["ours"], found["draw"]) == split_chances(ours, theirs)
    for chance, (low, high) in zip((found["ours"], found["draw"]), bounds(ours, theirs, 60), strict=True):
        assert low <= chance <= high


def bounds(ours: Series, theirs: Series, last: int) -> list[tuple[Fraction, Fraction]]:
    """What is certain of both chances from the values up to ``last`` alone."""
    (a, total), (b, other) = ours.weights(last), theirs.weights(last)
    wins = sum(x * y for i, x in enumerate(a) for y in b[:i]) + (total - sum(a)) * sum(b)
    draws = sum(map(int.__mul__, a, b))
    open_ = Fraction(total - sum(a), total) * Fraction(other - sum(b), other)
    return [(Fraction(ways, total * other), Fraction(ways, total * other) + open_) for ways in (wins, draws)]


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 2), st.integers(3, 5), st.integers(1, 2), st.integers(3, 5))
def test_dice_that_explode_on_two_faces(n: int, sides: int, m: int, others: int) -> None:
    ours, theirs = of(exploding(sides, sides - 1), n), of(exploding(others, others - 1), m)
    found = comparison_odds(ours, theirs)
    mirrored = comparison_odds(theirs, ours)
    assert (found["ours"], found["draw"]) == (mirrored["theirs"], mirrored["draw"])
    for chance, (low, high) in zip((found["ours"], found["draw"]), bounds(ours, theirs, 80), strict=True):
        assert low <= chance <= high


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 12), st.integers(1, 12))
def test_periods_and_the_split_agree_for_dice_that_count(n: int, m: int) -> None:
    ours, theirs = of(Ratio((7, 2), (10, -1)), n), of(Ratio((7,), (10, -3)), m)
    found = comparison_odds(ours, theirs)
    assert (found["ours"], found["draw"]) == split_chances(ours, theirs)


def test_many_dice_that_count() -> None:
    found = comparison_odds(of(HEADS, 500), of(HEADS, 500))
    assert found["ours"] == found["theirs"]
    assert Fraction(1, 200) < found["draw"] < Fraction(1, 100)
