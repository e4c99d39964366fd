"""Scans: the same as the referee's, whose dice are counted value by value."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.deadline import Deadline
from astragal.dice.estimates import TooMuch
from astragal.dice.solver.scan import Step, scan_odds
from astragal.dice.solver.sums import Group
from astragal.errors import Unavailable
from tests.dice.solver.dice import fair, groups
from tests.referee import tally_groups


def straight(state: Any, face: int, counts: tuple[int, ...]) -> Any:
    run, longest = state
    return (run + 1, max(longest, run + 1)) if counts[0] else (0, longest)


def pairs_and_trebles(state: Any, face: int, counts: tuple[int, ...]) -> Any:
    return state[0] + (counts[0] == 2), state[1] + (counts[0] >= 3)


def widest(state: Any, face: int, counts: tuple[int, ...]) -> Any:
    return (counts[0], face) if counts[0] > state[0] else state


STEPS: tuple[tuple[Step[Any], int | None], ...] = ((straight, 1), (pairs_and_trebles, 3), (widest, None))


@settings(deadline=None, max_examples=150)
@given(groups(most_groups=1), st.sampled_from(STEPS), st.booleans())
def test_an_automaton_over_equal_dice(groups: list[Group], which: tuple[Step[Any], int | None], promised: bool) -> None:
    step, same_from = which
    found = scan_odds(groups, (0, 0), step, same_from if promised else None)
    assert found.to_dict() == tally_groups(groups, _reader(groups, (0, 0), step))


def in_words(state: Any, face: int, counts: tuple[int, ...]) -> Any:
    return (*state, (face, counts))[-2:]


def most_of_any(state: Any, face: int, counts: tuple[int, ...]) -> Any:
    return max(state, *counts)


@settings(deadline=None, max_examples=100)
@given(groups(4), st.sampled_from([(in_words, ()), (most_of_any, 0)]))
def test_an_automaton_over_several_kinds_of_dice(groups: list[Group], which: tuple[Step[Any], Any]) -> None:
    step, start = which
    assert scan_odds(groups, start, step).to_dict() == tally_groups(groups, _reader(groups, start, step))


def _reader(groups: list[Group], start: Any, step: Step[Any]) -> Any:
    values = sorted({value for _, die in groups for value in die}, reverse=True)

    def read(*dice: tuple[int, ...]) -> Any:
        state = start
        for value in values:
            state = step(state, value, tuple(group.count(value) for group in dice))
        return state

    return read


def test_a_known_straight() -> None:
    found = scan_odds([(5, fair(6))], (0, 0), straight, 1).map(lambda state: state[1])
    assert found[5] == Fraction(2 * 120, 6**5)


def test_the_steps_of_a_saturating_scan_do_not_grow_with_the_dice() -> None:
    calls = []
    for n in (10, 1000):
        asked = 0

        def step(state: Any, value: int, counts: tuple[int, ...]) -> Any:
            nonlocal asked
            asked += 1
            return straight(state, value, counts)

        scan_odds([(n, fair(12))], (0, 0), step, 1)
        calls.append(asked)
    assert calls[0] == calls[1]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_heavy_dice_are_scanned_like_others(count: int) -> None:
    """Their polynomials in E would be long, so that counts are scanned class by class instead."""
    dice = {1: 3, 2: 40_000, 3: 7, 5: 90_001}
    groups: list[Group] = [(4, dice)]

    def step(state: int, value: int, counts: tuple[int, ...]) -> int:
        return state + (counts[0] >= count)

    assert scan_odds(groups, 0, step, count).to_dict() == scan_odds(groups, 0, step).to_dict()
    assert scan_odds(groups, 0, step, count).to_dict() == tally_groups(groups, _reader(groups, 0, step))


@pytest.mark.parametrize(
    "groups",
    [[(1000, fair(2))], [(500, fair(6))], [(17, dict.fromkeys(range(431), 431))], [(500, fair(6)), (500, fair(8))]],
)
@pytest.mark.parametrize("same_from", [None, 2])
def test_a_scan_that_is_refused_took_little_memory(groups: list[Group], same_from: int | None) -> None:
    """What is built before the first product is counted as well; it took gigabytes."""
    tracemalloc.start()
    try:
        with suppress(TooMuch, Unavailable), Deadline(1):
            scan_odds(groups, 0, lambda state, value, counts: state + (counts[0] >= 2), same_from)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_a_scan_with_too_many_states_is_stopped_at_its_deadline() -> None:
    start: tuple[int, ...] = ()
    with pytest.raises(Unavailable, match="longer than"), Deadline(0.3):
        scan_odds([(40, fair(20))], start, lambda state, face, counts: (*state, counts[0]))


def test_heavy_weights_do_not_run_over_into_other_slots() -> None:
    """A d2 against a die of uneven weights: only if both show 1 nothing is left."""
    uneven = {1: 18, 3: 4, 4: 14, 5: 20, 6: 25}
    found = scan_odds(
        [(1, {1: 1, 2: 1}), (1, uneven)], 0, lambda state, value, counts: state + value * max(counts[0] - counts[1], 0)
    )
    assert found.to_dict() == {0: Fraction(1, 9), 1: Fraction(7, 18), 2: Fraction(1, 2)}
