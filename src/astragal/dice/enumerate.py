"""Enumeration: the odds of a reading by looking at every throw. For readings that know no better way."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any

from astragal.dice.dice import Dice, Pool
from astragal.dice.distribution import Distribution
from astragal.dice.reading import Reading
from astragal.errors import Illegal

MOST_THROWS = 100_000


def every_reading(pool: Pool, reading: Reading[Any]) -> Distribution[Any]:
    """Every throw that differs by more than the order of equal dice, with the number of its orders."""
    if any(dice.again or dice.retry for dice in pool):
        raise Illegal("Dice that are thrown again have no end of throws; this reading cannot be solved for them.")
    cases = prod(comb(dice.n + dice.sides - 1, dice.n) for dice in pool)
    if cases > MOST_THROWS:
        raise Illegal(f"There are {cases:,} different throws; at most {MOST_THROWS:,} are looked at one by one.")
    weights: dict[Any, int] = {}
    for groups in product(*map(_sorted_throws, pool)):
        value = reading.read(tuple((faces,) for faces, _ in groups))
        weights[value] = weights.get(value, 0) + prod(orders for _, orders in groups)
    return Distribution(weights, prod(dice.sides**dice.n for dice in pool))


def _sorted_throws(dice: Dice) -> list[tuple[tuple[int, ...], int]]:
    return [(faces, orders(faces)) for faces in combinations_with_replacement(range(1, dice.sides + 1), dice.n)]


def orders(faces: tuple[int, ...]) -> int:
    """In how many orders these faces can lie."""
    n, left = 1, len(faces)
    for face in set(faces):
        n *= comb(left, faces.count(face))
        left -= faces.count(face)
    return n
