"""Counters that only go up until one of them is full: races of Clocks, long tasks, fights to a number.

Moves that add nothing are waited out: they change after how many moves a counter is full, not which one. Every other
move adds at least one to some counter. So with moves of weight M that add anything, counters that come to n together
have a chance of some whole number over M^n.

All counters are one flat list with room beyond each of them: a move is an offset in it, and needs no look at where it
leads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import compress, product
from math import comb, prod
from operator import mul
from typing import Any, TypeAlias

from astragal.dice.distribution import Beyond, Distribution, Moments, added_up
from astragal.dice.estimates import refuse_bytes
from astragal.errors import Illegal, Malformed

Vector: TypeAlias = tuple[int, ...]


class Climb:
    """Counters with their sizes, and the moves that they share: what each adds to the counters, with its weight."""

    def __init__(self, sizes: Vector, moves: Iterable[tuple[Vector, int]]) -> None:
        self.sizes = sizes
        listed = list(moves)
        self.total = sum([weight for _, weight in listed])
        """The weight of all moves."""
        self.moves = added_up((vector, weight) for vector, weight in listed if weight and any(vector))
        self.moving = sum(self.moves.values())
        """The weight of those that add anything."""
        if min(sizes) < 1 or any(min(vector) < 0 or len(vector) != len(sizes) for vector in self.moves):
            raise Malformed("Counters have room for at least 1, and a move adds 0 or more to each of them.")
        if not self.moves:
            raise Illegal("No move adds anything to a counter, so none is ever full.")

    def full(self) -> Distribution[tuple[bool, ...]]:
        """Return which counters are full in the end; one move may fill several."""
        return self._ends([[False] * size + [True] * (room - size) for size, room in self._axes])

    def ends(self) -> Distribution[Vector]:
        """Return how far all counters have come in the end, none of them beyond its size."""
        return self._ends([[min(value, size) for value in range(room)] for size, room in self._axes])

    @cached_property
    def _rooms(self) -> Vector:
        return tuple([size + max(steps) for size, steps in zip(self.sizes, zip(*self.moves, strict=True), strict=True)])

    @property
    def _axes(self) -> list[tuple[int, int]]:
        return list(zip(self.sizes, self._rooms, strict=True))

    def _flat(self) -> tuple[list[int], list[tuple[int, int]]]:
        """All places before a counter is full, in an order in which moves only lead on, and the moves as offsets."""
        rooms = self._rooms
        refuse_bytes(8 * prod(rooms))
        strides = [1]
        for room in rooms[:0:-1]:
            strides.insert(0, strides[0] * room)
        places = [0]
        for size, stride in zip(self.sizes, strides, strict=True):
            places = [place + further for place in places for further in range(0, size * stride, stride)]
        return places, [(sum(map(mul, vector, strides)), weight) for vector, weight in self.moves.items()]

    def _ends(self, labels: Sequence[Sequence[Any]]) -> Distribution[Any]:
        """The ends, with a label for each value of each counter."""
        places, steps = self._flat()
        moving = self.moving
        total = moving ** (sum(self.sizes) - len(self.sizes) + 1)
        reached = [total] + [0] * (prod(self._rooms) - 1)
        for place in places:
            if reached[place]:
                # Every move that led here added something, so this has no remainder.
                here = reached[place] // moving
                reached[place] = 0
                for further, weight in steps:
                    reached[place + further] += here * weight
        return Distribution(added_up(compress(zip(product(*labels), reached, strict=True), reached)), total)

    def rounds(self, up_to: int) -> Distribution[Any]:
        """Return after how many moves a counter is full; if some moves add nothing, there is no end to them."""
        moves = self._moves_needed().map(lambda end: end[1])
        return moves if self.moving == self.total else waited(moves, Fraction(self.moving, self.total), up_to)

    def ends_and_rounds(self) -> Distribution[tuple[Vector, int]]:
        """Return both together; refused if some moves add nothing, since there is no end to what could be listed."""
        if self.moving < self.total:
            raise Illegal("Some rounds change nothing here, so results have no end; ask for a fact by name.")
        rows = [[min(value, size) for value in range(room)] for size, room in self._axes]
        ends = list(product(*rows))
        return self._moves_needed().map(lambda end: (ends[end[0]], end[1]))

    def _moves_needed(self) -> Distribution[tuple[int, int]]:
        """Where a counter is full, after how many moves that add something: at most as many as all have room for."""
        places, steps = self._flat()
        before = set(places)
        states, ends, moves = {0: 1}, dict[tuple[int, int], int](), 0
        while states:
            moves += 1
            after: dict[int, int] = {}
            for place, ways in states.items():
                for further, weight in steps:
                    at = place + further
                    if at in before:
                        after[at] = after.get(at, 0) + ways * weight
                    else:
                        ends[at, moves] = ends.get((at, moves), 0) + ways * weight
            states = after
        return Distribution(
            {end: ways * self.moving ** (moves - end[1]) for end, ways in ends.items()}, self.moving**moves
        )


def waited(moves: Distribution[int], moving: Fraction, up_to: int) -> Distribution[Any]:
    """Return the same moves where before each of them there may be any number of rounds without one.

    The n-th move is made in round r if the last round has a move and n − 1 of the r − 1 rounds before it have one.
    """
    move, every = moving.numerator, moving.denominator
    waits = [(every - move) ** n for n in range(up_to + 1)]
    ways = {n: weight * move**n for n, weight in moves.weights.items()}
    total = moves.total * every**up_to
    weights: dict[Any, int] = {}
    for rounds in range(1, up_to + 1):
        ends = sum(each * comb(rounds - 1, n - 1) * waits[rounds - n] for n, each in ways.items() if n <= rounds)
        weights[rounds] = ends * every ** (up_to - rounds)
    weights[Beyond(up_to)] = total - sum(weights.values())
    variance = moves.mean * (1 - moving) / moving**2 + moves.variance / moving**2
    return Distribution(weights, total, Moments(moves.mean / moving, variance))
