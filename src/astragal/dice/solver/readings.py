"""Exact odds of readings, each by the mechanism of its kind.

``every_reading`` enumerates all throws for readings that have none; only its time grows
with the number of throws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from itertools import accumulate, combinations_with_replacement, product
from math import comb, prod
from operator import add
from typing import Any, TypeAlias, TypeVar

from astragal.dice.cache import cached
from astragal.dice.dice import Dice, Pool, endless
from astragal.dice.distribution import Distribution, added_up, changed_weights
from astragal.dice.estimates import refuse_throws
from astragal.dice.reading import Handful, Keep, Kept, Reading, Scored, place_of
from astragal.dice.solver.cards import (
    drawn_sums,
    every_draw,
    has_cards,
    kept_draws,
    left_of,
    scanned_draws,
    walked_draws,
    ways_of,
)
from astragal.dice.solver.keep import kept_odds
from astragal.dice.solver.pairs import PointScan
from astragal.dice.solver.product import vector_odds
from astragal.dice.solver.scan import Counts, scan_odds
from astragal.dice.solver.series import Series, ratio_of
from astragal.dice.solver.sums import Group, fair_power
from astragal.errors import Illegal

S = TypeVar("S", bound=Hashable)


def tally_odds(counting: frozenset[int], pool: Pool, up_to: int) -> Distribution[Any]:
    """Return the odds of a tally; an endless one has all counts above ``up_to`` as ``up_to + 1``."""
    if has_cards(pool):
        return _tally_with_cards(counting, pool, up_to)
    series = tally_series(counting, pool)
    end = series.degree
    weights, total = series.weights(up_to if end is None else end)
    by_count = dict(enumerate(weights))
    if end is not None:
        return Distribution(by_count, total)
    by_count[up_to + 1] = total - sum(weights)
    return Distribution(by_count, total, series)


def tally_series(counting: frozenset[int], pool: Pool) -> Series:
    """Return the generating function of a tally of dice."""
    series = Series(())
    for dice in pool:
        series *= Series.of(ratio_of(dice, counting), dice.n)
    return series


def _tally_with_cards(counting: frozenset[int], pool: Pool, up_to: int) -> Distribution[int]:
    """A tally of cards is the sum of what each counts; dice beside them are independent of it."""
    if endless(pool):
        raise Illegal("Exact odds of cards together with dice that go again without end are not known.")
    found = tally_odds(counting, tuple([dice for dice in pool if not dice.cards]), up_to)
    for dice in pool:
        if dice.cards:
            worth = [(int(face in counting),) for face in range(1, dice.sides + 1)]
            found = found + drawn_sums(dice, worth).map(lambda value: value[0])
    return found


def face_odds(pool: Pool) -> Distribution[int]:
    """Return the odds of a single die's last face, after its reroll if it earns one."""
    (dice,) = pool
    if dice.cards:
        return Distribution(dict(enumerate(dice.cards.left, 1)), dice.cards.size)
    if dice.again:
        raise Illegal("A die that is rerolled without limit has no last face.")
    once, again = dice.sides, len(dice.retry)
    faces = range(1, dice.sides + 1)
    return Distribution({face: again + (0 if face in dice.retry else once) for face in faces}, dice.sides**2)


def symbol_odds(worth: Worth, zero: tuple[int, ...], pool: Pool) -> Distribution[tuple[int, ...]]:
    """Return the odds of the sum of all faces' vectors."""
    if any(dice.again or dice.retry or dice.law for dice in pool):
        raise Illegal("Exact odds of symbols are known for dice that are thrown once, not for ones thrown again.")
    parts = list(zip(pool, worth, strict=True))
    groups = [(dice.n, Counter(faces)) for dice, faces in parts if not dice.cards]
    found = vector_odds(groups) if any(n for n, _ in groups) else Distribution.certain(zero)
    for dice, faces in parts:
        if dice.cards:
            drawn = drawn_sums(dice, faces)
            found = found.convolve(drawn, lambda left, right: tuple(map(add, left, right)))
    return found


Worth: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]


