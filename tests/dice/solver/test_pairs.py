"""Pairs of two pools: the same as the referee's, counted by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.solver.pairs import pairs_won
from astragal.dice.solver.sums import Group
from tests.dice.solver.dice import fair, groups
from tests.referee import tally_groups

Dice = tuple[int, ...]


@settings(deadline=None, max_examples=60)
@given(groups(3, 1), groups(3, 1), st.booleans())
def test_pairs_are_won_from_the_top(ours: list[Group], theirs: list[Group], ties: bool) -> None:
    def won(mine: Dice, other: Dice) -> int:
        ranked = zip(sorted(mine, reverse=True), sorted(other, reverse=True), strict=False)
        return sum(a > b or (ties and a == b) for a, b in ranked)

    assert pairs_won(ours[0], theirs[0], ties).to_dict() == tally_groups([ours[0], theirs[0]], won)


@pytest.mark.parametrize(("ours", "theirs", "wanted"), [(3, 2, Fraction(2890, 7776)), (1, 1, Fraction(15, 36))])
def test_the_attacker_of_risk_wins_every_pair(ours: int, theirs: int, wanted: Fraction) -> None:
    assert pairs_won((ours, fair(6)), (theirs, fair(6)))[theirs] == wanted
