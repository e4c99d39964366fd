"""A Chronicles roll of one character, with helpers and earlier tries (CD-1 to CD-12)."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from astragal.author import MAX_DICE, Effect, Node, Outcome, Pool, Source, lazy, whole, words
from astragal.games.chronicles import text
from astragal.games.chronicles.after import after_dice, beat_for, condition_for, what_happens
from astragal.games.chronicles.dice import pool_of
from astragal.games.chronicles.rules import TEXTS, say
from astragal.games.chronicles.team import (
    OutcomeName,
    TeamAsk,
    TeamCount,
    TeamRoll,
    roll_team,
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
    """The result of a roll; ``rolled`` are the successes on the dice, ``successes`` those with the extra ones."""

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
    """A try that counts (CD-11), and what the dice leave to answer (CD-10)."""
    tried = "done" if rolled.counted.rolled else "try"
    fallen = (Effect(tried, "roller", 1, ask.task, "CD-11", "fallen"),) if ask.task else ()
    so_far, then, question = partial(result_of, ask, rolled), lazy(settled, ask, rolled), partial(say, "CD-10.question")
    return after_dice(ask, rolled.outcome, then, so_far, question, fallen=fallen)


def result_of(ask: Attempt, rolled: TeamCount, beat: bool = False, condition: str | None = None) -> Result:
    """The result of a roll; for a Beat, a failure is dramatic."""
    counted, pool, help = rolled
    outcome: OutcomeName = "dramatic_failure" if beat else rolled.outcome
    return Result(pool, pool < 1, counted.rolled, rolled.successes(ask.extra), outcome, beat, condition, *help)


def settled(ask: Attempt, rolled: TeamCount, beat: bool, condition: str | None = None) -> Node[Result]:
    """The outcome, with a Beat or a Condition (CD-10)."""
    result = result_of(ask, rolled, beat, condition)
    effects = (beat_for("roller"),) if beat else (condition_for("roller", condition),) if condition else ()
    return Outcome(result, effects, tell=lambda: text.attempt_notes(ask, result), prompts=what_happens())
