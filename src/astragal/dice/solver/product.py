"""The packed product: independent dice with several readings each, added up reading by reading.

A die is a polynomial in several variables; one number packs all of them, with a slot for
each vector in mixed radix. Dice have few different faces, so a product is a shift and an
addition for each of them. Where most slots would be empty, only the variable with the
longest range is packed, and the others are the keys of a dict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from operator import add
from typing import NamedTuple, TypeAlias

from astragal.dice.distribution import Distribution
from astragal.dice.solver.packed import DIGIT, product_steps, slot_bytes, unpack
from astragal.dice.work import spend

Vector: TypeAlias = tuple[int, ...]
VectorDie: TypeAlias = Mapping[Vector, int]
"""The readings of one die with their weights."""

MAX_SLOTS = 100_000
"""Slots of one number; beyond, most of them would be empty."""


class Box(NamedTuple):
    """The least and greatest sum of each reading."""

    low: Vector
    high: Vector

    @property
    def lengths(self) -> Vector:
        return tuple([high - low + 1 for low, high in zip(self.low, self.high, strict=True)])


def vector_odds(groups: Sequence[tuple[int, VectorDie]]) -> Distribution[Vector]:
    """Return the odds of the sums of all readings of the dice, together."""
    groups = [(n, die) for n, die in groups if n]
    if not groups:
        return Distribution.certain(())
    box = _box(groups)
    total = prod(sum(die.values()) ** n for n, die in groups)
    pack = _packed if prod(box.lengths) <= MAX_SLOTS else _in_rows
    return Distribution(pack(groups, box, slot_bytes(total)), total)


def _box(groups: Sequence[tuple[int, VectorDie]]) -> Box:
    sides = [(n, list(zip(*die, strict=True))) for n, die in groups]
    readings = range(len(sides[0][1]))
    return Box(
        tuple([sum(n * min(values[i]) for n, values in sides) for i in readings]),
        tuple([sum(n * max(values[i]) for n, values in sides) for i in readings]),
    )


def _packed(groups: Sequence[tuple[int, VectorDie]], box: Box, width: int) -> dict[Vector, int]:
    lengths = box.lengths
    strides = [prod(lengths[i + 1 :]) for i in range(len(lengths))]
    packed, slots = 1, 1
    for n, die in groups:
        least = tuple(map(min, zip(*die, strict=True)))
        shifts: dict[int, int] = {}
        for vector, weight in die.items():
            at = (
                8
                * width
                * sum((value - low) * stride for value, low, stride in zip(vector, least, strides, strict=True))
            )
            shifts[at] = shifts.get(at, 0) + weight
        most = max(shifts) // (8 * width)
        for _ in range(n):
            slots += most
            spend(int(len(shifts) * (6 + slots * width * 8 / DIGIT / 50)))
            packed = sum([(packed * weight if weight > 1 else packed) << at for at, weight in shifts.items()])
    spend(4 * prod(lengths))
    vectors = product(*map(range, box.low, [high + 1 for high in box.high]))
    weights = unpack(packed, width, prod(lengths))
    return {vector: ways for vector, ways in zip(vectors, weights, strict=True) if ways}


def _in_rows(groups: Sequence[tuple[int, VectorDie]], box: Box, width: int) -> dict[Vector, int]:
    """Rows of the reading with the longest range, by the values of the others."""
    lengths = box.lengths
    long = lengths.index(max(lengths))
    bits = 8 * width
    rows: dict[Vector, int] = {(0,) * (len(lengths) - 1): 1}
    for n, die in groups:
        least = min(vector[long] for vector in die)
        faces: dict[Vector, int] = {}
        for vector, weight in die.items():
            key = vector[:long] + vector[long + 1 :]
            faces[key] = faces.get(key, 0) + (weight << (bits * (vector[long] - least)))
        wide = max(faces.values()).bit_length() / DIGIT
        for _ in range(n):
            after: dict[Vector, int] = {}
            spend(int(len(rows) * len(faces) * (14 + product_steps(max(rows.values()).bit_length() / DIGIT, wide))))
            for key, row in rows.items():
                for more, face in faces.items():
                    then = tuple(map(add, key, more))
                    after[then] = after.get(then, 0) + row * face
            rows = after
    spend(8 * len(rows) * lengths[long])
    found: dict[Vector, int] = {}
    for key, row in rows.items():
        for value, ways in enumerate(unpack(row, width, lengths[long]), box.low[long]):
            if ways:
                found[(*key[:long], value, *key[long:])] = ways
    return found
