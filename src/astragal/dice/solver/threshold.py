"""The threshold: keep and drop, by the value of the worst die that is kept.

Of n equal dice the k best are kept. Let f be the value of the k-th best die: j < k dice
are better, and of the other n − j at least k − j show f. With Q the polynomial of what
one better die adds, lt and eq the weights below and at f, and le = lt + eq,

    F(f) = Σ_{j<k} C(n, j) · R(j) · Q^j · x^(f·(k − j))
    R(k) = le^(n − k),  R(j) = le·R(j + 1) − C(n − j − 1, k − j − 1)·eq^(k − j − 1)·lt^(n − k + 1)

where R(j) counts the throws of n − j dice with none above f and at least k − j at f. The
answer is the sum of F over all values. For one kept die it is the difference of two powers. For
mixed dice, with aᵢ the weight of die i up to f and Qᵢ what it adds above,

    F(f) = Σ_{j<k} x^(f·(k − j)) · [z^j] (Π (leᵢ + z·Qᵢ) − Π (ltᵢ + z·(eqᵢ + Qᵢ)))

The second product is the first of the value below, so there is one for each value.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, prod
from operator import mul, sub
from typing import TypeAlias

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


def best_equal(n: int, k: int, places: Sequence[Place], bits: int, last: int) -> int:
    """Return the packed weights of the sums of the ``k`` best of ``n`` equal dice, up to ``last``; places ascend.

    Σ R(j)·Q^j·x^(f·(k − j)) is found by Horner's rule, and cut off above ``last``; every term has a factor x^f.
    """
    choose = [comb(n, j) for j in range(k - 1, -1, -1)]
    low = [comb(n - j - 1, k - j - 1) for j in range(k - 1, -1, -1)]
    better = sum([weight << (bits * add) for add, (weight,) in places if add is not None])
    result = lt = 0
    for (add, (eq,)), least in zip(places, _least_from(places), strict=True):
        if add is not None:
            better -= eq << (bits * add)
            each, q = bits * (add - least), better >> (bits * least)
            room = bits * (last - least * k + 1) - each
            if room > 0:
                mask = (1 << room) - 1 if q.bit_length() * (k - 1) > room else -1
                q &= mask
                found = shift = 0
                for closed in map(mul, choose, closings(n, k, lt, eq, low)):
                    found = (found * q + (closed << shift)) & mask
                    shift += each
                result += found << (each + bits * least * k)
        lt += eq
    return result


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


def best_mixed(counts: tuple[int, ...], k: int, places: Sequence[Place], bits: int, last: int) -> int:
    """Return the same for dice of several kinds, with a number of each.

    The products of a value are added for it, and taken away for the next one.
    """
    adds, by_place = zip(*places, strict=True)
    kinds = [_Kind(n, weights, adds, bits) for n, weights in zip(counts, zip(*by_place, strict=True), strict=True)]
    least = _least_from(places)
    result, done = 0, 1
    for place, (add, following) in enumerate(zip(adds, (*adds[1:], None), strict=True)):
        if least[place] * k > last:
            break
        lift = least[min(place + 1, len(least) - 1)]
        shift = None if add is None else bits * add
        better = [kind for kind in kinds if kind.reach(place, shift)]
        if len(better) < len(kinds):
            done *= prod([kind.upto**kind.n for kind in kinds if not kind.better])
            kinds = better
        products = _products(done, kinds, k, bits * lift, bits * (last - least[place] * k + 1))
        for j, product in enumerate(products):
            if add is not None:
                result += product << bits * (add * (k - j) + lift * j)
            if following is not None:
                result -= product << bits * (following * (k - j) + lift * j)
    return result & ((1 << (bits * (last + 1))) - 1)


def _products(first: int, kinds: Sequence[_Kind], k: int, shift: int, room: int) -> list[int]:
    """The coefficients of z^0 to z^(k − 1) in Π (aᵢ + z·Qᵢ), each cut off after ``room`` bits."""
    found = [first] + [0] * (k - 1)
    longest = max([kind.better for kind in kinds], default=0).bit_length() - shift
    mask = (1 << room) - 1 if longest * (k - 1) > room else 0
    for kind in kinds:
        a, q = kind.upto, kind.better >> shift
        for _ in range(kind.n):
            for j in range(k - 1, 0, -1):
                found[j] = found[j] * a + (found[j - 1] * q & mask if mask else found[j - 1] * q)
            found[0] *= a
    return found
