"""Two values without end: which is greater, how far they are apart; and what is left of one after division."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from astragal.dice.distribution import Below, Beyond, Distribution, Moments, of_chances
from astragal.dice.solver.endless.comparison import comparison_odds
from astragal.dice.solver.series import Polynomial, Series
from astragal.notation.endless import Endless

MAX_REMAINDER = 60
"""Largest divisor of which remainders of endless values are found."""
HELD = {
    ">": ("ours",),
    ">=": ("ours", "draw"),
    "<": ("theirs",),
    "<=": ("theirs", "draw"),
    "==": ("draw",),
    "!=": ("ours", "theirs"),
}


def compared_endless(operator: str, left: Endless, right: Endless) -> Distribution[bool]:
    """Return the odds of a comparison of two endless values."""
    if left.sign != right.sign:
        # X + a > b - Y means X + Y > b - a: a single value without end on one side.
        both = Endless(left.series * right.series, left.shift - right.shift, left.sign)
        return compared_endless(operator, both, Endless(Series(()), 0, left.sign))
    won = _met(left, right)
    ways = sum(won.weights[who] for who in HELD[operator])
    return Distribution({True: ways, False: won.total - ways}, won.total)


def _met(left: Endless, right: Endless) -> Distribution[str]:
    """Which of two values that go on in the same direction is greater; the shift goes to the side that it raises."""
    ours, theirs, ahead = left.series, right.series, left.shift - right.shift
    if left.sign < 0:
        ours, theirs = theirs, ours
    return comparison_odds(ours.shifted(max(ahead, 0)), theirs.shifted(max(-ahead, 0)))


def difference(left: Endless, right: Endless, up_to: int) -> Distribution[Any]:
    """Return the odds of the difference of two values that go on in the same direction, listed on both sides of 0."""
    above = {d: _above(left.plus(-d), right) for d in range(-up_to - 1, up_to + 1)}
    chances: dict[Any, Fraction] = {d: above[d - 1] - above[d] for d in range(-up_to, up_to + 1)}
    chances[Beyond(up_to)] = above[up_to]
    chances[Below(-up_to)] = 1 - above[-up_to - 1]
    return of_chances(chances, Moments(left.mean - right.mean, left.variance + right.variance))


def _above(left: Endless, right: Endless) -> Fraction:
    won = _met(left, right)
    return Fraction(won.weights["ours"], won.total)


def remainder(value: Endless, by: int) -> Distribution[int]:
    """Return the odds of what is left of an endless value after division: its series modulo x^by − 1."""
    whole = [Fraction(int(k == 0)) for k in range(by)]
    for polynomial, exponent in value.series.factors:
        factor = _folded(polynomial, by)
        factor = _inverse(factor) if exponent < 0 else factor
        for _ in range(abs(exponent)):
            whole = _cyclic(whole, factor)
    return of_chances(dict(sorted(((value.sign * k + value.shift) % by, chance) for k, chance in enumerate(whole))))


def _folded(polynomial: Polynomial, by: int) -> list[Fraction]:
    found = [Fraction(0)] * by
    for k, a in enumerate(polynomial):
        found[k % by] += a
    return found


def _cyclic(left: list[Fraction], right: list[Fraction]) -> list[Fraction]:
    by = len(left)
    return [sum((left[j] * right[(k - j) % by] for j in range(by)), Fraction(0)) for k in range(by)]


def _inverse(factor: list[Fraction]) -> list[Fraction]:
    """The inverse modulo x^n − 1, by elimination; no denominator has a root on the unit circle."""
    n = len(factor)
    rows = [[factor[(k - j) % n] for j in range(n)] + [Fraction(int(k == 0))] for k in range(n)]
    for column in range(n):
        pivot = next(row for row in range(column, n) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column][column]
        rows[column] = [a / lead for a in rows[column]]
        for row in range(n):
            if row != column and rows[row][column]:
                by = rows[row][column]
                rows[row] = [a - by * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [row[n] for row in rows]
