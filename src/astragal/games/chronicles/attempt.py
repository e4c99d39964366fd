"""A Chronicles roll of one character, with helpers and earlier tries (CD-1 to CD-12)."""

from __future__ import annotations

from typing import NamedTuple

from astragal.author import MAX_DICE, Choice, Effect, Node, Outcome, Pool, Source, lazy, whole, words
from astragal.games.chronicles import text
from astragal.games.chronicles.dice import pool_of
from astragal.games.chronicles.rules import TEXTS, say
from astragal.games.chronicles.team import (
    OutcomeName,
    TeamAsk,
    TeamCount,
    TeamRoll,
    another_condition,
    beat_for,
    beat_options,
    condition_for,
    roll_team,
    what_happens,
)


class Attempt(TeamAsk, texts=TEXTS.of("attempt")):
    """An action of one character, others helping perhaps."""

    tries: int = whole(0, MAX_DICE, default=0, rule="CD-11")
    task: str | None = words(default=None, rule="CD-11", told="{}")

    @property
    def dice(self) -> int:
        return super().dice - self.tries

    @property
    def sources(self) -> list[Source]:
        tries = [Source(say("source.tries"), -self.tries)] if self.tries else []
        return super().sources + tries


class Result(NamedTuple):
    """What a roll gave; ``rolled`` are the successes on the dice, ``successes`` those with the extra ones."""

    pool: int
    chance_die: bool
    rolled: int
    successes: int
    outcome: OutcomeName
    beat: bool
    condition: str | None
    from_helpers: int
    helper_beats: int = 0
    helper_dramatic: int = 0

    @property
    def beats(self) -> int:
        """The leader's Beat and those of the helpers."""
        return self.beat + self.helper_beats


def dice_of(ask: TeamAsk) -> tuple[Pool, ...]:
    """The dice that the leader throws, before any help."""
    return (pool_of(ask.dice, ask.quality),)


def attempt(ask: Attempt) -> Node[Result]:
    """Helpers roll first (CD-12), then the leader."""
    return roll_team(TeamRoll(ask.team, ask.dice, ask.quality, settle, text.attempt_pool_notes, (ask,)))


def settle(ask: Attempt, rolled: TeamCount) -> Node[Result]:
    """The outcome (CD-9, CD-10); a plain failure may be made dramatic for a Beat."""
    counted, pool, help = rolled
    outcome = rolled.outcome
    boon = ask.boon if outcome == "exceptional_success" else None
    successes = rolled.successes(ask.extra)
    result = Result(pool, pool < 1, counted.rolled, successes, outcome, False, boon, *help)
    tried = (Effect("done" if result.rolled else "try", "roller", 1, ask.task, "CD-11", "fallen"),) if ask.task else ()
    if boon and ask.has_boon:
        none = result._replace(condition=None)
        choice = another_condition(boon, lazy(settled, ask, none), lazy(named, ask, none), none)
        return choice._replace(effects=tried)
    if outcome != "failure":
        return settled(ask, result, tried)
    dramatic = result._replace(outcome="dramatic_failure", beat=True)
    options = beat_options(lazy(settled, ask, result), lazy(settled, ask, dramatic))
    return Choice("beat", "player", say("CD-10.question"), options, result, "keep", effects=tried)


def named(ask: Attempt, result: Result, condition: str) -> Node[Result]:
    """The player has named another Condition."""
    return settled(ask, result._replace(condition=condition))


def settled(ask: Attempt, result: Result, effects: tuple[Effect, ...] = ()) -> Node[Result]:
    """The outcome, with what has not happened yet: a Beat, a Condition (CD-10), a try that counts (CD-11)."""
    if result.condition:
        effects = (condition_for("roller", result.condition), *effects)
    if result.beat:
        effects = (beat_for("roller"), *effects)
    return Outcome(result, effects, tell=lambda: text.attempt_notes(ask, result), prompts=what_happens())
