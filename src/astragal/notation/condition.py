"""Conditions on a single die: ``>=8``, ``{2,4,6}``, ``even``."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne
from typing import Any, NamedTuple, TypeAlias, Union

from astragal.errors import Illegal

OPERATORS = (">=", "<=", "==", "!=", ">", "<")
COMPARE: dict[str, Callable[[Any, Any], bool]] = {">=": ge, "<=": le, "==": eq, "!=": ne, ">": gt, "<": lt}
SAID = {">=": "at least", "<=": "at most", "==": "", "!=": "other than", ">": "above", "<": "below"}


def compare(operator: str, left: Any, right: Any) -> bool:
    """Return True if a comparison holds; ``operator`` is one of ``OPERATORS``."""
    return COMPARE[operator](left, right)


class Limit(NamedTuple):
    """A comparison with a number: ``>=8``. ``==`` is not written."""

    operator: str
    limit: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that a value is compared with."""
        return (self.limit,)

    def holds(self, value: Any) -> bool:
        """Return True if a die's value meets the condition."""
        return not isinstance(value, str) and COMPARE[self.operator](value, self.limit)

    def weight(self, value: Any) -> int:
        """Return how often a die that shows this value counts."""
        return int(self.holds(value))

    def __str__(self) -> str:
        if self.operator != "==":
            return f"{self.operator}{self.limit}"
        return str(self.limit) if self.limit >= 0 else f"{{{self.limit}}}"

    def words(self) -> str:
        """Return the condition as people say it: ``above 8``."""
        return f"{SAID[self.operator]} {self.limit}".strip()


class Listed(NamedTuple):
    """A list of faces: ``{2,4,6}``. A face that is named twice counts twice."""

    faces: tuple[int | str, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that a value is compared with."""
        return tuple([face for face in self.faces if isinstance(face, int)])

    def holds(self, value: Any) -> bool:
        """Return True if a die's value is in the list."""
        return value in self.faces

    def weight(self, value: Any) -> int:
        """Return how often the value is in the list."""
        return self.faces.count(value)

    def __str__(self) -> str:
        return "{" + ",".join(map(str, self.faces)) + "}"

    def words(self) -> str:
        """Return the condition as people say it: ``one of 2, 4, 6``."""
        return f"one of {', '.join(map(str, self.faces))}"


class Parity(NamedTuple):
    """Even faces, or odd ones."""

    odd: bool

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that a value is compared with: none."""
        return ()

    def holds(self, value: Any) -> bool:
        """Return True if a die's value is even, or odd."""
        if not isinstance(value, (int, str)):
            raise Illegal("Of a value without end nobody can tell whether it is even or odd; count by a comparison.")
        return isinstance(value, int) and value % 2 == self.odd

    def weight(self, value: Any) -> int:
        """Return how often a die that shows this value counts."""
        return int(self.holds(value))

    def __str__(self) -> str:
        return "{odd}" if self.odd else "{even}"

    def words(self) -> str:
        """Return the condition as people say it."""
        return "odd" if self.odd else "even"


Test: TypeAlias = Union[Limit, Listed, Parity]
