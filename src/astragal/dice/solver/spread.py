"""Handfuls of equal dice by how many count, and by the lowest and highest face that they show.

The throws whose dice all show a face from a to b are (plain + counting·x)^n, a binomial row over the faces there that
count and those that do not. Those of which the lowest is a and the highest b are the same without the throws from a + 1
up and those down from b − 1, where the throws between both were taken away twice.

A single die beside them is above all of them in the throws from 1 to its face − 1, below all in those from its face + 1
up, and neither in the rest. Faces of it that mean the same are added up before anything else looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import accumulate
from operator import add
from typing import Any

from astragal.dice.reading import place_of

PLACED = ("count", "place", "meaning")
"""The parts for which no face has to be looked at for itself."""


class Rows:
    """Throws of n dice that only show some of their faces, by how many dice count; equal rows are found once."""

    def __init__(self, n: int, sides: int, counting: frozenset[int]) -> None:
        self.n, self.sides = n, sides
        self._upto = [0, *accumulate([face in counting for face in range(1, sides + 1)])]
        self._choose = _binomials(n)
        self._known: dict[tuple[int, int], list[int]] = {}

    def between(self, lowest: int, highest: int) -> list[int]:
        """Return the throws whose dice all show ``lowest`` to ``highest``."""
        counting = self._upto[highest] - self._upto[lowest - 1] if lowest <= highest else 0
        plain = max(highest - lowest + 1, 0) - counting
        row = self._known.get((plain, counting))
        if row is None:
            row = self._known[plain, counting] = self._row(plain, counting)
        return row

    def _row(self, plain: int, counting: int) -> list[int]:
        n = self.n
        if not plain or not counting:
            only = [0] * (n + 1)
            only[n if counting else 0] = (plain or counting) ** n
            return only
        powers = [1]
        for _ in range(n):
            powers.append(powers[-1] * plain)
        found, ways = [], 1
        for choose, power in zip(self._choose, reversed(powers), strict=True):
            found.append(choose * power * ways)
            ways *= counting
        return found


def _binomials(n: int) -> list[int]:
    """Row ``n`` of Pascal's triangle."""
    found = [1]
    for k in range(n):
        found.append(found[k] * (n - k) // (k + 1))
    return found


def spread_weights(n: int, sides: int, counting: frozenset[int]) -> dict[tuple[int, int, int], int]:
    """Return the throws by how many dice count, the lowest and the highest face; there is at least one die."""
    rows = Rows(n, sides, counting)
    found: dict[tuple[int, int, int], int] = {}
    for low in range(1, sides + 1):
        for high in range(low, sides + 1):
            parts = (
                rows.between(a, b) for a, b in ((low, high), (low + 1, high), (low, high - 1), (low + 1, high - 1))
            )
            for k, (all, above, below, inside) in enumerate(zip(*parts, strict=True)):
                ways = all - above - below + inside
                if ways:
                    found[k, low, high] = ways
    return found


class BesideWeights:
    """The throws of n dice and a single one beside them, by any parts that a question needs."""

    def __init__(
        self, n: int, sides: int, single: int, counting: frozenset[int], means: Callable[[int], Hashable]
    ) -> None:
        self.n, self.sides, self.single = n, sides, single
        self.counting, self.means = counting, means
        self.rows = Rows(n, sides, counting)

    def of(self, parts: tuple[str, ...]) -> dict[tuple[Any, ...], int]:
        """Return the throws by these parts, as tuples."""
        if "place" not in parts or not set(parts) <= set(PLACED):
            return self._any(parts)
        found = self._placed("meaning" in parts)
        if parts == PLACED:
            return found
        at, some = [PLACED.index(part) for part in parts], dict[tuple[Any, ...], int]()
        for values, ways in found.items():
            left = tuple([values[place] for place in at])
            some[left] = some.get(left, 0) + ways
        return some

    def _placed(self, told: bool) -> dict[tuple[Any, ...], int]:
        """By how many of all count, and where and what the single one is: no face is looked at for itself."""
        n, sides = self.n, self.sides
        kinds: dict[tuple[bool, Hashable], dict[int, int]] = {}
        for face in range(1, self.single + 1):
            faces = kinds.setdefault((face in self.counting, self.means(face) if told else None), {})
            at = min(face, sides + 1)
            faces[at] = faces.get(at, 0) + 1
        every = self.rows.between(1, sides)
        found: dict[tuple[str, Hashable], list[int]] = {}
        for (counts, what), faces in kinds.items():
            below, above = [0] * (n + 1), [0] * (n + 1)
            for face, times in faces.items() if n else ():
                if face > 1:
                    below = list(map(add, below, [times * ways for ways in self.rows.between(1, face - 1)]))
                if face < sides:
                    above = list(map(add, above, [times * ways for ways in self.rows.between(face + 1, sides)]))
            times = sum(faces.values())
            rest = [times * all - less - more for all, less, more in zip(every, below, above, strict=True)]
            for place, ways in (("highest", below), ("neither", rest), ("lowest", above)):
                row = found.setdefault((place, what), [0] * (n + 2))
                end = n + 1 + counts
                row[counts:end] = map(add, row[counts:end], ways)
        return {(k, place, what): ways for (place, what), row in found.items() for k, ways in enumerate(row) if ways}

    def _any(self, parts: tuple[str, ...]) -> dict[tuple[Any, ...], int]:
        """The handful by what is asked of it, and each of its values with each face of the single die."""
        looks = not {"lowest", "highest", "place"}.isdisjoint(parts)
        if looks and self.n:
            handful = spread_weights(self.n, self.sides, self.counting)
        else:
            handful = {(k, 0, 0): ways for k, ways in enumerate(self.rows.between(1, self.sides)) if ways}
        faces = self._faces(told="meaning" in parts, shown=not {"single", "place"}.isdisjoint(parts))
        found: dict[tuple[Any, ...], int] = {}
        for (others, lowest, highest), ways in handful.items():
            for (face, counts, meaning), times in faces.items():
                seen = {
                    "count": others + counts,
                    "others": others,
                    "lowest": lowest,
                    "highest": highest,
                    "single": face,
                    "place": place_of(face, lowest, highest),
                    "meaning": meaning,
                }
                values = tuple([seen[part] for part in parts])
                found[values] = found.get(values, 0) + ways * times
        return found

    def _faces(self, told: bool, shown: bool) -> dict[tuple[int, bool, Hashable], int]:
        """The faces of the single die; those that mean the same are one, unless they are shown."""
        found: dict[tuple[int, bool, Hashable], int] = {}
        for face in range(1, self.single + 1):
            kind = face if shown else 0, face in self.counting, self.means(face) if told else None
            found[kind] = found.get(kind, 0) + 1
        return found
