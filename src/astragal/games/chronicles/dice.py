"""Chronicles' dice: d10s that succeed on 8 or more and explode on 10, or a single chance die (CD-4 to CD-8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from astragal.author import (
    NO_FACES,
    Dice,
    Die,
    Face,
    Faces,
    Node,
    Note,
    Pool,
    Tally,
    Telling,
    Throw,
    faces_below,
    faces_from,
)
from astragal.games.chronicles.rules import note, noted, say

if TYPE_CHECKING:
    from astragal.author import Distribution

R = TypeVar("R")

SUCCEEDS = faces_from(8, 10)
"""The faces that succeed (CD-5)."""
AGAIN = {"10": 10, "9": 9, "8": 8, "none": 11}
"""The lowest face that is rolled again; no die has one above 10 (CD-5, CD-6)."""
CHANCE = "chance die"
"""The name of the die, which rolls are stored with."""


class Quality(NamedTuple):
    """How the dice behave: the lowest face that goes again (11 for none), and whether the action is rote."""

    again: int = 10
    rote: bool = False

    def notes(self) -> tuple[Note, ...]:
        """The rules of the dice, in sentences (CD-5 to CD-7)."""
        again = {10: "CD-5.again", 11: "CD-6.none"}.get(self.again, "CD-6.again")
        return note("CD-5.succeeds"), note(again, n=self.again), *noted(self.rote, "CD-7.rote")


class Count(NamedTuple):
    """A reading of the dice: the successes rolled, and whether a chance die showed a 1."""

    rolled: int
    dramatic: bool = False


class Chance(NamedTuple):
    """A chance die: a 10 succeeds, a 1 is dramatic (CD-8)."""

    def read(self, faces: Faces) -> Count:
        return chance_count(Face().read(faces))

    def odds(self, pool: Pool, up_to: int) -> Distribution[Count]:
        return Face().odds(pool, up_to).map(chance_count)


def chance_count(face: int) -> Count:
    """The value of a face of the chance die."""
    return Count(int(face == 10), face == 1)


def pool_of(dice: int, quality: Quality) -> Pool:
    """A pool, or a chance die if it has come down below 1 (CD-4)."""
    if dice < 1:
        return (Dice(10, 1, CHANCE, retry=faces_from(2, 9) if quality.rote else NO_FACES, role="special"),)
    return (Dice(10, dice, "d10", faces_from(quality.again, 10), faces_below(8) if quality.rote else NO_FACES),)


def throw_pool(
    dice: int, quality: Quality, then: Callable[[Count], Node[R]], tell: Callable[[], Iterable[Note]], **more: Any
) -> Throw[Any, R]:
    """Throw a pool, or a chance die if it has come down below 1 (CD-4).

    ``tell`` says where the pool comes from; ``more`` is what else a ``Throw`` takes.
    """
    pool = pool_of(dice, quality)
    if dice < 1:
        return Throw(pool, Chance(), then, lambda faces: _tell_chance(faces, tell()), **more)._replace(rivals=False)
    told = lambda faces: Telling(tuple(_tell_dice(faces, quality)), tuple(tell()))  # noqa: E731
    return Throw(pool, Tally(SUCCEEDS), lambda rolled: then(Count(rolled)), told, **more)


def _tell_dice(faces: Faces, quality: Quality) -> Iterator[Die]:
    """Every die, wave by wave."""
    for wave, shown in enumerate(faces[0]):
        alike = {n: Die("d10", 10, n, _did(n, wave, quality), n in SUCCEEDS, wave) for n in set(shown)}
        yield from map(alike.__getitem__, shown)


def _did(face: int, wave: int, quality: Quality) -> str:
    if face in SUCCEEDS:
        return say("dice.again" if face >= quality.again else "dice.success")
    return say("dice.rerolled") if quality.rote and wave == 0 else ""


def _tell_chance(faces: Faces, notes: Iterable[Note]) -> Telling:
    """The chance die, wave by wave, and what it is (CD-4, CD-8)."""
    shown = [face for (face,) in faces[0]]
    did, again = {10: say("dice.success"), 1: say("dice.dramatic")}, len(shown) > 1
    dice = [Die(CHANCE, 10, face, did.get(face, ""), face == 10, wave) for wave, face in enumerate(shown)]
    if again:
        dice[0] = dice[0]._replace(did=say("dice.rerolled"))
    about = (note("CD-4.chance"), *noted(again, "CD-8.rote", n=shown[0]), note("CD-8.chance"))
    return Telling(tuple(dice), (*notes, *about))
