"""The short recurrence: coefficients of a product of powers of polynomials.

If G is a product of powers p^e, then Q·G′ = R·G with Q the product of the p and
R = Σ e·p′·(the other p), so each coefficient of G follows from as many before it as Q
and R have terms, however large the exponents are. Dice are long but plain: multiplied
by 1 − x, a fair die of any size is x − x^(s+1). Each polynomial is therefore taken with
the power of 1 − x that leaves the fewest terms, and 1 − x is one more factor. For equal
fair dice three terms are left:

    k·g(k) = (n + k − 1)·g(k − 1) − (ns + s − k)·g(k − s) + (ns − n + s + 1 − k)·g(k − s − 1)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from astragal.dice.distribution import added_up

Sparse: TypeAlias = dict[int, int]
"""The coefficients of a polynomial that are not 0, by exponent."""


def times(left: Sparse, right: Sparse) -> Sparse:
    """Return the product of two sparse polynomials."""
    found = added_up((i + j, a * b) for i, a in left.items() for j, b in right.items())
    return {k: a for k, a in found.items() if a}


ONE_LESS: Sparse = {0: 1, 1: -1}


def thinned(polynomial: Sequence[int]) -> tuple[Sparse, int]:
    """Return the polynomial times the power of 1 − x that leaves the fewest terms, and that power."""
    first, sides = polynomial[0], len(polynomial)
    if sides > 4 and polynomial.count(first) == sides:
        return {0: first, sides: -first}, 1
    best, power = {k: a for k, a in enumerate(polynomial) if a}, 0
    if len(best) <= 4:
        return best, 0
    candidate = best
    for n in (1, 2):
        candidate = times(candidate, ONE_LESS)
        # The other factor costs about two terms itself.
        if len(candidate) + 2 < len(best):
            best, power = candidate, n
    return best, power


class Recurrence(NamedTuple):
    """``lead·k·g(k)`` is the sum of ``(a + b·k)·g(k − offset)`` over the terms; offsets ascend."""

    lead: int
    terms: tuple[tuple[int, int, int], ...]

    def run(self, first: int, last: int) -> list[int]:
        """Return coefficients 0 to ``last`` from the first."""
        found = [first]
        offsets = [offset for offset, _, _ in self.terms]
        for n, end in enumerate((*offsets, last + 1)):
            self._stretch(found, self.terms[:n], min(end, last + 1))
        return found

    def _stretch(self, found: list[int], terms: tuple[tuple[int, int, int], ...], end: int) -> None:
        """Go on up to ``end`` with those terms that reach back far enough."""
        lead, append = self.lead, found.append
        if len(terms) == 3:
            (i, a, b), (j, c, d), (h, e, f) = terms
            for k in range(len(found), end):
                append(
                    ((a + b * k) * found[k - i] + (c + d * k) * found[k - j] + (e + f * k) * found[k - h]) // (lead * k)
                )
            return
        for k in range(len(found), end):
            value = 0
            for offset, a, b in terms:
                value += (a + b * k) * found[k - offset]
            append(value // (lead * k))


def thinned_factors(factors: Iterable[tuple[Sequence[int], int]]) -> list[tuple[Sparse, int]]:
    """Return polynomials with few terms and their exponents, which have the same product of powers."""
    ones = 0
    thin: list[tuple[Sparse, int]] = []
    for polynomial, exponent in factors:
        terms, power = thinned(polynomial)
        ones -= power * exponent
        if len(terms) > 1 and exponent:
            thin.append((terms, exponent))
    if ones:
        thin.append((ONE_LESS, ones))
    return thin


def recurrence_of(thin: Sequence[tuple[Sparse, int]]) -> Recurrence:
    """Return the recurrence of a product of powers of polynomials with few terms, each with a constant one."""
    q: Sparse = {0: 1}
    r: Sparse = {}
    for terms, exponent in thin:
        slope = {k - 1: k * a * exponent for k, a in terms.items() if k}
        both = added_up((*times(r, terms).items(), *times(q, slope).items()))
        r = {k: a for k, a in both.items() if a}
        q = times(q, terms)
    offsets = sorted({k + 1 for k in r} | {k for k in q if k})
    return Recurrence(q[0], tuple((j, r.get(j - 1, 0) + q.get(j, 0) * j, -q.get(j, 0)) for j in offsets))
