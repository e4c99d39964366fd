"""Narraject in sentences: what each die did, what the result means, what changes on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.author import Die, Faces, Note, Prompt, Telling, Tone, Verdict, counted, format_sources, sources_of

if TYPE_CHECKING:
    from astragal.games.narraject.attempt import Attempt
    from astragal.games.narraject.pool import PoolSummary
    from astragal.games.narraject.result import Result

WORD = {"marks": "Mark", "hits": "Hit"}
"""What a die that counts is called, by edition (NJ-4)."""
DEGREES = {
    "success": "Success",
    "solid": "Solid success",
    "strong": "Strong success",
    "triumph": "Triumph",
    "near_miss": "Near miss",
    "clear_failure": "Clear failure",
    "catastrophic_failure": "Catastrophe",
    "partial_success": "Partial success",
}
TONES: dict[str, Tone] = {
    "triumph": "triumph",
    "strong": "good",
    "solid": "good",
    "success": "good",
    "partial_success": "mixed",
    "near_miss": "bad",
    "clear_failure": "bad",
    "catastrophic_failure": "disaster",
}
MEANS = {
    "success": "exactly what was needed",
    "triumph": "the player tells what happens",
    "strong": "the GM adds a benefit",
}
"""What a degree means besides, whoever rolls."""
DEGREE_RULES = {
    "near_miss": "NJ-9",
    "clear_failure": "NJ-9",
    "catastrophic_failure": "NJ-9",
    "partial_success": "NJ-13",
}
OFFER = "Offer a success at a cost"
SPENDS = {"reroll": "Reroll the Step Die", "add": "Throw one more d6", "partial": "Succeed at a cost"}
CANNOT_SUCCEED = "cannot succeed; only changes whose doing it was"
SUCCEEDS_ANYWAY = "succeeds anyway; only changes how well, and whose doing it was"
READINGS = {"highest": "As yourself: the Step Die is highest", "lowest": "Despite yourself: the Step Die is lowest"}
"""How the Step Die reads (NJ-10); a reroll would change it, so an open roll shows it too."""


def headline(ask: Attempt) -> str:
    """The roll in a line; the trait that gives the Step Die is the approach (NJ-3)."""
    step = f"a d{ask.step_die}{f' ({ask.approach[0]})' if ask.approach else ''}"
    pool = f"{ask.dice}d6 and {step}" if ask.dice else f"{step} alone"
    return f"Narraject ({ask.edition} edition): {pool} against Difficulty {ask.difficulty}"


def verdict(result: Result) -> Verdict:
    """The degree, how many dice counted of those needed, and what else the dice say."""
    word = WORD[result.edition]
    numbers = f"{counted(result.marks, word) if result.marks else f'no {word}s'}, {result.difficulty} needed"
    return Verdict(TONES[result.degree], DEGREES[result.degree], numbers, tuple(_besides(result)))


def _besides(result: Result) -> Iterator[str]:
    """What a verdict says besides its numbers."""
    if result.cost is not None:
        yield f"At a cost: {result.cost.removesuffix('.')}"
    if result.degree in ("triumph", "strong"):
        yield start(MEANS[result.degree])
    if result.position in READINGS:
        yield READINGS[result.position]
    if result.complications:
        yield f"{counted(result.complications, 'complication')} for the GM"


def degree(result: Result) -> str:
    """How well it went, in a sentence; an accepted offer says its cost (NJ-9)."""
    if result.cost is not None:
        return f"Partial success at a cost: {result.cost}"
    if result.degree == "partial_success":
        return "Partial success, bought with 3 IP"
    means = f": {MEANS[result.degree]}" if result.degree in MEANS else ""
    if result.degree == "near_miss" and result.side == "player":
        means = ": the GM may offer a partial success at a cost"
    return f"{DEGREES[result.degree]}{means}"


def start(text: str) -> str:
    """The text with a capital at its start."""
    return text[0].upper() + text[1:]


def held(ask: Attempt, ip: int) -> str:
    """The IP that may be spent (NJ-13, NJ-15). Everybody at a table reads it, so it speaks of nobody as you."""
    return f"{ip} IP held" if ask.side == "player" else f"The GM holds {ip} IP"


def offered(cost: str) -> str:
    """What the GM asks for, as the beginning of a question (NJ-9)."""
    return f"The GM offers a success at a cost: {cost.removesuffix('.')}"


def lapsed(label: str, cost: str) -> str:
    """What the log says of an answer that lets the GM's offer lapse."""
    return f"{label}; the offer lapses: {cost.removesuffix('.')}"


