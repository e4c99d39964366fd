"""Successes of a Chronicles throw, with a pool or with a chance die (CD-4 to CD-8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from astragal.dice.dice import NO_FACES, Dice, Faces, Pool, faces_below, faces_from
from astragal.dice.reading import Face, Tally
from astragal.rule.node import Node, Throw
from astragal.rule.note import Die, Note, Telling

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution

R = TypeVar("R")

SUCCEEDS = faces_from(8, 10)
CHANCE = "chance die"


class Quality(NamedTuple):
    """How the dice behave: the lowest face that goes again (11 for none), and whether the action is rote."""

    again: int = 10
    rote: bool = False


class Count(NamedTuple):
    """What the dice said: successes rolled, and whether a chance die showed a 1."""

    rolled: int
    dramatic: bool = False


class Chance(NamedTuple):
    """A chance die: a 10 succeeds, a 1 is dramatic (CD-8)."""

    def read(self, faces: Faces) -> Count:
        return chance_count(Face().read(faces))

    def odds(self, pool: Pool, up_to: int) -> Distribution[Count]:
        return Face().odds(pool, up_to).map(chance_count)


def chance_count(face: int) -> Count:
    return Count(int(face == 10), face == 1)


def throw_pool(
    dice: int,
    quality: Quality,
    then: Callable[[Count], Node[R]],
    notes: Iterable[Note] = (),
    *,
    title: str = "",
    enough: int | None = None,
) -> Node[R]:
    """Throw a pool, or a chance die if it has come down below 1 (CD-4)."""
    if dice < 1:
        return _throw_chance(quality, then, notes, title)
    return Throw(
        (Dice(10, dice, "d10", faces_from(quality.again, 10), faces_below(8) if quality.rote else NO_FACES),),
        Tally(SUCCEEDS),
        then=lambda rolled: then(Count(rolled)),
        tell=lambda faces: Telling(tuple(_tell_dice(faces, quality)), tuple(notes)),
        title=title,
        enough=enough,
    )


def _throw_chance(quality: Quality, then: Callable[[Count], Node[R]], notes: Iterable[Note], title: str) -> Node[R]:
    """A 10 succeeds, a 1 is dramatic, and neither is rolled again (CD-8)."""
    return Throw(
        (Dice(10, 1, CHANCE, retry=faces_from(2, 9) if quality.rote else NO_FACES),),
        Chance(),
        then=then,
        tell=lambda faces: Telling(tuple(_tell_chance(faces)), (*notes, *_chance_notes(faces))),
        title=title,
    )


def _tell_dice(faces: Faces, quality: Quality) -> Iterable[Die]:
    for wave, shown in enumerate(faces[0]):
        for face in shown:
            yield Die("d10", 10, face, _did(face, wave, quality), face in SUCCEEDS, wave)


def _did(face: int, wave: int, quality: Quality) -> str:
    if face in SUCCEEDS:
        return "success, goes again" if face >= quality.again else "success"
    return "rolled anew" if quality.rote and wave == 0 else ""


def _tell_chance(faces: Faces) -> Iterable[Die]:
    for wave, (face,) in enumerate(faces[0]):
        rerolled = wave == 0 and len(faces[0]) > 1
        did = "rolled anew" if rerolled else {10: "success", 1: "dramatic failure"}.get(face, "")
        yield Die(CHANCE, 10, face, did, face == 10, wave)


def quality_notes(quality: Quality) -> Iterable[Note]:
    yield Note("Each 8, 9 or 10 is a success.", "CD-5")
    if quality.again > 10:
        yield Note("No die is rolled again.", "CD-6")
    elif quality.again == 10:
        yield Note("A 10 is rolled again, without end.", "CD-5")
    else:
        yield Note(f"A face of {quality.again} or more is rolled again, without end.", "CD-6")
    if quality.rote:
        yield Note("Dice of the first throw that failed are rolled once more; dice earned by rerolls are not.", "CD-7")


def _chance_notes(faces: Faces) -> Iterable[Note]:
    yield Note("The pool has come down below 1: a chance die is rolled.", "CD-4")
    if len(faces[0]) > 1:
        yield Note(f"Rote: the {faces[0][0][0]} is rolled once more.", "CD-8")
    yield Note("Only a 10 succeeds, and it is not rolled again; a 1 is a dramatic failure.", "CD-8")
