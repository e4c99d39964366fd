"""The threshold: keep and drop, by the value of the worst die that is kept.

Of n equal dice the k best are kept. Let f be the value of the k-th best die: j < k dice
are better, and of the other n − j at least k − j show f. With Q the polynomial of what
one better die adds, lt and eq the weights below and at f, and le = lt + eq,

    F(f) = Σ_{j<k} C(n, j) · R(j) · Q^j · x^(f·(k − j))
    R(k) = le^(n − k),  R(j) = le·R(j + 1) − C(n − j − 1, k − j − 1)·eq^(k − j − 1)·lt^(n − k + 1)

where R(j) are the throws of n − j dice of which none is above f and at least k − j are
at f. The answer is the sum of F over all values. For one kept die it is the difference
of two powers. For mixed dice, with aᵢ the weight of die i up to f and Qᵢ what it adds above,

    F(f) = Σ_{j<k} x^(f·(k − j)) · [z^j] (Π (leᵢ + z·Qᵢ) − Π (ltᵢ + z·(eqᵢ + Qᵢ)))

The second product is the first of the value below, so there is one for each value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb, prod
from operator import mul, sub
from typing import NamedTuple, TypeAlias

from astragal.dice.solver.packed import DIGIT, times_run

SHIFTS = 13
"""Digits of Q from which on shifts and additions are faster than a product."""
MAX_RUNS = 4


Place: TypeAlias = tuple[int | None, tuple[int, ...]]
"""One value of the dice: what it adds when it is kept, 0 or more, and its weight for each kind of dice.

What a value beyond all that are told apart adds is None.
"""


def best_of(n: int, places: Sequence[Place]) -> dict[int, int]:
    """Return the weights of the best of ``n`` equal dice; places ascend, the worst value first."""
    found: dict[int, int] = {}
    total = before = 0
    for add, (weight,) in places:
        total += weight
        now = total**n
        if add is not None:
            found[add] = found.get(add, 0) + now - before
        before = now
    return found


def best_fair(n: int, sides: int) -> list[int]:
    """Return the weights of 1, 2, 3 … as the best of ``n`` fair dice: differences of powers, half of them shifts."""
    powers = [0, 1]
    for face in range(2, sides + 1):
        powers.append(face**n if face & 1 else powers[face >> 1] << n)
    return list(map(sub, powers[1:], powers))


def closings(n: int, k: int, lt: int, eq: int, low: Sequence[int]) -> list[int]:
    """Return R(k − 1) down to R(0); ``low`` has C(n − j − 1, k − j − 1) for those j."""
    le = lt + eq
    closing, below = le ** (n - k), lt ** (n - k + 1)
    found = []
    for ways in low:
        closing = le * closing - ways * below
        below *= eq
        found.append(closing)
    return found


class Run(NamedTuple):
    """Values that follow each other and weigh the same: what they add goes from ``start`` to below ``end``."""

    start: int
    end: int
    weight: int


def runs_of(places: Sequence[Place]) -> list[Run]:
    """Return the values as a few runs; none if there are too many, or gaps, or values out of order."""
    runs: list[Run] = []
    for add, (weight,) in places:
        if add is None or (runs and add != runs[-1].end):
            return []
        if runs and weight == runs[-1].weight:
            runs[-1] = runs[-1]._replace(end=add + 1)
        elif len(runs) == MAX_RUNS:
            return []
        else:
            runs.append(Run(add, add + 1, weight))
    return runs


class Equal(NamedTuple):
    """``n`` equal dice of which the ``k`` best are kept; sums up to ``last``, in slots of so many bits."""

    n: int
    k: int
    bits: int
    last: int

    def weights(self, places: Sequence[Place]) -> int:
        """Return the packed weights of the sums; places ascend."""
        n, k, bits = self.n, self.k, self.bits
        runs = runs_of(places) if self.last * bits > SHIFTS * DIGIT * k else []
        choose = [comb(n, j) for j in range(k - 1, -1, -1)]
        low = [comb(n - j - 1, k - j - 1) for j in range(k - 1, -1, -1)]
        better = sum([weight << (bits * add) for add, (weight,) in places if add is not None])
        result = lt = 0
        for (add, (eq,)), least in zip(places, _least_from(places), strict=True):
            if add is not None:
                better -= eq << (bits * add)
                if least * k <= self.last:
                    closed = map(mul, choose, closings(n, k, lt, eq, low))
                    if runs and (runs[-1].end - add) * bits > SHIFTS * DIGIT:
                        found = _shifted(closed, [run for run in runs if run.end > add + 1], add, bits)
                    else:
                        found = self._multiplied(closed, better >> (bits * least), add - least, least)
                    result += found << (bits * least * k)
            lt += eq
        return result

    def _multiplied(self, closed: Iterable[int], q: int, at: int, least: int) -> int:
        """Σ R(j)·Q^j·x^(at·(k − j)) by Horner's rule, cut off above ``last``; every term has a factor x^at."""
        each = self.bits * at
        room = self.bits * (self.last - least * self.k + 1) - each
        if room <= 0:
            return 0
        mask = (1 << room) - 1 if q.bit_length() * (self.k - 1) > room else 0
        if mask:
            q &= mask
        found = shift = 0
        for term in closed:
            found = found * q + (term << shift)
            shift += each
            if mask:
                found &= mask
        return found << each


