"""Duels: which of two counts is the greater, even if neither has an end.

With A(x) and B(x) the generating functions, the chance of a draw is the constant term
of A(y)·B(1/y), and that of A being greater the constant term of A(y)·B(1/y) / (y − 1).
Both are sums of residues inside a circle, and a residue at a pole of order m is the
coefficient of z^(m − 1) after a shift to the pole: again a product of powers of
polynomials, which ``Series`` computes exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from astragal.dice.distribution import Distribution
from astragal.dice.solver.series import Polynomial, Ratio, Series


class Duellist(NamedTuple):
    """``n`` dice with the generating function ``die`` each; both of its polynomials are linear."""

    die: Ratio
    n: int

    @property
    def series(self) -> Series:
        """The generating function of all dice together."""
        return Series.of(self.die, self.n)


def duel(ours: Duellist, theirs: Duellist) -> Distribution[str]:
    """Return the chances that ``ours`` is greater, that ``theirs`` is, and of a ``draw``."""
    if theirs.series.degree is not None:
        wins, draws = _against_finite(ours.series, theirs.series)
    elif ours.series.degree is not None:
        losses, draws = _against_finite(theirs.series, ours.series)
        wins = 1 - losses - draws
    else:
        wins, draws = _endless(ours, theirs)
    total = (wins + draws).denominator * wins.denominator * draws.denominator
    chances = {"ours": wins, "theirs": 1 - wins - draws, "draw": draws}
    return Distribution({winner: int(chance * total) for winner, chance in chances.items()}, total)


def _against_finite(ours: Series, theirs: Series) -> tuple[Fraction, Fraction]:
    """Their counts end, so the cases are finite: the chances that ours is greater, and of a draw."""
    last = theirs.degree or 0
    mine, total = ours.weights(last)
    other, other_total = theirs.weights(last)
    draws = sum(a * b for a, b in zip(mine, other, strict=True))
    above = total
    wins = 0
    for a, b in zip(mine, other, strict=True):
        above -= a
        wins += above * b
    return Fraction(wins, total * other_total), Fraction(draws, total * other_total)


def _endless(ours: Duellist, theirs: Duellist) -> tuple[Fraction, Fraction]:
    """Neither count ends: residues at 0 and at the pole of B(1/y)."""
    (alpha, beta), (gamma, minus_delta) = map(_line, theirs.die)
    m, delta = theirs.n, -minus_delta
    first = Fraction(ours.die.above[0], ours.die.below[0]) ** ours.n
    at_zero = first * Fraction(beta, -delta) ** m
    shifted = Series(
        (
            (_shifted(ours.die.above, delta, gamma), ours.n),
            (_shifted(ours.die.below, delta, gamma), -ours.n),
            (_shifted((beta, alpha), delta, gamma), m),
            ((delta, gamma), -1),
        )
    )
    # Shifting multiplies each factor by gamma; these powers of it do not cancel.
    scale = Fraction(gamma) / Fraction(gamma) ** m / Fraction(gamma) ** m
    draws = at_zero + scale * _coefficient(shifted, m - 1)
    wins = 1 - at_zero + scale * gamma * _coefficient(shifted * Series((((delta - gamma, gamma), -1),)), m - 1)
    return wins, draws


def _shifted(line: Polynomial, delta: int, gamma: int) -> Polynomial:
    """``a + b·y`` at y = delta / gamma + z, multiplied by gamma."""
    a, b = _line(line)
    return a * gamma + b * delta, b * gamma


def _line(polynomial: Polynomial) -> tuple[int, int]:
    """The two coefficients of a linear polynomial; a constant has slope 0."""
    a, b = (*polynomial, 0)[:2]
    return a, b


def _coefficient(series: Series, k: int) -> Fraction:
    weights, total = series.weights(k)
    return Fraction(weights[k], total)
