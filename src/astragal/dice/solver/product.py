"""The packed product: independent dice with several readings each, added up reading by reading.

A die is a polynomial in several variables. One number packs the readings that go far, with
a slot for each vector in mixed radix; a die has few different faces, so a product is a
shift and an addition for each of them. Readings with a short range, such as symbols that
are on few faces, are the keys of rows of such numbers. Dice that leave a key as it is come
first, while there are few rows. A die D + z·F that moves a key with a single face F has

    (D + z·F)^n = Σ C(n, j) · z^j · F^j · D^(n − j)

where F^j is a shift: each row is multiplied n times, not once for each j and die.

Listing the vectors of many rows takes longer than finding them, so such an answer stays
packed until it is looked at.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property
from itertools import compress, product
from math import comb, prod
from operator import add, mul
from typing import NamedTuple, TypeAlias

from astragal.dice.distribution import Distribution
from astragal.dice.solver.packed import slot_bytes, unpack

Vector: TypeAlias = tuple[int, ...]
VectorDie: TypeAlias = Mapping[Vector, int]
"""The readings of one die with their weights."""
Faces: TypeAlias = dict[int, list[int]]
"""The faces of a die in one row: by weight, how many bits each is shifted by."""

Rows: TypeAlias = dict[Vector, int]
"""Packed sums by key."""

MAX_SLOTS = 10_000
"""Slots of one row; beyond, readings with a short range become keys."""


def vector_odds(groups: Sequence[tuple[int, VectorDie]]) -> Distribution[Vector]:
    """Return the odds of the sums of all readings of the dice, together."""
    groups = [(n, die) for n, die in groups if n]
    if not groups:
        return Distribution.certain(())
    total = prod(sum(die.values()) ** n for n, die in groups)
    layout = _Layout.of(groups, slot_bytes(total))
    weights = PackedWeights(layout, layout.rows(groups))
    return Distribution(weights if len(weights.rows) > 1 else weights.listed, total)


def _longest(lengths: Vector) -> list[int]:
    """The readings of a row: as many of those with long ranges as there is room for."""
    found: list[int] = []
    slots = 1
    for reading in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if not found or slots * lengths[reading] <= MAX_SLOTS:
            found.append(reading)
            slots *= lengths[reading]
    return sorted(found)


class _Layout(NamedTuple):
    """How sums of readings lie in rows: the slots from one value of a reading to the next, 0 for one that is a key."""

    low: Vector
    """The least sum of each reading."""
    lengths: Vector
    """The number of sums of each reading."""
    strides: Vector
    width: int
    """Bytes of a slot."""

    @classmethod
    def of(cls, groups: Sequence[tuple[int, VectorDie]], width: int) -> _Layout:
        """Return the layout for dice: as many readings as there is room for are packed, long ranges first."""
        sides = [(n, list(zip(*die, strict=True))) for n, die in groups]
        readings = range(len(sides[0][1]))
        low = tuple([sum(n * min(values[i]) for n, values in sides) for i in readings])
        lengths = tuple([sum(n * max(values[i]) for n, values in sides) - low[i] + 1 for i in readings])
        packed = range(len(lengths)) if prod(lengths) <= MAX_SLOTS else _longest(lengths)
        strides, stride = [0] * len(lengths), 1
        for reading in reversed(packed):
            strides[reading] = stride
            stride *= lengths[reading]
        return cls(low, lengths, tuple(strides), width)

    @property
    def slots(self) -> int:
        """The slots of one row."""
        return prod([length for length, stride in zip(self.lengths, self.strides, strict=True) if stride])

    def parts(self, die: VectorDie) -> dict[Vector, Faces]:
        """Return a die's faces by what they add to the key: the readings that are not packed."""
        least = list(map(min, zip(*die, strict=True)))
        bits = [8 * self.width * stride for stride in self.strides]
        start = sum(map(mul, least, bits))
        keys = [place for place, stride in enumerate(self.strides) if not stride]
        found: dict[Vector, dict[int, int]] = {}
        for vector, weight in die.items():
            part = found.setdefault(tuple([vector[place] - least[place] for place in keys]), {})
            at = sum(map(mul, vector, bits)) - start
            part[at] = part.get(at, 0) + weight
        return {key: _by_weight(part) for key, part in found.items()}

    def rows(self, groups: Sequence[tuple[int, VectorDie]]) -> Rows:
        """Return the packed weights of all vectors of sums."""
        rows: Rows = {(0,) * self.strides.count(0): 1}
        split = [(n, self.parts(die)) for n, die in groups]
        for n, parts in sorted(split, key=lambda group: len(group[1])):
            rows = _with_dice(rows, n, parts)
        return rows

    def listed(self, rows: Rows) -> dict[Vector, int]:
        """Return the weights of all vectors one by one."""
        slots = self.slots
        found: dict[Vector, int] = {}
        for key, row in rows.items():
            keys = iter(key)
            ranges = [range(a, a + length) if stride else (a + next(keys),)
                      for a, length, stride in zip(self.low, self.lengths, self.strides, strict=True)]  # fmt: skip
            ways = unpack(row, self.width, slots)
            found.update(zip(compress(product(*ranges), ways), filter(None, ways), strict=True))
        return found

    def place(self, vector: Vector) -> tuple[Vector, int]:
        """Return the key and the slot of a vector; ``KeyError`` if no sums are like it."""
        if not isinstance(vector, tuple) or len(vector) != len(self.strides):
            raise KeyError(vector)
        above = [value - low for value, low in zip(vector, self.low, strict=True)]
        if not all(0 <= value < length for value, length in zip(above, self.lengths, strict=True)):
            raise KeyError(vector)
        key = tuple([value for value, stride in zip(above, self.strides, strict=True) if not stride])
        return key, sum(map(mul, above, self.strides))


