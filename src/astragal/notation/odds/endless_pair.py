"""Two values without end: which is greater, how far they are apart; and what is left of one after division."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from astragal.dice.distribution import Below, Beyond, Distribution, Moments, of_chances
from astragal.dice.solver.endless.comparison import solved
from astragal.dice.solver.endless.mixed import comparison_odds
from astragal.dice.solver.series import Series
from astragal.notation.endless import Endless

MAX_REMAINDER = 60
"""Largest divisor for which remainders of endless values are computed."""
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
    above = {d: _met(left.plus(-d), right)["ours"] for d in range(-up_to - 1, up_to + 1)}
    chances: dict[Any, Fraction] = {d: above[d - 1] - above[d] for d in range(-up_to, up_to + 1)}
    chances[Beyond(up_to)] = above[up_to]
    chances[Below(-up_to)] = 1 - above[-up_to - 1]
    return of_chances(chances, Moments(left.mean - right.mean, left.variance + right.variance))


def remainder(value: Endless, by: int) -> Distribution[int]:
    """Return the odds of what is left of an endless value after division: its series modulo x^by − 1."""
    whole = [Fraction(int(k == 0)) for k in range(by)]
    for polynomial, exponent in value.series.factors:
        factor = [Fraction(sum(polynomial[k::by])) for k in range(by)]
        if exponent < 0:  # its inverse: no denominator has a root on the unit circle
            factor = solved([[*(factor[(k - j) % by] for j in range(by)), int(k == 0)] for k in range(by)])
        for _ in range(abs(exponent)):
            whole = [sum([whole[j] * factor[(k - j) % by] for j in range(by)], Fraction(0)) for k in range(by)]
    return of_chances(dict(sorted(((value.sign * k + value.shift) % by, chance) for k, chance in enumerate(whole))))