def pool(ask: Attempt) -> str:
    """The dice in a few words: "4d6 + d10"."""
    dice = [f"{ask.dice if ask.dice > 1 else ''}d6"] if ask.dice else []
    return " + ".join([*dice, f"d{ask.step_die}"])


def tell_pool(ask: Attempt, faces: Faces) -> Telling:
    """The dice of the pool, and what it is made of."""
    dice = [_die(ask, "d6", 6, face) for face in faces[0][0]] + _step_dice(ask, faces[1][0][0])
    return Telling(tuple(dice), tuple(_pool_notes(ask)))


def _pool_notes(ask: Attempt) -> Iterator[Note]:
    if ask.d6:
        yield Note(f"The pool has {ask.d6}d6: {format_sources(sources_of(ask.d6, 'in the pool'))}.", "NJ-2")
    if ask.help_dice:
        yield Note(
            f"Helpers add {ask.help_dice}d6: {format_sources(sources_of(ask.help_dice, 'from helpers'))}.", "NJ-5"
        )
    if not ask.dice:
        yield Note("There is no d6 in the pool: the Step Die is rolled alone.", "NJ-2")
    if ask.approach:
        name, level = ask.approach
        yield Note(f"The Step Die is a d{ask.step_die}: the approach is {name} ({level}).", "NJ-3")
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
    """What the dice come to, how the Step Die reads, and the complications."""
    count = counted(result.marks, WORD[ask.edition])
    yield Note(f"{count} against Difficulty {ask.difficulty}: {'success' if result.success else 'failure'}.", "NJ-7")
    rule = "NJ-9" if result.cost is not None else DEGREE_RULES.get(result.degree, "NJ-8")
    yield Note(f"{degree(result).removesuffix('.')}.", rule)
    moved = ask.side == "gm" and summary.position != "neither"
    yield Note(_position_sentence(summary, ask.side), "NJ-15" if moved else "NJ-10")
    yield from _complication_notes(summary, result)


def _complication_notes(summary: PoolSummary, result: Result) -> Iterator[Note]:
    if result.side == "gm":
        if result.degree in ("catastrophic_failure", "partial_success") or summary.step <= 2:
            yield Note("The GM rolls for a character of their own, so no complication is owed.", "NJ-15")
        return
    if result.degree == "catastrophic_failure":
        yield Note("Nothing counted at all, so the GM gets a free complication.", "NJ-9")
    if result.degree == "partial_success" and result.cost is None:
        yield Note("The GM adds a complication for the partial success.", "NJ-13")
    if summary.step <= 2:
        yield Note(f"The Step Die shows {summary.step}, so the GM gets a free complication.", "NJ-11")
    if result.complications > 1:
        yield Note(f"These stand side by side: {result.complications} complications.", "NJ-12")


def _position_sentence(summary: PoolSummary, side: str) -> str:
    shown = f"The Step Die's {summary.step}"
    if summary.position == "highest":
        gains = "the player gains 1 IP" if side == "player" else "the GM's purse gains 1 IP"
        return f"{shown} is higher than every d6, as yourself: {gains}."
    if summary.position == "lowest":
        gains = "the GM gains 1 IP" if side == "player" else "no IP moves, since the GM rolls"
        return f"{shown} is lower than every d6, despite yourself: {gains}."
    if not summary.highest:
        return f"{shown} has no d6 to compare with, so it is neither highest nor lowest: no IP moves."
    return f"{shown} is neither above nor below all the d6s: no IP moves."


TOLD = {
    "triumph": Prompt("player", "What impressive thing happens?", "NJ-8"),
    "strong": Prompt("gm", "What extra benefit does it bring?", "NJ-8"),
    "solid": Prompt("gm", "What does the success look like?", "NJ-8"),
    "success": Prompt("gm", "What does the success look like?", "NJ-8"),
    "partial_success": Prompt("gm", "What succeeds, and what goes wrong?", "NJ-13"),
    "near_miss": Prompt("gm", "What does the failure look like?", "NJ-9"),
    "clear_failure": Prompt("gm", "What does the failure look like?", "NJ-9"),
    "catastrophic_failure": Prompt("gm", "What does the catastrophe look like?", "NJ-9"),
}
"""Who tells what a degree comes to; an accepted offer has said its cost already."""


def prompts(result: Result) -> Iterator[Prompt]:
    """Who is asked to describe what: the degree (NJ-8, NJ-9, NJ-13) and what the Step Die says (NJ-10)."""
    if result.cost is None:
        yield TOLD[result.degree]
    if result.position == "highest":
        yield Prompt("player", "As yourself: how did what you are good at matter?", "NJ-10")
    if result.position == "lowest":
        yield Prompt("gm", "Despite yourself: what unexpected thing comes up?", "NJ-10")
