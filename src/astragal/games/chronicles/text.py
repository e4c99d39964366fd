"""Chronicles in sentences: headlines, verdicts, what each die did and what the result means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.author import Die, Faces, Note, Source, format_total

if TYPE_CHECKING:
    from astragal.games.chronicles.attempt import Attempt, Result
    from astragal.games.chronicles.contested import Contested, ContestedResult
    from astragal.games.chronicles.extended import Extended, ExtendedResult
    from astragal.games.chronicles.pool import Quality

CHANCE = "chance die"
OUTCOMES = {
    "dramatic_failure": "Dramatic failure",
    "failure": "Failure",
    "success": "Success",
    "exceptional_success": "Exceptional success",
}


def attempt_headline(ask: Attempt) -> str:
    """The roll in a line."""
    return f"Chronicles: {dice_count(ask.dice)}{_manner(ask)}"


def attempt_verdict(result: Result) -> str:
    """The result in a line."""
    return f"{OUTCOMES[result.outcome]} ({plural(result.successes, 'success', 'successes')})"


def _manner(ask: Attempt) -> str:
    parts = ["rote"] if ask.rote else []
    if ask.dice >= 1 or ask.helpers:
        parts.insert(0, "no again" if ask.again == "none" else f"{ask.again}-again")
    parts += [plural(ask.helpers, "helper", "helpers")] if ask.helpers else []
    return "".join(f", {part}" for part in parts)


def attempt_pool(ask: Attempt, pool: int, from_helpers: int) -> Iterator[Note]:
    """What the pool is made of, and why."""
    sources = ask.sources + ([Source("from helpers", from_helpers)] if from_helpers else [])
    yield Note(f"The pool is {format_total(sources)}.", "CD-1")
    if ask.unskilled:
        yield Note("Without dots in the Skill, the Attribute stands alone, with a penalty.", "CD-3")
    if ask.modifier:
        yield Note("Modifiers are added before the roll.", "CD-2")
    if ask.tries:
        yield Note("Each earlier try under pressure takes a die.", "CD-11")
    if pool >= 1:
        yield from quality_notes(ask.quality)


def attempt_notes(ask: Attempt, result: Result) -> Iterator[Note]:
    """What an attempt came to, and why."""
    if ask.extra and result.rolled:
        yield Note(f"{plural(result.rolled, 'success', 'successes')} rolled, {ask.extra} more added.", "CD-9")
    elif ask.extra:
        yield Note(f"The {ask.extra} extra come only with a success.", "CD-9")
    yield Note(f"{attempt_verdict(result)}.", "CD-10")
    if ask.task and not result.rolled:
        yield Note(f"One more try that came to nothing: {ask.task}.", "CD-11")
    if result.beat:
        yield Note("The player takes a Beat.", "CD-10")
    if result.condition:
        yield Note(f"The character gains the Condition {result.condition}.", "CD-10")


def plural(n: int, one: str, many: str) -> str:
    """A number with its noun: ``1 success``, ``2 successes``."""
    return f"{n} {one if n == 1 else many}"


def dice_count(n: int) -> str:
    """The dice of a pool: ``6d10``, or a chance die."""
    return f"{n}d10" if n >= 1 else "a chance die"


def contested_notes(result: ContestedResult) -> Iterator[Note]:
    """Both sides' successes, and who wins."""
    yield Note(f"Our side has {plural(result.ours, 'success', 'successes')}, theirs {result.theirs}.", "CD-5")
    yield Note(f"{contested_verdict(result)}.", "CD-13")


def contested_headline(ask: Contested) -> str:
    """The roll in a line."""
    return f"Chronicles, contested: {int(ask.ours)} dice against {int(ask.theirs)}"


def contested_verdict(result: ContestedResult) -> str:
    """The result in a line."""
    who = {"ours": "Our side wins", "theirs": "Their side wins", "draw": "A draw"}[result.winner]
    return f"{who} ({result.ours} against {result.theirs})"


def extended_notes(result: ExtendedResult) -> Iterator[Note]:
    """Whether the target was reached."""
    yield Note(f"{extended_verdict(result)}.", "CD-13")


def extended_headline(ask: Extended) -> str:
    """The action in a line."""
    return f"Chronicles, extended: {ask.target} successes within {plural(ask.most_rolls, 'roll', 'rolls')}"


def extended_verdict(result: ExtendedResult) -> str:
    """The result in a line."""
    reached = "Done" if result.outcome == "success" else "Not done"
    return f"{reached}: {result.successes} of {result.target} successes in {plural(result.rolls, 'roll', 'rolls')}"


def extended_pool(ask: Extended) -> Iterator[Note]:
    """What the pool of every roll is made of."""
    yield Note(f"The pool is {format_total(ask.sources)}, the same for every roll.", "CD-13")
    if ask.dice >= 1:
        yield from quality_notes(ask.quality)


def tell_dice(faces: Faces, succeeds: frozenset[int], quality: Quality) -> Iterator[Die]:
    """Every die, wave by wave."""
    for wave, shown in enumerate(faces[0]):
        for face in shown:
            yield Die("d10", 10, face, _did(face, wave, face in succeeds, quality), face in succeeds, wave)


def _did(face: int, wave: int, success: bool, quality: Quality) -> str:
    if success:
        return "success, goes again" if face >= quality.again else "success"
    return "rerolled" if quality.rote and wave == 0 else ""


def tell_chance(faces: Faces) -> Iterator[Die]:
    """A chance die, with its reroll if it is rote."""
    for wave, (face,) in enumerate(faces[0]):
        rerolled = wave == 0 and len(faces[0]) > 1
        did = "rerolled" if rerolled else {10: "success", 1: "dramatic failure"}.get(face, "")
        yield Die(CHANCE, 10, face, did, face == 10, wave)


def quality_notes(quality: Quality) -> Iterator[Note]:
    """Which faces succeed, and which are rolled again."""
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
    """Why a chance die is rolled, and how it is read."""
    yield Note("The pool has come down below 1: a chance die is rolled.", "CD-4")
    if len(faces[0]) > 1:
        yield Note(f"Rote: the {faces[0][0][0]} is rolled once more.", "CD-8")
    yield Note("Only a 10 succeeds, and it is not rolled again; a 1 is a dramatic failure.", "CD-8")
