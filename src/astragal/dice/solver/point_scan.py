"""The scan with points and settled states: two handfuls of equal dice, compared from the highest face down.

A step depends on how many dice of each handful show a face, not on the face. So the moves from place to place are found
once, and each face is one product with them. A place is (state, points, dice used of each): points only add up, and are
no part of the state. In a settled state nothing changes any more: the dice that are left show anything below, in
(faces below)^left ways. Counts that lead to the same settled state are rectangles, these of ours with those of theirs,
so all of them together cost two sums.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import add, itemgetter, mul
from typing import Any, NamedTuple, TypeAlias, TypeVar

from astragal.dice.estimates import refuse_bytes

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
    """All places that n and m equal dice can come to, and the moves between them."""

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
        """Return the throws of dice with so many sides that lead to each end."""
        found: dict[End, int] = {}
        ways = [0] * len(self.places)
        ways[0] = 1
        for below in range(sides - 1, -1, -1):
            self._settle(ways, below, found)
            ways = [sum(map(mul, get(ways), weights)) for get, weights in self.pulls]
        for (state, points, used, spent), here in zip(self.places, ways, strict=True):
            if here and used == self.n and spent == self.m:
                found[state, points] = found.get((state, points), 0) + here
        return found

    def _settle(self, ways: list[int], below: int, found: dict[End, int]) -> None:
        """Add what is settled on one face: so many faces are below it."""
        choose = self.choose
        powers = [below**k for k in range(max(self.n, self.m) + 1)]
        known: dict[tuple[int, tuple[int, ...]], int] = {}

        def showing(left: int, counts: tuple[int, ...]) -> int:
            """Throws of the dice that are left of which any of these counts show the face, the others one below."""
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
