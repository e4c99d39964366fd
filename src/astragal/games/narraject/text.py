"""Narraject in sentences: what each die did, what the result means, what changes on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.author import Dice, Die, Faces, Note, Prompt, Telling, Tone, Verdict, format_sources, sources_of
from astragal.games.narraject.pool import TROUBLE
from astragal.games.narraject.rules import cited, note, noted, said, say

if TYPE_CHECKING:
    from astragal.games.narraject.attempt import Attempt
    from astragal.games.narraject.pool import PoolSummary
    from astragal.games.narraject.result import Result

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
DEGREE_RULES = {
    "near_miss": "NJ-9",
    "clear_failure": "NJ-9",
    "catastrophic_failure": "NJ-9",
    "partial_success": "NJ-13",
}
"""The rules of degrees, but for those of a plain success (NJ-8)."""


def attempt_headline(ask: Attempt) -> str:
    """The roll in a line; the trait that gives the Step Die is the approach (NJ-3)."""
    sides, trait = ask.step_die, ask.approach
    step = say("headline.trait", sides=sides, trait=trait[0]) if trait else say("headline.step", sides=sides)
    pool = say("headline.pool", dice=ask.dice, step=step) if ask.dice else say("headline.alone", step=step)
    return say("headline.whole", edition=ask.edition, pool=pool, difficulty=ask.difficulty)


def attempt_verdict(result: Result) -> Verdict:
    """The degree, how many dice counted of those needed, and what else the dice say."""
    count = say(f"{result.edition}.count", n=result.marks) if result.marks else say(f"{result.edition}.none")
    numbers = say("headline.needed", count=count, difficulty=result.difficulty)
    gains = (
        *said(result.cost is not None, "NJ-9.cost_gain", cost=result.cost),
        *said(result.degree in ("triumph", "strong"), f"NJ-8.{result.degree}_gain"),
        *said(result.position != "neither", f"NJ-10.{result.position}_gain"),
        *said(result.complications, "NJ-12.gain", n=result.complications),
    )
    return Verdict(TONES[result.degree], say(f"degree.{result.degree}"), numbers, gains)


def attempt_pool(ask: Attempt) -> str:
    """The dice in a few words: "4d6 + d10"."""
    dice = [f"{ask.dice if ask.dice > 1 else ''}d6"] if ask.dice else []
    return " + ".join([*dice, f"d{ask.step_die}"])


def tell_pool(ask: Attempt, faces: Faces) -> Telling:
    """The dice of the pool, and what it is made of."""
    dice = [_die(ask, die, face) for die, waves in zip(ask.pool, faces, strict=True) for face in waves[0]]
    name, level = ask.approach or ("", "")
    notes = (
        *noted(ask.d6, "NJ-2.pool", n=ask.d6, sources=_named(ask.d6, "NJ-2.unnamed")),
        *noted(ask.help_dice, "NJ-5.help", n=ask.help_dice, sources=_named(ask.help_dice, "NJ-5.unnamed")),
        *noted(not ask.dice, "NJ-2.alone"),
        note("NJ-3.approach" if name else "NJ-3.step", sides=ask.step_die, name=name, level=level),
        note(f"NJ-4.{ask.edition}"),
    )
    return Telling(tuple(dice), notes)


def _named(dice: int, unnamed: str) -> str:
    return format_sources(sources_of(dice, say(unnamed)))


def tell_bought(ask: Attempt, die: Dice, spend: str, faces: Faces) -> Telling:
    """The Step Die after a reroll, or the d6 that was added to the pool."""
    face = faces[0][0][0]
    return Telling((_die(ask, die, face),), (note(f"NJ-13.{spend}", face=face),))


def _die(ask: Attempt, die: Dice, face: int) -> Die:
    counts = face in ask.counting
    return Die(die.name, die.sides, face, say(f"{ask.edition}.one") if counts else "", counts)


def tell_result(ask: Attempt, summary: PoolSummary, result: Result) -> Iterator[Note]:
    """The result of the dice, the reading of the Step Die, and the complications."""
    count = say(f"{ask.edition}.count", n=result.marks)
    yield note(f"NJ-7.{'success' if result.success else 'failure'}", count=count, difficulty=ask.difficulty)
    yield _degree(result)
    stands = summary.place if summary.highest else "alone"
    rule = "NJ-15" if ask.side == "gm" and summary.place != "neither" else "NJ-10"
    yield note(f"{rule}.step_{stands}", step=summary.single)
    yield from _complication_notes(summary, result)


def _degree(result: Result) -> Note:
    """How well it went, in a sentence; an accepted offer says its cost, and only players get offers (NJ-9)."""
    if result.cost is not None:
        return note("NJ-9.is_partial", cost=result.cost)
    if result.degree == "near_miss" and result.side == "gm":
        return note("NJ-9.is_miss")
    return note(f"{DEGREE_RULES.get(result.degree, 'NJ-8')}.is_{result.degree}")


def _complication_notes(summary: PoolSummary, result: Result) -> tuple[Note, ...]:
    """What brings the GM a complication (NJ-9, NJ-11 to NJ-13); a GM who rolls is owed none (NJ-15)."""
    disaster, bought = result.degree == "catastrophic_failure", result.degree == "partial_success"
    if result.side == "gm":
        return noted(disaster or bought or summary.single <= TROUBLE, "NJ-15.complication")
    return (
        *noted(disaster, "NJ-9.complication"),
        *noted(bought and result.cost is None, "NJ-13.complication"),
        *noted(summary.single <= TROUBLE, "NJ-11.complication", step=summary.single),
        *noted(result.complications > 1, "NJ-12.several", n=result.complications),
    )


def prompts(result: Result) -> Iterator[Prompt]:
    """Who is asked to describe what: the degree (NJ-8, NJ-9, NJ-13) and what the Step Die says (NJ-10)."""
    if result.cost is None:
        rule = DEGREE_RULES.get(result.degree, "NJ-8")
        yield Prompt("player" if result.degree == "triumph" else "gm", *cited(f"{rule}.ask_{result.degree}"))
    if result.position != "neither":
        yield Prompt("player" if result.position == "highest" else "gm", *cited(f"NJ-10.ask_{result.position}"))
