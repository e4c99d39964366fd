"""Cold March in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.author import Die, Faces, Note, Telling, Verdict, counted, format_sources, sources_of

if TYPE_CHECKING:
    from coldmarch.march import March, Result

KINDS = ("attribute", "skill", "gear")


def headline(ask: March) -> str:
    """The roll in a line."""
    dice = ask.attribute + ask.skill + int(ask.gear)
    return f"Cold March: {counted(dice, 'die', 'dice')} for {counted(ask.needed, 'success', 'successes')}"


def verdict(result: Result) -> Verdict:
    """The result in its tone; what it cost stands below it by itself, as an effect."""
    price = bool(result.frost or result.wear)
    if result.success:
        tone, tier = ("mixed", "Success at a price") if price else ("good", "Success")
    else:
        tone, tier = ("disaster", "Failure at a price") if price else ("bad", "Failure")
    return Verdict(tone, tier, counted(result.successes, "success", "successes"))


def tell_dice(ask: March, faces: Faces) -> Telling:
    """The dice, and where they come from."""
    notes = [Note(f"{ask.attribute} for the Attribute, {ask.skill} for the Skill.", "CM-1")]
    if ask.gear:
        notes.append(Note(f"Gear: {format_sources(sources_of(ask.gear, 'dice'))}.", "CM-1"))
    return Telling(tuple(_dice(faces)), tuple(notes))


def tell_push(faces: Faces) -> Telling:
    """The dice that are rolled again."""
    return Telling(tuple(_dice(faces)), (Note("What shows neither 1 nor 6 is rolled again.", "CM-3"),))


def _dice(faces: Faces) -> Iterator[Die]:
    for kind, waves in zip(KINDS, faces, strict=True):
        yield from (Die(kind, 6, face, "success" if face == 6 else "", face == 6) for face in waves[0])


def tell_result(needed: int, result: Result) -> Iterator[Note]:
    """What the result follows from."""
    yield Note(f"{counted(result.successes, 'success', 'successes')}, {needed} needed.", "CM-2")
    if result.frost:
        yield Note(f"{counted(result.frost, '1', '1s')} on the Attribute's dice: as much Frost.", "CM-4")
    if result.wear:
        yield Note(f"{counted(result.wear, '1', '1s')} on the Gear's dice: it wears out.", "CM-5")
