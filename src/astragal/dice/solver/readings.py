"""Exact odds of readings.

There is a function for each class of reading; ``every_reading`` enumerates all throws
for readings that have none. Only the latter's time grows with the number of throws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any, TypeVar

from astragal.dice.dice import Dice, Pool
from astragal.dice.distribution import Beyond, Distribution
from astragal.dice.reading import Keep, Kept, Reading
from astragal.dice.solver.series import Series, die_ratio
from astragal.errors import Illegal

S = TypeVar("S")

MAX_STATES = 400_000
"""States of a walk or scan: about a second's work."""
MAX_KEEP_STEPS = 4_000_000
"""Additions for the sums of kept dice: about a second's work."""
MAX_THROWS = 100_000
"""Different throws to enumerate: about a second's work."""


def tally_odds(counting: frozenset[int], pool: Pool, up_to: int) -> Distribution[Any]:
    """Return the odds of a tally; an endless one has all counts above ``up_to`` as ``up_to + 1``."""
    series = Series(())
    for dice in pool:
        series *= Series.of(die_ratio(dice._replace(n=1, name=""), counting), dice.n)
    end = series.degree
    weights, total = series.weights(up_to if end is None else end)
    by_count = dict(enumerate(weights))
    if end is not None:
        return Distribution(by_count, total)
    by_count[up_to + 1] = total - sum(weights)
    return Distribution(by_count, total, series)


def series_odds(series: Series, up_to: int) -> Distribution[Any]:
    """Return the chances of 0, 1, 2 …: the series' coefficients, with the rest as ``Beyond(up_to)``."""
    weights, total = series.weights(up_to)
    by_count: dict[Any, int] = dict(enumerate(weights))
    by_count[Beyond(up_to)] = total - sum(weights)
    return Distribution(by_count, total, series)


def face_odds(pool: Pool) -> Distribution[int]:
    """Return the odds of a single die's last face, after its reroll if it earns one."""
    (dice,) = pool
    if dice.again:
        raise Illegal("A die that is rerolled without limit has no last face.")
    once, again = dice.sides, len(dice.retry)
    faces = range(1, dice.sides + 1)
    return Distribution({face: again + (0 if face in dice.retry else once) for face in faces}, dice.sides**2)


def keep_odds(keep: Keep, pool: Pool) -> Distribution[Kept]:
    """Return the odds of the kept sum, throws that show only faces in ``keep.every`` apart."""
    (dice,) = pool
    counts = dict(enumerate(kept_counts(keep.n, keep.best, dice)))
    shown = [face for face in _ranked(dice, keep.best) if face in keep.every]
    only = dict(enumerate(kept_sums([(face, 1) for face in shown], dice.n, keep.n))) if shown else {}
    weights = {Kept(total, True): ways for total, ways in only.items() if ways}
    weights |= {Kept(total, False): ways - only.get(total, 0) for total, ways in counts.items()}
    return Distribution({kept: ways for kept, ways in weights.items() if ways}, dice.sides**dice.n)


def kept_counts(n: int, best: bool, dice: Dice) -> list[int]:
    """Return, for each sum from 0 up, the number of throws whose best or worst ``n`` dice add up to it."""
    if n * dice.sides * dice.n**2 > MAX_KEEP_STEPS:
        raise Illegal(f"{dice.n} dice with {dice.sides} sides are too many to keep some of them; use fewer.")
    return kept_sums([(face, 1) for face in _ranked(dice, best)], dice.n, n)


def _ranked(dice: Dice, best: bool) -> range:
    return range(dice.sides, 0, -1) if best else range(1, dice.sides + 1)


def kept_sums(values: Sequence[tuple[int, int]], n: int, kept: int) -> list[int]:
    """Return, for each sum from 0 up, the number of ways in which ``kept`` of ``n`` dice add up to it.

    ``values`` are a die's values (0 or more) with their weights, in the order of keeping.

    Polynomials are packed into one integer each, with a fixed number of bytes per
    coefficient, so that adding, shifting and scaling them are single operations.
    """
    width = coefficient_bytes(values, n)
    packed = _power(values, n, 8 * width) if kept == n else _sweep(values, n, kept, 8 * width)
    return _unpacked(packed, width, max(value for value, _ in values) * kept + 1)


