"""The operators of AnyDice.

Numbers are computed with as they are. A sequence is added up first, except that a
comparison with a number counts its numbers, and one with a sequence goes from left to
right. Dice are computed with value by value, each use of them a roll of its own.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Sequence
from math import comb
from typing import Any

from astragal.anydice.values import (
    EMPTY,
    ZERO,
    Pool,
    Value,
    checked,
    counted,
    die_of,
    mixed,
    number_of,
    odds_of,
    sized,
)
from astragal.dice.estimates import refuse_bytes
from astragal.dice.solver.keep import kept_odds
from astragal.dice.solver.packed import pack, slot_bytes, unpack
from astragal.dice.solver.sums import Die, Group
from astragal.errors import Illegal

FEW = 100
"""Pairs of values that are joined one by one."""
GAPS = 8
"""Slots for each value of two dice, from which on most of them would be empty."""
MAX_BITS = 64
"""Bits of a power: more than the greatest number has."""


def divide(left: int, right: int) -> int:
    """Divide towards zero; by zero is zero, as in AnyDice."""
    if not right:
        return 0
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def power(left: int, right: int) -> int:
    """Raise to a power; of one below zero, the part before the point is left."""
    if right < 0:
        if not left:
            raise Illegal("0 has no power below 0.")
        return 0 if abs(left) > 1 else left ** (right % 2)
    if abs(left) > 1 and right * (abs(left).bit_length() - 1) > MAX_BITS:
        raise Illegal(f"{left} ^ {right} is too great a number.")
    return int(left**right)


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
CALCULATE: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": divide,
    "^": power,
    "&": lambda left, right: 1 if left and right else 0,
    "|": lambda left, right: 1 if left or right else 0,
    "=": lambda left, right: 1 if left == right else 0,
    "!=": lambda left, right: 1 if left != right else 0,
    "<": lambda left, right: 1 if left < right else 0,
    ">": lambda left, right: 1 if left > right else 0,
    "<=": lambda left, right: 1 if left <= right else 0,
    ">=": lambda left, right: 1 if left >= right else 0,
}
SKIPS_EMPTY = ("+", "-", "|")
"""Operators for which the empty die is 0, if the other side is not empty as well."""


def calculate(sign: str, left: Value, right: Value) -> Value:
    """Return what an operator makes of two values."""
    if isinstance(left, int) and isinstance(right, int):
        return checked(CALCULATE[sign](left, right))
    if isinstance(left, Pool) or isinstance(right, Pool):
        return _with_dice(sign, left, right)
    if sign in COMPARE:
        return _compared(COMPARE[sign], left, right)
    return checked(CALCULATE[sign](number_of(left), number_of(right)))


def _compared(holds: Callable[[Any, Any], bool], left: Value, right: Value) -> int:
    if isinstance(left, tuple) and isinstance(right, tuple):
        return int(holds(left, right))
    listed, number = (left, right) if isinstance(left, tuple) else (right, left)
    assert isinstance(listed, tuple)
    if holds is operator.eq:
        return listed.count(number)
    if listed is left:
        return sum([holds(each, number) for each in listed])
    return sum([holds(number, each) for each in listed])


def _with_dice(sign: str, left: Value, right: Value) -> Pool:
    empty = [isinstance(side, Pool) and not side for side in (left, right)]
    if all(empty) or (any(empty) and sign not in SKIPS_EMPTY):
        return EMPTY
    ours, theirs = odds_of(0 if empty[0] else left), odds_of(0 if empty[1] else right)
    if sign in ("+", "-"):
        return _added(ours, theirs if sign == "+" else _turned(theirs))
    return _pairs(CALCULATE[sign], ours, theirs)


def _added(ours: Die, theirs: Die) -> Pool:
    """The sum of two dice: one product of packed polynomials, unless there are few values or wide gaps."""
    slots = [max(die) - min(die) + 1 for die in (ours, theirs)]
    if len(ours) * len(theirs) < FEW or sum(slots) > GAPS * (len(ours) + len(theirs)):
        return _pairs(operator.add, ours, theirs)
    width = slot_bytes(sum(ours.values()) * sum(theirs.values()))
    refuse_bytes(sum(slots) * width)
    packed = [pack([die.get(value, 0) for value in range(min(die), max(die) + 1)], width) for die in (ours, theirs)]
    weights = unpack(packed[0] * packed[1], width, sum(slots) - 1)
    least = min(ours) + min(theirs)
    return die_of({value: weight for value, weight in enumerate(weights, least) if weight})


def _pairs(join: Callable[[int, int], int], ours: Die, theirs: Die) -> Pool:
    """Every value of one die with every value of another."""
    found: dict[int, int] = {}
    for mine, weight in ours.items():
        for other, times in theirs.items():
            value = join(mine, other)
            found[value] = found.get(value, 0) + weight * times
    return die_of(found)


def _turned(die: Die) -> Die:
    return {-value: weight for value, weight in reversed(list(die.items()))}


def negative(value: Value) -> Value:
    """Return a value with the other sign: the dice of a pool each for itself, a sequence added up."""
    if isinstance(value, Pool):
        return Pool(value.n, _turned(value.die))
    return -number_of(value)


def opposite(value: Value) -> Value:
    """Return 1 for 0, and 0 for everything else."""
    if isinstance(value, Pool):
        return _mapped(value.sum, lambda number: int(not number))
    return int(not number_of(value))


def _mapped(die: Die, change: Callable[[int], int]) -> Pool:
    found: dict[int, int] = {}
    for value, weight in die.items():
        found[change(value)] = found.get(change(value), 0) + weight
    return die_of(found)


def length(value: Value) -> int:
    """Return the number of a sequence's numbers, of a pool's dice, or of a number's digits."""
    if isinstance(value, Pool):
        return value.n
    return len(value) if isinstance(value, tuple) else len(str(abs(value)))


