"""Values without end: as a generating function, and listed up to a bound with the rest as one value.

Listed values are calculated with like numbers: ``Beyond(20) + 3`` is ``Beyond(23)``. Where the rest is not known well
enough for an answer, ``Undecided`` is raised.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, isqrt
from typing import Any, NamedTuple

from astragal.dice.distribution import Below, Beyond, Distribution, Moments, changed_weights
from astragal.dice.solver.series import Ratio, Series, plus, times
from astragal.errors import Illegal
from astragal.notation.arithmetic import FUNCTION, OPERATION, number
from astragal.notation.condition import COMPARE
from astragal.notation.expression import EXACT

REACH_DEVIATIONS = 6
"""Standard deviations above the mean up to which endless values are listed."""


class Undecided(Illegal):
    """An answer that depends on how far beyond the listed values a value lies."""


class Endless(NamedTuple):
    """``sign·X + shift``, where X is 0, 1, 2 … and has this generating function."""

    series: Series
    shift: int = 0
    sign: int = 1

    @property
    def mean(self) -> Fraction:
        """The exact mean."""
        return self.sign * self.series.mean + self.shift

    @property
    def variance(self) -> Fraction:
        """The exact variance."""
        return self.series.variance

    @property
    def reach(self) -> int:
        """A distance from 0 that it hardly ever exceeds."""
        return ceil(abs(self.mean) + REACH_DEVIATIONS * Fraction(isqrt(ceil(self.variance)) + 1))

    def __neg__(self) -> Endless:
        return Endless(self.series, -self.shift, -self.sign)

    def plus(self, number: int) -> Endless:
        """Return this value and a number."""
        return self._replace(shift=self.shift + number)

    def joined(self, other: Endless) -> Endless:
        """Return the sum of two values that go on in the same direction."""
        return Endless(self.series * other.series, self.shift + other.shift, self.sign)

    def scaled(self, by: int) -> Endless:
        """Return this value times a number other than 0."""
        factors = []
        for polynomial, exponent in self.series.factors:
            spread = [0] * ((len(polynomial) - 1) * abs(by) + 1)  # the polynomial in x^by
            spread[:: abs(by)] = polynomial
            factors.append((tuple(spread), exponent))
        return Endless(Series(tuple(factors)), self.shift * by, self.sign if by > 0 else -self.sign)

    def beyond(self, listed: Distribution[Any]) -> Ratio:
        """Return the generating function of the values beyond those that are listed, of a die that is never below 0."""
        above, below = self.series.shifted(self.shift).ratio
        last = max([value for value in listed.weights if not isinstance(value, Beyond)], default=0)
        whole = [listed.weights.get(value, 0) for value in range(last + 1)]
        rest = plus(times((listed.total,), above), times(below, whole), -1)
        return Ratio(rest, times((listed.total,), below))

    def repeated(self, n: int) -> Endless:
        """Return the sum of ``n`` such values."""
        return Endless(self.series.raised(n), self.shift * n, self.sign)

    def listed(self, up_to: int) -> Distribution[Any]:
        """Return the chances of all values up to a distance from 0; the others are one value."""
        end = self.series.degree
        last = max(up_to - self.shift * self.sign, 0) if end is None else end
        weights, total = self.series.weights(last)
        found: dict[Any, int] = {self.sign * k + self.shift: ways for k, ways in enumerate(weights) if ways}
        if end is None:
            edge = self.sign * last + self.shift
            found[Beyond(edge) if self.sign > 0 else Below(edge)] = total - sum(weights)
        return Distribution(found, total, Moments(self.mean, self.variance))


def plus_finite(endless: Endless, finite: Distribution[Any]) -> Endless:
    """Return the sum of an endless value and one with finitely many whole values."""
    least = min(finite.weights) if endless.sign > 0 else max(finite.weights)
    polynomial = [0] * (max(abs(value - least) for value in finite.weights) + 1)
    for value, weight in finite.weights.items():
        polynomial[abs(value - least)] += weight
    factors = ((tuple(polynomial), 1), ((finite.total,), -1))
    return Endless(endless.series * Series(factors), endless.shift + least, endless.sign)


def is_endless(value: Any) -> bool:
    """Return True if a value stands for all values beyond a bound."""
    return isinstance(value, (Beyond, Below))


def negative(value: Any) -> Any:
    """Return the negative of a value."""
    if isinstance(value, Beyond):
        return Below(-value.last)
    return Beyond(-value.first) if isinstance(value, Below) else -number(value)


def joined(operator: str, left: Any, right: Any) -> Any:
    """Return the value of an arithmetic operator on values that may be endless."""
    if not is_endless(left) and not is_endless(right):
        return OPERATION[operator](number(left), number(right))
    if operator == "-":
        return joined("+", left, negative(right))
    if operator in ("+", "*") and not is_endless(left):
        left, right = right, left
    if isinstance(left, Below) and operator in ("+", "*"):
        return negative(joined(operator, negative(left), negative(right) if operator == "+" else right))
    return _JOINED.get(operator, _undecided)(left, right)


def _undecided(left: Any, right: Any) -> Any:
    raise Undecided("This has no exact odds: it depends on values of which there is no end. A comparison, a sum or a "
                    "product of them has.")  # fmt: skip


def _sum(left: Beyond, right: Any) -> Any:
    if isinstance(right, Below):
        return _undecided(left, right)
    return Beyond(left.last + right.last + 1) if isinstance(right, Beyond) else Beyond(left.last + number(right))


def _times(left: Beyond, right: Any) -> Any:
    if left.last < 0:
        return _undecided(left, right)
    if isinstance(right, Below):
        return negative(_times(left, negative(right)))
    if isinstance(right, Beyond):
        return Beyond((left.last + 1) * (right.last + 1) - 1) if right.last >= 0 else _undecided(left, right)
    by = number(right)
    if by < 0:
        return negative(_times(left, -by))
    return Beyond((left.last + 1) * by - 1) if by else 0


def _quotient(left: Any, right: Any) -> Any:
    if isinstance(right, Beyond) and not is_endless(left) and -right.last - 1 <= number(left) <= right.last:
        return 0 if number(left) >= 0 else -1
    if isinstance(left, Beyond) and not is_endless(right) and number(right) > 0:
        return Beyond((left.last + 1) // number(right) - 1)
    return _undecided(left, right)


def _remainder(left: Any, right: Any) -> Any:
    if isinstance(right, Beyond) and not is_endless(left) and 0 <= number(left) <= right.last:
        return left
    return _undecided(left, right)


def _power(left: Any, right: Any) -> Any:
    if isinstance(left, Beyond) and not is_endless(right) and left.last >= 0:
        return 1 if number(right) == 0 else Beyond(OPERATION["**"](left.last + 1, number(right)) - 1)
    if isinstance(right, Beyond) and not is_endless(left) and number(left) in (0, 1) and right.last >= 0:
        return left
    return _undecided(left, right)


_JOINED: dict[str, Callable[[Any, Any], Any]] = {
    "+": _sum,
    "*": _times,
    "/": _quotient,
    # A rounding function around it sees no more than that it is large.
    EXACT: lambda left, right: (_quotient if isinstance(left, Beyond) else _undecided)(left, right),
    "%": _remainder,
    "**": _power,
}


def compared(operator: str, left: Any, right: Any) -> bool:
    """Return True if a comparison holds; its values may be endless."""
    if is_endless(left) and is_endless(right) and type(left) is type(right):
        raise Undecided("Two values without end are compared inside of something else; compare them by themselves.")
    if operator in ("==", "!=") and (is_endless(left) or is_endless(right)):
        return bool(left >= right and left <= right) == (operator == "==")
    return COMPARE[operator](left, right)


def applied(name: str, values: list[Any]) -> Any:
    """Return the value of a function of values that may be endless."""
    if not any(map(is_endless, values)):
        return FUNCTION[name](*map(number, values))
    if name in ("min", "max"):
        found = values[0]
        for value in values[1:]:
            found = _extreme(name, found, value)
        return found
    (value,) = values
    if name == "abs":
        return negative(value) if isinstance(value, Below) and value.first <= 1 else value
    return value


def _extreme(name: str, left: Any, right: Any) -> Any:
    if isinstance(left, Beyond) and isinstance(right, Beyond):
        return Beyond((min if name == "min" else max)(left.last, right.last))
    if isinstance(left, Below) and isinstance(right, Below):
        return Below((min if name == "min" else max)(left.first, right.first))
    return (left if left <= right else right) if name == "min" else (left if left >= right else right)


def gathered(odds: Distribution[Any]) -> Distribution[Any]:
    """Return the distribution with one value beyond each end: what is not told apart from it becomes part of it."""
    above = [value.last for value in odds.weights if isinstance(value, Beyond)]
    below = [value.first for value in odds.weights if isinstance(value, Below)]
    if not above and not below:
        return odds
    top, bottom = min(above, default=None), max(below, default=None)

    def merged(value: Any) -> Any:
        if top is not None and (isinstance(value, Beyond) or (not isinstance(value, Below) and value > top)):
            return Beyond(top)
        if bottom is not None and (isinstance(value, Below) or (not isinstance(value, Beyond) and value < bottom)):
            return Below(bottom)
        return value

    return Distribution(changed_weights(odds.weights, merged), odds.total, odds.moments)
