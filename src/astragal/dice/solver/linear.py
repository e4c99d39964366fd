"""Linear equations with whole numbers, solved exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from operator import mul


def solved(rows: Sequence[Sequence[Fraction | int]], unknowns: int = 0) -> list[Fraction]:
    """Return all unknowns, or so many of the last ones; each row has the factors, then what they come to.

    By elimination without fractions (Bareiss), whose numbers stay as short as they can.
    """
    whole = [_whole(row) for row in rows]
    before, size = 1, len(whole)
    for k in range(size - 1):
        pivot = next(i for i in range(k, size) if whole[i][k])
        whole[k], whole[pivot] = whole[pivot], whole[k]
        lead = whole[k]
        for i in range(k + 1, size):
            row, factor = whole[i], whole[i][k]
            whole[i] = [0] * (k + 1) + [(lead[k] * row[j] - factor * lead[j]) // before for j in range(k + 1, size + 1)]
        before = lead[k]
    found: list[Fraction] = []
    for k in range(size - 1, size - 1 - (unknowns or size), -1):
        known = sum(map(mul, whole[k][size - 1 : k : -1], found))
        found.append(Fraction(whole[k][size] - known) / whole[k][k])
    return found[::-1]


def _whole(row: Sequence[Fraction | int]) -> list[int]:
    common = lcm(*(value.denominator for value in row))
    return [int(value * common) for value in row]
