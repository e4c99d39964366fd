"""Exact odds of an extended action: whether and when the target is reached (CD-13, CD-15)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import comb
from typing import Any

from astragal.author import (
    Beyond,
    Distribution,
    Ratio,
    Series,
    common_multiple,
    reduced,
)
from astragal.games.chronicles.extended import Extended
from astragal.games.chronicles.mixture import CHANCE, DIE, coefficients, mixture


def rolls_needed(ask: Extended, up_to: int, beats: bool = False) -> Distribution[Any]:
    """After how many rolls the target is reached; beyond the last roll it is not reached at all (CD-13)."""
    left, most = _left(ask), ask.made + _left(ask).most_rolls
    chance = chance_done(left, left.most_rolls, beats)
    done = [Fraction(0), *(chance(rolls) for rolls in range(1, left.most_rolls + 1))]
    total = common_multiple(chance.denominator for chance in done)
    weights: dict[Any, int] = {
        ask.made + rolls: int((done[rolls] - done[rolls - 1]) * total) for rolls in range(1, len(done))
    }
    weights[Beyond(most)] = total - int(done[-1] * total)
    return Distribution(weights, total)


def reached(ask: Extended, up_to: int, beats: bool = False) -> Distribution[str]:
    """Whether the target is reached at all; after one roll of several, a task may be unfinished."""
    left = _left(ask)
    done = chance_done(left, left.most_rolls, beats)(left.most_rolls)
    short = "failure" if left.most_rolls == ask.rolls_left else "unfinished"
    return Distribution({"success": done.numerator, short: done.denominator - done.numerator}, done.denominator)


def _left(ask: Extended) -> Extended:
    """What is rolled now, as a task of its own: all that is left, or one roll."""
    rolls = 1 if ask.one_roll else ask.rolls_left
    fresh = {"target": ask.target - ask.gathered, "rolls": rolls, "gathered": 0, "made": 0, "one_roll": False}
    return Extended(**{**vars(ask), **fresh})


def chance_done(ask: Extended, most: int, beats: bool = False) -> Callable[[int], Fraction]:
    """P(the successes of n rolls reach the target), for n ≤ ``most``."""
    if ask.team:
        return _done_with_team(ask, most, beats)
    die, n = (CHANCE[ask.rote], 1) if ask.dice < 1 else (DIE[ask.quality], ask.dice)
    if ask.extra:
        return _done_with_extra(ask, die, n, most)

    def chance(rolls: int) -> Fraction:
        weights, total = Series.of(die, n * rolls).weights(ask.target - 1)
        return 1 - reduced(sum(weights), total)

    return chance


def _done_with_team(ask: Extended, most: int, beats: bool) -> Callable[[int], Fraction]:
    """The same where helpers roll anew with every roll (CD-12): rolls are added up one by one, below the target."""
    weights, total = coefficients(mixture(ask.dice, ask.quality, ask.team, beats), ask.target - 1)
    one = {k + ask.extra if k else 0: ways for k, ways in enumerate(weights) if not k or k + ask.extra < ask.target}
    sums, below = {0: 1}, [1]
    for _ in range(most):
        after: dict[int, int] = {}
        for value, ways in sums.items():
            for more, inner in one.items():
                if value + more < ask.target:
                    after[value + more] = after.get(value + more, 0) + ways * inner
        sums = after
        below.append(sum(sums.values()))
    return lambda rolls: 1 - reduced(below[rolls], total**rolls)


def _done_with_extra(ask: Extended, die: Ratio, n: int, most: int) -> Callable[[int], Fraction]:
    """The same where every roll with a success brings e extra ones (CD-9).

    With F the series of one roll and p its chance of no success, a roll is p·(1 − x^e) + x^e·F; so of r rolls
    the part with F^j is C(r, j)·(p·(1 − x^e))^(r − j)·x^(ej)·F^j, which is added up as far as the target.
    """
    last, extra = ask.target - 1, ask.extra
    nothing, every = die.above[0] ** n, die.below[0] ** n
    cumulated = []
    for j in range(min(most, last // extra) + 1):
        weights, total = Series.of(die, n * j).weights(last - extra * j)
        cumulated.append((list(accumulate(weights)), total))

    def chance(rolls: int) -> Fraction:
        common = common_multiple(total * every ** (rolls - j) for j, (_, total) in enumerate(cumulated[: rolls + 1]))
        below = 0
        for j, (sums, total) in enumerate(cumulated[: rolls + 1]):
            fewer = range(min(rolls - j, (len(sums) - 1) // extra) + 1)
            ways = sum((-1) ** i * comb(rolls - j, i) * sums[-1 - extra * i] for i in fewer)
            below += ways * comb(rolls, j) * nothing ** (rolls - j) * (common // (total * every ** (rolls - j)))
        return 1 - reduced(below, common)

    return chance
