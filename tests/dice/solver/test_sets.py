"""Sets and pools against each other: the same as the referee's, counted by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.solver import sets
from astragal.dice.solver.sums import Group
from tests.dice.solver.dice import fair, groups
from tests.referee import tally_groups

Dice = tuple[int, ...]


def longest(dice: Dice) -> int:
    return max(
        (n for n in range(1, len(dice) + 1) for low in dice if all(low + more in dice for more in range(n))), default=0
    )


def widest_match(dice: Dice) -> tuple[int, int]:
    return max(((dice.count(value), value) for value in dice), default=(0, 0))


ONE: list[tuple[Callable[[Group], Any], Callable[[Dice], Any]]] = [
    (sets.longest_straight, longest),
    (sets.widest_match, widest_match),
    (sets.widest, lambda dice: widest_match(dice)[0]),
    (sets.matches, lambda dice: sum(n >= 2 for n in Counter(dice).values())),
    (lambda group: sets.matches(group, 3), lambda dice: sum(n >= 3 for n in Counter(dice).values())),
    (sets.distinct, lambda dice: len(set(dice))),
    (sets.unique, lambda dice: sum(n == 1 for n in Counter(dice).values())),
    (sets.matching_dice, lambda dice: sum(n for n in Counter(dice).values() if n >= 2)),
]


@settings(deadline=None, max_examples=60)
@given(groups(most_groups=1))
def test_sets_of_one_pool(groups: list[Group]) -> None:
    for solve, read in ONE:
        assert solve(groups[0]).to_dict() == tally_groups(groups, read)


def pairs(ours: Dice, theirs: Dice, ties: bool) -> int:
    ranked = zip(sorted(ours, reverse=True), sorted(theirs, reverse=True), strict=False)
    return sum(mine > other or (ties and mine == other) for mine, other in ranked)


TWO: list[tuple[Callable[[Group, Group], Any], Callable[[Dice, Dice], Any]]] = [
    (sets.pairs_won, lambda ours, theirs: pairs(ours, theirs, False)),
    (lambda ours, theirs: sets.pairs_won(ours, theirs, True), lambda ours, theirs: pairs(ours, theirs, True)),
    (sets.highest_left, lambda ours, theirs: max(Counter(ours) - Counter(theirs), default=None)),
    (sets.left_over, lambda ours, theirs: sum((Counter(ours) - Counter(theirs)).values())),
    (sets.beaten, lambda ours, theirs: sum(sum(ours) > value for value in theirs)),
    (lambda ours, theirs: sets.beaten(ours, theirs, True), lambda ours, theirs: sum(sum(ours) >= v for v in theirs)),
]


@settings(deadline=None, max_examples=60)
@given(groups(3, 1), groups(3, 1))
def test_one_pool_against_another(ours: list[Group], theirs: list[Group]) -> None:
    for solve, read in TWO:
        assert solve(ours[0], theirs[0]).to_dict() == tally_groups([ours[0], theirs[0]], read)


@pytest.mark.parametrize(("ours", "theirs", "wanted"), [(3, 2, Fraction(2890, 7776)), (1, 1, Fraction(15, 36))])
def test_the_attacker_of_risk_wins_every_pair(ours: int, theirs: int, wanted: Fraction) -> None:
    assert sets.pairs_won((ours, fair(6)), (theirs, fair(6)))[theirs] == wanted


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 12), st.integers(1, 8))
def test_as_many_dice_are_used_as_there_are(n: int, sides: int) -> None:
    found = sets.matches((n, fair(sides)), 1)
    assert sum(found.to_dict().values()) == 1
    assert max(found) == min(n, sides)