def keep_odds(keep: Keep, pool: Pool) -> Distribution[Kept]:
    """Return the odds of the kept sum, throws that show only faces in ``keep.every`` apart."""
    (dice,) = pool
    if dice.cards:
        return kept_draws(keep, dice)
    counts, only = kept_counts(keep.n, keep.best, dice), every_counts(keep, dice)
    weights = {Kept(total, True): ways for total, ways in only.items()}
    for total, ways in enumerate(counts):
        if ways > only.get(total, 0):
            weights[Kept(total, False)] = ways - only.get(total, 0)
    return Distribution(weights, dice.sides**dice.n)


def every_counts(keep: Keep, dice: Dice) -> Mapping[int, int]:
    """Return, for each kept sum, the number of throws that show nothing but faces in ``keep.every``."""
    shown = [face for face in keep.every if 1 <= face <= dice.sides]
    if len(shown) == 1:
        return {min(keep.n, dice.n) * shown[0]: 1}
    return kept_odds([(dice.n, dict.fromkeys(sorted(shown), 1))], keep.n, keep.best).weights if shown else {}


def kept_counts(n: int, best: bool, dice: Dice) -> list[int]:
    """Return, for each sum from 0 up, the number of throws whose best or worst ``n`` dice add up to it."""
    kept = min(n, dice.n)
    counts = _best_counts(kept, dice.n, dice.sides)
    return [0] * kept + (counts if best else counts[::-1])


@cached(64)
def _best_counts(kept: int, n: int, sides: int) -> list[int]:
    """From the lowest sum up; those of the worst dice are the same from the highest down."""
    if kept == n:
        return fair_power(sides, n)
    return list(kept_odds([(n, dict.fromkeys(range(1, sides + 1), 1))], kept).weights.values())


def group_of(dice: Dice) -> Group:
    """Return dice that are thrown once as a group."""
    return dice.n, dict.fromkeys(range(1, dice.sides + 1), 1)


def walk_odds(start: S, step: Callable[[S, int, int], S], pool: Pool) -> Distribution[S]:
    """Return the odds of a walk's last state; die by die, states are merged with the number of ways to reach them."""
    (dice,) = pool
    if dice.cards:
        return walked_draws(start, step, dice)
    if dice.again or dice.retry:
        raise Illegal("A walk over dice that are thrown again cannot be solved.")
    states, faces = {start: 1}, range(1, dice.sides + 1)
    for place in range(dice.n):
        states = added_up((step(state, place, face), ways) for state, ways in states.items() for face in faces)
    return Distribution(states, dice.sides**dice.n)


def beside_odds(
    counting: frozenset[int], means: Callable[[int], Any], parts: tuple[str, ...], pool: Pool
) -> Distribution[Any]:
    """Return the odds of some parts of a handful with a single die beside it, as tuples, or of one by itself."""
    dice, single = pool
    if has_cards(pool) or any(dice.again or dice.retry or dice.law for dice in pool):
        raise Illegal("The lowest and highest are known of dice that are thrown once, not of cards or rerolls.")
    beside = BesideWeights(dice.n, dice.sides, single.sides, counting, means)
    found = Distribution(beside.of(parts), dice.sides**dice.n * single.sides)
    return found if len(parts) != 1 else found.map(lambda values: values[0])


def scored_odds(scored: Scored[S, Any], pool: Pool) -> Distribution[tuple[S, int]]:
    """Return the odds of a scored scan's last state and points; two handfuls of equal dice are solved by places."""
    if any(dice.again or dice.retry for dice in pool):
        raise Illegal("A scan over dice that are thrown again cannot be solved.")
    start, step, _, settled, known = scored
    if known is None and len(pool) == 2 and pool[0].sides == pool[1].sides and not has_cards(pool):
        (ours, theirs), sides = pool, pool[0].sides
        ways = PointScan(ours.n, theirs.n, start, step, settled).ways(sides)
        return Distribution(ways, sides ** (ours.n + theirs.n))

    def further(end: tuple[S, int], face: int, counts: Counts) -> tuple[S, int]:
        if known is not None:
            counts = (known.count(face), *counts)
        if end[0] in settled or not any(counts):
            return end
        state, points = step(end[0], counts)
        return state, end[1] + points

    first = (start, 0)
    if has_cards(pool):
        if known is not None:
            raise Illegal("Cards are not compared with dice that lie there.")
        return scanned_draws(first, further, pool)
    for face in sorted({face for face in known or () if face > max([dice.sides for dice in pool])}, reverse=True):
        first = further(first, face, (0,) * len(pool))
    return scan_odds([group_of(dice) for dice in pool], first, further)


