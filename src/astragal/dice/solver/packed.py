"""Packed polynomials: one whole number with a slot of fixed width for each coefficient.

Adding, shifting and scaling such a polynomial are single operations on a large number,
and so is a product. No slot overflows if it has room for the weight of all throws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from math import lcm
from struct import Struct

DIGIT = 30
"""Bits of a digit of Python's large numbers: what their operations take time by."""


def slot_bytes(most: int) -> int:
    """Return the bytes of a slot for numbers from 0 to ``most``; slots of 4 and 8 bytes are unpacked fastest."""
    width = most.bit_length() // 8 + 1
    return 4 if width <= 4 else 8 if width <= 8 else width


def pack(coefficients: Sequence[int], width: int) -> int:
    """Return the packed polynomial with these coefficients, that of x^0 first."""
    return int.from_bytes(b"".join([value.to_bytes(width, "little") for value in coefficients]), "little")


def unpack(packed: int, width: int, slots: int) -> list[int]:
    """Return the coefficients of a packed polynomial, that of x^0 first."""
    data = packed.to_bytes(width * slots, "little")
    if width == 4:
        return memoryview(data).cast("I").tolist()
    if width == 8:
        return memoryview(data).cast("Q").tolist()
    # A format with a text for each slot cuts the bytes faster than slices do.
    whole: Callable[[bytes, str], int] = int.from_bytes  # type: ignore[assignment]
    return list(map(whole, Struct(f"{width}s" * slots).unpack(data), repeat("little")))


def common_multiple(numbers: Iterable[int]) -> int:
    """Return the least common multiple."""
    common = 1
    for number in numbers:
        if number != common:
            common = lcm(common, number)
    return common
