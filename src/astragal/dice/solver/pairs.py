"""Pairs of two pools, both sorted from the top: how many of them are won.

Values are swept from the highest down; S(a, d) are the throws in which a of our
and d of their dice lie above, as a packed polynomial in the pairs won. With c of their dice
at a value, min(d + c, a) − min(d, a) pairs are won, as that many of theirs meet one of
ours above. These are differences, so after a shift by a − min(d, a) their turn is, like
ours, a sum with binomial weights: sums of neighbours, as in Pascal's triangle.

One number packs a line of states, so that a turn adds whole lines: in our turn those of
all d, in theirs those of all a, shifted. Slots are whole bytes, so lines are turned into
those across, and shifted, by cutting bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate, chain, repeat
from math import comb
from operator import add, itemgetter, mul, sub
from typing import Any, NamedTuple, TypeAlias, TypeVar

from astragal.dice.distribution import Distribution
from astragal.dice.estimates import refuse_bytes
from astragal.dice.solver.packed import unpack
from astragal.dice.solver.sums import Group

Lines: TypeAlias = Sequence[int]
Cuts: TypeAlias = list[Callable[[bytes], tuple[bytes, ...]]]
"""For each line, what takes its parts out of all lines of the other kind, one after the other, and zeros after them."""


def pairs_won(ours: Group, theirs: Group, ties: bool = False) -> Distribution[int]:
    """Return the odds of how many pairs we win; ``ties`` says that equal dice win."""
    (n, mine), (m, other) = ours, theirs
    if not n or not m:
        return Distribution.certain(0)
    total = sum(mine.values()) ** n * sum(other.values()) ** m
    width = total.bit_length() // 8 + 1  # Lines are cut and joined more often than they are unpacked.
    weights = [(mine.get(value, 0), other.get(value, 0)) for value in sorted(mine.keys() | other.keys(), reverse=True)]
    grid = _Grid(n, m, width)
    won = grid.only(*weights[0], ties) if len(weights) == 1 else grid.swept(weights, ties)
    found = unpack(won, width, min(n, m) + 1)
    return Distribution({pairs: ways for pairs, ways in enumerate(found) if ways}, total)


class _Grid:
    """The states of ``n`` of our and ``m`` of their dice, in slots of ``width`` bytes.

    A state has min(a, d) + 1 slots, and room for min(n, d) + 1 in a line of all d, for a + 1 in one of all a.
    """

    def __init__(self, n: int, m: int, width: int) -> None:
        self.n, self.m, self.width = n, m, width
        self.starts = [0, *accumulate([width * (min(n, d) + 1) for d in range(m + 1)])]
        self.ends = [*accumulate([width * (a + 1) for a in range(n + 1)])]
        self.size, self.size_across = self.starts[-1], self.ends[-1]
        refuse_bytes(2 * (n + 1) * self.size)
        self.zeros = bytes(width * n)

    def only(self, mine: int, other: int, ties: bool) -> int:
        """Return the packed pairs won if there is a single value."""
        found: int = mine**self.n * other**self.m << (8 * self.width * min(self.n, self.m) * ties)
        return found

    def swept(self, weights: Sequence[tuple[int, int]], ties: bool) -> int:
        """Return the packed pairs won; weights are those of each value for us and for them, the highest first."""
        lines = self._first(*weights[0], ties)
        for mine, other in weights[1:-1]:
            if ties:
                lines = _added(lines, mine)
            if other:
                across = _added(self._turned(lines, self.size, self._to_across), other)
                lines = self._turned(across, self.size_across, self._to_down)
            if not ties:
                lines = _added(lines, mine)
        return self._last(lines, *weights[-1], ties)

    def _first(self, mine: int, other: int, ties: bool) -> Lines:
        """All dice so far show the highest value: the lines of all d."""
        slot = 8 * self.width * ties
        theirs = [other**d << 8 * start for d, start in enumerate(self.starts[:-1])]
        if not ties:
            whole = sum(theirs)
            return [mine**a * whole for a in range(self.n + 1)]
        return [mine**a * sum([ways << slot * min(a, d) for d, ways in enumerate(theirs)]) for a in range(self.n + 1)]

    def _turned(self, lines: Lines, size: int, cuts: Cuts) -> Lines:
        """The lines across."""
        whole = b"".join([*[line.to_bytes(size, "little") for line in lines], self.zeros])
        joined, number = b"".join, int.from_bytes
        return [number(joined(parts(whole)), "little") for parts in cuts]

    @cached_property
    def _to_across(self) -> Cuts:
        """The lines of all a, each state shifted by a − min(d, a)."""
        zeros = self._zeros(self.size * (self.n + 1))
        cuts: Cuts = []
        for d, start in enumerate(self.starts[:-1]):
            starts = range(start, start + self.size * (self.n + 1), self.size)
            parts = list(map(slice, starts, map(add, starts, self._sizes(d, self.n))))
            parts[d + 1 :] = chain.from_iterable(zip(zeros, parts[d + 1 :], strict=False))
            cuts.append(itemgetter(*parts))
        return cuts

    @cached_property
    def _to_down(self) -> Cuts:
        """The lines of all d, shifted back."""
        zeros = self._zeros(self.size_across * (self.m + 1))
        cuts: Cuts = []
        for a, end in enumerate(self.ends):
            ends = range(end, end + self.size_across * (self.m + 1), self.size_across)
            parts = list(map(slice, map(sub, ends, self._sizes(a, self.m)), ends))
            if a < self.n:
                room = [*zeros[: self.n - a], *[zeros[self.n - a - 1]] * self.m]
                parts[a + 1 :] = chain.from_iterable(zip(parts[a + 1 :], room, strict=False))
            cuts.append(itemgetter(*parts))
        return cuts

    def _zeros(self, start: int) -> list[slice]:
        """1, 2, 3 … slots of the zeros, which start there."""
        return [slice(start, start + self.width * k) for k in range(1, self.n + 1)]

    def _sizes(self, most: int, last: int) -> Iterable[int]:
        """The bytes of states along a line: one slot more for each, up to ``most``."""
        return chain(
            range(self.width, self.width * (most + 2), self.width), repeat(self.width * (most + 1), last - most)
        )

    def _last(self, lines: Lines, mine: int, other: int, ties: bool) -> int:
        """All dice that are left show the last value."""
        ours, theirs = _row(self.n, mine), _row(self.m, other)
        if ties:
            lines = [0] * self.n + [sum(map(mul, ours, lines))]
        across = sum(map(mul, theirs, self._turned(lines, self.size, self._to_across)))
        slot = 8 * self.width
        states = [
            (across & ((1 << 8 * end) - 1)) >> (8 * end - slot * (min(a, self.m) + 1))
            for a, end in enumerate(self.ends)
        ]
        return states[-1] if ties else sum(map(mul, ours, states))


def _row(n: int, weight: int) -> list[int]:
    """The weights of the states of 0 to n dice in the state of n dice, where the other dice show a value."""
    return [comb(n, before) * weight ** (n - before) for before in range(n + 1)]


def _added(lines: Lines, weight: int) -> Lines:
    """The lines by one side's dice after some of them show a value of this weight: sums of neighbours."""
    if not weight:
        return lines
    found = []
    while lines:
        found.append(lines[0])
        lines = list(map(add, lines if weight == 1 else [line * weight for line in lines], lines[1:]))
    return found


