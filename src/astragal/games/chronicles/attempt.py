"""A Chronicles roll, with helpers and earlier tries (CD-1 to CD-12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from astragal.author import (
    MAX_DICE,
    Choice,
    Effect,
    Illegal,
    Node,
    Note,
    Option,
    Outcome,
    Source,
    lazy,
    summed,
    whole,
    words,
)
from astragal.games.chronicles import text
from astragal.games.chronicles.pool import Count, PoolAsk, throw_pool

MAX_HELPERS = 50
EXCEPTIONAL = 5
DRAMATIC_HELPER = -4


class Attempt(PoolAsk):
    """An action of one character, others helping perhaps."""

    tries: int = whole(0, MAX_DICE, "earlier tries under pressure, one die fewer for each", default=0, rule="CD-11")
    task: str | None = words("what is tried, so that a table counts the tries", default=None, rule="CD-11", told="{}")
    helpers: int = whole(0, MAX_HELPERS, "assistants, who roll first", default=0, rule="CD-12")
    helper_pool: int | None = summed(
        -MAX_DICE, MAX_DICE, "dice of each assistant, if not those of the action", default=None, rule="CD-12"
    )
    boon: str = words("the Condition that an exceptional success gives", default="Inspired", rule="CD-10")

    def check(self) -> None:
        """Refuse helpers that the rules do not allow."""
        super().check()
        if self.helper_pool is not None and not self.helpers:
            raise Illegal("A helper-pool is given and no helpers; say how many help.", "CD-12")
        if self.helpers:
            self._refuse_crowd()

    def _refuse_crowd(self) -> None:
        thrown = max(self.dice, 1) + self.helpers * max(self.helpers_dice, 1)
        if thrown > MAX_DICE:
            raise Illegal(f"Leader and helpers come to {thrown:,} dice; at most {MAX_DICE:,} are rolled.")

    @property
    def dice(self) -> int:
        """The pool after earlier tries, which each take a die."""
        return super().dice - self.tries

    @property
    def sources(self) -> list[Source]:
        """What the pool is made of, earlier tries included."""
        tries = [Source("earlier tries", -self.tries)] if self.tries else []
        return super().sources + tries

    @property
    def helpers_dice(self) -> int:
        """Assistants roll the pool of the action unless another is named (CD-12)."""
        return self.dice if self.helper_pool is None else int(self.helper_pool)


class Result(NamedTuple):
    """What a roll gave; ``rolled`` are the successes on the dice, ``successes`` those with the extra ones."""

    pool: int
    chance_die: bool
    rolled: int
    successes: int
    outcome: str
    beat: bool
    condition: str | None
    from_helpers: int


def attempt(ask: Attempt) -> Node[Result]:
    """Helpers roll first (CD-12), then the leader."""
    return teamwork(ask, 1, 0)


def teamwork(ask: Attempt, helper: int, dice: int) -> Node[Result]:
    """Each success of a helper is a die for the leader; each dramatic failure takes four away (CD-12)."""
    if helper > ask.helpers:
        return lead(ask, dice)
    return throw_pool(
        ask.helpers_dice,
        ask.quality,
        then=lambda count: lazy(teamwork, ask, helper + 1, dice + help_of(count)),
        notes=(Note(f"Helper {helper} rolls {text.dice_count(ask.helpers_dice)}.", "CD-12"),),
        title=f"Helper {helper}",
        by=f"helper {helper}",
    )


def help_of(count: Count) -> int:
    """Dice that a helper's roll gives the leader."""
    return DRAMATIC_HELPER if count.dramatic else count.rolled


def lead(ask: Attempt, from_helpers: int) -> Node[Result]:
    """The leader's roll, with what the helpers gave."""
    pool = ask.dice + from_helpers
    return throw_pool(
        pool,
        ask.quality,
        then=lambda count: settle(ask, pool, from_helpers, count),
        notes=tuple(text.attempt_pool(ask, pool, from_helpers)),
        title="Leader" if ask.helpers else "",
        enough=EXCEPTIONAL,
    )


def settle(ask: Attempt, pool: int, from_helpers: int, count: Count) -> Node[Result]:
    """The outcome (CD-9, CD-10); a plain failure may be made dramatic for a Beat."""
    successes = count.rolled + ask.extra if count.rolled else 0
    outcome = outcome_of(count)
    boon = ask.boon if outcome == "exceptional_success" else None
    result = Result(pool, pool < 1, count.rolled, successes, outcome, False, boon, from_helpers)
    if outcome != "failure":
        return settled(ask, result)
    return Choice(
        "beat",
        "player",
        "Take a Beat and make the failure dramatic?",
        {
            "keep": Option("Keep the failure", lazy(settled, ask, result), "CD-10"),
            "take": Option(
                "Take a Beat for a dramatic failure",
                lazy(settled, ask, result._replace(outcome="dramatic_failure", beat=True)),
                "CD-10",
            ),
        },
        result,
        "keep",
    )


def outcome_of(count: Count) -> str:
    """By the successes rolled; extra ones do not make a roll exceptional (CD-10)."""
    if count.dramatic:
        return "dramatic_failure"
    if count.rolled >= EXCEPTIONAL:
        return "exceptional_success"
    return "success" if count.rolled else "failure"


def settled(ask: Attempt, result: Result) -> Node[Result]:
    """The outcome, with its effects and notes."""
    return Outcome(result, tuple(effects(ask, result)), tell=lambda: text.attempt_notes(ask, result))


def effects(ask: Attempt, result: Result) -> Iterator[Effect]:
    """A Beat and a Condition for the character (CD-10); a try more, or a task that is done (CD-11)."""
    if result.beat:
        yield Effect("beat", "roller", 1, rule="CD-10")
    if result.condition:
        yield Effect("condition", "roller", 1, result.condition, "CD-10")
    if ask.task:
        yield Effect("done" if result.rolled else "try", "roller", 1, ask.task, "CD-11")
