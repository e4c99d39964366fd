"""Dice in the middle of a ranking, added up: of equal dice by the threshold, of several kinds by a sweep.

In a sweep values are ranked from the top. At each value the kinds take turns: some of the dice that a kind has left
show it. A state therefore knows how many dice of each kind have been used. What only adds up is not part of the state
but of a packed polynomial: points, as the exponent of x.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, prod

from astragal.dice.estimates import refuse_throws
from astragal.dice.solver.packed import slot_bytes, unpack
from astragal.dice.solver.threshold import Place, closings


def window(n: int, skip: int, k: int, places: Sequence[Place], bits: int) -> int:
    """Return the packed weights of what the ``k`` dice after the ``skip`` best add; places ascend.

    Dice in the middle: the sum of the places a + 1 to a + k of equal dice, ranked from the best.

    Let b = a + k and f be the value of the b-th best die, with j < b better dice. As for the
    threshold, R(j) counts what the other n − j dice show. The better dice are swept value by
    value; of them only those after the a best add up, so polynomials are needed only for
    a ≤ j < b. Fewer than a better dice add nothing: there are C(n, j)·gt^j of those throws.
    """
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
    refuse_throws(prod([n + 1 for n in counts]), "numbers of dice")
    totals = map(sum, zip(*[weights for _, weights in places], strict=True))
    width = slot_bytes(prod([total**n for n, total in zip(counts, totals, strict=True)]))
    states: dict[tuple[int, ...], int] = {(0,) * len(counts): 1}
    for rank, (add, weights) in reversed(list(enumerate(places))):
        for kind, weight in enumerate(weights):
            after: dict[tuple[int, ...], int] = {}
            for used, packed in states.items():
                above, left = sum(used), counts[kind] - used[kind]
                for count in range(left + 1 if weight else 1) if rank else (left,):
                    kept = max(0, min(above + count, skip + k) - max(above, skip))
                    then = (*used[:kind], used[kind] + count, *used[kind + 1 :])
                    ways = packed * comb(left, count) * weight**count
                    after[then] = after.get(then, 0) + (ways << 8 * width * (add or 0) * kept)
            states = after
    packed = states[counts]
    found = unpack(packed, width, packed.bit_length() // (8 * width) + 1)
    return {points: ways for points, ways in enumerate(found) if ways}
