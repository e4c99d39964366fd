"""Dice in the middle: the sum of the places a + 1 to a + k of equal dice, ranked from the best.

Let b = a + k and f be the value of the b-th best die, with j < b better dice. As for the
threshold, R(j) counts what the other n − j dice show. The better dice are swept value by
value; of them only those after the a best add up, so polynomials are needed only for
a ≤ j < b. Fewer than a better dice add nothing: there are C(n, j)·gt^j of those throws.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from astragal.dice.solver.sweep import Used, sweep_points
from astragal.dice.solver.threshold import Place, closings


def window(n: int, skip: int, k: int, places: Sequence[Place], bits: int) -> int:
    """Return the packed weights of what the ``k`` dice after the ``skip`` best add; places ascend."""
    end = skip + k
    low = [comb(n - j - 1, end - j - 1) for j in range(end - 1, -1, -1)]
    above = [1] + [0] * (end - 1)
    lt = sum(weight for _, (weight,) in places)
    result = gt = 0
    for add, (eq,) in reversed(places):
        lt -= eq
        for j, closing in zip(range(end - 1, -1, -1), closings(n, end, lt, eq, low), strict=True):
            if above[j]:
                result += (above[j] * closing) << (bits * (add or 0) * (end - max(j, skip)))
        gt += eq
        fewer = [comb(n, j) * gt**j for j in range(skip)]
        above = fewer + _one_value_more(above, n, skip, (add or 0) * bits, eq)[skip:]
    return result


def _one_value_more(above: list[int], n: int, skip: int, shift: int, eq: int) -> list[int]:
    """By how many dice are better: the throws after one more value has become one of the better ones."""
    after = [0] * len(above)
    powers = [eq**more for more in range(len(above) + 1)]
    for j, packed in enumerate(above):
        if packed:
            first = max(j, skip)
            for then in range(first, len(above)):
                after[then] += (packed * (comb(n - j, then - j) * powers[then - j])) << (shift * (then - first))
    return after


def mixed_window(counts: tuple[int, ...], skip: int, k: int, places: Sequence[Place]) -> dict[int, int]:
    """Return the weights of the same for several kinds of dice, by a sweep."""
    adds = [add or 0 for add, _ in places]
    groups = [
        (n, {rank: weights[kind] for rank, (_, weights) in enumerate(places) if weights[kind]})
        for kind, n in enumerate(counts)
    ]

    def points(rank: int, group: int, used: Used, count: int) -> int:
        above = sum(used)
        return adds[rank] * max(0, min(above + count, skip + k) - max(above, skip))

    return sweep_points(groups, points)[0]
