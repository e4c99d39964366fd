"""Chronicles' dice in sentences: what each die did, and how dice behave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.author import Die, Faces, Note

if TYPE_CHECKING:
    from astragal.games.chronicles.pool import Quality

CHANCE = "chance die"


def tell_dice(faces: Faces, succeeds: frozenset[int], quality: Quality) -> Iterator[Die]:
    """Every die, wave by wave."""
    for wave, shown in enumerate(faces[0]):
        alike = {n: Die("d10", 10, n, _did(n, wave, n in succeeds, quality), n in succeeds, wave) for n in set(shown)}
        yield from map(alike.__getitem__, shown)


def _did(face: int, wave: int, success: bool, quality: Quality) -> str:
    if success:
        return "success, goes again" if face >= quality.again else "success"
    return "rerolled" if quality.rote and wave == 0 else ""


def tell_chance(faces: Faces) -> Iterator[Die]:
    """The chance die, wave by wave."""
    for wave, (face,) in enumerate(faces[0]):
        rerolled = wave == 0 and len(faces[0]) > 1
        did = "rerolled" if rerolled else {10: "success", 1: "dramatic failure"}.get(face, "")
        yield Die(CHANCE, 10, face, did, face == 10, wave)


def quality_notes(quality: Quality) -> Iterator[Note]:
    """How the dice behave, in notes."""
    yield Note("Each 8, 9 or 10 is a success.", "CD-5")
    if quality.again > 10:
        yield Note("No die is rolled again.", "CD-6")
    elif quality.again == 10:
        yield Note("A 10 is rolled again, without end.", "CD-5")
    else:
        yield Note(f"A face of {quality.again} or more is rolled again, without end.", "CD-6")
    if quality.rote:
        yield Note("Dice of the first throw that failed are rolled once more; dice earned by rerolls are not.", "CD-7")


def chance_notes(faces: Faces) -> Iterator[Note]:
    """What a chance die is, in notes."""
    yield Note("The pool has come down below 1: a chance die is rolled.", "CD-4")
    if len(faces[0]) > 1:
        yield Note(f"Rote: the {faces[0][0][0]} is rolled once more.", "CD-8")
    yield Note("Only a 10 succeeds, and it is not rolled again; a 1 is a dramatic failure.", "CD-8")