def coefficient_bytes(values: Sequence[tuple[int, int]], n: int) -> int:
    """Return the number of bytes that hold the weight of all throws, so that no coefficient overflows."""
    return int(sum(weight for _, weight in values) ** n).bit_length() // 8 + 1


def _power(values: Sequence[tuple[int, int]], n: int, bits: int) -> int:
    """All dice are kept: one die's polynomial to the n-th power."""
    return int(sum(weight << (bits * value) for value, weight in values) ** n)


def _sweep(values: Sequence[tuple[int, int]], n: int, most: int, bits: int) -> int:
    """Go through the values with a polynomial for each number of dice left; the last value takes all of them."""
    kept = [min(most, n - left) for left in range(n + 1)]
    choose = [[comb(left, fewer) for fewer in range(left + 1)] for left in range(n + 1)]
    sums = [0] * n + [1]
    for place, (value, weight) in enumerate(values, 1):
        powers = [weight**dice for dice in range(n + 1)]
        after = [0] * (n + 1)
        for left, packed in enumerate(sums):
            if packed:
                for fewer in range(left + 1) if place < len(values) else (0,):
                    ways = choose[left][fewer] * powers[left - fewer] * packed
                    after[fewer] += ways << (bits * value * (kept[fewer] - kept[left]))
        sums = after
    return sums[0]


def _unpacked(packed: int, width: int, coefficients: int) -> list[int]:
    data = packed.to_bytes(width * coefficients, "little")
    return [int.from_bytes(data[at : at + width], "little") for at in range(0, width * coefficients, width)]


def walk_odds(start: S, step: Callable[[S, int, int], S], pool: Pool) -> Distribution[S]:
    """Return the odds of a walk's last state; die by die, states are merged with the number of ways to reach them."""
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
        _check_states(len(states) * dice.sides * dice.n)
    return Distribution(states, dice.sides**dice.n)


def scan_odds(start: S, step: Callable[[S, int, tuple[int, ...]], S], pool: Pool) -> Distribution[S]:
    """Return the odds of a scan's last state; face by face, states are kept with the dice that are left."""
    if any(dice.again or dice.retry for dice in pool):
        raise Illegal("A scan over dice that are thrown again cannot be solved.")
    states: dict[tuple[S, tuple[int, ...]], int] = {(start, tuple(dice.n for dice in pool)): 1}
    for face in range(max(dice.sides for dice in pool), 0, -1):
        states = _scan_face(states, step, pool, face)
        _check_states(len(states))
    weights: dict[S, int] = {}
    for (state, _), ways in states.items():
        weights[state] = weights.get(state, 0) + ways
    return Distribution(weights, _all_throws(pool))


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


def _check_states(states: int) -> None:
    if states > MAX_STATES:
        raise Illegal(f"This throw has more than {MAX_STATES:,} states; use fewer dice.")


def every_reading(pool: Pool, reading: Reading[Any]) -> Distribution[Any]:
    """Return the odds of any reading by enumeration; throws that differ only in the order of equal dice are one."""
    if any(dice.again or dice.retry for dice in pool):
        raise Illegal("This reading cannot be solved for dice that are thrown again: there is no end of throws.")
    throws = prod(comb(dice.n + dice.sides - 1, dice.n) for dice in pool)
    if throws > MAX_THROWS:
        raise Illegal(f"There are {throws:,} different throws; at most {MAX_THROWS:,} can be enumerated.")
    weights: dict[Any, int] = {}
    for groups in product(*map(_sorted_throws, pool)):
        value = reading.read(tuple((faces,) for faces, _ in groups))
        weights[value] = weights.get(value, 0) + prod(orders for _, orders in groups)
    return Distribution(weights, _all_throws(pool))


def _sorted_throws(dice: Dice) -> list[tuple[tuple[int, ...], int]]:
    return [(faces, orders(faces)) for faces in combinations_with_replacement(range(1, dice.sides + 1), dice.n)]


def orders(faces: tuple[int, ...]) -> int:
    """Return the number of orders in which these faces can lie."""
    ways, left = 1, len(faces)
    for face in set(faces):
        ways *= comb(left, faces.count(face))
        left -= faces.count(face)
    return ways


def _all_throws(pool: Pool) -> int:
    return prod(dice.sides**dice.n for dice in pool)
