"""What is seen on the table after a Narraject throw, and which faces count."""

from __future__ import annotations

from typing import NamedTuple

from astragal.dice.dice import faces_from

COUNTING = {"marks": faces_from(5, 12), "hits": frozenset({5, 6})}
"""The faces that count, on every die, by edition (NJ-4)."""

WORD = {"marks": "Mark", "hits": "Hit"}


class Seen(NamedTuple):
    """The d6s' Marks, their lowest and highest face, and the Step Die's face."""

    d6_marks: int
    lowest: int
    highest: int
    step: int

    def marks(self, counting: frozenset[int]) -> int:
        """Marks of all dice, the Step Die included (NJ-4)."""
        return self.d6_marks + (self.step in counting)

    def with_d6(self, face: int, counting: frozenset[int]) -> Seen:
        """The same pool with one more d6 in it."""
        marks = self.d6_marks + (face in counting)
        return Seen(marks, min(self.lowest, face), max(self.highest, face), self.step)

    @property
    def position(self) -> str:
        """Where the Step Die's face stands among the d6s; a tie is neither (NJ-10)."""
        if self.step > self.highest:
            return "highest"
        return "lowest" if self.step < self.lowest else "neither"
