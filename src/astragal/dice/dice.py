"""Dice: n of one size, which faces are thrown again, and the waves that come of it.

Throwing dice gives *waves*. The first wave has a face for every die. Each later wave
has, in the order of the wave before it, a face for every die that was thrown again.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

MAX_DICE = 1000
MAX_SIDES = 1000

Wave: TypeAlias = tuple[int, ...]
Waves: TypeAlias = tuple[Wave, ...]
Faces: TypeAlias = tuple[Waves, ...]
"""The faces of a whole throw: the waves of each of its kinds of dice."""

NO_FACES: frozenset[int] = frozenset()


class Dice(NamedTuple):
    """``n`` dice with faces 1 to ``sides``.

    A face in ``again`` earns another throw, without end. A face in ``retry`` is
    thrown anew once, and only in the first wave.
    """

    sides: int
    n: int = 1
    name: str = ""
    again: frozenset[int] = NO_FACES
    retry: frozenset[int] = NO_FACES

    @property
    def title(self) -> str:
        """What people call one of these dice."""
        return self.name or f"d{self.sides}"

    def due(self, waves: Waves) -> int:
        """How many dice the next wave has."""
        if not waves:
            return self.n
        if not self.again and not self.retry:
            return 0
        goes = self.again | self.retry if len(waves) == 1 else self.again
        return sum(face in goes for face in waves[-1])


Pool: TypeAlias = tuple[Dice, ...]


def endless(pool: Pool) -> bool:
    """Whether some of these dice may go on being thrown without end."""
    return any(dice.again for dice in pool)


def faces_from(lowest: int, sides: int) -> frozenset[int]:
    """Every face of a die from ``lowest`` up."""
    return frozenset(range(lowest, sides + 1))


def faces_below(limit: int) -> frozenset[int]:
    """Every face of a die below ``limit``."""
    return frozenset(range(1, limit))


def every_face(waves: Waves) -> Wave:
    """All faces that came up, wave after wave."""
    return waves[0] if len(waves) == 1 else tuple([face for wave in waves for face in wave])
