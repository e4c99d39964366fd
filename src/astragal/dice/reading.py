"""Readings: which facts of a throw matter.

A reading turns faces into a value. Each kind says, besides, *how* the value comes
about (a sum over dice, an automaton over faces, a walk from die to die), and that is
what lets a solver find exact odds without looking at every throw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from astragal.dice.dice import Faces, Pool, every_face

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution

V_co = TypeVar("V_co", covariant=True)
S = TypeVar("S")


class Reading(Protocol[V_co]):
    """Faces in, the value that the rule goes on with out."""

    def read(self, faces: Faces) -> V_co: ...


class Tally(NamedTuple):
    """Every die that shows one of ``counting`` counts once, rerolls included."""

    counting: frozenset[int]

    def read(self, faces: Faces) -> int:
        return sum(face in self.counting for waves in faces for wave in waves for face in wave)

    def odds(self, pool: Pool, up_to: int) -> Distribution[int]:
        from astragal.dice.solver import tally_odds

        return tally_odds(self.counting, pool, up_to)


class Face(NamedTuple):
    """The face that a single die shows in the end."""

    def read(self, faces: Faces) -> int:
        return faces[0][-1][0]

    def odds(self, pool: Pool, up_to: int) -> Distribution[int]:
        from astragal.dice.solver import face_odds

        return face_odds(pool)


class Kept(NamedTuple):
    """What Keep reads: the sum of the dice kept, and whether every die thrown shows a 1."""

    total: int
    all_ones: bool


class Keep(NamedTuple):
    """Keep ``n`` dice, the best of them or the worst, and add them up."""

    n: int
    best: bool = True

    def read(self, faces: Faces) -> Kept:
        ranked = sorted(faces[0][0])
        kept = ranked[-self.n :] if self.best else ranked[: self.n]
        return Kept(sum(kept), ranked[-1] == 1)

    def odds(self, pool: Pool, up_to: int) -> Distribution[Kept]:
        from astragal.dice.solver import keep_odds

        return keep_odds(self.n, self.best, pool)


class Walk(NamedTuple, Generic[S]):
    """Go from die to die in order: ``step(state, place, face)`` gives the next state."""

    start: S
    step: Callable[[S, int, int], S]

    def read(self, faces: Faces) -> S:
        state = self.start
        for place, face in enumerate(every_face(faces[0])):
            state = self.step(state, place, face)
        return state

    def odds(self, pool: Pool, up_to: int) -> Distribution[S]:
        from astragal.dice.solver import walk_odds

        return walk_odds(self.start, self.step, pool)


class Scan(NamedTuple, Generic[S]):
    """Go down the faces, highest first: ``step(state, face, counts)`` gives the next state.

    ``counts`` says, for each kind of dice in the pool, how many of them show that face.
    """

    start: S
    step: Callable[[S, int, tuple[int, ...]], S]

    def read(self, faces: Faces) -> S:
        shown = [every_face(waves) for waves in faces]
        state = self.start
        for face in sorted(set().union(*shown), reverse=True):
            state = self.step(state, face, tuple([dice.count(face) for dice in shown]))
        return state

    def odds(self, pool: Pool, up_to: int) -> Distribution[S]:
        from astragal.dice.solver import scan_odds

        return scan_odds(self.start, self.step, pool)
