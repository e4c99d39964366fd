"""Exact distributions: integer weights over one total.

Chances are fractions until they are formatted. A distribution without end (as with
unlimited rerolls) lists its first values, and all others are one value, ``Beyond``; its
mean and variance are exact nevertheless.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import total_ordering
from itertools import groupby
from math import gcd, sqrt
from typing import Any, Generic, NamedTuple, NoReturn, Protocol, TypeVar

from astragal.dice.solver.packed import common_multiple
from astragal.errors import Illegal, Malformed, Unknown, meant

V = TypeVar("V", bound=Hashable)
W = TypeVar("W", bound=Hashable)
N = TypeVar("N", int, Fraction)


NUMBERS = (int, Fraction)
"""Types of values that have a mean; yes and no have none."""


LONGEST = 14_000
"""Bits of a fraction beyond which Python writes no digits."""


@total_ordering
class Beyond:
    """All values above ``last`` as one; greater than every number up to ``last + 1``."""

    __slots__ = ("last",)

    def __init__(self, last: int) -> None:
        self.last = last

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Beyond) and other.last == self.last

    def __gt__(self, other: object) -> bool:
        if isinstance(other, Below) or (isinstance(other, NUMBERS) and other <= self.last + 1):
            return True
        raise Illegal(f"Values were computed up to {self.last} only; raise up-to.")

    def __hash__(self) -> int:
        return hash(("beyond", self.last))

    def __str__(self) -> str:
        return f"{self.last}+"

    __repr__ = __str__


@total_ordering
class Below:
    """All values below ``first`` as one; less than every number from ``first - 1`` up."""

    __slots__ = ("first",)

    def __init__(self, first: int) -> None:
        self.first = first

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Below) and other.first == self.first

    def __lt__(self, other: object) -> bool:
        if isinstance(other, Beyond) or (isinstance(other, NUMBERS) and other >= self.first - 1):
            return True
        raise Illegal(f"Values were computed down to {self.first} only; raise up-to.")

    def __hash__(self) -> int:
        return hash(("below", self.first))

    def __str__(self) -> str:
        return f"{self.first}-"

    __repr__ = __str__


COMPARABLE = (int, Fraction, Beyond, Below)
"""Types of values that Python can compare."""


class HasMoments(Protocol):
    """The exact mean and variance of a distribution whose values are not all listed."""

    @property
    def mean(self) -> Fraction:
        """The average."""

    @property
    def variance(self) -> Fraction:
        """The mean square distance from the average."""


class Moments(NamedTuple):
    """A mean and variance computed elsewhere."""

    mean: Fraction
    variance: Fraction


class Distribution(Generic[V]):
    """Values with integer weights; the chance of a value is its weight over the total.

    Values may be anything hashable. Mean, variance and deviation need numbers. ``order`` has the values that there
    are, from best to worst, also those with chance 0; numbers and yes or no need none.
    """

    __slots__ = ("_moments", "order", "total", "weights")

    def __init__(
        self,
        weights: Mapping[V, int],
        total: int | None = None,
        moments: HasMoments | None = None,
        order: tuple[V, ...] = (),
    ) -> None:
        self.weights = weights
        self.total = sum(weights.values()) if total is None else total
        self._moments = moments
        self.order = order

    @property
    def moments(self) -> HasMoments | None:
        """The mean and variance that were computed elsewhere, if they were."""
        return self._moments

    @classmethod
    def certain(cls, value: V) -> Distribution[V]:
        """Return the distribution of a single value."""
        return cls({value: 1}, 1)

    def in_order(self, values: Iterable[V]) -> Distribution[V]:
        """Return the same distribution with these values as its order, from best to worst."""
        return Distribution(self.weights, self.total, self._moments, tuple(values))

    def __getitem__(self, value: V) -> Fraction:
        """Return the chance of a value: 0 if it cannot happen, and an error if there is no such value."""
        weight = self.weights.get(value)
        if weight is None:
            refuse_unknown(value, self)
            return Fraction(0)
        return Fraction(weight, self.total)

    def get(self, value: object) -> Fraction:
        """Return the chance of a value; 0 also if there is no such value."""
        return Fraction(self.weights.get(value, 0), self.total)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[V]:
        """Iterate over the values: in their order, or else sorted if they can be."""
        if self.order:
            return iter([*(value for value in self.order if value in self.weights), *self._unplaced()])
        try:
            return iter(sorted(self.weights))  # type: ignore[type-var]
        except TypeError:
            return iter(self.weights)

    def _unplaced(self) -> list[V]:
        """Values that the order does not have."""
        return [value for value in self.weights if value not in self.order]

    def __len__(self) -> int:
        return len(self.weights)

    def items(self) -> Iterator[tuple[V, Fraction]]:
        """Iterate over values with their chances."""
        return ((value, self[value]) for value in self)

    def chance(self, holds: Callable[[V], bool]) -> Fraction:
        """Return the chance of all values for which ``holds`` is true."""
        return Fraction(sum(weight for value, weight in self.weights.items() if holds(value)), self.total)

    @property
    def is_ordered(self) -> bool:
        """True if "at least" has a meaning: the values are numbers, yes or no, or have an order."""
        if self.order:
            return not any(isinstance(value, tuple) for value in self.order)
        return all(isinstance(value, COMPARABLE) for value in self.weights)

    def at_least(self, limit: Any) -> Fraction:
        """Return the chance of this value or a greater one; of words in order, of this one or a better one."""
        if not self._compares(limit):
            return self._among(self.order[: self.order.index(limit) + 1])
        return self.chance(lambda value: value >= limit)

    def at_most(self, limit: Any) -> Fraction:
        """Return the chance of this value or a smaller one; of words in order, of this one or a worse one."""
        if not self._compares(limit):
            return self._among(self.order[self.order.index(limit) :])
        return 1 - self.chance(lambda value: value > limit)

    def _among(self, values: Iterable[V]) -> Fraction:
        return Fraction(sum([self.weights.get(value, 0) for value in values]), self.total)

    def _compares(self, limit: Any) -> bool:
        """True if values are compared as numbers, False if by their order; anything else is refused."""
        self.refuse_unordered()
        if self.order or not isinstance(limit, COMPARABLE):
            refuse_unknown(limit, self)
        return not self.order

    def refuse_unordered(self) -> None:
        """Refuse values without an order."""
        if not self.is_ordered:
            named = ", ".join([str(value)[:40] for value in self.order or self][:3])
            parts = any(isinstance(value, tuple) for value in self.weights)
            raise Illegal(
                f"These values ({named}, …) have no order, so none is “at least” another. Ask for the chance of "
                + ("a part of them." if parts else "each; in Python, in_order((best, …, worst)) gives them an order.")
            )

    def map(self, change: Callable[[V], W]) -> Distribution[W]:
        """Return the distribution of ``change(value)``.

        Words stay in order if what ``change`` makes of better and worse values stays apart.
        """
        order = [changed for changed, _ in groupby(map(change, self.order))]
        if len(set(order)) < len(order) or all(isinstance(value, COMPARABLE) for value in order):
            order = []
        return Distribution(changed_weights(self.weights, change), self.total, None, tuple(order))

    def given(self, holds: Callable[[V], bool]) -> Distribution[V]:
        """Return the conditional distribution, given that ``holds`` is true of the value."""
        weights = {value: weight for value, weight in self.weights.items() if weight and holds(value)}
        if not weights:
            raise Illegal("No possible value meets this condition.")
        return Distribution(weights, None, None, self.order)

    condition = given
    """The statistical name of the same."""

    def convolve(self, other: Distribution[Any], join: Callable[[V, Any], W] | None = None) -> Distribution[W]:
        """Return the distribution of ``join(mine, theirs)`` for independent values; their sum by default."""
        joined = join or (lambda mine, theirs: mine + theirs)
        weights: dict[W, int] = added_up(
            (joined(mine, theirs), weight * other_weight)
            for mine, weight in self.weights.items()
            for theirs, other_weight in other.weights.items()
        )
        return Distribution(weights, self.total * other.total)

    def __add__(self, other: Distribution[Any] | int | Fraction) -> Distribution[Any]:
        """Return the distribution of the sum: with an independent value, or with a number."""
        if isinstance(other, Distribution):
            return self.convolve(other)
        if not isinstance(other, NUMBERS):
            return NotImplemented
        return self.map(lambda value: value + other) if other else self  # type: ignore[operator]

    __radd__ = __add__
    """So that ``sum([d] * 12)`` is the distribution of twelve such values."""

    def __mul__(self, times: object) -> NoReturn:
        raise Malformed(
            f"{times} × a distribution may mean two things. The sum of {times} independent values is "
            f"sum([d] * {times}); {times} times one value is d.map(lambda value: value * {times})."
        )

    __rmul__ = __mul__

    @property
    def mean(self) -> Fraction:
        """The exact mean."""
        if self._moments is not None:
            return self._moments.mean
        return Fraction(sum(value * weight for value, weight in self._numbers()), self.total)

    @property
    def variance(self) -> Fraction:
        """The exact variance."""
        if self._moments is not None:
            return self._moments.variance
        squares = Fraction(sum(value * value * weight for value, weight in self._numbers()), self.total)
        return squares - self.mean**2

    @property
    def deviation(self) -> float:
        """The standard deviation; a float, since square roots are rarely rational."""
        return sqrt(self.variance)

    def _numbers(self) -> Iterator[tuple[int | Fraction, int]]:
        if not self.weights:
            raise Malformed("There is no value, so there is no mean.")
        for value, weight in self.weights.items():
            if not isinstance(value, (int, Fraction)):
                raise Malformed(f"{value!r} is not a number, so there is no mean.")
            yield value, weight

    @property
    def is_numeric(self) -> bool:
        """True if the distribution has a mean."""
        if self._moments is not None:
            return True
        return bool(self.weights) and all(type(value) in NUMBERS for value in self.weights)

    def quantile(self, share: Fraction | int | str) -> V:
        """Return the least value that is not exceeded in at least this share of cases; of words in order, the worst."""
        wanted = Fraction(share)
        if not 0 <= wanted <= 1:
            raise Malformed(f"A quantile must be from 0 to 1, not {share}.")
        self.refuse_unordered()
        if self.order and self._unplaced():
            raise Illegal(f"{self._unplaced()[0]!r} has no place in the order, so there are no quantiles.")
        so_far = 0
        for value in reversed(list(self)) if self.order else self:
            so_far += self.weights[value]
            if Fraction(so_far, self.total) >= wanted and so_far:
                return value
        raise Malformed("An empty distribution has no quantiles.")

    def lowest_terms(self) -> tuple[dict[V, int], int]:
        """Return the weights and the total without their common factor, and without weights of 0."""
        common = gcd(self.total, *self.weights.values())
        return {value: weight // common for value, weight in self.weights.items() if weight}, self.total // common

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distribution) and self.lowest_terms() == other.lowest_terms()

    def __hash__(self) -> int:
        weights, total = self.lowest_terms()
        return hash((frozenset(weights.items()), total))

    def __repr__(self) -> str:
        long = self.total.bit_length() > LONGEST
        first = list(self.items())[:8]
        shown = ", ".join(f"{value}: {f'≈{float(chance):.6g}' if long else chance}" for value, chance in first)
        return f"Distribution({{{shown}{', …' if len(self) > 8 else ''}}})"

    def to_dict(self) -> dict[V, Fraction]:
        """Return every value with its chance."""
        return dict(self.items())

    def to_csv(self) -> str:
        """Return a CSV line for each value, with its chance as a fraction and as a decimal."""
        from astragal.dice.render.text import format_csv

        return format_csv(self)

    def to_svg(self, title: str = "") -> str:
        """Return a bar chart."""
        from astragal.dice.render.svg import bar_chart

        return bar_chart(self, title)

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        from astragal.dice.render.text import format_html

        return format_html(self)


def refuse_unknown(value: object, odds: Distribution[Any]) -> None:
    """Refuse a value that a distribution cannot have: a word that is none of its words, or a word among numbers."""
    if value in odds.order if odds.order else _is_like(value, odds.weights):
        return
    listed = odds.order or tuple(odds)
    nearest = meant(value, map(str, listed)) if isinstance(value, str) else ""
    named = ", ".join(map(str, listed[:12])) + (", …" if len(listed) > 12 else "")
    raise Unknown(f'There is no value "{str(value)[:60]}" here; there are {named}.{nearest}')


def _is_like(value: object, listed: Iterable[Any]) -> bool:
    """True if nothing but its chance keeps a value from being one of these: a number among numbers, for example."""
    if isinstance(value, COMPARABLE):
        return any(isinstance(each, COMPARABLE) for each in listed)
    return not isinstance(value, str) and any(type(each) is type(value) for each in listed)


def chained(parts: Iterable[Distribution[Any]], start: Any, join: Callable[[Any, Any], Any]) -> Distribution[Any]:
    """Return the distribution of independent values, which are joined one after the other."""
    found: Distribution[Any] = Distribution.certain(start)
    for part in parts:
        found = found.convolve(part, join)
    return found


def added_up(pairs: Iterable[tuple[V, N]]) -> dict[V, N]:
    """Return each value with its weight; the weights of equal values are added up."""
    found: dict[V, N] = {}
    for value, weight in pairs:
        found[value] = found[value] + weight if value in found else weight
    return found


def changed_weights(weights: Mapping[V, int], change: Callable[[V], W]) -> dict[W, int]:
    """Return the weights of changed values; those that become the same are added up."""
    return added_up((change(value), weight) for value, weight in weights.items())


def of_chances(chances: Mapping[V, Fraction], moments: HasMoments | None = None) -> Distribution[V]:
    """Return the distribution with these chances; values without a chance are left out."""
    total = common_multiple(chance.denominator for chance in chances.values())
    weights = {value: chance.numerator * (total // chance.denominator) for value, chance in chances.items() if chance}
    return Distribution(weights, total, moments)


def mix(parts: list[tuple[int, Distribution[V]]], total: int) -> Distribution[V]:
    """Return the mixture of several distributions, each with its weight out of ``total``."""
    if len(parts) == 1:
        return parts[0][1]
    common = common_multiple(part.total for _, part in parts)
    factors = [weight * (common // part.total) for weight, part in parts]
    weights = added_up(
        (value, factor * inner)
        for factor, (_, part) in zip(factors, parts, strict=True)
        for value, inner in part.weights.items()
    )
    orders = {part.order for _, part in parts}
    return Distribution(weights, total * common, None, orders.pop() if len(orders) == 1 else ())
