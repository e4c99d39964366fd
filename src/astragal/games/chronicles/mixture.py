"""What a team may roll, exactly: generating functions with weights (CD-12, CD-15).

A die is f = (7 + 2x) / (10 − x) with 10-again, and of that shape with every other again and with rote. Helpers put
one such function into another: each of their successes is one more die for the leader. So helpers who throw N dice
between them, however they share them out, make it f(f)^N. What a chance die gives or takes, and what a Beat costs,
are powers of f with weights; weights may be negative where parts of a sum are taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

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
    spend,
    steps_of_product,
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
SUCCESS = {rote: Fraction(die.above[1], die.below[0]) for rote, die in CHANCE.items()}
K = TypeVar("K")
NOTHING, ONE = Fraction(0), Fraction(1)
CASE = 80
"""Steps of one case of what one more helper gives."""


class Part(NamedTuple):
    """A series that is rolled with some weight."""

    weight: Fraction
    series: Series


class Mixture(NamedTuple):
    """Everything that a roll may come to, and how likely it is that a chance die is rolled."""

    parts: tuple[Part, ...]
    chance: Fraction = NOTHING


class Given(NamedTuple):
    """What helpers may give: successes of so many dice, dice more or fewer besides, Beats taken."""

    thrown: int
    help: Help


def mixture(dice: int, quality: Quality, team: tuple[Helper, ...] = (), beats: bool = False) -> Mixture:
    """A leader's roll with what the helpers may give or take; with ``beats``, they take one for every failure."""
    if not team:
        return _pool(dice, quality, ONE)
    return _mixed(dice, quality, [(given.thrown, given.help.dice, w) for given, w in given_by(team, quality, beats)])


def by_beats(dice: int, quality: Quality, team: tuple[Helper, ...]) -> dict[int, Mixture]:
    """The same for each number of Beats that the helpers take, with the weight of that number in it."""
    found: dict[int, list[tuple[int, int, Fraction]]] = {}
    for (thrown, help), weight in given_by(team, quality, True):
        found.setdefault(help.beats, []).append((thrown, help.dice, weight))
    return {beats: _mixed(dice, quality, given) for beats, given in found.items()}


def given_by(team: tuple[Helper, ...], quality: Quality, beats: bool) -> Iterable[tuple[Given, Fraction]]:
    """All that helpers may give, with weights that add up to 1."""
    thrown = sum([helper.dice for helper in team if helper.dice >= 1])
    given = {Given(0 if beats else thrown, Help()): ONE}
    for helper in team:
        if helper.dice < 1 or beats:
            given = _also(given, list(_cases(helper.dice, quality, beats)))
    return given.items()


def _also(given: dict[Given, Fraction], cases: list[tuple[Given, Fraction]]) -> dict[Given, Fraction]:
    after: dict[Given, Fraction] = {}
    spend(CASE * len(given) * len(cases))
    for (thrown, help), weight in given.items():
        for more, chance in cases:
            both = Given(thrown + more.thrown, Help(help.dice + more.help.dice, help.beats + more.help.beats))
            _add(after, both, weight * chance)
    return after


def _add(sums: dict[K, Fraction], key: K, weight: Fraction) -> None:
    """Add to the weight of a key; most keys are new, and adding to 0 takes as long as any sum."""
    sums[key] = sums[key] + weight if key in sums else weight


def _cases(dice: int, quality: Quality, beats: bool) -> Iterator[tuple[Given, Fraction]]:
    """One helper on a chance die, or one who makes every failure dramatic for a Beat."""
    lost = Given(0, Help(DRAMATIC_HELPER, 1)) if beats else Given(0, Help())
    if dice >= 1:
        fails = Fraction(DIE[quality].above[0], DIE[quality].below[0]) ** dice
        yield from ((Given(dice, Help()), ONE), (Given(0, Help()), -fails), (lost, fails))
        return
    drama, success = DRAMATIC[quality.rote], SUCCESS[quality.rote]
    yield Given(0, Help(1)), success
    yield Given(0, Help(DRAMATIC_HELPER)), drama
    yield lost, 1 - success - drama