def every_reading(pool: Pool, reading: Reading[Any]) -> Distribution[Any]:
    """Return the odds of any reading by enumeration; throws that differ only in the order of equal dice are one."""
    if any(dice.again or dice.retry for dice in pool):
        raise Illegal("This reading cannot be solved for dice that are thrown again: there is no end of throws.")
    refuse_throws(different_throws(pool))
    weights: dict[Any, int] = added_up(
        (reading.read(tuple((faces,) for faces, _ in groups)), prod(orders for _, orders in groups))
        for groups in product(*map(sorted_throws, pool))
    )
    return Distribution(weights, ways_of(pool))


def different_throws(pool: Pool) -> int:
    """Return how many throws of a pool differ in more than order; for cards it is an upper bound."""
    found = 1
    for dice in pool:
        kinds = sum(map(bool, left_of(dice))) if dice.cards else dice.sides
        alike = comb(dice.n + max(kinds, 1) - 1, dice.n)
        found *= min(alike, comb(dice.cards.size, dice.n)) if dice.cards else alike
    return found


def sorted_throws(dice: Dice) -> list[tuple[tuple[int, ...], int]]:
    """Return the throws, or draws, that differ in more than order, each with the ways in which it comes about."""
    if dice.cards:
        return list(every_draw(dice).items())
    return [(faces, orders(faces)) for faces in combinations_with_replacement(range(1, dice.sides + 1), dice.n)]


def orders(faces: tuple[int, ...]) -> int:
    """Return the number of orders in which these faces can lie."""
    ways, left = 1, len(faces)
    for face in set(faces):
        ways *= comb(left, faces.count(face))
        left -= faces.count(face)
    return ways


PLACED = ("count", "place", "meaning")
"""The parts for which no face has to be looked at for itself."""


class Rows:
    """Throws of n dice that only show some of their faces, by how many dice count; equal rows are found once.

    Handfuls of equal dice by how many count, and by the lowest and highest face that they show.

    The throws whose dice all show a face from a to b are (plain + counting·x)^n, a binomial row over the faces there
    that count and those that do not. Throws whose lowest face is a and highest face is b are the same without the
    throws from a + 1 up and those down from b − 1; the throws between both are subtracted twice, so added once.

    A single die beside them is above all of them in the throws from 1 to its face − 1, below all in those from its
    face + 1 up, and neither in the rest. Faces of it that mean the same are added up before anything else looks at
    them.
    """

    def __init__(self, n: int, sides: int, counting: frozenset[int]) -> None:
        self.n, self.sides = n, sides
        self._upto = [0, *accumulate([face in counting for face in range(1, sides + 1)])]
        self._choose = [comb(n, k) for k in range(n + 1)]
        self._known: dict[tuple[int, int], list[int]] = {}

    def between(self, lowest: int, highest: int) -> list[int]:
        """Return the throws whose dice all show ``lowest`` to ``highest``."""
        counting = self._upto[highest] - self._upto[lowest - 1] if lowest <= highest else 0
        plain = max(highest - lowest + 1, 0) - counting
        row = self._known.get((plain, counting))
        if row is None:
            row = self._known[plain, counting] = self._row(plain, counting)
        return row

    def _row(self, plain: int, counting: int) -> list[int]:
        n = self.n
        if not plain or not counting:
            only = [0] * (n + 1)
            only[n if counting else 0] = (plain or counting) ** n
            return only
        powers = [1]
        for _ in range(n):
            powers.append(powers[-1] * plain)
        found, ways = [], 1
        for choose, power in zip(self._choose, reversed(powers), strict=True):
            found.append(choose * power * ways)
            ways *= counting
        return found


