"""The sweep: pools ranked from the top, where a step depends on how many dice lie above.

At each value the groups take turns: some of the dice that a group has left show it. A
state therefore knows how many dice of each group have been used. What only adds up is
not part of the state but of a packed polynomial: points, as the exponent of x.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, prod
from typing import TypeAlias

from astragal.dice.estimates import refuse_throws
from astragal.dice.solver.packed import slot_bytes, unpack
from astragal.dice.solver.sums import Group

Used: TypeAlias = tuple[int, ...]
"""How many dice of each group have been seen so far."""
Points: TypeAlias = Callable[[int, int, Used, int], int]
"""``points(value, group, used, count)``: what it is worth, 0 or more, that so many dice of a group show the value."""


def sweep_points(groups: Sequence[Group], points: Points, by_value: bool = True) -> tuple[dict[int, int], int]:
    """Return the weights of all points together, and their total; values are swept from the highest down.

    ``by_value`` is false if points do not depend on the value.
    """
    values = sorted({value for _, die in groups for value in die}, reverse=True)
    total = prod(sum(die.values()) ** n for n, die in groups)
    width = slot_bytes(total)
    sweep = _Sweep([n for n, _ in groups], points, 8 * width)
    for place, value in enumerate(values):
        for group, (_, die) in enumerate(groups):
            sweep.turn(group, value if by_value else 0, die.get(value, 0), place == len(values) - 1)
    packed = sweep.states[-1]
    slots = packed.bit_length() // (8 * width) + 1
    return {found: ways for found, ways in enumerate(unpack(packed, width, slots)) if ways}, total


class _Sweep:
    """All states, numbered by how many dice are used, with the packed points of the throws that lead there."""

    def __init__(self, counts: list[int], points: Points, bits: int) -> None:
        self.counts = counts
        self.points = points
        self.bits = bits
        self.strides = [prod([n + 1 for n in counts[i + 1 :]]) for i in range(len(counts))]
        refuse_throws(prod([n + 1 for n in counts]), "numbers of dice")
        self.states = [1] + [0] * (prod([n + 1 for n in counts]) - 1)
        self._moves: dict[tuple[int, int, int, bool], dict[int, list[tuple[int, int, int]]]] = {}

    def turn(self, group: int, value: int, weight: int, last: bool) -> None:
        """Some dice of a group show a value; of the last value, all that are left."""
        if not weight and not last:
            return
        moves = self._moves.setdefault((group, value, weight, last), {})
        after = [0] * len(self.states)
        for place, packed in enumerate(self.states):
            if packed:
                if place not in moves:
                    moves[place] = self._moves_from(place, group, value, weight, last)
                for then, ways, shift in moves[place]:
                    after[then] += packed * ways << shift
        self.states = after

    def _moves_from(self, place: int, group: int, value: int, weight: int, last: bool) -> list[tuple[int, int, int]]:
        """Where the counts of a value lead from a state, in how many ways, and with which points."""
        used = tuple([place // stride % (n + 1) for n, stride in zip(self.counts, self.strides, strict=True)])
        left = self.counts[group] - used[group]
        return [
            (
                place + count * self.strides[group],
                comb(left, count) * weight**count,
                self.bits * self.points(value, group, used, count),
            )
            for count in ((left,) if last else range(left + 1))
        ]
