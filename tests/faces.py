"""Faces for tests: a hand that throws what it is given, and every throw that a pool can make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from astragal.dice.dice import Faces
from astragal.rule.tree.node import Throw
from astragal.rule.tree.play import Hand


class Given(Hand):
    """Throws these faces, in order, whatever is asked."""

    def __init__(self, *throws: Faces, answers: dict[str, list[str]] | None = None) -> None:
        super().__init__(answers)
        self._throws = list(throws)

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        return self._throws.pop(0) if self._throws else None


def every_throw(*dice: tuple[int, int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every throw of kinds of dice, each ``(n, sides)``, without rerolls."""
    return product(*(product(range(1, sides + 1), repeat=n) for n, sides in dice))


def as_faces(groups: Iterable[tuple[int, ...]]) -> Faces:
    """Groups without rerolls as the faces of a throw."""
    return tuple((group,) for group in groups)
