"""Exact odds of one roll of an expression.

Rerolls change the odds of a single die. Sums, counts and what is kept of them are
powers and sweeps of packed polynomials; explosions are generating functions, so they
have no end and stay exact.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, comb, isqrt
from typing import Any, NamedTuple

from astragal.dice.distribution import Beyond, Distribution
from astragal.dice.expression import Roll
from astragal.dice.series import Polynomial, Series, trimmed
from astragal.dice.throwing import check, dice_of, shift_of
from astragal.errors import Illegal

MOST_TERMS = 1_500_000
MOST_BITS = 8_000_000
MOST_WORK = 6_000_000_000


class Die(NamedTuple):
    """One die after rerolls: the weight of each value, and their sum."""

    weights: dict[int, int]
    total: int


def roll_odds(roll: Roll, up_to: int) -> Distribution[Any]:
    """The distribution of what a roll comes to."""
    check(roll)
    die = die_of(roll)
    if roll.doubles:
        return _doubles(roll, die)
    if roll.explode:
        return _exploding(roll, die, up_to)
    return _kept(roll, die)


def die_of(roll: Roll) -> Die:
    """Values thrown again until they change never stand; those thrown again once may come back."""
    values = [face + shift_of(roll) for face in range(1, roll.sides + 1)]
    again = [value for value in values if roll.reroll and roll.reroll.holds(value)]
    if len(again) == len(values) and not roll.once:
        raise Illegal(f"{roll} never comes to rest: every face is thrown again.")
    if not again:
        return Die(dict.fromkeys(values, 1), len(values))
    if not roll.once:
        left = [value for value in values if value not in again]
        return Die(dict.fromkeys(left, 1), len(left))
    stay = len(values)
    return Die({v: len(again) + (0 if v in again else stay) for v in values}, stay * stay)


def score(roll: Roll, value: int) -> int:
    """What a die that is kept adds: its value, or 1 if it counts, −1 if it fails."""
    if not roll.counting:
        return value
    return int(roll.counting.holds(value)) - int(bool(roll.fail and roll.fail.holds(value)))


def _kept(roll: Roll, die: Die) -> Distribution[int]:
    """What the dice that are kept add up to."""
    n = _number_kept(roll)
    scores = [score(roll, value) for value in die.weights]
    least, most = min(scores), max(scores) - min(scores)
    slots = most * n + 1
    if n == roll.n and slots * (most + 1) <= MOST_TERMS:
        counts = _sums(roll, die, least, most)
    else:
        counts = _packed_sums(roll, die, n, least, slots)
    return Distribution({k + least * n: ways for k, ways in enumerate(counts) if ways}, die.total**roll.n)


def _sums(roll: Roll, die: Die, least: int, most: int) -> list[int]:
    """All dice are kept: the coefficients of one polynomial to the power of their number."""
    one = [0] * (most + 1)
    for value, weight in die.weights.items():
        one[score(roll, value) - least] += weight
    return Series(((tuple(one), roll.n),)).weights(most * roll.n)[0]


def _packed_sums(roll: Roll, die: Die, n: int, least: int, slots: int) -> list[int]:
    """The same in one whole number with a slot for each sum; with fewer dice kept, value by value."""
    slot = 8 * ((die.total**roll.n).bit_length() // 8 + 1)
    _check_size(roll, slot * slots, sweeps=len(die.weights) * roll.n**2 if n < roll.n else 1)
    packed = _swept(roll, die, n, least, slot) if n < roll.n else _power(roll, die, least, slot)
    return unpacked(packed, slot // 8, slots)


def unpacked(packed: int, width: int, slots: int) -> list[int]:
    """The coefficients of a packed polynomial whose slots are so many bytes wide."""
    data = packed.to_bytes(width * slots, "little")
    return [int.from_bytes(data[at : at + width], "little") for at in range(0, width * slots, width)]


def _check_size(roll: Roll, bits: int, sweeps: int) -> None:
    """Packed polynomials grow with the sums that they tell apart; a sweep goes over them for every pair of counts."""
    if bits > MOST_BITS or sweeps * bits > MOST_WORK:
        raise Illegal(f"{roll} has too many dice or sides to be solved exactly within a second; ask for fewer.")


def _number_kept(roll: Roll) -> int:
    if not roll.keep:
        return roll.n
    return roll.kept if roll.keep in ("kh", "kl") else max(roll.n - roll.kept, 0)


def _power(roll: Roll, die: Die, least: int, slot: int) -> int:
    """All dice are kept: one polynomial, to the power of their number."""
    one = sum(weight << (slot * (score(roll, value) - least)) for value, weight in die.weights.items())
    return int(one**roll.n)


def _swept(roll: Roll, die: Die, n: int, least: int, slot: int) -> int:
    values = sorted(die.weights, reverse=roll.keep in ("kh", "dl"))
    kept = [min(n, roll.n - left) for left in range(roll.n + 1)]
    sums = [0] * roll.n + [1]
    for value in values:
        after = [0] * (roll.n + 1)
        step = slot * (score(roll, value) - least)
        for left, packed in enumerate(sums):
            for fewer in range(left + 1) if packed else ():
                ways = comb(left, fewer) * die.weights[value] ** (left - fewer)
                after[fewer] += ways * packed << (step * (kept[fewer] - kept[left]))
        sums = after
    return sums[0]


def _exploding(roll: Roll, die: Die, up_to: int) -> Distribution[Any]:
    """A die that explodes is a fraction of polynomials, and so are any number of them."""
    if roll.keep or roll.fail or roll.fate or roll.once:
        raise Illegal(f"{roll} can be rolled, but explosions together with this have no closed odds here.")
    if roll.compound and roll.counting:
        raise Illegal(f"{roll} can be rolled, but a count of compounding dice has no closed odds here.")
    dice_of(roll)
    return endless(exploding_series(roll, die), up_to)


def exploding_series(roll: Roll, die: Die) -> Series:
    stay, go = _polynomial(roll, die, False), _polynomial(roll, die, True)
    below = (die.total - go[0], *(-a for a in go[1:]))
    return Series.of(trimmed(stay, below), roll.n)


def usual_reach(roll: Roll) -> int:
    """A value that is hardly ever passed: six deviations above the mean, where there is no end."""
    if not roll.explode or roll.keep or roll.fail or roll.fate or roll.once or len(dice_of(roll).again) == roll.sides:
        return 0
    series = exploding_series(roll, die_of(roll))
    return ceil(series.mean + 6 * Fraction(isqrt(ceil(series.variance)) + 1))


def _polynomial(roll: Roll, die: Die, explodes: bool) -> Polynomial:
    found = [0] * (max(score(roll, value) for value in die.weights) + 1)
    for value, weight in die.weights.items():
        if bool(roll.explode and roll.explode.holds(value)) == explodes:
            found[score(roll, value)] += weight
    return tuple(found)


def endless(series: Series, up_to: int) -> Distribution[Any]:
    """All that lies beyond ``up_to`` is taken together."""
    end = series.degree
    weights, total = series.weights(up_to if end is None else end)
    found: dict[Any, int] = {k: ways for k, ways in enumerate(weights) if ways}
    if end is None:
        found[Beyond(up_to)] = total - sum(weights)
        return Distribution(found, total, series)
    return Distribution(found, total)


def _doubles(roll: Roll, die: Die) -> Distribution[bool]:
    """All different: elementary symmetric sums of the weights, in every order."""
    sums = [1] + [0] * roll.n
    for weight in die.weights.values():
        for k in range(roll.n, 0, -1):
            sums[k] += sums[k - 1] * weight
    different = sums[roll.n]
    for k in range(1, roll.n + 1):
        different *= k
    total = die.total**roll.n
    return Distribution({True: total - different, False: different}, total)
