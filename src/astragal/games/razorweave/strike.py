"""A Strike: what the tier of a Check does to its target, and what follows (RW-8, RW-9)."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from astragal.author import Choice, Effect, Node, Option, Outcome, Prompt, Role, lazy
from astragal.games.razorweave import text
from astragal.games.razorweave.rules import cited, say
from astragal.games.razorweave.tiers import ticked, used_up

if TYPE_CHECKING:
    from astragal.games.razorweave.check import Check
    from astragal.games.razorweave.outcome import Result


class Blow(NamedTuple):
    """A tier's name as a Strike, the ticks on the target's Resolve Clock, and who chooses among what."""

    name: str
    ticks: int
    by: str = ""
    follow: tuple[str, ...] = ()


CONDITIONS = ("staggered", "bleeding", "disarmed")
MISS = ("threat", "position", "surroundings")
BLOWS = {
    "critical_success": Blow("devastating", 3, "player", (*CONDITIONS, "condition", "advance", "deny")),
    "full_success": Blow("clear", 2),
    "partial_success": Blow("glancing", 1, "gm", ("threat", "position")),
    "failure": Blow("miss", 0, "gm", MISS),
    "critical_failure": Blow(
        "disastrous_miss", 0, "gm", ("threat+position", "threat+surroundings", "position+surroundings", "major")
    ),
}
WHOSE: dict[str, Role] = {
    "advance": "roller",
    "deny": "target",
    "position": "target",
    "threat": "gm",
    "surroundings": "scene",
    "major": "scene",
}
MUST_SAY = ("condition", "major")
THREATS = "clocks:threat"
"""What a threat is chosen from, at a table (RW-9)."""


@cache
def narration() -> tuple[Prompt, ...]:
    """The GM is asked to tell what happens (RW-1)."""
    return (Prompt("gm", *cited("RW-1.ask")),)


def strike(ask: Check, result: Result) -> Node[Result]:
    """Tick the Resolve Clock, then let the one whose turn it is choose what follows (RW-8)."""
    blow = BLOWS[result.tier or ""]
    # Of the Clocks that the roll names, only the goal is ticked by tier; what threatens is said by RW-9.
    goal = tuple(tick._replace(when="fallen") for tick in ticked(ask.goal, None, result.tier))
    resolve = (Effect("resolve", "target", result.ticks or 0, ask.resolve or "", "RW-8", "fallen"),)
    fallen = (*(resolve if result.ticks else ()), *goal, *used_up(ask.prepared))
    if not blow.follow:
        return Outcome(result, fallen, lambda: text.check_notes(ask, result, goal), narration())
    options = {name: option_of(result, name) for name in blow.follow}
    question = say("RW-9.question", strike=say(f"blow.{blow.name}"))
    tell = partial(text.check_notes, ask, result, goal)
    return Choice("consequence", blow.by, question, options, result, tell=tell, effects=fallen)


def option_of(result: Result, name: str) -> Option[Result]:
    """A consequence as an option, with the words that it needs or allows."""
    threatens, needs = "threat" in name.split("+"), name in MUST_SAY
    said = f"say_{name}" if needs else "say_place" if not threatens else "say_clock" if name == "threat" else "say_both"
    label, detail = text.joined([say(f"button.{part}") for part in name.split("+")]), text.follows(name)
    then, names = lazy(follow, result, name), THREATS if threatens else ""
    if name in CONDITIONS:
        return Option(label, then, "RW-9", detail=say("RW-9.detail"))
    detail = detail[0].lower() + detail[1:]
    return Option(label, then, "RW-9", words=say(f"RW-9.{said}"), needs=needs, detail=detail, names=names)


def follow(result: Result, name: str, words: str = "") -> Node[Result]:
    """The Strike with its chosen consequence, and what each part of it does to the table (RW-9)."""
    result = result._replace(consequence=f"{name}: {words}" if words else name)
    parts = name.split("+")
    clock, _, place = (part.strip() for part in words.partition(";")) if "threat" in parts else ("", "", words)
    effects = tuple(effect_of(part, clock if part == "threat" else place) for part in parts)
    return Outcome(result, effects, lambda: text.follow_notes(result), narration())


def effect_of(part: str, words: str) -> Effect:
    """What one part of a consequence changes, and whose it is (RW-9); the words behind a threat name its Clock."""
    if part in CONDITIONS or part == "condition":
        return Effect("condition", "target", 1, words or part.capitalize(), "RW-9")
    return Effect(part, WHOSE[part], 1, words, "RW-9")
