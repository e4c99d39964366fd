"""The endless comparison: which of two sums is the greater, even if neither has an end.

The chance that A is greater is Σ B(t)·P(A > t) over all t, that of a draw Σ B(t)·A(t).
If a die without end goes on in one way only, its denominator is a power of a − b·x^p, and
along every p-th value its chances are a polynomial times powers of b/a. With T the common
period of both sides, the terms of either sum, T at a time, are therefore sums of
polynomials times powers: their generating function is P(z)/C(z) with

    C(z) = Π (1 − ρσ·z)^(n + m − 1)

over all pairs of a power ρ^u of degree n − 1 and σ^u of degree m − 1. The sum is
P(1)/C(1), and P follows from as many terms as C has degree. Many dice that only count are
faster by ``residue``, and dice that go on in several ways need ``split``.

How many of m equal dice are above a sum A follows from the chances that j of them are: these
are Σ A(t)·P(B > t)^j, sums of the same kind with σ^j.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, product
from math import comb, lcm
from operator import add, mul
from typing import NamedTuple

from astragal.dice.distribution import Distribution
from astragal.dice.estimates import refuse_throws
from astragal.dice.solver.endless.residue import are_lines, residue_chances
from astragal.dice.solver.endless.split import split_chances
from astragal.dice.solver.packed import common_multiple, reduced
from astragal.dice.solver.series import Polynomial, Series, times

MANY = 60
"""Dice that only count, of both sides, from which on residues are faster."""


def comparison_odds(ours: Series, theirs: Series) -> Distribution[str]:
    """Return the chances that ``ours`` is greater, that ``theirs`` is, and of a ``draw``."""
    if theirs.degree is not None:
        wins, draws = _against_finite(ours, theirs)
    elif ours.degree is not None:
        losses, draws = _against_finite(theirs, ours)
        wins = 1 - losses - draws
    else:
        wins, draws = _endless(ours, theirs)
    total = common_multiple((wins.denominator, draws.denominator))
    chances = {"ours": wins, "theirs": 1 - wins - draws, "draw": draws}
    return Distribution({winner: int(chance * total) for winner, chance in chances.items()}, total)


def _against_finite(ours: Series, theirs: Series) -> tuple[Fraction, Fraction]:
    """Their sums end, so the cases are finite: the chances that ours is greater, and of a draw."""
    last = theirs.degree or 0
    mine, total = ours.weights(last)
    other, other_total = theirs.weights(last)
    above = total
    wins = draws = 0
    for a, b in zip(mine, other, strict=True):
        above -= a
        wins += above * b
        draws += a * b
    return reduced(wins, total * other_total), reduced(draws, total * other_total)


class Power(NamedTuple):
    """A factor 1 / (a − b·x^period)^times of a series: along each period the chances shrink by ``ratio`` = b/a."""

    ratio: Fraction
    period: int
    times: int


def powers_of(series: Series) -> list[Power] | None:
    """Return the powers by which a series shrinks; None if some die without end goes on in several ways."""
    found = []
    for polynomial, exponent in series.factors:
        if exponent < 0 and len(polynomial) > 1:
            first, *rest = [(k, a) for k, a in enumerate(polynomial) if a]
            if first[0] or len(rest) != 1:
                return None
            period, a = rest[0]
            found.append(Power(Fraction(-a, first[1]), period, -exponent))
    return found


def _endless(ours: Series, theirs: Series) -> tuple[Fraction, Fraction]:
    if _dice_of(ours) + _dice_of(theirs) >= MANY and are_lines(ours) and are_lines(theirs):
        return residue_chances(ours, theirs)
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
        reduced(_endless_sum(list(map(mul, b, above)), start, period, below), scale),
        reduced(_endless_sum(list(map(mul, b, a)), start, period, below), scale),
    )


def each_odds(ours: Series, m: int, theirs: Series, asked: str) -> Distribution[int] | None:
    """Return the odds of how many of their ``m`` equal dice ours is below (``<``), not above (``<=``) or like (``==``).

    None if some die without end goes on in several ways, or one of theirs is several.
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
        chance = reduced(_endless_sum(terms, start, period, below), sum(below) * total)
        together.append(comb(m, j) * chance)
    return _exactly(together)


def _exactly(together: list[Fraction]) -> Distribution[int]:
    """The odds of how many of some things are so, from the sums of the chances that any 0, 1, 2 … of them are."""
    total = common_multiple(chance.denominator for chance in together)
    m = len(together)
    whole = [chance.numerator * (total // chance.denominator) for chance in together]
    found = {k: sum([(-1) ** (j - k) * comb(j, k) * whole[j] for j in range(k, m)]) for k in range(m)}
    return Distribution({k: ways for k, ways in found.items() if ways}, total)


def _dice_of(series: Series) -> int:
    return sum(exponent for _, exponent in series.factors if exponent > 0)


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
