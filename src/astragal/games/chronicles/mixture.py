"""What a team may roll, exactly: generating functions with weights (CD-12, CD-15).

A die is f = (7 + 2x) / (10 − x) with 10-again, and of that shape with every other again and with rote. Helpers put
one such function into another: each of their successes is one more die for the leader. So helpers who throw N dice
between them, however they share them out, make it f(f)^N. What a chance die gives or takes, and what a Beat costs,
are powers of f with weights; weights may be negative where parts of a sum are taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb, gcd, lcm
from typing import Any, NamedTuple

from astragal.author import (
    NO_FACES,
    Beyond,
    Dice,
    Distribution,
    Ratio,
    Series,
    common_multiple,
    die_ratio,
    faces_below,
    faces_from,
    series_odds,
    weighted_powers,
)
from astragal.games.chronicles.pool import AGAIN, SUCCEEDS, Quality
from astragal.games.chronicles.team import DRAMATIC_HELPER, Help, Helper

DIE: dict[tuple[int, bool], Ratio] = {
    (again, rote): die_ratio(
        Dice(10, again=faces_from(again, 10), retry=faces_below(8) if rote else NO_FACES), SUCCEEDS
    )
    for again in AGAIN.values()
    for rote in (False, True)
}
HELPED = {quality: die.of(die) for quality, die in DIE.items()}
"""A helper's die: what the leader rolls with the dice that it gives."""
CHANCE = {False: Ratio((9, 1), (10,)), True: Ratio((82, 18), (100,))}
"""The chance die: of 2 to 9, rote gives another throw (CD-8)."""
DRAMATIC = {False: Fraction(1, 10), True: Fraction(18, 100)}
NOTHING, ONE = Fraction(0), Fraction(1)


class Weighted(NamedTuple):
    """A series that is rolled with some weight."""

    weight: int | Fraction
    series: Series


class Powers(NamedTuple):
    """Powers of a die with weights, each times the same rest."""

    die: Ratio
    weights: Mapping[int, int | Fraction]
    rest: Series = Series(())

    @property
    def parts(self) -> list[Weighted]:
        """Each of them by itself."""
        return [
            Weighted(weight, Series.of(self.die, n) * self.rest if n else self.rest)
            for n, weight in self.weights.items()
        ]


class Mixture(NamedTuple):
    """Everything that a roll may come to, with weights as parts of a total, and how likely a chance die is."""

    groups: tuple[Powers, ...]
    chance: Fraction = NOTHING
    total: int = 1

    @property
    def parts(self) -> list[Weighted]:
        """Every series that may be rolled."""
        return [part for group in self.groups for part in group.parts]


class Given(NamedTuple):
    """What helpers may give: successes of so many dice, dice more or fewer besides, Beats taken."""

    thrown: int
    help: Help


class Ways(NamedTuple):
    """All that helpers may give, with weights as parts of a total."""

    weights: dict[Given, int]
    total: int = 1


def mixture(dice: int, quality: Quality, team: tuple[Helper, ...] = (), beats: bool = False) -> Mixture:
    """A leader's roll with what the helpers may give or take; with ``beats``, they take one for every failure."""
    if not team:
        return Mixture((_pool(dice, quality),), ONE if dice < 1 else NOTHING)
    return mixed_by(dice, quality, given_by(team, quality, beats))


def mixed_by(dice: int, quality: Quality, ways: Ways) -> Mixture:
    """A leader's roll with what helpers may give in these ways."""
    return _mixed(dice, quality, ways.weights, ways.total)


def by_help(dice: int, quality: Quality, ways: Ways) -> dict[Help, Mixture]:
    """The same for each number of the helpers' Beats and dramatic failures, with the weight of these in it."""
    found: dict[Help, dict[Given, int]] = {}
    for given, weight in ways.weights.items():
        found.setdefault(given.help._replace(dice=0), {})[given] = weight
    return {help: _mixed(dice, quality, weights, ways.total) for help, weights in found.items()}


def given_by(team: tuple[Helper, ...], quality: Quality, beats: bool) -> Ways:
    """All that helpers may give."""
    rolling = [helper.dice for helper in team if helper.dice >= 1]
    ways = on_chance_dice(len(team) - len(rolling), quality, beats, 0 if beats else sum(rolling))
    if beats:
        for dice in rolling:
            ways = _also(ways, cases(dice, quality))
    return ways


def on_chance_dice(n: int, quality: Quality, beats: bool, thrown: int) -> Ways:
    """What n helpers on a chance die each give, beside so many dice of others; with ``beats``, they take Beats.

    They are all alike: a case is a number of successes and one of dramatic failures.
    """
    (fail, one), (total,) = CHANCE[quality.rote]
    drama = int(DRAMATIC[quality.rote] * total)
    fail -= drama
    found: dict[Given, int] = {}
    for gained in range(n + 1):
        chosen = comb(n, gained) * one**gained
        for lost in range(n - gained + 1):
            failed = n - gained - lost
            taken = failed if beats else 0
            dramatic = lost + taken
            given = Given(thrown, Help(gained + DRAMATIC_HELPER * dramatic, taken, dramatic))
            found[given] = found.get(given, 0) + chosen * comb(n - gained, lost) * drama**lost * fail**failed
    return Ways(found, total**n)


def _also(ways: Ways, more: Ways) -> Ways:
    after: dict[Given, int] = {}
    for (thrown, help), weight in ways.weights.items():
        for (thrown_too, too), chance in more.weights.items():
            both = Given(thrown + thrown_too, help.and_(*too))
            after[both] = after.get(both, 0) + weight * chance
    return Ways(after, ways.total * more.total)