def _least_from(places: Sequence[Place]) -> list[int]:
    """For each place, the least that it or a better one adds."""
    adds = [add or 0 for add, _ in places]
    if adds == sorted(adds):
        return adds
    least = max(adds)
    found = []
    for add, _ in reversed(places):
        least = least if add is None else min(least, add)
        found.append(least)
    return found[::-1]


def _shifted(closed: Iterable[int], runs: Sequence[Run], add: int, bits: int) -> int:
    """The same where Q is a few runs of equal weights above ``add``: shifts and additions instead of products."""
    parts = [(max(start, add + 1), end, weight) for start, end, weight in runs]
    shifts = [(bits * (start - add), end - start, weight) for start, end, weight in parts]
    found = 0
    for term in closed:
        product = 0
        for shift, length, weight in shifts:
            product += (times_run(found, bits, length) * weight) << shift
        found = product + term
    return found


class _Kind:
    """Equal dice of a mixed pool: their weights by place, how much they weigh up to one, and what better ones add."""

    __slots__ = ("better", "n", "upto", "weights")

    def __init__(self, n: int, weights: Sequence[int], adds: Sequence[int | None], bits: int) -> None:
        self.n, self.weights, self.upto = n, weights, 0
        self.better = sum([w << (bits * add) for w, add in zip(weights, adds, strict=True) if w and add is not None])

    def reach(self, place: int, shift: int | None) -> bool:
        """Count a place among those up to which the dice lie; return whether there are better ones."""
        weight = self.weights[place]
        if weight:
            self.upto += weight
            if shift is not None:
                self.better -= weight << shift
        return self.better > 0


class Mixed(NamedTuple):
    """Dice of several kinds, so many of each, of which the ``k`` best are kept; sums up to ``last``."""

    counts: tuple[int, ...]
    k: int
    bits: int
    last: int

    def weights(self, places: Sequence[Place]) -> int:
        """Return the packed weights of the sums; places ascend.

        The products of a value are added for it, and taken away for the next one.
        """
        bits, k = self.bits, self.k
        adds, by_place = zip(*places, strict=True)
        kinds = [
            _Kind(n, weights, adds, bits) for n, weights in zip(self.counts, zip(*by_place, strict=True), strict=True)
        ]
        least = _least_from(places)
        result, done = 0, 1
        for place, (add, following) in enumerate(zip(adds, (*adds[1:], None), strict=True)):
            if least[place] * k > self.last:
                break
            lift = least[min(place + 1, len(least) - 1)]
            shift = None if add is None else bits * add
            better = [kind for kind in kinds if kind.reach(place, shift)]
            if len(better) < len(kinds):
                done *= prod([kind.upto**kind.n for kind in kinds if not kind.better])
                kinds = better
            products = self._products(done, kinds, bits * lift, self.last - least[place] * k + 1)
            for j, product in enumerate(products):
                if add is not None:
                    result += product << bits * (add * (k - j) + lift * j)
                if following is not None:
                    result -= product << bits * (following * (k - j) + lift * j)
        return result & ((1 << (bits * (self.last + 1))) - 1)

    def _products(self, first: int, kinds: Sequence[_Kind], shift: int, room: int) -> list[int]:
        """The coefficients of z^0 to z^(k − 1) in Π (aᵢ + z·Qᵢ), each cut off after so many slots."""
        found = [first] + [0] * (self.k - 1)
        places = range(self.k - 1, 0, -1)
        longest = max([kind.better for kind in kinds], default=0).bit_length() - shift
        mask = (1 << (self.bits * room)) - 1 if longest * (self.k - 1) > self.bits * room else 0
        for kind in kinds:
            a, q = kind.upto, kind.better >> shift
            for _ in range(kind.n):
                for j in places:
                    found[j] = found[j] * a + (found[j - 1] * q & mask if mask else found[j - 1] * q)
                found[0] *= a
        return found
