"""Comparing many dice that count: residues at a single pole.

The generating function of such dice is a power of one line over another. With A(x) and
B(x) of this kind, the chance of a draw is the constant term of A(y)·B(1/y), and that of A
being greater the constant term of A(y)·B(1/y) / (y − 1). Both are sums of residues inside
a circle: at 0, and at the only pole of B(1/y), of the order of its dice. The latter is a
coefficient after a shift to the pole: again a product of powers of lines, for which the
short recurrence takes one step for each die.
"""

from __future__ import annotations

from fractions import Fraction

from astragal.dice.solver.packed import reduced
from astragal.dice.solver.series import Polynomial, Series


def are_lines(series: Series) -> bool:
    """Return whether a series is a power of one line over another."""
    if len(series.factors) != 2:
        return False
    (above, n), (below, m) = series.factors
    return n == -m and len(above) <= len(below) == 2


def residue_chances(ours: Series, theirs: Series) -> tuple[Fraction, Fraction]:
    """Return the chances that ``ours`` is greater, and of a draw."""
    (mine, n), (mine_below, _) = ours.factors
    (other, m), (other_below, _) = theirs.factors
    (alpha, beta), (gamma, minus_delta) = _line(other), _line(other_below)
    delta = -minus_delta
    first = Fraction(mine[0], mine_below[0]) ** n
    at_zero = first * Fraction(beta, -delta) ** m
    shifted = Series(
        (
            (_shifted(mine, delta, gamma), n),
            (_shifted(mine_below, delta, gamma), -n),
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
    """The two coefficients of a line; a constant has slope 0."""
    a, b = (*polynomial, 0)[:2]
    return a, b


def _coefficient(series: Series, k: int) -> Fraction:
    weights, total = series.weights(k)
    return reduced(weights[k], total)
