"""What a Check comes to: its tier and effects, or the GM's word where nothing is rolled (RW-1, RW-5 to RW-13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.author import Choice, Effect, Kept, Node, Option, Outcome, lazy
from astragal.games.razorweave import text
from astragal.games.razorweave.edge import CAP
from astragal.games.razorweave.result import Result
from astragal.games.razorweave.rules import say
from astragal.games.razorweave.strike import narration, strike
from astragal.games.razorweave.tiers import FAILED, name_of, ticked, tier_of, used_up

if TYPE_CHECKING:
    from astragal.games.razorweave.check import Check

SET_UP = {"critical_success": 2, "full_success": 1}
"""The Edge that a Set Up gives by tier (RW-4, RW-12)."""


def settle(ask: Check, net: int, kept: Kept) -> Node[Result]:
    """Result, margin and tier (RW-5 to RW-7); a Strike goes on from there (RW-8)."""
    total = kept.total + ask.added
    dc = ask.target
    margin = total - dc
    result = Result(net, dc, name_of(dc), kept.total, total, margin, tier_of(margin, kept.every))
    if net in (CAP, -CAP) and ask.uncapped != net:
        result = result._replace(cut=ask.uncapped - net)
    if ask.strike:
        return strike(ask, result)
    ticks = ticked(ask.goal, ask.threat, result.tier) if ask.goal or ask.threat else ()
    effects: tuple[Effect, ...] = ticks
    if ask.intent or ask.again or ask.prepared or ask.set_up:
        effects = (*ticks, *tried(ask, result.tier), *setting_up(ask, result.tier))
    return Outcome(result, effects, lambda: text.check_notes(ask, result, ticks), narration())


def setting_up(ask: Check, tier: str | None) -> Iterator[Effect]:
    """What was set up is used up; a success sets up the one who is named, a critical one greatly (RW-12)."""
    yield from used_up(ask.prepared)
    if ask.set_up and tier in SET_UP:
        yield Effect("set_up", "scene", SET_UP[tier], ask.set_up, "RW-12")


def tried(ask: Check, tier: str | None) -> Iterator[Effect]:
    """What fails is remembered for a retry, and forgotten once it succeeds (RW-13)."""
    intent = ask.intent or ask.again
    if intent:
        yield Effect("tried", "roller", 1 if tier in FAILED else -1, intent, "RW-13")


def no_roll(ask: Check) -> Node[Result]:
    """Nothing is rolled, and the GM answers yes or no, with words if they like (RW-1)."""
    result = Result(0, None, None, None, None, None, None)
    may_say, options = say("RW-1.may_say"), {}
    for answer in ("yes", "no"):
        then = lazy(answered, ask, result._replace(answer=answer))
        options[answer] = Option(say(f"RW-1.{answer}"), then, "RW-1", words=may_say, needs=False)
    return Choice("answer", "gm", say("RW-1.question"), options, result)


def answered(ask: Check, result: Result, words: str = "") -> Node[Result]:
    """The outcome of a Check that needs no roll."""
    result = result._replace(words=words or None)
    return Outcome(result, tell=lambda: text.check_notes(ask, result))