def spread_weights(n: int, sides: int, counting: frozenset[int]) -> dict[tuple[int, int, int], int]:
    """Return the throws by how many dice count, the lowest and the highest face; there is at least one die."""
    rows = Rows(n, sides, counting)
    found: dict[tuple[int, int, int], int] = {}
    for low in range(1, sides + 1):
        for high in range(low, sides + 1):
            parts = (
                rows.between(a, b) for a, b in ((low, high), (low + 1, high), (low, high - 1), (low + 1, high - 1))
            )
            for k, (all, above, below, inside) in enumerate(zip(*parts, strict=True)):
                ways = all - above - below + inside
                if ways:
                    found[k, low, high] = ways
    return found


class BesideWeights:
    """The throws of n dice and a single one beside them, by any parts that a question needs."""

    def __init__(
        self, n: int, sides: int, single: int, counting: frozenset[int], means: Callable[[int], Hashable]
    ) -> None:
        self.n, self.sides, self.single = n, sides, single
        self.counting, self.means = counting, means
        self.rows = Rows(n, sides, counting)

    def of(self, parts: tuple[str, ...]) -> dict[tuple[Any, ...], int]:
        """Return the throws by these parts, as tuples."""
        if "place" not in parts or not set(parts) <= set(PLACED):
            return self._any(parts)
        found = self._placed("meaning" in parts)
        if parts == PLACED:
            return found
        at = [PLACED.index(part) for part in parts]
        return changed_weights(found, lambda values: tuple([values[place] for place in at]))

    def _placed(self, told: bool) -> dict[tuple[Any, ...], int]:
        """By how many of all count, and where and what the single one is: no face is looked at for itself."""
        n, sides = self.n, self.sides
        kinds: dict[tuple[bool, Hashable], dict[int, int]] = {}
        for face in range(1, self.single + 1):
            faces = kinds.setdefault((face in self.counting, self.means(face) if told else None), {})
            at = min(face, sides + 1)
            faces[at] = faces.get(at, 0) + 1
        every = self.rows.between(1, sides)
        found: dict[tuple[str, Hashable], list[int]] = {}
        for (counts, what), faces in kinds.items():
            below, above = [0] * (n + 1), [0] * (n + 1)
            for face, times in faces.items() if n else ():
                if face > 1:
                    below = list(map(add, below, [times * ways for ways in self.rows.between(1, face - 1)]))
                if face < sides:
                    above = list(map(add, above, [times * ways for ways in self.rows.between(face + 1, sides)]))
            times = sum(faces.values())
            rest = [times * all - less - more for all, less, more in zip(every, below, above, strict=True)]
            for place, ways in (("highest", below), ("neither", rest), ("lowest", above)):
                row = found.setdefault((place, what), [0] * (n + 2))
                end = n + 1 + counts
                row[counts:end] = map(add, row[counts:end], ways)
        return {(k, place, what): ways for (place, what), row in found.items() for k, ways in enumerate(row) if ways}

    def _any(self, parts: tuple[str, ...]) -> dict[tuple[Any, ...], int]:
        """The handful by what is asked of it, and each of its values with each face of the single die."""
        looks = not {"lowest", "highest", "place"}.isdisjoint(parts)
        if looks and self.n:
            handful = spread_weights(self.n, self.sides, self.counting)
        else:
            handful = {(k, 0, 0): ways for k, ways in enumerate(self.rows.between(1, self.sides)) if ways}
        # Faces of the single die that mean the same are one, unless they are shown.
        told, shown = "meaning" in parts, not {"single", "place"}.isdisjoint(parts)
        faces = added_up(
            ((face if shown else 0, face in self.counting, self.means(face) if told else None), 1)
            for face in range(1, self.single + 1)
        )
        at = [Handful.names.index(part) for part in parts]
        found: list[tuple[tuple[Any, ...], int]] = []
        for (others, low, high), ways in handful.items():
            for (face, counts, meaning), times in faces.items():
                seen = others + counts, others, low, high, face, place_of(face, low, high), meaning
                found.append((tuple([seen[place] for place in at]), ways * times))
        return added_up(found)
