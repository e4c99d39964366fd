"""Arithmetic of dice notation, on whole numbers; division rounds down."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from operator import add, mul, sub
from typing import Any

from astragal.errors import Illegal
from astragal.notation.expression import EXACT

MAX_POWER = 10**18
"""Largest power that is computed."""


def _exact(left: Any, right: Any) -> Any:
    ratio = Fraction(left) / _divisor(right)
    return ratio.numerator if ratio.denominator == 1 else ratio


def _divisor(right: Any) -> Any:
    if not right:
        raise Illegal("This divides by 0; add 1 to the divisor, or ask with if … then … else.")
    return right


def _power(left: Any, right: Any) -> Any:
    if right < 0 or right != int(right):
        raise Illegal(f"A power of {right} is not a whole number; powers go from 0 up.")
    if abs(left) > 1 and right * (floor(abs(left)).bit_length() - 1) > MAX_POWER.bit_length():
        raise Illegal(f"{left} ** {right} is too large; powers up to {MAX_POWER:,} are computed.")
    return left ** int(right)


OPERATION: dict[str, Callable[[Any, Any], Any]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": lambda left, right: int(left // _divisor(right)),
    EXACT: _exact,
    "%": lambda left, right: left % _divisor(right),
    "**": _power,
}
FUNCTION: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "floor": floor,
    "ceil": ceil,
    "round": lambda value: floor(value + Fraction(1, 2)),
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
}


def number(value: Any) -> Any:
    """Return a value as a number: yes is 1, no is 0; a word is refused."""
    if isinstance(value, str):
        raise Illegal(f'"{value}" is a word; words can be compared with == and !=, and counted, but not added.')
    return int(value) if isinstance(value, bool) else value


def function_of(name: str, values: list[Any]) -> Any:
    """Return the value of a function."""
    return FUNCTION[name](*map(number, values))
