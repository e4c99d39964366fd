"""Narraject in sentences: what each die did, what the result means, what changes on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.author import Die, Faces, Note, Prompt, Telling, format_sources, sources_of

if TYPE_CHECKING:
    from astragal.games.narraject.attempt import Attempt, PoolSummary, Result

WORD = {"marks": "Mark", "hits": "Hit"}
"""What a die that counts is called, by edition (NJ-4)."""
DEGREES = {
    "success": "Success: exactly what was needed",
    "solid": "Solid success",
    "strong": "Strong success",
    "triumph": "Triumph: the player narrates",
    "near_miss": "Near miss: the GM may offer a partial success at a cost",
    "clear_failure": "Clear failure",
    "catastrophic_failure": "Catastrophic failure",
    "partial_success": "Partial success, bought with 3 IP",
}
DEGREE_RULES = {
    "near_miss": "NJ-9",
    "clear_failure": "NJ-9",
    "catastrophic_failure": "NJ-9",
    "partial_success": "NJ-13",
}


def headline(ask: Attempt) -> str:
    """The roll in a line."""
    pool = f"{ask.d6 + ask.help_dice}d6 and a d{ask.step_die}"
    return f"Narraject ({ask.edition} edition): {pool} against Difficulty {ask.difficulty}"


def verdict(result: Result) -> str:
    """The result in a line."""
    return f"{DEGREES[result.degree]} ({result.marks} against {result.difficulty})"


def tell_pool(ask: Attempt, faces: Faces) -> Telling:
    """The dice of the pool, and what it is made of."""
    dice = [_die(ask, "d6", 6, face) for face in faces[0][0]] + _step_dice(ask, faces[1][0][0])
    return Telling(tuple(dice), tuple(_pool_notes(ask)))


def _pool_notes(ask: Attempt) -> Iterator[Note]:
    yield Note(f"The pool has {ask.d6}d6: {format_sources(sources_of(ask.d6, 'in the pool'))}.", "NJ-2")
    if ask.help_dice:
        yield Note(
            f"Helpers add {ask.help_dice}d6: {format_sources(sources_of(ask.help_dice, 'from helpers'))}.", "NJ-5"
        )
    if ask.trait:
        best = max(ask.trait, key=lambda trait: ("untrained", "trained", "expert", "master").index(trait[1]))
        yield Note(f"The Step Die is a d{ask.step_die}, from {best[0]} ({best[1]}).", "NJ-3")
    else:
        yield Note(f"The Step Die is a d{ask.step_die}.", "NJ-3")
    counts = "5 or more" if ask.edition == "marks" else "exactly 5 or 6"
    yield Note(f"In the {ask.edition} edition a die that shows {counts} is a {WORD[ask.edition]}.", "NJ-4")


def tell_reroll(ask: Attempt, faces: Faces) -> Telling:
    """The Step Die after a reroll."""
    face = faces[0][0][0]
    return Telling(tuple(_step_dice(ask, face)), (Note(f"The Step Die now shows {face}.", "NJ-13"),))


def tell_added(ask: Attempt, faces: Faces) -> Telling:
    """The d6 that was added to the pool."""
    face = faces[0][0][0]
    return Telling((_die(ask, "d6", 6, face),), (Note(f"The d6 added to the pool shows {face}.", "NJ-13"),))


def _step_dice(ask: Attempt, face: int) -> list[Die]:
    return [_die(ask, "Step Die", ask.step_die, face)]


def _die(ask: Attempt, name: str, sides: int, face: int) -> Die:
    counts = face in ask.counting
    return Die(name, sides, face, WORD[ask.edition] if counts else "", counts)


def tell_result(ask: Attempt, summary: PoolSummary, result: Result) -> Iterator[Note]:
    """What the roll came to, and why."""
    word = WORD[ask.edition]
    count = f"{result.marks} {word}{'' if result.marks == 1 else 's'}"
    yield Note(f"{count} against Difficulty {ask.difficulty}: {'success' if result.success else 'failure'}.", "NJ-7")
    yield Note(f"{DEGREES[result.degree]}.", DEGREE_RULES.get(result.degree, "NJ-8"))
    yield Note(_position_sentence(summary), "NJ-10")
    if result.degree == "catastrophic_failure":
        yield Note("Nothing counted at all, so the GM gets a free complication.", "NJ-9")
    if result.degree == "partial_success":
        yield Note("The GM adds a complication for the partial success.", "NJ-13")
    if summary.step <= 2:
        yield Note(f"The Step Die shows {summary.step}, so the GM gets a free complication.", "NJ-11")
    if result.complications > 1:
        yield Note(f"These stand side by side: {result.complications} complications.", "NJ-12")


def _position_sentence(summary: PoolSummary) -> str:
    if summary.position == "highest":
        return f"The Step Die's {summary.step} is higher than every d6: the player gains 1 IP."
    if summary.position == "lowest":
        return f"The Step Die's {summary.step} is lower than every d6: the GM gains 1 IP."
    return f"The Step Die's {summary.step} is neither above nor below all the d6s: no IP moves."


def prompts(result: Result) -> Iterator[Prompt]:
    """Who is asked to describe what: great successes (NJ-8) and what the Step Die says (NJ-10)."""
    if result.degree == "triumph":
        yield Prompt("player", "What impressive thing happens?", "NJ-8")
    if result.degree == "strong":
        yield Prompt("gm", "What extra benefit does it bring?", "NJ-8")
    if result.position == "highest":
        yield Prompt("player", "As yourself: how did what you are good at matter?", "NJ-10")
    if result.position == "lowest":
        yield Prompt("gm", "Despite yourself: what unexpected thing comes up?", "NJ-10")
