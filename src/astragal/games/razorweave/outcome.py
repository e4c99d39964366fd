"""The outcome of a Check: its tier and effects, or the GM's word where nothing is rolled (RW-1, RW-5 to RW-13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.author import Choice, Effect, Fields, Node, Option, Outcome, Reach, field, lazy
from astragal.games.razorweave import text
from astragal.games.razorweave.rules import say
from astragal.games.razorweave.strike import BLOWS, narration, strike
from astragal.games.razorweave.tiers import FAILED, name_of, ticked, used_up

if TYPE_CHECKING:
    from astragal.games.razorweave.check import Check

SET_UP = {"critical_success": 2, "full_success": 1}
"""The Edge that a Set Up gives by tier (RW-4, RW-12)."""


class Result(Fields):
    """The result of a Check. ``kept`` is the sum of the kept dice; ``ticks`` and ``blow`` are a Strike's.

    Where no Check is needed there are no dice, and ``answer`` is the GM's, with ``words`` if there are any (RW-1).
    """

    def __init__(self, ask: Check, dice: Reach | None) -> None:
        self.ask = ask
        self.dice = dice

    @field
    def net(self) -> int:
        """Edge less Burden (RW-4)."""
        return self.ask.net if self.dice else 0

    @field
    def dc(self) -> int | None:
        """The DC, after the scene has moved it (RW-3)."""
        return self.ask.target if self.dice else None

    @field
    def dc_name(self) -> str | None:
        """The name of its step (RW-2)."""
        return name_of(self.ask.target) if self.dice else None

    @field
    def kept(self) -> int | None:
        """The sum of the kept dice (RW-4)."""
        return self.dice.total if self.dice else None

    @field
    def result(self) -> int | None:
        """The kept dice and all that is added to them (RW-5)."""
        return self.dice.total + self.ask.added if self.dice else None

    @field
    def margin(self) -> int | None:
        """The result above the DC (RW-5)."""
        return self.dice.total + self.ask.added - self.ask.target if self.dice else None

    @field
    def tier(self) -> str | None:
        """The tier by margin (RW-6); dice that all show 1 fail critically whatever it is (RW-7)."""
        return self.dice.word if self.dice else None

    @field
    def ticks(self) -> int | None:
        """Ticks on the target's Resolve Clock, if it is a Strike (RW-8)."""
        return BLOWS[self.dice.word].ticks if self.dice and self.ask.strike else None

    @field
    def blow(self) -> str | None:
        """The kind of blow (RW-8)."""
        return BLOWS[self.dice.word].name if self.dice and self.ask.strike else None

    consequence: str | None = None
    answer: str | None = None
    words: str | None = None

    @field
    def cut(self) -> int:
        """What the cap cut off: Edge if it is positive, Burden if negative (RW-4)."""
        return self.ask.uncapped - self.ask.net if self.dice else 0


def settle(ask: Check, reach: Reach) -> Node[Result]:
    """The result with its effects (RW-11 to RW-13); a Strike continues from there (RW-8)."""
    result = Result(ask, reach)
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
    result = Result(ask, None)
    may_say, options = say("RW-1.may_say"), {}
    for answer in ("yes", "no"):
        then = lazy(answered, ask, result._replace(answer=answer))
        options[answer] = Option(say(f"RW-1.{answer}"), then, "RW-1", words=may_say, needs=False)
    return Choice("answer", "gm", say("RW-1.question"), options, result)


def answered(ask: Check, result: Result, words: str = "") -> Node[Result]:
    """The outcome of a Check that needs no roll."""
    result = result._replace(words=words or None)
    return Outcome(result, tell=lambda: text.check_notes(ask, result))
