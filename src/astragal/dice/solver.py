"""The solver: exact odds of what a throw reads, without looking at every throw.

Each function here belongs to one kind of reading.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import comb
from typing import Any, TypeVar

from astragal.dice.dice import Dice, Pool
from astragal.dice.distribution import Beyond, Distribution
from astragal.dice.keep_sums import kept_sums
from astragal.dice.reading import Kept
from astragal.dice.series import Series, die_ratio
from astragal.errors import Illegal

S = TypeVar("S")

MOST_STEPS = 400_000


def tally_odds(counting: frozenset[int], pool: Pool, up_to: int) -> Distribution[Any]:
    """How many dice count, rerolls included. Without an end, what lies beyond ``up_to`` is read as one more."""
    series = Series(())
    for dice in pool:
        series *= Series.of(die_ratio(dice._replace(n=1, name=""), counting), dice.n)
    end = series.degree
    weights, total = series.weights(up_to if end is None else end)
    found = dict(enumerate(weights))
    if end is not None:
        return Distribution(found, total)
    found[up_to + 1] = total - sum(weights)
    return Distribution(found, total, series)


def series_odds(series: Series, up_to: int) -> Distribution[Any]:
    """The chances of 0, 1, 2 … that a series has, all beyond ``up_to`` taken together."""
    weights, total = series.weights(up_to)
    found: dict[Any, int] = dict(enumerate(weights))
    found[Beyond(up_to)] = total - sum(weights)
    return Distribution(found, total, series)


def face_odds(pool: Pool) -> Distribution[int]:
    """The face that one die shows in the end, after a second throw if it earns one."""
    (dice,) = pool
    if dice.again:
        raise Illegal("A die that goes again without end shows no last face.")
    once, again = dice.sides, len(dice.retry)
    faces = range(1, dice.sides + 1)
    return Distribution({face: again + (0 if face in dice.retry else once) for face in faces}, dice.sides**2)


def keep_odds(n: int, best: bool, pool: Pool) -> Distribution[Kept]:
    """The sum of the best or worst n dice; the one throw with nothing but 1s is told apart."""
    (dice,) = pool
    counts = kept_counts(n, best, dice)
    counts[n] -= 1
    weights = {Kept(total, False): count for total, count in enumerate(counts) if count}
    return Distribution({Kept(n, True): 1, **weights}, dice.sides**dice.n)


def kept_counts(n: int, best: bool, dice: Dice) -> list[int]:
    """For each sum from 0 up: how many throws keep it."""
    if n * dice.sides * dice.n**2 > MOST_STEPS * 10:
        raise Illegal(f"{dice.n} dice of {dice.sides} sides are too many to sort them out exactly.")
    faces = range(dice.sides, 0, -1) if best else range(1, dice.sides + 1)
    return kept_sums([(face, 1) for face in faces], dice.n, n)


def walk_odds(start: S, step: Callable[[S, int, int], S], pool: Pool) -> Distribution[S]:
    """Die by die: the states that a walk can be in, and in how many ways."""
    (dice,) = pool
    if dice.again or dice.retry:
        raise Illegal("A walk over dice that are thrown again cannot be solved.")
    states = {start: 1}
    for place in range(dice.n):
        after: dict[S, int] = {}
        for state, ways in states.items():
            for face in range(1, dice.sides + 1):
                following = step(state, place, face)
                after[following] = after.get(following, 0) + ways
        states = after
        _check_steps(len(states) * dice.sides * dice.n)
    return Distribution(states, dice.sides**dice.n)


def scan_odds(start: S, step: Callable[[S, int, tuple[int, ...]], S], pool: Pool) -> Distribution[S]:
    """Face by face from the highest: the states of the automaton with the dice that are left, and in how many ways."""
    if any(dice.again or dice.retry for dice in pool):
        raise Illegal("A scan over dice that are thrown again cannot be solved.")
    states: dict[tuple[S, tuple[int, ...]], int] = {(start, tuple(dice.n for dice in pool)): 1}
    for face in range(max(dice.sides for dice in pool), 0, -1):
        states = _scan_face(states, step, pool, face)
        _check_steps(len(states))
    total = 1
    for dice in pool:
        total *= dice.sides**dice.n
    weights: dict[S, int] = {}
    for (state, _), ways in states.items():
        weights[state] = weights.get(state, 0) + ways
    return Distribution(weights, total)


def _scan_face(
    states: dict[tuple[S, tuple[int, ...]], int],
    step: Callable[[S, int, tuple[int, ...]], S],
    pool: Pool,
    face: int,
) -> dict[tuple[S, tuple[int, ...]], int]:
    """Any number of the dice left may show this face; on the last face all of them do."""
    after: dict[tuple[S, tuple[int, ...]], int] = {}
    for (state, left), ways in states.items():
        for counts in product(*(_counts(dice, n, face) for dice, n in zip(pool, left, strict=True))):
            following = step(state, face, counts) if any(counts) else state
            key = following, tuple(n - count for n, count in zip(left, counts, strict=True))
            orders = ways
            for n, count in zip(left, counts, strict=True):
                orders *= comb(n, count)
            after[key] = after.get(key, 0) + orders
    return after


def _counts(dice: Dice, left: int, face: int) -> range:
    if face > dice.sides:
        return range(1)
    return range(left, left + 1) if face == 1 else range(left + 1)


def _check_steps(steps: int) -> None:
    if steps > MOST_STEPS:
        raise Illegal(f"This throw has more than {MOST_STEPS:,} states; ask for fewer dice.")
