"""Exact odds of Chronicles, rerolls without end included (CD-15).

A die is (7 + 2x) / (10 − x) with 10-again, and of that shape with every other again
and with rote. Helpers put one such function into another: each of their successes is
one more die for the leader.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import comb, lcm
from typing import Any, NamedTuple

from astragal.author import (
    NO_FACES,
    Beyond,
    Dice,
    Distribution,
    Fact,
    Moments,
    Ratio,
    Series,
    Wish,
    comparison_odds,
    die_ratio,
    faces_below,
    faces_from,
    series_odds,
    spend,
    steps_of_product,
    working,
)
from astragal.games.chronicles.attempt import Attempt
from astragal.games.chronicles.contested import Contested
from astragal.games.chronicles.extended import Extended
from astragal.games.chronicles.pool import AGAIN, SUCCEEDS, Quality
from astragal.games.chronicles.text import OUTCOMES

DIE: dict[tuple[int, bool], Ratio] = {
    (again, rote): die_ratio(
        Dice(10, again=faces_from(again, 10), retry=faces_below(8) if rote else NO_FACES), SUCCEEDS
    )
    for again in AGAIN.values()
    for rote in (False, True)
}
CHANCE = {False: Ratio((9, 1), (10,)), True: Ratio((82, 18), (100,))}
"""The chance die: of 2 to 9, rote gives another throw (CD-8)."""
DRAMATIC = {False: Fraction(1, 10), True: Fraction(18, 100)}


class Part(NamedTuple):
    """A series that is rolled with some weight; weights may be negative where parts of a sum are taken back."""

    weight: Fraction
    series: Series


class Mixture(NamedTuple):
    """Everything that a roll may come to, and how likely it is that a chance die is rolled."""

    parts: tuple[Part, ...]
    chance: Fraction = Fraction(0)


ONE = Fraction(1)


def mixture(ask: Attempt) -> Mixture:
    """The leader's roll, with what the helpers may give or take (CD-12)."""
    if not ask.helpers:
        return _pool(ask.dice, ask.quality, ONE)
    if ask.helpers_dice < 1:
        return _with_chance_helpers(ask)
    return _with_helpers(ask)


def _pool(dice: int, quality: Quality, weight: Fraction) -> Mixture:
    if dice < 1:
        return Mixture((Part(weight, Series.of(CHANCE[quality.rote], 1)),), weight)
    return Mixture((Part(weight, Series.of(DIE[quality], dice)),))


def _with_helpers(ask: Attempt) -> Mixture:
    """As many dice more as the helpers have successes; if even then the pool is below 1, it is a chance die."""
    die = DIE[ask.quality]
    thrown = ask.helpers * ask.helpers_dice
    helped = Series.of(die, ask.dice) * Series.of(die.of(die), thrown)
    if ask.dice >= 1:
        return Mixture((Part(ONE, helped),))
    short = -ask.dice
    weights, total = Series.of(die, thrown).weights(short)
    few = [Part(-Fraction(ways, total), Series.of(die, ask.dice + help)) for help, ways in enumerate(weights)]
    chance = Fraction(sum(weights), total)
    return Mixture((Part(ONE, helped), *few, Part(chance, Series.of(CHANCE[ask.rote], 1))), chance)


def _with_chance_helpers(ask: Attempt) -> Mixture:
    """Helpers on a chance die give 1 die, none, or take 4."""
    drama, success = DRAMATIC[ask.rote], Fraction(CHANCE[ask.rote].above[1], CHANCE[ask.rote].below[0])
    help = {0: ONE}
    for _ in range(ask.helpers):
        after: dict[int, Fraction] = {}
        for dice, weight in help.items():
            for more, chance in ((1, success), (-4, drama), (0, 1 - success - drama)):
                after[dice + more] = after.get(dice + more, Fraction(0)) + weight * chance
        help = after
    pools = [_pool(ask.dice + dice, ask.quality, weight) for dice, weight in help.items()]
    return Mixture(
        tuple(part for pool in pools for part in pool.parts), sum((pool.chance for pool in pools), Fraction(0))
    )


