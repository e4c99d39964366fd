"""What the dice of a Narraject roll show: some d6s and one Step Die (NJ-3, NJ-4, NJ-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from astragal.author import Face, Faces, Pool, Spread, faces_from

if TYPE_CHECKING:
    from astragal.author import Distribution

STEP_DICE = {"untrained": 6, "trained": 8, "expert": 10, "master": 12}
COUNTING = {"marks": faces_from(5, 12), "hits": frozenset({5, 6})}
"""The faces that count, on every die, by edition (NJ-4)."""
DIFFICULTIES = ((1, "Simple"), (2, "Tricky"), (3, "Hard"), (4, "Daunting"), (5, "Heroic"))
"""The usual Difficulties by name (NJ-7)."""


class PoolSummary(NamedTuple):
    """The d6s' Marks, their lowest and highest face (0 and 0 without any), and the Step Die's face."""

    d6_marks: int
    lowest: int
    highest: int
    step: int

    def marks(self, counting: frozenset[int]) -> int:
        """Marks of all dice, the Step Die included (NJ-4)."""
        return self.d6_marks + (self.step in counting)

    def with_d6(self, face: int, counting: frozenset[int]) -> PoolSummary:
        """The same pool with one more d6 in it."""
        marks = self.d6_marks + (face in counting)
        return PoolSummary(marks, min(self.lowest or face, face), max(self.highest, face), self.step)

    @property
    def position(self) -> str:
        """Where the Step Die's face stands among the d6s; a tie is neither, and so is a Step Die alone (NJ-10)."""
        if not self.highest:
            return "neither"
        if self.step > self.highest:
            return "highest"
        return "lowest" if self.step < self.lowest else "neither"


class StepReading(NamedTuple):
    """The d6s' Marks, lowest and highest face, and the Step Die's face: all that the rules look at."""

    counting: frozenset[int]

    def read(self, faces: Faces) -> PoolSummary:
        return PoolSummary(*Spread(self.counting).read(faces[:1]), faces[1][0][0])

    def odds(self, pool: Pool, up_to: int) -> Distribution[PoolSummary]:
        d6s, step = Spread(self.counting).odds(pool[:1], up_to), Face().odds(pool[1:], up_to)
        return d6s.convolve(step, lambda seen, face: PoolSummary(*seen, face))
