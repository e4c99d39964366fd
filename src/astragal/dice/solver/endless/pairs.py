"""Pairs of two pools without end, both sorted from the top: how many of them are won.

If dice explode in one way only, their chances repeat: from some value on, the remaining
chances are the same after every period. A pool of n against m dice that are all above that
value is therefore like one with i and j dice a period higher, and the others
below: with F(n, m) the polynomial of the pairs won, and S the sweep over the values of one
period, which starts from the throws of i and j dice above,

    F = S(F(i, j) · ρ^i · σ^j)

S never takes dice away, so F(n, m) follows from those with fewer dice, up to its own term,
which has the factor ρ^n · σ^m. One more sweep over the values before gives the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, lcm
from typing import NamedTuple, TypeAlias

from astragal.dice.solver.endless.comparison import powers_of
from astragal.dice.solver.series import Series

Chances: TypeAlias = tuple[Fraction, ...]
"""The chances of 0, 1, 2 … pairs won."""
States: TypeAlias = dict[tuple[int, int], Chances]
"""By how many of our and their dice lie above."""


class Tail(NamedTuple):
    """A die without end: the chances of 0, 1, 2 … up to the end of the first period, and by which ratio they repeat."""

    chances: Sequence[Fraction]
    ratio: Fraction

    def above(self, start: int) -> Fraction:
        """Return the chance of more than ``start``."""
        return 1 - sum(self.chances[: start + 1], Fraction(0))


def tails_of(ours: Series, theirs: Series) -> tuple[Tail, Tail, int] | None:
    """Return both dice with a common period, and the value it starts after; None if one explodes in several ways."""
    mine, other = powers_of(ours), powers_of(theirs)
    if mine is None or other is None or [power.times for power in (*mine, *other)] != [1, 1]:
        return None
    start = max(sum(len(p) - 1 for p, exponent in series.factors if exponent > 0) for series in (ours, theirs))
    period = lcm(mine[0].period, other[0].period)
    tails = []
    for series, power in ((ours, mine[0]), (theirs, other[0])):
        weights, total = series.weights(start + period)
        tails.append(Tail([Fraction(weight, total) for weight in weights], power.ratio ** (period // power.period)))
    return tails[0], tails[1], start


def endless_pairs(we: tuple[int, Tail], they: tuple[int, Tail], start: int, ties: bool = False) -> Chances:
    """Return the chances of pairs that we win, of n and m dice; ``ties`` says that equal dice win."""
    (n, ours), (m, theirs) = we, they
    end = len(ours.chances)
    mine, other = ours.above(start), theirs.above(start)
    period = [(ours.chances[v] / mine, theirs.chances[v] / other) for v in range(end - 1, start, -1)]
    states: States = {(0, 0): (Fraction(1),)}
    for dice in range(1, n + m + 1):
        shrunk = {(a, d): _scaled(won, ours.ratio**a * theirs.ratio**d) for (a, d), won in states.items()}
        swept = _swept(shrunk, n, m, period, ties)
        for a in range(max(0, dice - m), min(n, dice) + 1):
            own = 1 - ours.ratio**a * theirs.ratio ** (dice - a)
            states[a, dice - a] = _scaled(swept[a, dice - a], 1 / own)
    above = {(a, d): _scaled(won, mine**a * other**d) for (a, d), won in states.items()}
    before = [(ours.chances[v], theirs.chances[v]) for v in range(start, -1, -1)]
    return _swept(above, n, m, before, ties)[n, m]


def _swept(states: States, n: int, m: int, values: Sequence[tuple[Fraction, Fraction]], ties: bool) -> States:
    """The states after some values, from the highest down; those dice of a side show one that it has more then."""
    for mine, other in values:
        if ties:
            states = _ours(states, n, mine)
        states = _theirs(states, m, other)
        if not ties:
            states = _ours(states, n, mine)
    return states


def _ours(states: States, n: int, chance: Fraction) -> States:
    after: States = {}
    for (a, d), won in states.items():
        for then in range(a, n + 1 if chance else a + 1):
            _add(after, (then, d), won, comb(then, a) * chance ** (then - a), 0)
    return after


def _theirs(states: States, m: int, chance: Fraction) -> States:
    after: States = {}
    for (a, d), won in states.items():
        for then in range(d, m + 1 if chance else d + 1):
            _add(after, (a, then), won, comb(then, d) * chance ** (then - d), min(then, a) - min(d, a))
    return after


def _add(states: States, state: tuple[int, int], won: Chances, chance: Fraction, more: int) -> None:
    """Add throws to a state in which ``more`` pairs more are won."""
    found = list(states.get(state, ()))
    found += [Fraction(0)] * (len(won) + more - len(found))
    for pairs, share in enumerate(won, more):
        if share:
            found[pairs] += share * chance
    states[state] = tuple(found)


def _scaled(won: Chances, by: Fraction) -> Chances:
    return tuple([share * by for share in won])
