"""Generating functions that are products of powers of polynomials.

Dice that count on some faces and are rerolled without limit on others have such a
function: for a d10 that counts from 8 up and is rerolled on 10, (7 + 2x) / (10 − x).
The coefficient of x^k is the chance of k; the short recurrence finds it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import mul
from typing import NamedTuple, TypeAlias

from astragal.dice.cache import cached
from astragal.dice.dice import Dice
from astragal.dice.estimates import refuse_bytes
from astragal.dice.solver.packed import pack, slot_bytes, unpack
from astragal.dice.solver.recurrence import recurrence_of, thinned_factors
from astragal.errors import Illegal

Polynomial: TypeAlias = tuple[int, ...]
"""Coefficients, that of x^0 first."""


def times(left: Sequence[int], right: Sequence[int]) -> Polynomial:
    """Return the product of two polynomials."""
    if len(right) == 2:  # a die that counts, which most products are with
        c, d = right
        return tuple([c * a + d * b for a, b in zip((*left, 0), (0, *left), strict=True)])
    product = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return tuple(product)


def plus(left: Sequence[int], right: Sequence[int], factor: int = 1) -> Polynomial:
    """Return ``left + factor·right``."""
    if len(left) == len(right):
        return tuple([a + factor * b for a, b in zip(left, right, strict=True)])
    longest = max(len(left), len(right))
    return tuple(
        (left[k] if k < len(left) else 0) + factor * (right[k] if k < len(right) else 0) for k in range(longest)
    )


def derivative(polynomial: Sequence[int]) -> Polynomial:
    """Return the derivative of a polynomial."""
    return tuple(k * a for k, a in enumerate(polynomial))[1:] or (0,)


def power(polynomial: Sequence[int], exponent: int) -> Polynomial:
    """Return a power of a polynomial; the exponent is 0 or more."""
    result: Polynomial = (1,)
    for _ in range(exponent):
        result = times(result, polynomial)
    return result


class Ratio(NamedTuple):
    """One polynomial divided by another: the generating function of a single die."""

    above: Polynomial
    below: Polynomial

    def of(self, inner: Ratio) -> Ratio:
        """Return this function of another: the total of as many inner dice as the outer die counts."""
        degree = max(len(self.above), len(self.below)) - 1
        return Ratio(composed(self.above, inner, degree), composed(self.below, inner, degree)).reduced()

    def reduced(self) -> Ratio:
        """Return the same ratio without common integer factors."""
        common = gcd(*self.above, *self.below)
        return Ratio(tuple(a // common for a in self.above), tuple(b // common for b in self.below))


def composed(outer: Polynomial, inner: Ratio, degree: int) -> Polynomial:
    """Return a polynomial of a ratio, times its denominator to the power of ``degree``."""
    total: Polynomial = (0,)
    for k, a in enumerate(outer):
        total = plus(total, times(power(inner.above, k), power(inner.below, degree - k)), a)
    while len(total) > 1 and total[-1] == 0:
        total = total[:-1]
    return total


def ratio_of(dice: Dice, counting: frozenset[int]) -> Ratio:
    """Return the generating function of one of these dice, which count on some faces, rerolls included.

    A face in ``again`` is followed by another chain f of rerolls, so f = (stay + go·f) / sides;
    a face in ``retry`` of the first throw is followed by such a chain, too.
    """
    return _die_ratio(dice._replace(n=1, name="", role=""), counting)


@cached(256)
def _die_ratio(dice: Dice, counting: frozenset[int]) -> Ratio:
    stay, go, retry = [0, 0], [0, 0], [0, 0]
    for face in range(1, dice.sides + 1):
        kind = go if face in dice.again else retry if face in dice.retry else stay
        kind[face in counting] += 1
    below = plus((dice.sides,), go, -1)
    if not any(below):
        raise Illegal("A die that is rerolled on every face never comes to rest.")
    chain = plus(stay, retry)
    if not any(retry):
        return trimmed(chain, below)
    above = plus(times(stay, below), times(plus(go, retry), chain))
    return trimmed(above, times((dice.sides,), below))


def trimmed(above: Polynomial, below: Polynomial) -> Ratio:
    """Return a ratio in lowest integer terms, without leading zeros."""
    while above[-1] == 0:
        above = above[:-1]
    while below[-1] == 0:
        below = below[:-1]
    return Ratio(above, below).reduced()


class Series(NamedTuple):
    """A product of powers of polynomials: pairs of a polynomial and its exponent."""

    factors: tuple[tuple[Polynomial, int], ...]

    @classmethod
    def of(cls, ratio: Ratio, n: int) -> Series:
        """Return the generating function of ``n`` equal dice."""
        return cls(((ratio.above, n), (ratio.below, -n)))

    def __mul__(self, other: object) -> Series:
        if not isinstance(other, Series):
            return NotImplemented
        return Series(self.factors + other.factors)

    def raised(self, to: int) -> Series:
        """Return a power of this function: the total of that many such values."""
        return Series(tuple([(p, e * to) for p, e in self.factors]))

    @property
    def degree(self) -> int | None:
        """The highest power of x; None if the series is infinite."""
        return None if any(e < 0 and len(p) > 1 for p, e in self.factors) else self.excess

    @property
    def excess(self) -> int:
        """By how much the numerator's degree is above the denominator's."""
        return sum((len(p) - 1) * e for p, e in self.factors)

    @property
    def ratio(self) -> Ratio:
        """The same as one polynomial over another."""
        above: Polynomial = (1,)
        below: Polynomial = (1,)
        for p, e in self.factors:
            if e >= 0:
                above = times(above, power(p, e))
            else:
                below = times(below, power(p, -e))
        return Ratio(above, below)

    def shifted(self, by: int) -> Series:
        """Return this series times x^by."""
        return Series((*self.factors, ((0,) * by + (1,), 1))) if by else self

    def weights(self, last: int) -> tuple[list[int], int]:
        """Return coefficients 0 to ``last`` as integers, and their common denominator."""
        first = total = 1
        for p, e in self.factors:
            if not p[0] and e:
                return self._weights_above(last)
            if e >= 0:
                first *= p[0] ** e
            elif len(p) == 1:
                total *= p[0] ** -e
            else:
                # With x^m the next power in p, the coefficient of x^k in 1/p^n has a denominator
                # that divides p(0)^(n + k // m).
                spare = p[0] ** (last // next((m for m, a in enumerate(p) if m and a), last + 1))
                first *= spare
                total *= spare * p[0] ** -e
        return self._recur(first, last, total), total

    def _weights_above(self, last: int) -> tuple[list[int], int]:
        """Some polynomial has no constant term: divide by a power of x first and put it back as zeros."""
        zeros = [next(k for k, a in enumerate(p) if a) for p, _ in self.factors]
        shift = sum(n * e for n, (_, e) in zip(zeros, self.factors, strict=True))
        inner = Series(tuple((p[n:], e) for n, (p, e) in zip(zeros, self.factors, strict=True)))
        weights, total = inner.weights(max(last - shift, 0))
        return ([0] * shift + weights)[: last + 1], total

    def _recur(self, first: int, last: int, total: int) -> list[int]:
        lines = self._lines()
        if lines is None:
            return recurrence_of(thinned_factors(self.factors)).run(first, last)
        q, r = lines
        return _recur_short(q, r, first, last)

    def _lines(self) -> tuple[Polynomial, Polynomial] | None:
        """Q and R of Q·G′ = R·G, if Q is at most quadratic: the usual case, dice that count."""
        if len(self.factors) == 2:
            (above, n), (below, m) = self.factors
            if n == -m and len(above) == len(below) == 2:
                (a, b), (c, d) = above, below
                return (a * c, a * d + b * c, b * d), (n * (b * c - a * d),)
        variable = [(p, e) for p, e in self.factors if len(p) > 1 and e]
        if sum([len(p) - 1 for p, _ in variable]) > 2:
            return None
        q: Polynomial = (1,)
        r: Polynomial = (0,)
        for p, e in variable:
            r = plus(times(r, p), times(q, derivative(p)), e)
            q = times(q, p)
        return q, r

    @property
    def mean(self) -> Fraction:
        """The mean of the value whose chances are the coefficients."""
        above, below = 0, 1
        for p, e in self.factors:
            at_one, first = sum(p), sum([k * a for k, a in enumerate(p)])
            above, below = above * at_one + e * first * below, below * at_one
        return Fraction(above, below)

    @property
    def variance(self) -> Fraction:
        """The variance of the same."""
        above, below = 0, 1
        for p, e in self.factors:
            at_one, first = sum(p), sum([k * a for k, a in enumerate(p)])
            square = sum([k * k * a for k, a in enumerate(p)]) * at_one - first * first
            above, below = above * at_one**2 + e * square * below, below * at_one**2
        return Fraction(above, below)


def _recur_short(q: Polynomial, r: Polynomial, first: int, last: int) -> list[int]:
    """The recurrence with two terms, unrolled for speed: dice that count, where most time is spent."""
    q0, q1, q2 = (*q, 0, 0)[:3]
    r0, r1 = (*r, 0)[:2]
    found = [first]
    append = found.append
    previous, value = 0, first
    near, far, below = r0, r1 + q2, 0
    for _ in range(last):
        below += q0
        previous, value = value, (near * value + far * previous) // below
        near -= q1
        far -= q2
        append(value)
    return found


def weighted_powers(
    die: Ratio, weights: Mapping[int, int | Fraction], rest: tuple[tuple[Polynomial, int], ...], last: int
) -> tuple[list[int], int]:
    """Return coefficients 0 to ``last`` of the sum of w·die^k for each weight, times the rest, and their denominator.

    With m and n the least and greatest k, the sum of w·(a/b)^k is a^m/b^n, which takes one recurrence, times the sum of
    w·a^(k − m)·b^(n − k), which is short.
    """
    least, most = min(weights), max(weights)
    ways, total = Series(((die.above, least), (die.below, -most), *rest)).weights(last)
    common = lcm(*(weight.denominator for weight in weights.values()))
    whole = {k: weight.numerator * (common // weight.denominator) for k, weight in weights.items()}
    short = _weighted([whole.get(k, 0) for k in range(least, most + 1)], die, last)
    back = ways[::-1]  # each coefficient of the product is made of a slice of it
    return [sum(map(mul, short, back[last - k :])) for k in range(last + 1)], common * total


def _weighted(weights: Sequence[int], die: Ratio, last: int) -> list[int]:
    """Return coefficients 0 to ``last`` of the sum of weights[k]·a^k·b^(n − k), by Horner's rule.

    The polynomials are packed: with few terms, a product with a or b is a few shifts of one large number. What is above
    the last coefficient never comes down again, and is cut off.
    """
    above, below = die
    n = len(weights) - 1
    slots = min(n * (max(len(above), len(below)) - 1), last) + 1
    largest = max(sum(map(abs, above)), sum(map(abs, below)))
    width = slot_bytes(2 * sum(map(abs, weights)) * largest**n)
    refuse_bytes(slots * width)
    mask = (1 << (8 * width * slots)) - 1
    found, powers, cut = weights[-1], 1, n * (max(len(above), len(below)) - 1) >= slots
    for weight in weights[-2::-1]:
        powers = _shifted(powers, below, 8 * width)
        found = _shifted(found, above, 8 * width) + weight * powers
        if cut:
            powers, found = powers & mask, found & mask
    # Half a slot more in each makes all of them positive.
    half = 1 << (8 * width - 1)
    return [slot - half for slot in unpack((found + pack([half] * slots, width)) & mask, width, slots)]


def _shifted(packed: int, polynomial: Polynomial, bits: int) -> int:
    """Return the product of a packed polynomial and one with few terms."""
    if len(polynomial) == 2:
        return packed * polynomial[0] + (packed * polynomial[1] << bits)
    found = packed * polynomial[0]
    for k in range(1, len(polynomial)):
        found += packed * polynomial[k] << (bits * k)
    return found
