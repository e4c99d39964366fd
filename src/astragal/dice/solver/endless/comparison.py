"""The endless comparison: which of two sums is greater, even if neither has an end.

The chance that A is greater is Σ B(t)·P(A > t) over all t, that of a draw Σ B(t)·A(t).
If a die without end explodes in one way only, its denominator is a power of a − b·x^p, and
along every p-th value its chances are a polynomial times powers of b/a. With T the common
period of both sides, the terms of either sum, T at a time, are therefore sums of
polynomials times powers: their generating function is P(z)/C(z) with

    C(z) = Π (1 − ρσ·z)^(n + m − 1)

over all pairs of a power ρ^u of degree n − 1 and σ^u of degree m − 1. The sum is
P(1)/C(1), and P follows from as many terms as C has degree. Dice that go on in several
ways need ``split_chances``.

How many of m equal dice are above a sum A follows from the chances that j of them are: these
are Σ A(t)·P(B > t)^j, sums of the same kind with σ^j.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, product
from math import comb, lcm
from operator import add, mul
from typing import NamedTuple

from astragal.dice.distribution import Distribution
from astragal.dice.estimates import refuse_throws, refuse_unknowns
from astragal.dice.solver.packed import common_multiple
from astragal.dice.solver.series import Polynomial, Series, plus, times


class Power(NamedTuple):
    """A factor 1 / (a − b·x^period)^times of a series: along each period the chances shrink by ``ratio`` = b/a."""

    ratio: Fraction
    period: int
    times: int


def powers_of(series: Series) -> list[Power] | None:
    """Return the powers by which a series shrinks; None if some die without end explodes in several ways."""
    found = []
    for polynomial, exponent in series.factors:
        if exponent < 0 and len(polynomial) > 1:
            first, *rest = [(k, a) for k, a in enumerate(polynomial) if a]
            if first[0] or len(rest) != 1:
                return None
            period, a = rest[0]
            found.append(Power(Fraction(-a, first[1]), period, -exponent))
    return found


def endless_chances(ours: Series, theirs: Series) -> tuple[Fraction, Fraction]:
    """Return the chances that ``ours`` is greater, and of a draw, of two sums without end."""
    mine, other = powers_of(ours), powers_of(theirs)
    if mine is None or other is None:
        return split_chances(ours, theirs)
    period = lcm(*(power.period for power in (*mine, *other)))
    below = _denominator(mine, other, period)
    start = max(0, ours.excess + 1, theirs.excess + 1)
    last = start + period * (len(below) - 1) - 1
    refuse_throws(last, "values")
    a, total = ours.weights(last)
    b, other_total = theirs.weights(last)
    above = [total - weight for weight in accumulate(a)]
    scale = sum(below) * total * other_total
    return (
        Fraction(_endless_sum(list(map(mul, b, above)), start, period, below), scale),
        Fraction(_endless_sum(list(map(mul, b, a)), start, period, below), scale),
    )


def each_odds(ours: Series, m: int, theirs: Series, asked: str) -> Distribution[int] | None:
    """Return the odds of how many of their ``m`` equal dice ours is below (``<``), not above (``<=``) or like (``==``).

    None if some die without end explodes in several ways, or one of theirs is several dice.
    """
    mine, other = powers_of(ours), powers_of(theirs)
    if mine is None or other is None or [power.times for power in other] != [1]:
        return None
    period = lcm(*(power.period for power in (*mine, *other)))
    start = max(0, ours.excess + 1, theirs.excess + 1)
    last = start + period * sum(power.times for power in mine) - 1
    refuse_throws(last * m, "values")
    terms, total = ours.weights(last)
    b, other_total = theirs.weights(last)
    above = [other_total - weight for weight in accumulate(b)]
    met = {"<": above, "<=": list(map(add, above, b)), "==": b}[asked]
    together = [Fraction(1)]
    for j in range(1, m + 1):
        terms, total = list(map(mul, terms, met)), total * other_total
        below = _denominator(mine, [other[0]._replace(ratio=other[0].ratio ** j)], period)
        chance = Fraction(_endless_sum(terms, start, period, below), sum(below) * total)
        together.append(comb(m, j) * chance)
    # From the sums of the chances that any 0, 1, 2 … of them are so: that exactly this number is.
    common, dice = common_multiple(chance.denominator for chance in together), range(m + 1)
    whole = [chance.numerator * (common // chance.denominator) for chance in together]
    found = {k: sum([(-1) ** (j - k) * comb(j, k) * whole[j] for j in dice[k:]]) for k in dice}
    return Distribution({k: ways for k, ways in found.items() if ways}, common)


def _denominator(mine: list[Power], other: list[Power], period: int) -> Polynomial:
    """C(z), times a whole number."""
    found: Polynomial = (1,)
    for one, two in product(mine, other):
        ratio = one.ratio ** (period // one.period) * two.ratio ** (period // two.period)
        n = one.times + two.times - 1
        line = [comb(n, k) * ratio.denominator ** (n - k) * (-ratio.numerator) ** k for k in range(n + 1)]
        found = times(found, line)
    return found


def _endless_sum(terms: list[int], start: int, period: int, below: Polynomial) -> int:
    """The sum of all terms, times C(1): those before ``start``, then P(1) from one period after the other."""
    found = sum(terms[:start]) * sum(below)
    partial = list(accumulate(below))
    for place, first in enumerate(range(start, len(terms), period)):
        found += sum(terms[first : first + period]) * partial[len(below) - 2 - place]
    return found


def split_chances(ours: Series, theirs: Series) -> tuple[Fraction, Fraction]:
    """Return the chances that ``ours`` is greater, and of a draw."""
    mine, other = ours.ratio, theirs.ratio
    draws = constant_term(*mine, *other)
    if len(other[1]) <= len(mine[1]):
        return constant_term(_above(*mine), mine[1], *other), draws
    return 1 - draws - constant_term(_above(*other), other[1], *mine), draws


def _above(above: Polynomial, below: Polynomial) -> Polynomial:
    """The numerator of the chances to be greater than t: (below − above) / (1 − x), which has no remainder."""
    return tuple(accumulate(plus(below, above, -1)))[:-1] or (0,)


def constant_term(above: Polynomial, below: Polynomial, other_above: Polynomial, other_below: Polynomial) -> Fraction:
    """Return the constant term of above(y)/below(y) · other_above(1/y)/other_below(1/y).

    Comparing any two sums without end: the constant term of C(y)·B(1/y), by splitting a fraction.

    On the unit circle the poles of C(y) lie outside and those of B(1/y) inside. With
    N / (D_out · D_in) the product over y, V = N / D_out modulo D_in is the part that belongs
    to the poles inside, and the constant term is the leading coefficient of V over that of
    D_in. V is the solution of linear equations, as many as the degree of D_in, which are
    solved with whole numbers.
    """
    numerator = times(above, other_above[::-1])
    inside = other_below[::-1]
    if len(other_above) > len(other_below):
        inside = (0,) * (len(other_above) - len(other_below)) + inside
    else:
        numerator = (0,) * (len(other_below) - len(other_above)) + numerator
    inside = (0, *inside)
    while len(numerator) > 1 and inside[0] == numerator[0] == 0:
        inside, numerator = inside[1:], numerator[1:]
    degree = len(inside) - 1
    if degree == 0:
        return Fraction(0)
    refuse_unknowns(degree)
    column = _remainder(list(map(Fraction, below)), inside)
    columns = []
    for _ in range(degree):
        columns.append(column)
        column = _remainder([Fraction(0), *column], inside)
    rows = list(zip(*columns, _remainder(list(map(Fraction, numerator)), inside), strict=True))
    return solved(rows, 1)[0] / inside[-1]


def _remainder(polynomial: list[Fraction], divisor: Polynomial) -> list[Fraction]:
    degree = len(divisor) - 1
    left = polynomial + [Fraction(0)] * (degree - len(polynomial))
    for top in range(len(left) - 1, degree - 1, -1):
        factor = left[top] / divisor[-1]
        if factor:
            for k, a in enumerate(divisor[:-1], top - degree):
                left[k] -= factor * a
    return left[:degree]


def solved(rows: Sequence[Sequence[Fraction | int]], unknowns: int = 0) -> list[Fraction]:
    """Solve linear equations exactly: return all unknowns, or that number of the last ones.

    Each row has the factors, then what they come to. Elimination is without fractions (Bareiss), so numbers stay short.
    """
    whole = [_whole(row) for row in rows]
    before, size = 1, len(whole)
    for k in range(size - 1):
        pivot = next(i for i in range(k, size) if whole[i][k])
        whole[k], whole[pivot] = whole[pivot], whole[k]
        lead = whole[k]
        for i in range(k + 1, size):
            row, factor = whole[i], whole[i][k]
            whole[i] = [0] * (k + 1) + [(lead[k] * row[j] - factor * lead[j]) // before for j in range(k + 1, size + 1)]
        before = lead[k]
    found: list[Fraction] = []
    for k in range(size - 1, size - 1 - (unknowns or size), -1):
        known = sum(map(mul, whole[k][size - 1 : k : -1], found))
        found.append(Fraction(whole[k][size] - known) / whole[k][k])
    return found[::-1]


def _whole(row: Sequence[Fraction | int]) -> list[int]:
    common = lcm(*(value.denominator for value in row))
    return [int(value * common) for value in row]
