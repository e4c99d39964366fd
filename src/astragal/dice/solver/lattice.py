"""The kept-set lattice: dice that may be rerolled by choice, at best.

What is kept is a multiset of at most n values. For each reroll there is one pass up,
W(K) = Σ W(K + f) over the values f of one more die, which gives the mean worth of every
kept set, and one pass down, best(M) = the greater of W(M) and best(M without one die),
which finds the set that is best kept. All numbers are whole: W(K) is scaled by the weight
of a die to the power of the dice that are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple, TypeAlias

from astragal.dice.distribution import Distribution
from astragal.dice.estimates import refuse_throws

Throw: TypeAlias = tuple[int, ...]
"""Sorted values of all dice."""


class Lattice(NamedTuple):
    """All sets that may be kept, by size; for each, its number of dice and the sets with one die more, by value."""

    sets: list[Throw]
    up: list[list[int]]
    down: list[list[int]]
    full: int
    """The place of the first set with all dice."""


def best_rerolls(n: int, die: Mapping[int, int], rerolls: int, worth: Callable[[Throw], int]) -> Fraction:
    """Return the mean worth of ``n`` dice, any of which may be rerolled so many times, if that is done at best.

    ``worth`` is a whole number for every sorted throw.
    """
    lattice = _lattice(n, len(die), rerolls)
    found = _worths(lattice, die, worth)
    total = sum(die.values()) ** n
    scale = total
    for _ in range(rerolls):
        found = _best(lattice, _means(lattice, found, die), sum(die.values()))
        scale *= total
    return Fraction(_means(lattice, found, die)[0], scale)


def best_rerolls_odds(
    n: int, die: Mapping[int, int], rerolls: int, worth: Callable[[Throw], int]
) -> Distribution[Throw]:
    """Return the odds of the sorted throw that one ends with, if rerolls are chosen for the greatest mean worth.

    Of choices that are equally good, the one with the most dice kept is taken.
    """
    lattice = _lattice(n, len(die), 2 * rerolls)
    total = sum(die.values())
    found = _worths(lattice, die, worth)
    choices = []
    for _ in range(rerolls):
        means = _means(lattice, found, die)
        choices.append(_kept(lattice, means, total))
        found = _best(lattice, means, total)
    reached = _thrown(lattice, [1], die)
    for kept in reversed(choices):
        starts = [0] * len(lattice.sets)
        for place, ways in zip(kept, reached, strict=True):
            starts[place] += ways * total ** len(lattice.sets[place])
        reached = _thrown(lattice, starts, die)
    values = sorted(die)
    throws = [tuple([values[i] for i in throw]) for throw in lattice.sets[lattice.full :]]
    return Distribution(
        {throw: ways for throw, ways in zip(throws, reached, strict=True) if ways}, total ** (n * (rerolls + 1))
    )


def _worths(lattice: Lattice, die: Mapping[int, int], worth: Callable[[Throw], int]) -> list[int]:
    """What every full throw is worth."""
    values = sorted(die)
    return [worth(tuple([values[i] for i in throw])) for throw in lattice.sets[lattice.full :]]


def _lattice(n: int, sides: int, passes: int) -> Lattice:
    refuse_throws(comb(n + sides - 1, sides) * sides + comb(n + sides, n) * min(n, sides))
    sets = [throw for size in range(n + 1) for throw in combinations_with_replacement(range(sides), size)]
    place = {throw: i for i, throw in enumerate(sets)}
    up = [[place[tuple(sorted((*throw, f)))] for f in range(sides)] if len(throw) < n else [] for throw in sets]
    down: list[list[int]] = [[] for _ in sets]
    for below, above in enumerate(up):
        for each in above:
            down[each].append(below)
    return Lattice(sets, up, down, len(sets) - comb(n + sides - 1, n))


def _means(lattice: Lattice, found: list[int], die: Mapping[int, int]) -> list[int]:
    """One pass up: the worth of every kept set, summed over all throws of the dice that are missing."""
    weights = [die[value] for value in sorted(die)]
    means = [0] * lattice.full + found
    if set(weights) == {1}:
        for place in range(lattice.full - 1, -1, -1):
            means[place] = sum([means[above] for above in lattice.up[place]])
    else:
        for place in range(lattice.full - 1, -1, -1):
            means[place] = sum([means[above] * w for above, w in zip(lattice.up[place], weights, strict=True)])
    return means


def _best(lattice: Lattice, means: list[int], total: int) -> list[int]:
    """One pass down: for every throw, the worth of the best set to keep of it."""
    best: list[int] = []
    for throw, mean, down in zip(lattice.sets, means, lattice.down, strict=True):
        best.append(max([mean * total ** len(throw), *[best[below] for below in down]]))
    return best[lattice.full :]


def _kept(lattice: Lattice, means: list[int], total: int) -> list[int]:
    """For every throw, the place of the best set to keep of it."""
    best: list[tuple[int, int, int]] = []
    for place, (throw, mean, down) in enumerate(zip(lattice.sets, means, lattice.down, strict=True)):
        best.append(max([(mean * total ** len(throw), len(throw), -place), *[best[below] for below in down]]))
    return [-place for _, _, place in best[lattice.full :]]


def _thrown(lattice: Lattice, starts: list[int], die: Mapping[int, int]) -> list[int]:
    """The weights of all throws after the missing dice of every kept set have been thrown."""
    weights = [die[value] for value in sorted(die)]
    reached = starts + [0] * (len(lattice.sets) - len(starts))
    for place in range(lattice.full):
        if reached[place]:
            for above, weight in zip(lattice.up[place], weights, strict=True):
                reached[above] += reached[place] * weight
    return reached[lattice.full :]
