"""Odds of kept dice: the best or worst few of a pool, or a few in the middle, added up.

The best or worst by the threshold; many of equal fair dice by a recurrence; those in the middle by a sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import comb, prod
from operator import add, sub
from typing import Any, NamedTuple, TypeAlias

from astragal.dice.distribution import Beyond, Distribution, changed_weights
from astragal.dice.estimates import refuse_bytes, refuse_throws
from astragal.dice.solver.packed import slot_bytes, unpack
from astragal.dice.solver.sums import Group, fair_power, sum_odds
from astragal.dice.solver.threshold import Place, best_equal, best_mixed, best_of, closings

EndlessGroup: TypeAlias = tuple[int, Mapping[Any, int]]
"""A number of equal dice; a die's values above a limit are one value, ``Beyond``."""
Weighted: TypeAlias = Iterable[tuple[int, int]]
"""Sums with their weights."""
FEW = 9
"""Kept fair dice up to which packed polynomials are faster than the recurrence, or not much slower."""


def kept_odds(
    groups: Sequence[Group],
    keep: int,
    best: bool = True,
    skip: int = 0,
    score: Callable[[int], int] | None = None,
) -> Distribution[int]:
    """Return the odds of the sum of the ``keep`` best or worst dice, those left out that are best or worst of all.

    Dice are ranked by value. Each that is kept adds its value, or its score.
    """
    groups = [(n, die) for n, die in groups if n]
    n = sum(n for n, _ in groups)
    skip = min(skip, n)
    keep = min(keep, n - skip)
    if keep == 0:
        return Distribution.certain(0)
    if keep == n:
        return sum_odds([(n, changed_weights(die, score) if score else die) for n, die in groups])
    if skip + keep == n:
        best, skip = not best, 0
    places, least = _places(groups, best, score)
    found, total = _kept(groups, keep, skip, places)
    first = least * keep
    return Distribution({add + first: ways for add, ways in found if ways}, total)


def _places(groups: Sequence[Group], best: bool, score: Callable[[int], int] | None) -> tuple[list[Place], int]:
    """The values in ascending order of keeping, and the least that one adds."""
    if len(groups) == 1:
        ranked = sorted(groups[0][1].items(), reverse=not best)
        adds = [score(value) for value, _ in ranked] if score else [value for value, _ in ranked]
        least = min(adds)
        return [(add - least, (weight,)) for add, (_, weight) in zip(adds, ranked, strict=True)], least
    values = sorted({value for _, die in groups for value in die}, reverse=not best)
    adds = [score(value) for value in values] if score else values
    least = min(adds)
    weights = [tuple([die.get(value, 0) for _, die in groups]) for value in values]
    return [(add - least, each) for add, each in zip(adds, weights, strict=True)], least


def _kept(groups: Sequence[Group], keep: int, skip: int, places: Sequence[Place]) -> tuple[Weighted, int]:
    """What is added with its weights, ascending unless it is a single die, and the weight of all throws."""
    counts = tuple([n for n, _ in groups])
    total = prod(sum(die.values()) ** n for n, die in groups)
    if len(counts) == 1 and keep == 1 and not skip:
        return best_of(counts[0], places).items(), total
    last = keep * max([add or 0 for add, _ in places])
    width = slot_bytes(total)
    bits = 8 * width
    refuse_bytes(len(places) * width + (last + 1) * width)
    if skip:
        return _unpacked(_middle(counts, skip, keep, places, bits), width, last), total
    if len(counts) == 1 and keep > FEW and all(place == (add, (1,)) for add, place in enumerate(places)):
        return enumerate(KeptFair(counts[0], keep, len(places)).weights()[keep:]), total
    return _unpacked(_best(counts, keep, bits, last, places), width, last), total


def _best(counts: tuple[int, ...], keep: int, bits: int, last: int, places: Sequence[Place]) -> int:
    if len(counts) == 1:
        return best_equal(counts[0], keep, places, bits, last)
    return best_mixed(counts, keep, places, bits, last)


