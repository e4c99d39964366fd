"""Pairs of two pools, both sorted from the top: how many of them are won.

Values are swept from the highest down; S(a, d) are the throws in which so many of our
and of their dice lie above, as a packed polynomial in the pairs won. With c of their dice
at a value, min(d + c, a) − min(d, a) pairs are won, as that many of theirs meet one of
ours above. These are differences, so after a shift by a − min(d, a) their turn is, like
ours, a sum with binomial weights: one row of products for each state, no case by case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from operator import add, lshift, mul, rshift
from typing import TypeAlias

from astragal.dice.solver.packed import DIGIT, slot_bytes, unpack
from astragal.dice.solver.sums import Group
from astragal.dice.work import spend

Turn: TypeAlias = Callable[[Sequence[int]], list[int]]


def pair_weights(ours: Group, theirs: Group, ties: bool = False) -> tuple[dict[int, int], int]:
    """Return the weights of the pairs that we win, and their total; ``ties`` says that equal dice win."""
    (n, mine), (m, other) = ours, theirs
    total = sum(mine.values()) ** n * sum(other.values()) ** m
    width = slot_bytes(total)
    values = sorted(mine.keys() | other.keys(), reverse=True)
    _spend(n, m, len(values), 8 * width)
    sweep = _Pairs(n, m, 8 * width, ties)
    sweep.first(mine.get(values[0], 0), other.get(values[0], 0))
    for value in values[1:]:
        sweep.value(mine.get(value, 0), other.get(value, 0), value == values[-1])
    found = unpack(sweep.states[-1][-1], width, min(n, m) + 1)
    return {won: ways for won, ways in enumerate(found) if ways}, total


class _Pairs:
    """The sweep over the values."""

    def __init__(self, n: int, m: int, bits: int, ties: bool) -> None:
        self.n, self.m, self.bits, self.ties = n, m, bits, ties
        self.states: Sequence[Sequence[int]] = []

    def first(self, mine: int, other: int) -> None:
        """All dice so far show the highest value; pairs of them are won if equal dice win."""
        bits = self.bits if self.ties else 0
        ours, theirs = ([weight**k for k in range(n + 1)] for n, weight in ((self.n, mine), (self.m, other)))
        self.states = [[u * v << bits * min(a, d) for d, v in enumerate(theirs)] for a, u in enumerate(ours)]

    def value(self, mine: int, other: int, last: bool) -> None:
        """Some dice of both sides show a value that weighs so much for each; of the last value, all that are left."""
        ours, theirs = self._turn(self.n, mine, last), self._turn(self.m, other, last)
        if self.ties:
            self._ours(ours)
        self._theirs(theirs)
        if not self.ties:
            self._ours(ours)

    def _turn(self, n: int, weight: int, last: bool) -> Turn:
        """What becomes of states by the number of one side's dice above, of which there are at most ``n``."""
        if last:
            row = _row(n, weight)
            return lambda states: [sum(map(mul, row, states))]
        if weight == 1:
            return _added
        rows = [_row(after, weight) for after in range(n + 1)]
        return lambda states: [sum(map(mul, row, states)) for row in rows]

    def _ours(self, turn: Turn) -> None:
        self.states = list(zip(*map(turn, zip(*self.states, strict=True)), strict=True))

    def _theirs(self, turn: Turn) -> None:
        bits, after = self.bits, []
        for a, states in enumerate(self.states, self.n + 1 - len(self.states)):
            far = [bits * by for by in range(a, 0, -1)]
            moved = turn([*map(lshift, states, far), *states[a:]])
            if len(moved) == 1:
                far = far[self.m :]
            after.append([*map(rshift, moved, far), *moved[len(far) :]])
        self.states = after


def _row(n: int, weight: int) -> list[int]:
    """How much the states of 0 to n dice count for those of n dice, of which the others show a value."""
    return [comb(n, before) * weight ** (n - before) for before in range(n + 1)]


def _added(states: Sequence[int]) -> list[int]:
    """The same for every number of dice, if the weight is 1: sums of neighbours, as in Pascal's triangle."""
    found = []
    while states:
        found.append(states[0])
        states = list(map(add, states, states[1:]))
    return found


def _spend(n: int, m: int, values: int, bits: int) -> None:
    digits = min(n, m) * bits / DIGIT
    spend(int(values * (n + 1) * (m + 1) * (n + m + 6) * 0.6 * (1 + digits / 180)))