def _mixed(dice: int, quality: Quality, given: list[tuple[int, int, Fraction]]) -> Mixture:
    """As many dice more as the helpers give; where even then the pool is below 1, it is a chance die."""
    sums: dict[tuple[int, int], Fraction] = {}
    for thrown, more, weight in given:
        _add(sums, (thrown, dice + more), weight)
    mixtures = [_helped(pool, thrown, quality, weight) for (thrown, pool), weight in sums.items() if weight]
    if len(mixtures) == 1:
        return mixtures[0]
    parts = _joined(part for mixed in mixtures for part in mixed.parts)
    return Mixture(parts, sum([mixed.chance for mixed in mixtures if mixed.chance], NOTHING))


def _joined(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Parts with the same series as one."""
    sums: dict[Series, Fraction] = {}
    for weight, series in parts:
        _add(sums, series, weight)
    return tuple([Part(weight, series) for series, weight in sums.items() if weight])


def _pool(dice: int, quality: Quality, weight: Fraction) -> Mixture:
    if dice < 1:
        return Mixture((Part(weight, Series.of(CHANCE[quality.rote], 1)),), weight)
    return Mixture((Part(weight, Series.of(DIE[quality], dice)),))


def _helped(dice: int, thrown: int, quality: Quality, weight: Fraction) -> Mixture:
    """A pool with the successes of so many helpers' dice; up to the first die it is a chance die, not a power of f."""
    if not thrown:
        return _pool(dice, quality, weight)
    die = DIE[quality]
    helped = Part(weight, Series.of(die, dice) * Series.of(HELPED[quality], thrown))
    if dice >= 1:
        return Mixture((helped,))
    ways, total = Series.of(die, thrown).weights(-dice)
    few = [Part(-weight * Fraction(n, total), Series.of(die, dice + help)) for help, n in enumerate(ways)]
    chance = weight * Fraction(sum(ways), total)
    return Mixture((helped, *few, Part(chance, Series.of(CHANCE[quality.rote], 1))), chance)


def rolled(mixed: Mixture, up_to: int) -> Distribution[Any]:
    """Successes on the dice, told apart up to ``up_to``."""
    if len(mixed.parts) == 1 and mixed.parts[0].weight == 1:
        return series_odds(mixed.parts[0].series, up_to)
    weights, common = coefficients(mixed, up_to)
    found: dict[Any, int] = dict(enumerate(weights))
    found[Beyond(up_to)] = common - sum(weights)
    return Distribution(found, common, MixtureMoments(mixed))


def coefficients(mixed: Mixture, last: int) -> tuple[list[int], int]:
    """The chances of 0 to ``last`` successes as whole numbers, and what they are parts of."""
    found = [_summed(parts, last) for parts in _alike(mixed.parts)]
    common = common_multiple(total for _, total in found)
    spend(sum(last * steps_of_product(common // total, total) for _, total in found))
    weights = [0] * (last + 1)
    for ways, total in found:
        factor = common // total
        for k, n in enumerate(ways):
            weights[k] += factor * n
    return weights, common


def _alike(parts: Iterable[Part]) -> Iterable[list[Part]]:
    """Parts that are the same but for the power of their first die."""
    found: dict[Any, list[Part]] = {}
    for part in parts:
        factors = part.series.factors
        alike = (factors[0][0], factors[1][0], factors[2:]) if len(factors) > 1 else factors
        found.setdefault(alike, []).append(part)
    return found.values()


def _summed(parts: list[Part], last: int) -> tuple[list[int], int]:
    """The coefficients of alike parts together, and what they are parts of."""
    if len(parts) > 1:
        (above, _), (below, _), *rest = parts[0].series.factors
        weights = {series.factors[0][1]: weight for weight, series in parts}
        return weighted_powers(Ratio(above, below), weights, tuple(rest), last)
    weight, series = parts[0]
    ways, total = series.weights(last)
    return [weight.numerator * n for n in ways], weight.denominator * total


class MixtureMoments(NamedTuple):
    """Mean and variance of a mixture, computed if somebody asks."""

    mixed: Mixture

    @property
    def mean(self) -> Fraction:
        """The exact mean."""
        return sum((weight * series.mean for weight, series in self.mixed.parts), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """The exact variance."""
        parts = self.mixed.parts
        square = sum((weight * (series.variance + series.mean**2) for weight, series in parts), Fraction(0))
        return square - self.mean**2