S = TypeVar("S", bound=Hashable)
PointStep: TypeAlias = Callable[[S, tuple[int, ...]], tuple[S, int]]
"""By a state and how many dice of each handful show a face: the next state, and points."""
End: TypeAlias = tuple[Any, int]
"""A state, and the points on the way to it."""
Rectangle: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Any of these counts of ours, with any of those of theirs."""


class Moves(NamedTuple):
    """Where a state leads: to states that go on, each with its counts, and to settled ones, by rectangles."""

    on: list[tuple[int, int, Any, int]]
    """Counts of ours and theirs, the next state, and points; fewest of ours first."""
    settled: dict[End, list[Rectangle]]


class PointScan:
    """All places that n and m equal dice can come to, and the moves between them.

    The scan with points and settled states: two handfuls of equal dice, compared from the highest face down.

    A step depends on how many dice of each handful show a face, not on the face. So the moves from place to place are
    found once, and each face is one product with them. A place is (state, points, dice used of each): points only add
    up, and are no part of the state. In a settled state nothing changes any more: the dice that are left show
    anything below, in (faces below)^left ways. Counts that lead to the same settled state are rectangles, these of
    ours with those of theirs, so all of them together cost two sums.
    """

    def __init__(self, n: int, m: int, start: Any, step: PointStep[Any], settled: Iterable[Any]) -> None:
        self.n, self.m = n, m
        self.settled = frozenset(settled)
        most, least = max(n, m), min(n, m)
        refuse_bytes(64 * most * most * (least + 1))
        self.choose = [[1]]
        """Pascal's triangle."""
        for _ in range(most):
            row = self.choose[-1]
            self.choose.append([1, *map(add, row, row[1:]), 1])
        self.places = [(start, 0, 0, 0)]
        self.step = step
        self.into: list[tuple[list[int], list[int]]] = [([], [])]
        """For each place, the places that lead there, and in how many ways."""
        self.ends: dict[End, list[tuple[int, int, int, list[Rectangle]]]] = {}
        """For each end, the places that lead there: the dice of each handful that are left, and the counts to it."""
        self._find()
        self.pulls = [(_getter(sources), weights) for sources, weights in self.into]

    def _find(self) -> None:
        places, into, ends, choose = self.places, self.into, self.ends, self.choose
        index = {places[0]: 0}
        known: dict[Any, Moves] = {}
        for at, (state, points, used, spent) in enumerate(places):
            if state not in known:
                known[state] = self._moves(state)
            moves = known[state]
            left, rest = self.n - used, self.m - spent
            ours, theirs = choose[left], choose[rest]
            for a, b, following, more in moves.on:
                if a > left:
                    break
                if b <= rest:
                    place = following, points + more, used + a, spent + b
                    to = index.get(place)
                    if to is None:
                        to = index[place] = len(places)
                        places.append(place)
                        into.append(([], []))
                    into[to][0].append(at)
                    into[to][1].append(ours[a] * theirs[b])
            for (following, more), rectangles in moves.settled.items():
                ends.setdefault((following, points + more), []).append((at, left, rest, rectangles))

    def _moves(self, state: Any) -> Moves:
        on: list[tuple[int, int, Any, int]] = []
        counts: dict[End, dict[int, list[int]]] = {}
        for a in range(self.n + 1):
            for b in range(self.m + 1):
                end = self.step(state, (a, b)) if a or b else (state, 0)
                if end[0] in self.settled:
                    counts.setdefault(end, {}).setdefault(a, []).append(b)
                else:
                    on.append((a, b, *end))
        return Moves(on, {end: _rectangles(by_ours) for end, by_ours in counts.items()})

    def ways(self, sides: int) -> dict[End, int]:
        """Return the throws of dice with this number of sides that lead to each end."""
        found: dict[End, int] = {}
        ways = [0] * len(self.places)
        ways[0] = 1
        for below in range(sides - 1, 0, -1):
            self._settle(ways, below, found)
            ways = [sum(map(mul, get(ways), weights)) for get, weights in self.pulls]
        self._settle(ways, 0, found)
        for (state, points, used, spent), (get, weights) in zip(self.places, self.pulls, strict=True):
            if used == self.n and spent == self.m:  # on the lowest face, all dice are shown
                found[state, points] = found.get((state, points), 0) + sum(map(mul, get(ways), weights))
        return {end: here for end, here in found.items() if here}

    def _settle(self, ways: list[int], below: int, found: dict[End, int]) -> None:
        """Add what is settled on one face; ``below`` is the number of faces below it."""
        choose = self.choose
        powers = [below**k for k in range(max(self.n, self.m) + 1)]
        known: dict[tuple[int, tuple[int, ...]], int] = {}

        def showing(left: int, counts: tuple[int, ...]) -> int:
            """Throws of the remaining dice where one of these counts shows the face, and the others a lower one."""
            row = choose[left]
            found = known[left, counts] = sum([row[k] * powers[left - k] for k in counts if k <= left])
            return found

        for end, entries in self.ends.items():
            total = 0
            for place, left, rest, rectangles in entries:
                here = ways[place]
                for ours, theirs in rectangles if here else ():
                    a = known.get((left, ours))
                    b = known.get((rest, theirs))
                    total += (
                        here * (showing(left, ours) if a is None else a) * (showing(rest, theirs) if b is None else b)
                    )
            if total:
                found[end] = found.get(end, 0) + total


def _rectangles(by_ours: dict[int, list[int]]) -> list[Rectangle]:
    """Counts of ours that go with the same counts of theirs, taken together."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for ours, theirs in by_ours.items():
        alike.setdefault(tuple(theirs), []).append(ours)
    return [(tuple(ours), theirs) for theirs, ours in alike.items()]


def _getter(sources: list[int]) -> Callable[[Sequence[int]], Sequence[int]]:
    """The ways of these places, as a tuple also where there is one or none."""
    if len(sources) > 1:
        return itemgetter(*sources)
    return lambda ways: [ways[source] for source in sources]