def fails(helper: Helper, quality: Quality) -> Fraction:
    """The chance that a helper plainly fails."""
    if helper.dice < 1:
        (fail, _), (total,) = CHANCE[quality.rote]
        return Fraction(fail, total) - DRAMATIC[quality.rote]
    die = DIE[quality]
    return Fraction(die.above[0] ** helper.dice, die.below[0] ** helper.dice)


def cases(dice: int, quality: Quality) -> Ways:
    """One helper who makes every failure dramatic for a Beat."""
    fails, total = DIE[quality].above[0] ** dice, DIE[quality].below[0] ** dice
    return Ways(
        {Given(dice, Help()): total, Given(0, Help()): -fails, Given(0, Help(DRAMATIC_HELPER, 1, 1)): fails}, total
    )


def _mixed(dice: int, quality: Quality, given: dict[Given, int], total: int) -> Mixture:
    """As many dice more as the helpers give; where even then the pool is below 1, it is a chance die."""
    pools: dict[int, dict[int, int]] = {}
    for (thrown, help), weight in given.items():
        found = pools.setdefault(thrown, {})
        found[dice + help.dice] = found.get(dice + help.dice, 0) + weight
    cases = {thrown: _helped(weights, thrown, quality) for thrown, weights in pools.items()}
    common = lcm(*[sums.total for sums in cases.values()])
    whole = gcd(common * total, *[n * (common // sums.total) for sums in cases.values() for n in sums.every])
    alone: dict[int, int] = {}
    chance, groups = 0, []
    for thrown, sums in cases.items():
        factor = common // sums.total
        chance += sums.chance * factor
        for pool, n in sums.alone.items():
            alone[pool] = alone.get(pool, 0) + n * factor
        if sums.helped:
            helped = {pool: n * factor // whole for pool, n in sums.helped.items()}
            groups.append(Powers(DIE[quality], helped, Series.of(HELPED[quality], thrown)))
    if alone:
        groups.append(Powers(DIE[quality], {pool: n // whole for pool, n in alone.items()}))
    if chance:
        groups.append(Powers(CHANCE[quality.rote], {1: chance // whole}))
    return Mixture(tuple(groups), Fraction(chance, common * total), common * total // whole)


def _pool(dice: int, quality: Quality) -> Powers:
    return Powers(CHANCE[quality.rote], {1: 1}) if dice < 1 else Powers(DIE[quality], {dice: 1})


class Sums(NamedTuple):
    """Weights of pools that helpers' dice add to, of pools alone, and of a chance die, as parts of a total."""

    helped: dict[int, int]
    alone: dict[int, int]
    chance: int
    total: int = 1

    @property
    def every(self) -> list[int]:
        """All the weights."""
        return [*self.helped.values(), *self.alone.values(), self.chance]


def _helped(pools: dict[int, int], thrown: int, quality: Quality) -> Sums:
    """Pools with weights, and the successes of so many helpers' dice.

    Up to the first die it is a chance die, not a power of f, which is taken back.
    """
    if not thrown:
        alone = {pool: weight for pool, weight in pools.items() if pool >= 1}
        return Sums({}, alone, sum(pools.values()) - sum(alone.values()))
    fewest = min(pools)
    if fewest >= 1:
        return Sums(pools, {}, 0)
    ways, total = Series.of(DIE[quality], thrown).weights(-fewest)
    low: dict[int, int] = {}
    for pool, weight in pools.items():
        for help, n in enumerate(ways[: max(0, 1 - pool)]):
            low[pool + help] = low.get(pool + help, 0) - weight * n
    return Sums({pool: weight * total for pool, weight in pools.items()}, low, -sum(low.values()), total)


def rolled(mixed: Mixture, up_to: int) -> Distribution[Any]:
    """Successes on the dice, told apart up to ``up_to``."""
    if len(mixed.groups) == 1 and len(parts := mixed.groups[0].parts) == 1 and parts[0].weight == mixed.total:
        return series_odds(parts[0].series, up_to)
    weights, common = coefficients(mixed, up_to)
    found: dict[Any, int] = dict(enumerate(weights))
    found[Beyond(up_to)] = common - sum(weights)
    return Distribution(found, common, MixtureMoments(mixed))


def coefficients(mixed: Mixture, last: int) -> tuple[list[int], int]:
    """The chances of 0 to ``last`` successes as whole numbers, and what they are parts of."""
    found = [_summed(group, last) for group in mixed.groups]
    common = common_multiple(total for _, total in found)
    weights = [0] * (last + 1)
    for ways, total in found:
        factor = common // total
        weights = [weight + factor * n for weight, n in zip(weights, ways, strict=True)]
    return weights, common * mixed.total


def _summed(group: Powers, last: int) -> tuple[list[int], int]:
    """The coefficients of a group together, and what they are parts of."""
    if len(group.weights) > 1:
        return weighted_powers(group.die, group.weights, group.rest.factors, last)
    weight, series = group.parts[0]
    ways, total = series.weights(last)
    return [weight.numerator * n for n in ways], weight.denominator * total


class MixtureMoments(NamedTuple):
    """Mean and variance of a mixture, computed if somebody asks."""

    mixed: Mixture

    @property
    def mean(self) -> Fraction:
        """The exact mean."""
        return sum((weight * series.mean for weight, series in self.mixed.parts), NOTHING) / self.mixed.total

    @property
    def variance(self) -> Fraction:
        """The exact variance."""
        parts = self.mixed.parts
        square = sum((weight * (series.variance + series.mean**2) for weight, series in parts), NOTHING)
        return square / self.mixed.total - self.mean**2