def _middle(counts: tuple[int, ...], skip: int, keep: int, places: Sequence[Place], bits: int) -> int:
    """Return the packed weights of what the ``keep`` dice after the ``skip`` best add; places ascend.

    Values are swept from the best down. At each value the kinds take turns: some of the dice that a kind has left show
    it. So a state is how many dice of each kind are left. Once all that are kept are seen, the others show anything:
    what is left of the ways in which a kind shows this value or less is those in which that number of dice shows it.
    """
    refuse_throws(prod([min(n, skip + keep) + 1 for n in counts]), "numbers of dice")
    dice, end, found = sum(counts), skip + keep, 0
    below = [sum(weights) for weights in zip(*[weights for _, weights in places], strict=True)]
    states = {counts: 1}
    for each, weights in reversed(places):
        shift = bits * (each or 0)
        for kind, weight in enumerate(weights):
            if not weight:
                continue
            after: dict[tuple[int, ...], int] = {}
            upto, lower = below[kind], below[kind] - weight
            for state, packed in states.items():
                left, seen, before, behind = state[kind], dice - sum(state), state[:kind], state[kind + 1 :]
                first, rest, ways = max(seen, skip), upto**left, 1
                for count in range(min(left + 1, end - seen)):
                    less, kept = left - count, seen + count - first
                    then = (*before, less, *behind)
                    after[then] = after.get(then, 0) + (packed * ways << shift * kept if kept > 0 else packed * ways)
                    rest -= ways * lower**less
                    ways = ways * less * weight // (count + 1)
                if rest:
                    for other, n in enumerate(state):
                        rest *= below[other] ** n if other != kind else 1
                    found += packed * rest << shift * (end - first)
            states, below[kind] = after, lower
    return found


def _unpacked(packed: int, width: int, last: int) -> Weighted:
    return enumerate(unpack(packed, width, last + 1))


def kept_up_to(groups: Sequence[EndlessGroup], keep: int, up_to: int, best: bool = True) -> Distribution[Any]:
    """Return the odds of kept dice without end; sums above ``up_to`` are one value, ``Beyond(up_to)``.

    All values are 0 or more, and those of a die above ``up_to`` are one value.
    """
    groups = [(n, die) for n, die in groups if n]
    keep = min(keep, sum(n for n, _ in groups))
    if keep == 0:
        return Distribution.certain(0)
    values = sorted({value for _, die in groups for value in die if not isinstance(value, Beyond)}, reverse=not best)
    rest = tuple([sum(w for value, w in die.items() if isinstance(value, Beyond)) for _, die in groups])
    places: list[Place] = [(value, tuple([die.get(value, 0) for _, die in groups])) for value in values]
    places.insert(len(places) if best else 0, (None, rest))
    total = prod(sum(die.values()) ** n for n, die in groups)
    width = slot_bytes(total)
    packed = _best(tuple([n for n, _ in groups]), keep, 8 * width, up_to, places)
    found: dict[Any, int] = dict(_unpacked(packed & ((1 << (8 * width * (up_to + 1))) - 1), width, up_to))
    found[Beyond(up_to)] = total - sum(found.values())
    return Distribution({value: ways for value, ways in found.items() if ways}, total)


class KeptFair(NamedTuple):
    """The ``k`` best of ``n`` fair dice with faces 1 to ``sides``.

    Many kept fair dice: the threshold by a recurrence, whose cost is linear in the number kept.

    For the threshold f of dice with faces 1 to s, let Q = x + … + x^(s − f) be what one better
    die adds above f, and G = Σ_{j<k} C(n, j)·R(j)·Q^j the throws. Then

        (f + Q)·G′ = n·Q′·G − W′,   W = C(n, k)·(f^(n−k+1)·Q^k − (f − 1)^(n−k+1)·(1 + Q)^k)

    and both powers are sums of fair dice. Multiplied by (1 − x)², Q and Q′ have few terms, so
    each coefficient of G follows from four before it.
    """

    n: int
    k: int
    sides: int

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