class PackedWeights(Mapping[Vector, int]):
    """The weights of vectors, packed; all are listed when all are looked at, a single one is read from its slot."""

    def __init__(self, layout: _Layout, rows: Rows) -> None:
        self.layout = layout
        self.rows = rows

    @cached_property
    def listed(self) -> dict[Vector, int]:
        """Every vector that can come up, with its weight."""
        return self.layout.listed(self.rows)

    def __getitem__(self, vector: Vector) -> int:
        key, slot = self.layout.place(vector)
        bits = 8 * self.layout.width
        weight = (self.rows.get(key, 0) >> (bits * slot)) & ((1 << bits) - 1)
        if not weight:
            raise KeyError(vector)
        return weight

    def __iter__(self) -> Iterator[Vector]:
        return iter(self.listed)

    def __len__(self) -> int:
        return len(self.listed)

    def items(self) -> ItemsView[Vector, int]:
        """Return all vectors with their weights."""
        return self.listed.items()

    def values(self) -> ValuesView[int]:
        """Return the weights alone."""
        return self.listed.values()


def _by_weight(shifts: Mapping[int, int]) -> Faces:
    """Factors of 2 become shifts, so that there are fewer weights to multiply with."""
    faces: Faces = {}
    for at, weight in shifts.items():
        twos = (weight & -weight).bit_length() - 1
        faces.setdefault(weight >> twos, []).append(at + twos)
    return faces


def _with_dice(rows: Rows, n: int, parts: dict[Vector, Faces]) -> Rows:
    """The rows after ``n`` equal dice more."""
    still = (0,) * len(next(iter(parts)))
    moving = [(key, faces) for key, faces in parts.items() if key != still]
    if len(moving) == 1 and still in parts and sum(map(len, moving[0][1].values())) == 1:
        return _by_number(rows, n, parts[still], *moving[0])
    for _ in range(n):
        after: Rows = {}
        for key, row in rows.items():
            for more, faces in parts.items():
                then = tuple(map(add, key, more))
                after[then] = after.get(then, 0) + _times(row, faces)
        rows = after
    return rows


def _by_number(rows: Rows, n: int, faces: Faces, more: Vector, single: Faces) -> Rows:
    """The same where a single face moves the key: by how many dice show it."""
    ((weight, (at,)),) = single.items()
    after: Rows = {}
    for key, row in rows.items():
        product = row
        for count in range(n, -1, -1):
            then = tuple([k + count * step for k, step in zip(key, more, strict=True)])
            after[then] = after.get(then, 0) + (product * (comb(n, count) * weight**count) << at * count)
            if count:
                product = _times(product, faces)
    return after


def _times(row: int, faces: Faces) -> int:
    """The product of a row with one die."""
    product = 0
    for weight, shifts in faces.items():
        part = sum([row << at for at in shifts])
        product += part * weight if weight > 1 else part
    return product
