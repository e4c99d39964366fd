"""Many kept fair dice: the threshold by a recurrence, whose cost is linear in the number kept.

For the threshold f of dice with faces 1 to s, let Q = x + … + x^(s − f) be what one better
die adds above f, and G = Σ_{j<k} C(n, j)·R(j)·Q^j the throws. Then

    (f + Q)·G′ = n·Q′·G − W′,   W = C(n, k)·(f^(n−k+1)·Q^k − (f − 1)^(n−k+1)·(1 + Q)^k)

and both powers are sums of fair dice. Multiplied by (1 − x)², Q and Q′ have few terms, so
each coefficient of G follows from four before it.
"""

from __future__ import annotations

from math import comb
from operator import add, sub
from typing import NamedTuple

from astragal.dice.solver.packed import digits_of
from astragal.dice.solver.sums import fair_power
from astragal.dice.solver.threshold import closings

STEP = 16
"""Steps of one coefficient of small numbers."""
DIGIT_STEP = 0.6
"""Steps of one coefficient for each digit of its numbers."""


class KeptFair(NamedTuple):
    """The ``k`` best of ``n`` fair dice with faces 1 to ``sides``."""

    n: int
    k: int
    sides: int

    @property
    def steps(self) -> int:
        """The steps of ``weights``."""
        digits = digits_of(self.sides**self.n)
        coefficients = self.k * self.sides * (self.sides - 1) / 2
        return int(200 + self.sides * self.k * (6 + 0.05 * digits) + coefficients * (STEP + DIGIT_STEP * digits))

    def weights(self) -> list[int]:
        """Return the weights of the sums from 0 to k·sides."""
        found = [0] * (self.sides * self.k + 1)
        low = [comb(self.n - j - 1, self.k - j - 1) for j in range(self.k - 1, -1, -1)]
        power = [1]
        for face in range(self.sides, 0, -1):
            first = closings(self.n, self.k, face - 1, 1, low)[-1]
            lower, power = power, fair_power(self.sides - face + 1, self.k)
            weights = self._above(face, first, self._constant(face, lower, power)) if face < self.sides else [first]
            at = face * self.k
            found[at : at + len(weights)] = map(add, found[at : at + len(weights)], weights)
        return found

    def _above(self, face: int, first: int, source: list[int]) -> list[int]:
        """The coefficients of G for one threshold."""
        n, k, better = self.n, self.k, self.sides - face
        found = [first]
        append = found.append
        last, before = first, 0
        twice, once = 2 * face - 1, face - 1
        slope = n - twice
        near = min(better, k * better - 1)
        for t in range(1, near + 1):
            last, before = ((twice * t + slope) * last - once * (t - 2) * before - source[t]) // (face * t), last
            append(last)
        far, farther, previous = (n + 1) * (better + 1), n * better + better + 2, 0
        for t in range(near + 1, k * better):
            reached = found[t - better - 1]
            value = (twice * t + slope) * last - once * (t - 2) * before - source[t]
            value = (value - (far - t) * reached + (farther - t) * previous) // (face * t)
            last, before, previous = value, last, reached
            append(value)
        return found

    def _constant(self, face: int, lower: list[int], power: list[int]) -> list[int]:
        """The coefficients of x·(1 − x)²·W′."""
        ways, rest = comb(self.n, self.k), self.n - self.k + 1
        plus, minus = ways * face**rest, ways * (face - 1) ** rest
        terms = [-minus * weight * t for t, weight in enumerate(power)] if minus else [0] * len(power)
        for t, weight in enumerate(lower, self.k):
            terms[t] += plus * weight * t
        differences = [terms[0], *map(sub, terms[1:], terms)]
        return [differences[0], *map(sub, differences[1:], differences)]
