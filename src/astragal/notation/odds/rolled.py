"""Exact odds of dice whose number is rolled, where the number or the dice have no end.

With N the generating function of the number and F that of one die, that of the sum is N(F). Of a number that is listed
it is Σ w(n)·F^n, which takes one recurrence.
"""

from __future__ import annotations

from typing import Any

from astragal.dice.distribution import Beyond, Distribution, Moments
from astragal.dice.solver.series import Ratio, Series, composed, weighted_powers
from astragal.notation.endless import Endless
from astragal.notation.odds.law import Law
from astragal.notation.odds.terms import term_law
from astragal.notation.term import DiceTerm


def adds_up(term: DiceTerm) -> bool:
    """Return True if each die adds to the value by itself, whatever the others show: nothing is kept or matched."""
    return not (term.pick.keeps or term.pick.pattern or term.replace) and isinstance(term.sides, int)


def rolled_sum(number: Law, term: DiceTerm, up_to: int) -> Law | None:
    """Return the odds of as many dice as a number says; None if neither has no end, or something may be below 0."""
    one = term_law(term._replace(n=1), up_to)
    die = _ratio(one)
    if die is None:
        return None
    if isinstance(number, Endless):
        return _composed(number, die)
    if not isinstance(one, Endless) or one.series.degree is not None or not _counts(number, up_to):
        return None
    weights = {n: ways for n, ways in number.weights.items() if isinstance(n, int)}
    found, total = weighted_powers(die, weights, (), up_to)
    listed: dict[Any, int] = {value: ways for value, ways in enumerate(found) if ways}
    listed[Beyond(up_to)] = total * number.total - sum(found)
    return Distribution(listed, total * number.total, _moments(number, one))


def _moments(number: Distribution[Any], one: Endless) -> Moments | None:
    """The mean and variance of the sum; None if those of the number are not known."""
    if not number.is_numeric:
        return None
    return Moments(number.mean * one.mean, number.mean * one.variance + number.variance * one.mean**2)


def _counts(number: Distribution[Any], up_to: int) -> bool:
    """True if all values are numbers of dice; those that come to more than ``up_to`` may be one value."""
    return all(
        value.last >= up_to if isinstance(value, Beyond) else type(value) is int and value >= 0
        for value in number.weights
    ) and any(type(value) is int for value in number.weights)


def _ratio(one: Law) -> Ratio | None:
    """The generating function of one die as a ratio; None if it may be below 0."""
    if isinstance(one, Distribution):
        if any(type(value) is not int or value < 0 for value in one.weights):
            return None
        return Ratio(tuple([one.weights.get(value, 0) for value in range(max(one.weights) + 1)]), (one.total,))
    return one.series.shifted(one.shift).ratio if one.sign > 0 and one.shift >= 0 else None


def _composed(number: Endless, die: Ratio) -> Endless | None:
    """N(F); a polynomial of F is one of its numerator and denominator, over a power of the denominator."""
    if number.sign < 0 or number.shift < 0:
        return None
    factors = [(die.above, number.shift)]
    below = -number.shift
    for polynomial, exponent in number.series.factors:
        factors.append((composed(polynomial, die, len(polynomial) - 1), exponent))
        below -= exponent * (len(polynomial) - 1)
    return Endless(Series((*factors, (die.below, below))))