def dice(count: Value, faces: Value) -> Value:
    """Return this number of dice; if the number is itself rolled, one die with the sums."""
    if isinstance(count, Pool):
        die = die_faces(faces)
        if not count or not die:
            return EMPTY
        return mixed((weight, _pool(n, die)) for n, weight in count.sum.items())
    n = number_of(count)
    return faces if n == 1 and isinstance(faces, Pool) else _pool(n, die_faces(faces))


def die_faces(faces: Value) -> Pool:
    """Return the single die with these faces: 1 to a number, those of a sequence, or the sums of dice."""
    if isinstance(faces, int):
        sized(abs(faces), "faces")
        return counted(range(1, faces + 1) if faces > 0 else range(faces, 0) if faces else [0])
    if isinstance(faces, tuple):
        return counted(faces)
    return faces if faces.n <= 1 else Pool(1, faces.sum)


def _pool(n: int, die: Pool) -> Pool:
    sized(abs(n), "dice")
    if not die:
        return EMPTY
    if not n:
        return Pool(1, {0: 1})
    return Pool(n, die.die) if n > 0 else Pool(-n, _turned(die.die))


# The ``@``: numbers of a sequence, digits of a number, or dice of a pool by their position.


def at(positions: Value, value: Value, highest_first: bool) -> Value:
    """Return the sum of the values at some positions; a position that does not exist adds nothing."""
    if isinstance(positions, int) and isinstance(value, tuple):
        return value[positions - 1] if 0 < positions <= len(value) else 0
    if isinstance(positions, Pool):
        raise Illegal("a position is a number, not dice; pass the dice to a function with a parameter such as P:n.")
    wanted = (positions,) if isinstance(positions, int) else positions
    if isinstance(value, Pool):
        return _dice_at(wanted, value, highest_first)
    listed = _digits(value, highest_first) if isinstance(value, int) else value
    return sum([listed[place - 1] for place in wanted if 0 < place <= len(listed)])


def _digits(number: int, highest_first: bool) -> Sequence[int]:
    digits = [int(digit) if number > 0 else -int(digit) for digit in str(abs(number))]
    return digits if highest_first else digits[::-1]


def _dice_at(wanted: Sequence[int], pool: Pool, highest_first: bool) -> Pool:
    if not pool:
        return EMPTY
    times = Counter([place for place in wanted if 0 < place <= pool.n])
    if not times:
        return ZERO
    first, last = min(times), max(times)
    if len(times) == last - first + 1 and set(times.values()) == {1}:
        return kept([(pool.n, pool.die)], len(times), highest_first, first - 1)
    if not highest_first:
        times = Counter({pool.n + 1 - place: each for place, each in times.items()})
    return _scanned(pool, times)


def kept(groups: Sequence[Group], keep: int, best: bool = True, skip: int = 0) -> Pool:
    """Return the sum of the best or worst dice, behind those that are skipped."""
    return die_of(kept_odds(groups, max(keep, 0), best, skip).weights)


def _scanned(pool: Pool, times: Counter[int]) -> Pool:
    """Any positions from the highest die down, some of them perhaps several times.

    A state has the number of dice above a value, and the sum of those at the positions.
    """
    before = [0]
    for place in range(1, pool.n + 1):
        before.append(before[-1] + times[place])
    states = {(0, 0): 1}
    last = min(pool.die)
    for value in sorted(pool.die, reverse=True):
        after: dict[tuple[int, int], int] = {}
        for (above, added), ways in states.items():
            left = pool.n - above
            for count in range(left if value == last else 0, left + 1):
                key = above + count, added + value * (before[above + count] - before[above])
                after[key] = after.get(key, 0) + ways * comb(left, count) * pool.die[value] ** count
        states = after
    return die_of({added: ways for (_, added), ways in states.items()})
