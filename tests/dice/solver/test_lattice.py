"""Chosen rerolls: as good as trying every choice, and the odds that such play leads to."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.solver.lattice import Throw, best_rerolls, best_rerolls_odds
from astragal.dice.solver.sums import Die, sum_odds
from astragal.errors import Illegal
from tests.dice.solver.dice import dice, fair


def all_equal(throw: Throw) -> int:
    return int(throw[0] == throw[-1])


def highest_less_lowest(throw: Throw) -> int:
    return throw[-1] - throw[0]


def by_hand(n: int, die: Die, rerolls: int, worth: Callable[[Throw], int]) -> Fraction:
    """Try every set of dice to keep, for every throw."""
    total = sum(die.values())

    def thrown(kept: Throw, left: int) -> Fraction:
        found = Fraction(0)
        for more in product(die.items(), repeat=n - len(kept)):
            chance = Fraction(1)
            for _, weight in more:
                chance *= Fraction(weight, total)
            found += chance * best(tuple(sorted((*kept, *(value for value, _ in more)))), left)
        return found

    @cache
    def best(throw: Throw, left: int) -> Fraction:
        if not left:
            return Fraction(worth(throw))
        kept = {keep for size in range(n + 1) for keep in combinations(throw, size)}
        return max(thrown(keep, left - 1) for keep in kept)

    return thrown((), rerolls)


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 3), dice(1, 5, 3), st.integers(0, 2), st.sampled_from([all_equal, highest_less_lowest]))
def test_rerolls_are_chosen_at_best(n: int, die: Die, rerolls: int, worth: Callable[[Throw], int]) -> None:
    wanted = by_hand(n, die, rerolls, worth)
    assert best_rerolls(n, die, rerolls, worth) == wanted
    odds = best_rerolls_odds(n, die, rerolls, worth)
    assert sum(odds.to_dict().values()) == 1
    assert sum((chance * worth(throw) for throw, chance in odds.items()), Fraction(0)) == wanted


def test_five_of_a_kind_in_three_throws() -> None:
    assert best_rerolls(5, fair(6), 2, all_equal) == Fraction(347897, 7558272)


def test_without_rerolls_it_is_the_throw() -> None:
    assert best_rerolls(4, fair(6), 0, sum) == 14
    assert best_rerolls_odds(4, fair(6), 0, sum).map(sum) == sum_odds([(4, fair(6))])


def test_too_many_dice_are_refused_before_anything_is_done() -> None:
    with pytest.raises(Illegal, match="different throws one by one"):
        best_rerolls(50, fair(20), 2, sum)
