"""The solver: for each kind of reading, the same odds as by enumeration."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.dice import Dice, faces_below, faces_from
from astragal.dice.distribution import Distribution
from astragal.dice.reading import Face, Keep, Scored, Tally, Walk
from astragal.dice.solver.readings import every_reading, orders
from astragal.errors import Illegal


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 5), st.integers(2, 6), st.integers(0, 3), st.integers(2, 5), st.integers(1, 6))
def test_a_tally_of_two_kinds_of_dice(n: int, sides: int, m: int, others: int, lowest: int) -> None:
    pool = (Dice(sides, n), Dice(others, m))
    tally = Tally(faces_from(lowest, 6))
    assert tally.odds(pool, 20) == every_reading(pool, tally)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 6), st.integers(1, 6), st.integers(1, 6), st.booleans(), st.frozensets(st.integers(1, 6), max_size=3)
)
def test_keeping_the_best_or_the_worst(n: int, more: int, sides: int, best: bool, every: frozenset[int]) -> None:
    pool = (Dice(sides, min(n + more, 7)),)
    keep = Keep(min(n, 7), best, every)
    assert keep.odds(pool, 0) == every_reading(pool, keep)


@given(st.integers(2, 20))
def test_the_face_of_a_die(sides: int) -> None:
    assert Face().odds((Dice(sides),), 0) == Distribution(dict.fromkeys(range(1, sides + 1), 1))


def test_the_last_face_of_a_die_with_a_second_throw() -> None:
    chance = Face().odds((Dice(10, retry=faces_from(2, 9)),), 0)
    assert (chance[1], chance[5], chance[10]) == (Fraction(18, 100), Fraction(8, 100), Fraction(18, 100))


@settings(deadline=None)
@given(st.integers(0, 4), st.integers(2, 6))
def test_a_walk(n: int, sides: int) -> None:
    """Order matters to a walk, so every order is looked at."""
    from itertools import product

    walk = Walk(0, lambda state, place, face: state * 2 + (face > place))
    wanted = Distribution.certain(0) if n == 0 else None
    if n:
        states = [walk.read(((faces,),)) for faces in product(range(1, sides + 1), repeat=n)]
        wanted = Distribution({state: states.count(state) for state in states})
    assert walk.odds((Dice(sides, n),), 0) == wanted


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 4), st.integers(0, 3), st.integers(2, 5), st.integers(2, 6))
def test_two_kinds_of_dice_compared_from_the_highest_face_down(n: int, m: int, sides: int, others: int) -> None:
    start: tuple[int, ...] = ()
    steps = Scored(
        start, lambda state, counts: ((*state, counts[0] * 10 + counts[1])[-2:], counts[0]), lambda *end: end
    )
    pool = (Dice(sides, n), Dice(others, m))
    assert steps.odds(pool, 0) == every_reading(pool, steps)


def test_what_goes_again_cannot_be_compared_walked_or_enumerated() -> None:
    again = (Dice(10, 2, again=faces_from(10, 10)),)
    scan = Scored(0, lambda state, counts: (state, 0), lambda state, points: state)
    walk = Walk(0, lambda state, place, face: state)
    for solve in (scan.odds, walk.odds):
        with pytest.raises(Illegal, match="thrown again"):
            solve(again, 0)
    with pytest.raises(Illegal, match="no end of throws"):
        every_reading(again, scan)
    with pytest.raises(Illegal, match="no last face"):
        Face().odds((Dice(10, 1, again=faces_from(10, 10)),), 0)


def test_too_many_throws_are_refused() -> None:
    with pytest.raises(Illegal, match="different throws one by one"):
        every_reading((Dice(20, 30),), Tally(faces_below(3)))


def test_orders_of_equal_dice() -> None:
    assert (orders(()), orders((1, 1, 1)), orders((1, 2, 2)), orders((1, 2, 3))) == (1, 1, 3, 6)
