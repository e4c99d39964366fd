"""A push: after a throw, and nothing else, some of its dice may be thrown again, once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from astragal.dice.parts import Unread

R = TypeVar("R")


class Counts:
    """The counts of dice, one attribute for each name; an attribute that was not read raises ``Unread``."""

    __slots__ = ("_read",)

    def __init__(self, read: dict[str, int]) -> None:
        self._read = read

    def __getattr__(self, name: str) -> int:
        try:
            return self._read[name]
        except KeyError:
            raise (AttributeError if name.startswith("__") else Unread)(name) from None


class Push(NamedTuple, Generic[R]):
    """A throw's only choice, by what its dice count: leave them, or throw again all that show no face that stays.

    The tree has the same choice, for play; odds come from here, so that they read only what a question needs.
    """

    stays: tuple[frozenset[int], ...]
    """For each dice of the pool, the faces that are not thrown again."""
    counts: Callable[[str], tuple[tuple[int, ...], ...]]
    """The amount that each face adds to the count of this name, for each kind of dice in the pool."""
    kept: Callable[[Any], R]
    """The result of these ``Counts`` if the dice are left as they lie."""
    pushed: Callable[[Any], R]
    """The result if dice were thrown again, of what all of them count then."""
    may: Callable[[Any], bool] = lambda counts: True
    """True if dice may be thrown again, by what they count at first."""
    free: bool = True
    """True if it costs nothing, nor do its results."""
