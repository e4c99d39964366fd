"""Generating functions that are products of powers of polynomials.

A die that counts once on some faces and is thrown again on others, without end, has
such a function: one d10 with 8 and up counting and 10 again is (7 + 2x) / (10 − x).
The coefficient of x^k is the chance of k. If G is a product of powers p^e, then
Q·G' = R·G with Q the product of the p and R = Σ e·p'·(the other p): a recurrence that
gives each coefficient from the few before it, whatever the powers are.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from astragal.dice.dice import Dice
from astragal.errors import Illegal

Polynomial: TypeAlias = tuple[int, ...]
"""Coefficients, that of x^0 first."""


def times(left: Sequence[int], right: Sequence[int]) -> Polynomial:
    product = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return tuple(product)


def plus(left: Sequence[int], right: Sequence[int], factor: int = 1) -> Polynomial:
    longest = max(len(left), len(right))
    return tuple(
        (left[k] if k < len(left) else 0) + factor * (right[k] if k < len(right) else 0) for k in range(longest)
    )


def slope(polynomial: Sequence[int]) -> Polynomial:
    return tuple(k * a for k, a in enumerate(polynomial))[1:] or (0,)


def at(polynomial: Sequence[int], x: Fraction | int) -> Fraction:
    value = Fraction(0)
    for a in reversed(polynomial):
        value = value * x + a
    return value


def power(polynomial: Sequence[int], exponent: int) -> Polynomial:
    result: Polynomial = (1,)
    for _ in range(exponent):
        result = times(result, polynomial)
    return result


class Ratio(NamedTuple):
    """One polynomial over another: the generating function of a single die."""

    above: Polynomial
    below: Polynomial

    def of(self, inner: Ratio) -> Ratio:
        """This function of another one: as many of the inner dice as the outer die says."""
        degree = max(len(self.above), len(self.below)) - 1
        return Ratio(_homogeneous(self.above, inner, degree), _homogeneous(self.below, inner, degree)).reduced()

    def reduced(self) -> Ratio:
        """The same with common whole factors taken out."""
        from math import gcd

        common = gcd(*self.above, *self.below)
        return Ratio(tuple(a // common for a in self.above), tuple(b // common for b in self.below))


def _homogeneous(outer: Polynomial, inner: Ratio, degree: int) -> Polynomial:
    total: Polynomial = (0,)
    for k, a in enumerate(outer):
        total = plus(total, times(power(inner.above, k), power(inner.below, degree - k)), a)
    while len(total) > 1 and total[-1] == 0:
        total = total[:-1]
    return total


def die_ratio(dice: Dice, counting: frozenset[int]) -> Ratio:
    """One die that counts on some faces, with its rerolls.

    A face that goes again is followed by a chain f of the same kind, so f = (stay + go·f) / sides;
    a face of the first throw that is thrown anew is followed by such a chain, too.
    """
    stay, go, retry = [0, 0], [0, 0], [0, 0]
    for face in range(1, dice.sides + 1):
        kind = go if face in dice.again else retry if face in dice.retry else stay
        kind[face in counting] += 1
    below = plus((dice.sides,), go, -1)
    if not any(below):
        raise Illegal("A die that goes again on every face never comes to rest.")
    chain = plus(stay, retry)
    if not any(retry):
        return trimmed(chain, below)
    above = plus(times(stay, below), times(plus(go, retry), chain))
    return trimmed(above, times((dice.sides,), below))


def trimmed(above: Polynomial, below: Polynomial) -> Ratio:
    while above[-1] == 0:
        above = above[:-1]
    while below[-1] == 0:
        below = below[:-1]
    return Ratio(above, below).reduced()


class Series(NamedTuple):
    """A product of powers of polynomials."""

    factors: tuple[tuple[Polynomial, int], ...]

    @classmethod
    def of(cls, ratio: Ratio, n: int) -> Series:
        """n dice of one kind."""
        return cls(((ratio.above, n), (ratio.below, -n)))

    def __mul__(self, other: object) -> Series:
        if not isinstance(other, Series):
            return NotImplemented
        return Series(self.factors + other.factors)

    @property
    def degree(self) -> int | None:
        """The highest power of x, or None if there is no end."""
        if any(e < 0 and len(p) > 1 for p, e in self.factors):
            return None
        return sum((len(p) - 1) * e for p, e in self.factors)

    def weights(self, last: int) -> tuple[list[int], int]:
        """Coefficients 0 to ``last`` as whole numbers, and the denominator of them all."""
        first = total = 1
        for p, e in self.factors:
            if not p[0] and e:
                return self._weights_above(last)
            if e >= 0:
                first *= p[0] ** e
            elif len(p) == 1:
                total *= p[0] ** -e
            else:
                # A coefficient of 1/p^n at x^k has p(0)^(n + k) below it, and no more than that.
                spare = p[0] ** last
                first *= spare
                total *= spare * p[0] ** -e
        return self._run(first, last), total

    def _weights_above(self, last: int) -> tuple[list[int], int]:
        """Every die counts at least once, or so: a power of x is taken out first and put back as zeros."""
        zeros = [next(k for k, a in enumerate(p) if a) for p, _ in self.factors]
        shift = sum(n * e for n, (_, e) in zip(zeros, self.factors, strict=True))
        inner = Series(tuple((p[n:], e) for n, (p, e) in zip(zeros, self.factors, strict=True)))
        weights, total = inner.weights(max(last - shift, 0))
        return ([0] * shift + weights)[: last + 1], total

    def _run(self, first: int, last: int) -> list[int]:
        q, r = self._equation()
        if len(q) <= 3:
            return _run_short(q, r, first, last)
        found = [first]
        steps = [(r[j] if j < len(r) else 0, q[j + 1]) for j in range(len(q) - 1)]
        for k in range(last):
            value = 0
            for j, (a, b) in enumerate(steps[: k + 1]):
                value += (a - b * (k - j)) * found[k - j]
            found.append(value // (q[0] * (k + 1)))
        return found

    def _equation(self) -> tuple[Polynomial, Polynomial]:
        """Q and R of Q·G' = R·G."""
        if len(self.factors) == 2:
            (above, n), (below, m) = self.factors
            if n == -m and len(above) == len(below) == 2:
                (a, b), (c, d) = above, below
                return (a * c, a * d + b * c, b * d), (n * (b * c - a * d),)
        moving = [(p, e) for p, e in self.factors if len(p) > 1 and e]
        q: Polynomial = (1,)
        r: Polynomial = (0,)
        for p, e in moving:
            r = plus(times(r, p), times(q, slope(p)), e)
            q = times(q, p)
        return q, r

    @property
    def mean(self) -> Fraction:
        """The average of what the coefficients are the chances of."""
        return sum((e * at(slope(p), 1) / at(p, 1) for p, e in self.factors), Fraction(0))

    @property
    def variance(self) -> Fraction:
        bends = (e * (at(slope(slope(p)), 1) / at(p, 1) - (at(slope(p), 1) / at(p, 1)) ** 2) for p, e in self.factors)
        return sum(bends, Fraction(0)) + self.mean


def _run_short(q: Polynomial, r: Polynomial, first: int, last: int) -> list[int]:
    """The same recurrence for the usual case, two terms written out: most of the time goes here."""
    q0, q1, q2 = (*q, 0, 0)[:3]
    r0, r1 = (*r, 0)[:2]
    found = [first]
    keep = found.append
    before, value = 0, first
    near, far, below = r0, r1 + q2, 0
    for _ in range(last):
        below += q0
        before, value = value, (near * value + far * before) // below
        near -= q1
        far -= q2
        keep(value)
    return found
