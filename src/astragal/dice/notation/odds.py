"""Exact odds of one roll of an expression.

Rerolls change the odds of a single die. Sums, counts and what is kept of them are
powers and sweeps of packed polynomials; explosions are generating functions, so they
have no end and stay exact.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, isqrt
from typing import Any, NamedTuple

from astragal.dice.distribution import Distribution
from astragal.dice.keep_sums import kept_sums, slot_bytes
from astragal.dice.notation.expression import DiceTerm
from astragal.dice.notation.throw import check, dice_of, shift_of
from astragal.dice.series import Polynomial, Series, trimmed
from astragal.dice.solver import series_odds
from astragal.errors import Illegal

MOST_TERMS = 1_500_000
MOST_BITS = 8_000_000
MOST_WORK = 6_000_000_000


class Die(NamedTuple):
    """One die after rerolls: the weight of each value, and their sum."""

    weights: dict[int, int]
    total: int


def roll_odds(roll: DiceTerm, up_to: int) -> Distribution[Any]:
    """The distribution of what a roll comes to."""
    check(roll)
    die = die_of(roll)
    if roll.doubles:
        return _doubles(roll, die)
    if roll.explode:
        return _exploding(roll, die, up_to)
    return _kept(roll, die)


def die_of(roll: DiceTerm) -> Die:
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


def score(roll: DiceTerm, value: int) -> int:
    """What a die that is kept adds: its value, or 1 if it counts, −1 if it fails."""
    if not roll.counting:
        return value
    return int(roll.counting.holds(value)) - int(bool(roll.fail and roll.fail.holds(value)))


def _kept(roll: DiceTerm, die: Die) -> Distribution[int]:
    """What the dice that are kept add up to; scores are counted from the least, so that none is below 0."""
    n = roll.number_kept(roll.n)
    scores = {value: score(roll, value) for value in die.weights}
    least = min(scores.values())
    ordered = sorted(die.weights, reverse=roll.keeps_best)
    values = [(scores[value] - least, die.weights[value]) for value in ordered]
    most = max(add for add, _ in values)
    if n == roll.n and (most * n + 1) * (most + 1) <= MOST_TERMS:
        counts = _sums(values, most, n)
    else:
        _check_size(roll, values, most * n + 1)
        counts = kept_sums(values, roll.n, n)
    return Distribution({k + least * n: ways for k, ways in enumerate(counts) if ways}, die.total**roll.n)


def _sums(values: list[tuple[int, int]], most: int, n: int) -> list[int]:
    """All dice are kept: the coefficients of one polynomial to the power of their number."""
    one = [0] * (most + 1)
    for add, weight in values:
        one[add] += weight
    return Series(((tuple(one), n),)).weights(most * n)[0]


def _check_size(roll: DiceTerm, values: list[tuple[int, int]], sums: int) -> None:
    """Packed polynomials grow with the sums that they tell apart; a sweep goes over them for every pair of counts."""
    bits = 8 * slot_bytes(values, roll.n) * sums
    sweeps = len(values) * roll.n**2 if roll.number_kept(roll.n) < roll.n else 1
    if bits > MOST_BITS or sweeps * bits > MOST_WORK:
        raise Illegal(f"{roll} has too many dice or sides to be solved exactly within a second; ask for fewer.")


def _exploding(roll: DiceTerm, die: Die, up_to: int) -> Distribution[Any]:
    """A die that explodes is a fraction of polynomials, and so are any number of them."""
    if roll.keep or roll.fail or roll.fate or roll.once:
        raise Illegal(f"{roll} can be rolled, but explosions together with this have no closed odds here.")
    if roll.compound and roll.counting:
        raise Illegal(f"{roll} can be rolled, but a count of compounding dice has no closed odds here.")
    dice_of(roll)
    series = exploding_series(roll, die)
    solved = series_odds(series, up_to if series.degree is None else series.degree)
    return Distribution({value: ways for value, ways in solved.weights.items() if ways}, solved.total, series)


def exploding_series(roll: DiceTerm, die: Die) -> Series:
    stay, go = _polynomial(roll, die, False), _polynomial(roll, die, True)
    below = (die.total - go[0], *(-a for a in go[1:]))
    return Series.of(trimmed(stay, below), roll.n)


def usual_reach(roll: DiceTerm) -> int:
    """A value that is hardly ever passed: six deviations above the mean, where there is no end."""
    if not roll.explode or roll.keep or roll.fail or roll.fate or roll.once or len(dice_of(roll).again) == roll.sides:
        return 0
    series = exploding_series(roll, die_of(roll))
    return ceil(series.mean + 6 * Fraction(isqrt(ceil(series.variance)) + 1))


def _polynomial(roll: DiceTerm, die: Die, explodes: bool) -> Polynomial:
    found = [0] * (max(score(roll, value) for value in die.weights) + 1)
    for value, weight in die.weights.items():
        if bool(roll.explode and roll.explode.holds(value)) == explodes:
            found[score(roll, value)] += weight
    return tuple(found)


def _doubles(roll: DiceTerm, die: Die) -> Distribution[bool]:
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
