"""Chronicles' dice in sentences: what each die did, and how dice behave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.author import Die, Faces, Note
from astragal.games.chronicles.rules import cited, say

if TYPE_CHECKING:
    from astragal.games.chronicles.pool import Quality

CHANCE = "chance die"
"""The name of the die, which rolls are stored with."""


def tell_dice(faces: Faces, succeeds: frozenset[int], quality: Quality) -> Iterator[Die]:
    """Every die, wave by wave."""
    for wave, shown in enumerate(faces[0]):
        alike = {n: Die("d10", 10, n, _did(n, wave, n in succeeds, quality), n in succeeds, wave) for n in set(shown)}
        yield from map(alike.__getitem__, shown)


def _did(face: int, wave: int, success: bool, quality: Quality) -> str:
    if success:
        return say("dice.again" if face >= quality.again else "dice.success")
    return say("dice.rerolled") if quality.rote and wave == 0 else ""


def tell_chance(faces: Faces) -> Iterator[Die]:
    """The chance die, wave by wave."""
    for wave, (face,) in enumerate(faces[0]):
        rerolled = wave == 0 and len(faces[0]) > 1
        did = "dice.rerolled" if rerolled else {10: "dice.success", 1: "dice.dramatic"}.get(face)
        yield Die(CHANCE, 10, face, say(did) if did else "", face == 10, wave)


def quality_notes(quality: Quality) -> Iterator[Note]:
    """How the dice behave, in notes."""
    yield Note(*cited("CD-5.succeeds"))
    if quality.again > 10:
        yield Note(*cited("CD-6.none"))
    elif quality.again == 10:
        yield Note(*cited("CD-5.again"))
    else:
        yield Note(*cited("CD-6.again", n=quality.again))
    if quality.rote:
        yield Note(*cited("CD-7.rote"))


def chance_notes(faces: Faces) -> Iterator[Note]:
    """What a chance die is, in notes."""
    yield Note(*cited("CD-4.chance"))
    if len(faces[0]) > 1:
        yield Note(*cited("CD-8.rote", n=faces[0][0][0]))
    yield Note(*cited("CD-8.chance"))
