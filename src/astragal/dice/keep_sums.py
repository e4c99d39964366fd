"""Sweeps: what the best or worst of some dice add up to.

A polynomial whose coefficients are counts of throws is packed into one whole number, a
slot for each coefficient wide enough that none runs over: adding, shifting and scaling
it are single operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb


def kept_sums(values: Sequence[tuple[int, int]], n: int, kept: int) -> list[int]:
    """For each sum from 0 up, the ways in which n dice keep it.

    ``values`` are what a die may add, 0 or more, each with its weight; what is kept first comes first.
    """
    width = slot_bytes(values, n)
    packed = _power(values, n, 8 * width) if kept == n else _sweep(values, n, kept, 8 * width)
    return _unpacked(packed, width, max(add for add, _ in values) * kept + 1)


def slot_bytes(values: Sequence[tuple[int, int]], n: int) -> int:
    """How many bytes hold the number of all throws."""
    return int(sum(weight for _, weight in values) ** n).bit_length() // 8 + 1


def _power(values: Sequence[tuple[int, int]], n: int, slot: int) -> int:
    """All dice are kept: one polynomial, to the power of their number."""
    return int(sum(weight << (slot * add) for add, weight in values) ** n)


def _sweep(values: Sequence[tuple[int, int]], n: int, most: int, slot: int) -> int:
    """Value by value: a polynomial for each number of dice left; the last value takes all that are."""
    kept = [min(most, n - left) for left in range(n + 1)]
    choose = [[comb(left, fewer) for fewer in range(left + 1)] for left in range(n + 1)]
    sums = [0] * n + [1]
    for place, (add, weight) in enumerate(values, 1):
        powers = [weight**dice for dice in range(n + 1)]
        after = [0] * (n + 1)
        for left, packed in enumerate(sums):
            if packed:
                for fewer in range(left + 1) if place < len(values) else (0,):
                    ways = choose[left][fewer] * powers[left - fewer] * packed
                    after[fewer] += ways << (slot * add * (kept[fewer] - kept[left]))
        sums = after
    return sums[0]


def _unpacked(packed: int, width: int, slots: int) -> list[int]:
    """The coefficients of a packed polynomial whose slots are so many bytes wide."""
    data = packed.to_bytes(width * slots, "little")
    return [int.from_bytes(data[at : at + width], "little") for at in range(0, width * slots, width)]
