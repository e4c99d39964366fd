"""Kept dice: the same as the referee's, which throws and sorts them all."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.distribution import Beyond
from astragal.dice.solver.keep import kept_odds, kept_up_to
from astragal.dice.solver.series import Ratio
from astragal.dice.solver.sums import Group, sum_odds
from tests.dice.solver.dice import fair, groups, listed
from tests.referee import tally_groups

SCORES: tuple[Callable[[int], int] | None, ...] = (None, lambda value: int(value > 2), lambda v: -v, lambda v: v * v)


@settings(deadline=None, max_examples=200)
@given(groups(), st.integers(0, 6), st.booleans(), st.sampled_from(range(len(SCORES))))
def test_the_best_or_worst_few(groups: list[Group], keep: int, best: bool, which: int) -> None:
    assert kept_odds(groups, keep, best, 0, SCORES[which]).to_dict() == _by_hand(groups, keep, best, 0, which)


@settings(deadline=None, max_examples=200)
@given(groups(), st.integers(0, 4), st.booleans(), st.integers(0, 3))
def test_those_in_the_middle(groups: list[Group], keep: int, best: bool, skip: int) -> None:
    for which in range(len(SCORES)):
        assert kept_odds(groups, keep, best, skip, SCORES[which]).to_dict() == _by_hand(groups, keep, best, skip, which)


def _by_hand(groups: list[Group], keep: int, best: bool, skip: int, which: int) -> dict[Any, Fraction]:
    score = SCORES[which] or (lambda value: value)

    def read(*dice: tuple[int, ...]) -> int:
        ranked = sorted([value for group in dice for value in group], reverse=best)
        return sum(map(score, ranked[skip : skip + keep]))

    return tally_groups(groups, read)


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 40), st.integers(2, 12), st.data())
def test_many_fair_dice_by_either_method(n: int, sides: int, data: st.DataObject) -> None:
    """Dice with one odd weight take another way than fair ones; mixed by their chances both are the same dice."""
    keep = data.draw(st.integers(1, n - 1))
    fair_ones = kept_odds([(n, fair(sides))], keep)
    in_two_groups = kept_odds([(n // 2, fair(sides)), (n - n // 2, fair(sides))], keep)
    assert fair_ones == in_two_groups


@settings(deadline=None)
@given(st.integers(1, 30), st.integers(1, 12), st.data())
def test_the_worst_are_the_best_of_mirrored_dice(n: int, sides: int, data: st.DataObject) -> None:
    keep = data.draw(st.integers(0, n))
    worst = kept_odds([(n, fair(sides))], keep, best=False)
    mirrored = kept_odds([(n, fair(sides))], keep).map(lambda total: keep * (sides + 1) - total)
    assert worst == mirrored


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(1, 2),
            st.dictionaries(st.integers(0, 6), st.integers(1, 4), min_size=1, max_size=4),
            st.integers(1, 4),
        ),
        min_size=1,
        max_size=2,
    ),
    st.integers(1, 4),
    st.booleans(),
)
def test_dice_without_end_are_exact_up_to_a_limit(
    parts: list[tuple[int, dict[int, int], int]], keep: int, best: bool
) -> None:
    groups = [(n, {**die, Beyond(6): rest}) for n, die, rest in parts]

    def read(*dice: tuple[Any, ...]) -> Any:
        plain = [99 if isinstance(value, Beyond) else value for group in dice for value in group]
        total = sum(sorted(plain, reverse=best)[:keep])
        return total if total <= 6 else Beyond(6)

    assert kept_up_to(groups, keep, 6, best).to_dict() == tally_groups(groups, read)


def test_two_kinds_of_dice_that_always_come_to_more_than_the_limit() -> None:
    groups = [(1, {4: 1, Beyond(6): 1}), (1, {4: 1, Beyond(6): 2})]
    assert kept_up_to(groups, 2, 6, True).to_dict() == {Beyond(6): 1}


def test_an_exploding_die_is_listed_up_to_a_limit() -> None:
    die = listed(Ratio((0, 1, 1, 1), (4, 0, 0, 0, -1)), 9)
    wanted: dict[Any, Fraction] = {
        **{value: Fraction(1, 4) for value in (1, 2, 3)},
        **{value: Fraction(1, 16) for value in (5, 6, 7)},
        9: Fraction(1, 64),
        Beyond(9): Fraction(3, 64),
    }
    assert {value: Fraction(weight, sum(die.values())) for value, weight in die.items()} == wanted


def test_known_odds() -> None:
    assert kept_odds([(4, fair(6))], 3)[18] == Fraction(7, 432)
    assert kept_odds([(2, fair(20))], 1)[20] == Fraction(39, 400)
    assert kept_odds([(10, fair(6))], 4, skip=3).mean == 14
    assert kept_odds([(3, fair(6))], 5) == sum_odds([(3, fair(6))])
    exploding = listed(Ratio((0, *[1] * 9), (10, *[0] * 9, -1)), 60)
    assert kept_up_to([(6, exploding)], 3, 60).at_least(30) == Fraction(3867203, 12500000)
