"""Comparing any two sums without end: the constant term of C(y)·B(1/y), by splitting a fraction.

On the unit circle the poles of C(y) lie outside and those of B(1/y) inside. With
N / (D_out · D_in) the product over y, V = N / D_out modulo D_in is the part that belongs
to the poles inside, and the constant term is the leading coefficient of V over that of
D_in. V is the solution of linear equations, as many as the degree of D_in, which are
solved with whole numbers.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import lcm

from astragal.dice.estimates import refuse_unknowns
from astragal.dice.solver.series import Polynomial, Series, plus, times


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
    """Return the constant term of above(y)/below(y) · other_above(1/y)/other_below(1/y)."""
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
    rows = [list(row) for row in zip(*columns, _remainder(list(map(Fraction, numerator)), inside), strict=True)]
    return _last_unknown([_whole(row) for row in rows]) / inside[-1]


def _remainder(polynomial: list[Fraction], divisor: Polynomial) -> list[Fraction]:
    degree = len(divisor) - 1
    left = polynomial + [Fraction(0)] * (degree - len(polynomial))
    for top in range(len(left) - 1, degree - 1, -1):
        factor = left[top] / divisor[-1]
        if factor:
            for k, a in enumerate(divisor[:-1], top - degree):
                left[k] -= factor * a
    return left[:degree]


def _whole(row: list[Fraction]) -> list[int]:
    common = lcm(*(value.denominator for value in row))
    return [int(value * common) for value in row]


def _last_unknown(rows: list[list[int]]) -> Fraction:
    """The last unknown of linear equations with whole numbers, by elimination without fractions (Bareiss)."""
    before = 1
    size = len(rows)
    for k in range(size - 1):
        pivot = next(i for i in range(k, size) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        lead = rows[k]
        for i in range(k + 1, size):
            row, factor = rows[i], rows[i][k]
            rows[i] = [0] * (k + 1) + [(lead[k] * row[j] - factor * lead[j]) // before for j in range(k + 1, size + 1)]
        before = lead[k]
    return Fraction(rows[-1][size], rows[-1][size - 1])
