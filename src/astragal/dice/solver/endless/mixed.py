"""Counts that follow one of several generating functions: what comes of a pool to which other throws add dice.

With f a die of the pool, n of its dice count f(x)^n. A throw before it that counts h(y), each of them a die more,
makes that f(x)^n · h(f(x)), however many dice that may be. Where fewer than ``least`` dice are left, something else is
thrown: that part of h is taken back. So a count is a sum of such products with weights, some of them negative:

    P(k) = Σ weight · [x^k] series
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Any, NamedTuple, TypeAlias

from astragal.dice.cache import cached
from astragal.dice.distribution import Beyond, Distribution, added_up
from astragal.dice.solver.endless.comparison import endless_chances
from astragal.dice.solver.packed import common_multiple
from astragal.dice.solver.series import Ratio, Series, weighted_powers
from astragal.errors import Malformed

NOTHING = Fraction(0)
ALWAYS_ONE = Ratio((1,), (1,))
ONE_MORE = (0, 1)
"""The polynomial x: one more."""


class Powers(NamedTuple):
    """Powers of a die with weights, each times the same rest."""

    die: Ratio
    weights: Mapping[int, int]
    rest: Series = Series(())

    @property
    def parts(self) -> list[tuple[int, Series]]:
        """Each of them by itself, with its weight."""
        return [(w, Series.of(self.die, n) * self.rest if n else self.rest) for n, w in self.weights.items()]

    def coefficients(self, last: int) -> tuple[list[int], int]:
        """Return the chances of 0 to ``last`` together, and their denominator."""
        if len(self.weights) > 1:
            return weighted_powers(self.die, self.weights, self.rest.factors, last)
        ((weight, series),) = self.parts
        ways, total = series.weights(last)
        return ways if weight == 1 else [weight * n for n in ways], total


class Mixed(NamedTuple):
    """A count whose chances are a sum of weighted series over ``total``.

    ``most`` is the highest count there can be, None without end.
    """

    groups: tuple[Powers, ...]
    total: int = 1
    most: int | None = None

    @classmethod
    def of(cls, series: Series) -> Mixed:
        """Return the count that follows a single series."""
        return cls((Powers(ALWAYS_ONE, {0: 1}, series),), 1, series.degree)

    @property
    def parts(self) -> list[tuple[int, Series]]:
        """Every series with its weight."""
        return [part for group in self.groups for part in group.parts]

    @property
    def whole(self) -> Fraction:
        """The chance of any count at all; below 1 for a part of something larger."""
        return Fraction(sum([weight for group in self.groups for weight in group.weights.values()]), self.total)

    def coefficients(self, last: int) -> tuple[list[int], int]:
        """Return the chances of 0 to ``last`` as whole numbers, and their common denominator."""
        found = [group.coefficients(last) for group in self.groups]
        if len(found) == 1:
            return found[0][0], found[0][1] * self.total
        common = common_multiple(total for _, total in found)
        weights = [0] * (last + 1)
        for ways, total in found:
            factor = common // total
            weights = [weight + factor * n for weight, n in zip(weights, ways, strict=True)]
        return weights, common * self.total

    def odds(self, up_to: int) -> Distribution[Any]:
        """Return the chances of 0 to ``up_to``, and of all beyond as one value."""
        weights, total = self.coefficients(up_to)
        found: dict[Any, int] = dict(enumerate(weights))
        found[Beyond(up_to)] = total - sum(weights)
        return Distribution(found, total, self)

    def repeated(self, n: int) -> Mixed:
        """Return the total of n such counts; of a count that follows a single series."""
        if len(self.groups) > 1 or self.groups[0].weights != {0: self.total}:
            raise Malformed("Only the total of counts that follow a single series is a series.")
        powers = Powers(ALWAYS_ONE, {0: 1}, self.groups[0].rest.raised(n))
        return Mixed((powers,), 1, None if self.most is None else self.most * n)

    def moved(self, by: int) -> Mixed:
        """Return the count with this number added."""
        if not by:
            return self
        groups = [group._replace(rest=group.rest * Series(((ONE_MORE, by),))) for group in self.groups]
        return Mixed(tuple(groups), self.total, None if self.most is None else self.most + by)

    def raised(self, by: int) -> Mixed:
        """Return the count with this number added wherever it is not 0."""
        if not by:
            return self
        ways, total = self.coefficients(0)
        moved, factor = self.moved(by), total // self.total
        groups = [group._replace(weights={n: w * factor for n, w in group.weights.items()}) for group in moved.groups]
        taken, kept = Powers(ALWAYS_ONE, {0: -ways[0]}, Series(((ONE_MORE, by),))), Powers(ALWAYS_ONE, {0: ways[0]})
        return Mixed((*groups, taken, kept), total, moved.most)

    @property
    def mean(self) -> Fraction:
        """The exact mean."""
        return sum((weight * series.mean for weight, series in self.parts), NOTHING) / self.total

    @property
    def variance(self) -> Fraction:
        """The exact variance."""
        return self.square - self.mean**2

    @property
    def square(self) -> Fraction:
        """The exact mean of the squares."""
        return sum((w * (series.variance + series.mean**2) for w, series in self.parts), NOTHING) / self.total


def listed(weights: Mapping[int, int], total: int) -> Mixed:
    """Return a count from the known chance of each value."""
    most, whole = max(weights), sum(weights.values())
    polynomial = tuple([weights.get(k, 0) for k in range(most + 1)])
    law = Mixed.of(Series(((polynomial, 1), ((whole,), -1))))
    return Mixed((law.groups[0]._replace(weights={0: whole}),), total, most)


def joined(parts: Sequence[Mixed]) -> Mixed:
    """Return the count that follows each of these with the chance that is its whole."""
    if len(parts) == 1:
        return parts[0]
    total = common_multiple(part.total for part in parts)
    groups = []
    for part in parts:
        factor = total // part.total
        groups += [group._replace(weights={n: w * factor for n, w in group.weights.items()}) for group in part.groups]
    ends = [part.most for part in parts]
    return Mixed(tuple(groups), total, None if None in ends else max(end for end in ends if end is not None))


Gifts: TypeAlias = tuple[tuple[Ratio, int], ...]
"""Dice whose counts are dice of a later pool: the generating function of each kind, and how many there are."""


def grown(
    die: Ratio, pools: Mapping[tuple[Gifts, int], int], total: int = 1, least: int = 1, most: int | None = None
) -> tuple[Mixed, Fraction]:
    """Return what pools of this die count, and the chance that they have fewer than ``least`` dice.

    A pool is some dice and what other dice give it; each has a weight out of ``total``. For those below ``least``, as
    many cases as that takes are found one by one and taken back.
    """
    by_gifts: dict[Gifts, dict[int, int]] = {}
    for (gifts, n), weight in pools.items():
        by_gifts.setdefault(gifts, {})[n] = weight
    lows = {gifts: _low(gifts, weights, least) for gifts, weights in by_gifts.items()}
    common = common_multiple(of for _, of in lows.values())
    alone: list[tuple[int, int]] = []
    groups, fewer = [], 0
    for gifts, weights in by_gifts.items():
        low, of = lows[gifts]
        factor = common // of
        fewer += sum(low.values()) * factor
        if gifts:
            groups.append(Powers(die, {n: weight * common for n, weight in weights.items()}, gathered(gifts, die)))
            alone += [(n, -weight * factor) for n, weight in low.items()]
        else:
            alone += [(n, weight * common) for n, weight in weights.items() if n >= least]
    powers = {n: weight for n, weight in added_up(alone).items() if weight}
    if powers:
        groups.append(Powers(die, powers))
    return Mixed(tuple(groups), total * common, most), Fraction(fewer, total * common)


def _low(gifts: Gifts, weights: Mapping[int, int], least: int) -> tuple[dict[int, int], int]:
    """The pools that have fewer than ``least`` dice in the end, by their dice, and what their weights are parts of."""
    fewest = min(weights)
    if fewest >= least:
        return {}, 1
    ways, total = gathered(gifts).weights(least - 1 - fewest) if gifts else ([1], 1)
    low = added_up(
        (n + more, weight * chance)
        for n, weight in weights.items()
        for more, chance in enumerate(ways[: max(0, least - n)])
        if chance
    )
    return low, total


def gathered(gifts: Gifts, die: Ratio | None = None) -> Series:
    """Return what such dice count together; with a die, what the dice that they give count."""
    each = [Series.of(composite(outer, die) if die else outer, n) for outer, n in gifts]
    return reduce(mul, each, Series(()))


@cached(256)
def composite(outer: Ratio, inner: Ratio) -> Ratio:
    """Return the generating function of as many inner dice as the outer one counts."""
    return outer.of(inner)


def comparison_odds(ours: Series, theirs: Series) -> Distribution[str]:
    """Return the chances that ``ours`` is greater, that ``theirs`` is, and of a ``draw``."""
    return versus(Mixed.of(ours), Mixed.of(theirs))


def versus(ours: Mixed, theirs: Mixed) -> Distribution[str]:
    """Return the same of two counts; if neither ends, of every series of one against every series of the other."""
    if theirs.most is not None:
        wins, draws = _against(ours, theirs, theirs.most)
    elif ours.most is not None:
        losses, draws = _against(theirs, ours, ours.most)
        wins = ours.whole * theirs.whole - losses - draws
    else:
        wins = draws = NOTHING
        for weight, mine in ours.parts:
            for other, against in theirs.parts:
                won, drawn = _met(mine, against)
                wins, draws = wins + weight * other * won, draws + weight * other * drawn
        wins, draws = wins / (ours.total * theirs.total), draws / (ours.total * theirs.total)
    losses = ours.whole * theirs.whole - wins - draws
    total = common_multiple((wins.denominator, draws.denominator, losses.denominator))
    chances = {"ours": wins, "theirs": losses, "draw": draws}
    return Distribution({name: int(chance * total) for name, chance in chances.items()}, total)


def _met(ours: Series, theirs: Series) -> tuple[Fraction, Fraction]:
    if ours.degree is None and theirs.degree is None:
        return endless_chances(ours, theirs)
    found = comparison_odds(ours, theirs)
    return found["ours"], found["draw"]


def _against(ours: Mixed, theirs: Mixed, most: int) -> tuple[Fraction, Fraction]:
    """Their count ends: the chances that ours is greater, and of a draw, case by case."""
    mine, total = ours.coefficients(most)
    other, of = theirs.coefficients(most)
    above = ours.whole.numerator * (total // ours.whole.denominator)
    wins = draws = 0
    for a, b in zip(mine, other, strict=True):
        above -= a
        wins += above * b
        draws += a * b
    return Fraction(wins, total * of), Fraction(draws, total * of)


class Duel(NamedTuple):
    """Two counts that are compared, once ``ahead`` is added to ours."""

    ours: Mixed
    theirs: Mixed
    ahead: int = 0

    def above(self, last: int, enough: int) -> tuple[list[Fraction], Fraction, Fraction, Fraction]:
        """Return what meets our counts above ``last``, all of which are greater than ``enough`` with what is added.

        First the chance of each of their counts below ``enough``, by itself. Then, together with ours above ``last``,
        the chances of all their counts from ``enough`` on: that ours is greater, of a draw, and that theirs is.
        """
        mine, total = self.ours.coefficients(last)
        other, of = self.theirs.coefficients(max(enough, last + self.ahead) + 1)
        whole = self.theirs.whole
        found = versus(self.ours.moved(max(self.ahead, 0)), self.theirs.moved(max(-self.ahead, 0)))
        wins, draws, losses = found["ours"], found["draw"], found["theirs"]
        for k, n in enumerate(mine):
            chance, at = Fraction(n, total), k + self.ahead
            below = Fraction(sum(other[: max(at, 0)]), of)
            level = Fraction(other[at], of) if at >= 0 else NOTHING
            wins -= chance * below
            draws -= chance * level
            losses -= chance * (whole - below - level)
        above = self.ours.whole - Fraction(sum(mine), total)
        low = [Fraction(n, of) for n in other[:enough]]
        return low, wins - above * sum(low, NOTHING), draws, losses
