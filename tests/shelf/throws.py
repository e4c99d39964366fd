"""Every throw of a few dice, listed one by one: what the games of the shelf are compared with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from fractions import Fraction
from typing import Any, TypeVar

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)


def expected(throws: Collection[T], of: Callable[[T], H]) -> dict[H, Fraction]:
    """How often each result comes up, if all throws are equally likely."""
    found: dict[H, Fraction] = {}
    for thrown in throws:
        result = of(thrown)
        found[result] = found.get(result, Fraction(0)) + Fraction(1, len(throws))
    return found


def average(throws: Collection[T], worth: Callable[[T], Fraction | int]) -> Fraction:
    """The average worth of a throw."""
    return sum((Fraction(worth(thrown)) for thrown in throws), Fraction(0)) / len(throws)


def present(found: Any) -> dict[Any, Fraction]:
    """The results that can come up, with their chances."""
    return {value: chance for value, chance in found.items() if chance}