def rolled(mixed: Mixture, up_to: int) -> Distribution[Any]:
    """Successes on the dice, told apart up to ``up_to``."""
    if len(mixed.parts) == 1:
        return series_odds(mixed.parts[0].series, up_to)
    found = [(weight, *series.weights(up_to)) for weight, series in mixed.parts]
    common = lcm(*(total * weight.denominator for weight, _, total in found))
    weights: dict[Any, int] = dict.fromkeys(range(up_to + 1), 0)
    spend(sum(up_to * steps_of_product(common // total, total) for _, _, total in found))
    for weight, ways, total in found:
        factor = common // (total * weight.denominator) * weight.numerator
        for k, n in enumerate(ways):
            weights[k] += factor * n
    weights[Beyond(up_to)] = common - sum(weights.values())
    return Distribution(weights, common, _moments(mixed))


def _moments(mixed: Mixture) -> Moments:
    mean = sum((weight * series.mean for weight, series in mixed.parts), Fraction(0))
    square = sum((weight * (series.variance + series.mean**2) for weight, series in mixed.parts), Fraction(0))
    return Moments(mean, square - mean**2)


def successes(ask: Attempt, up_to: int) -> Distribution[Any]:
    """Successes with the extra ones, which come only with a success rolled (CD-9)."""
    dice = ask.dice
    if ask.helpers or dice < 1:
        found = rolled(mixture(ask), up_to)
    else:
        found = series_odds(Series.of(DIE[AGAIN[ask.again], ask.rote], dice), up_to)
    return found if not ask.extra else with_extra(found, ask.extra, up_to)


def with_extra(found: Distribution[Any], extra: int, up_to: int) -> Distribution[Any]:
    """The distribution of successes with ``extra`` more where there is at least one (CD-9)."""
    weights: dict[Any, int] = dict.fromkeys([*range(up_to + 1), Beyond(up_to)], 0)
    for value, weight in found.weights.items():
        weights[_more(value, extra, up_to)] += weight
    some = 1 - found[0]
    mean = found.mean + extra * some
    square = found.variance + found.mean**2 + 2 * extra * found.mean + extra**2 * some
    return Distribution(weights, found.total, Moments(mean, square - mean**2))


def _more(value: Any, extra: int, up_to: int) -> Any:
    if value == 0:
        return 0
    return Beyond(up_to) if isinstance(value, Beyond) or value + extra > up_to else value + extra


def outcome(ask: Attempt, up_to: int) -> Distribution[str]:
    """The four outcomes; only a chance die fails dramatically by itself (CD-10)."""
    mixed = mixture(ask)
    found = rolled(mixed, 4)
    dramatic = mixed.chance * DRAMATIC[ask.rote]
    some = sum(found.weights.get(k, 0) for k in range(1, 5))
    total = found.total * dramatic.denominator
    drama = int(dramatic * total)
    weights = {
        "dramatic_failure": drama,
        "failure": found.weights[0] * dramatic.denominator - drama,
        "success": some * dramatic.denominator,
    }
    return Distribution({**weights, "exceptional_success": total - sum(weights.values())}, total)


def rolls_needed(ask: Extended, up_to: int) -> Distribution[Any]:
    """After how many rolls the target is reached; beyond the last roll it is not reached at all (CD-13)."""
    with working():
        chance = chance_done(ask, ask.most_rolls)
        done = [Fraction(0), *(chance(rolls) for rolls in range(1, ask.most_rolls + 1))]
        total = lcm(*(chance.denominator for chance in done))
        spend(len(done) * 2 * steps_of_product(total, total))
    weights: dict[Any, int] = {rolls: int((done[rolls] - done[rolls - 1]) * total) for rolls in range(1, len(done))}
    weights[Beyond(ask.most_rolls)] = total - int(done[-1] * total)
    return Distribution(weights, total)


def chance_done(ask: Extended, most: int) -> Callable[[int], Fraction]:
    """That so many rolls, up to ``most``, come to the target together."""
    die, n = (CHANCE[ask.rote], 1) if ask.dice < 1 else (DIE[ask.quality], ask.dice)
    if ask.extra:
        return _done_with_extra(ask, die, n, most)

    def chance(rolls: int) -> Fraction:
        weights, total = Series.of(die, n * rolls).weights(ask.target - 1)
        return 1 - Fraction(sum(weights), total)

    return chance


def _done_with_extra(ask: Extended, die: Ratio, n: int, most: int) -> Callable[[int], Fraction]:
    """The same where every roll with a success brings e extra ones (CD-9).

    With F the series of one roll and p its chance of no success, a roll is p·(1 − x^e) + x^e·F; so of r rolls
    the part with F^j is C(r, j)·(p·(1 − x^e))^(r − j)·x^(ej)·F^j, which is added up as far as the target.
    """
    last, extra = ask.target - 1, ask.extra
    nothing, every = die.above[0] ** n, die.below[0] ** n
    largest = 1 << every.bit_length() * most
    spend((min(most, last // extra) + 1) * most * steps_of_product(largest, largest))
    cumulated = []
    for j in range(min(most, last // extra) + 1):
        weights, total = Series.of(die, n * j).weights(last - extra * j)
        cumulated.append((list(accumulate(weights)), total))

    def chance(rolls: int) -> Fraction:
        common = lcm(*(total * every ** (rolls - j) for j, (_, total) in enumerate(cumulated[: rolls + 1])))
        below = 0
        for j, (sums, total) in enumerate(cumulated[: rolls + 1]):
            spend(len(sums) // extra * steps_of_product(total, rolls) + steps_of_product(common, total))
            fewer = range(min(rolls - j, (len(sums) - 1) // extra) + 1)
            ways = sum((-1) ** i * comb(rolls - j, i) * sums[-1 - extra * i] for i in fewer)
            below += ways * comb(rolls, j) * nothing ** (rolls - j) * (common // (total * every ** (rolls - j)))
        return 1 - Fraction(below, common)

    return chance


def reached(ask: Extended, up_to: int) -> Distribution[str]:
    """Whether the target is reached at all."""
    with working():
        done = chance_done(ask, ask.most_rolls)(ask.most_rolls)
    return Distribution({"success": done.numerator, "failure": done.denominator - done.numerator}, done.denominator)


def winner(ask: Contested, up_to: int) -> Distribution[str]:
    """Who has more successes, however many there are (CD-13)."""
    return comparison_odds(
        _side(ask.ours, Quality(AGAIN[ask.again], ask.rote)),
        _side(ask.theirs, Quality(AGAIN[ask.their_again], ask.their_rote)),
    )


def _side(dice: int, quality: Quality) -> Series:
    return Series.of(CHANCE[quality.rote], 1) if dice < 1 else Series.of(DIE[quality], int(dice))


FACTS = {
    "attempt": {
        "outcome": Fact("Outcome", lambda result: result.outcome, lambda ask: tuple(OUTCOMES)[::-1], outcome),
        "successes": Fact("Successes", lambda result: result.successes, None, successes, endless=True),
    },
    "extended": {
        "outcome": Fact("Outcome", lambda result: result.outcome, lambda ask: ("success", "failure"), reached),
        "rolls": Fact(
            "Rolls needed",
            lambda result: result.rolls if result.outcome == "success" else Beyond(result.rolls),
            None,
            rolls_needed,
        ),
    },
    "contested": {
        "winner": Fact("Winner", lambda result: result.winner, lambda ask: ("ours", "draw", "theirs"), winner),
    },
}
WISHES = {
    "attempt": {
        "succeed": Wish("succeed", "at least one success", lambda result: int(result.rolled > 0)),
        "exceptional": Wish("exceptional", "five successes or more", lambda result: int(result.rolled >= 5)),
        "calm": Wish("calm", "no dramatic failure", lambda result: int(result.outcome != "dramatic_failure")),
        "beat": Wish("beat", "a Beat", lambda result: int(result.beat)),
    },
}
