"""Questions about Chronicles' results: facts and wishes (CD-10, CD-12, CD-13)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from astragal.author import (
    Beyond,
    Distribution,
    Fact,
    Mixed,
    OpenRoll,
    Outcome,
    Own,
    Policy,
    Repeated,
    Wish,
    count_law,
    facts,
    versus,
)
from astragal.games.chronicles.attempt import Attempt, Result
from astragal.games.chronicles.contested import Contested, ContestedResult
from astragal.games.chronicles.dice import AGAIN, Quality
from astragal.games.chronicles.extended import Extended, ExtendedResult
from astragal.games.chronicles.team import EXCEPTIONAL, Helper, TeamAsk, TeamRoll, roll_team
from astragal.games.chronicles.text import CONTESTS, TASKS, TONES

NEVER = Policy()
NO_MARKS, BEATS, WEIGHED = (0, 0), (1, 0), (1, -2)
"""The value of each Beat and each dramatic failure of a helper (CD-10, CD-12)."""


def _keep(roll: OpenRoll) -> None:
    """Helpers keep their failures: lost dice do not help to succeed (CD-12)."""


def _take(roll: OpenRoll) -> str:
    """Helpers take a Beat for every failure: with fewer dice the leader fails more often, and may take one too."""
    return "take"


def _rolled(ask: TeamAsk, own: Own = _keep) -> Mixed:
    """The successes on a leader's dice, with those who help."""
    if not ask.team and ask.dice >= 1:
        return ONE_DIE[ask.quality].repeated(ask.dice)
    return _law(ask.team, ask.dice, ask.quality, own)


def _law(team: tuple[Helper, ...], dice: int, quality: Quality, own: Own = _keep) -> Mixed:
    roll = TeamRoll(team, dice, quality, lambda rolled: Outcome(rolled.counted.rolled), lambda *about: (), ())
    return count_law(roll_team(roll), own)


ONE_DIE = {(again, rote): _law((), 1, Quality(again, rote)) for again in AGAIN.values() for rote in (False, True)}
"""The odds of a single die; a pool without helpers repeats them."""


def successes(ask: Attempt, up_to: int) -> Distribution[Any]:
    """Successes with the extra ones, which come only with a success rolled (CD-9)."""
    return _rolled(ask).raised(ask.extra).odds(up_to)


def winner(ask: Contested, up_to: int, policy: Policy = NEVER) -> Distribution[str]:
    """The side with more successes (CD-13); with a wish for Beats, helpers take them."""
    wish = policy.wish.name if policy.wish else ""
    ours, theirs = ask.our_side, ask.their_side
    mine = _rolled(ours, _take if wish == "beat" else _keep).raised(ours.extra)
    other = _rolled(theirs, _take if wish == "their-beat" else _keep).raised(theirs.extra)
    return versus(mine, other)


def rolls_needed(ask: Extended, up_to: int, policy: Policy = NEVER) -> Any:
    """After how many rolls the target is reached; beyond the last roll it is not reached at all (CD-13)."""
    task = _task(ask, policy)
    return task and task.rolls(ask.made)


def reached(ask: Extended, up_to: int, policy: Policy = NEVER) -> Any:
    """Whether the target is reached at all; after one roll of several, a task may be unfinished."""
    task, missed = _task(ask, policy), "unfinished" if ask.one_roll and ask.rolls_left > 1 else "failure"
    return task and task.reached("success", missed)


NEVER_GIVEN_UP: dict[str, Own] = {"": _keep, "done": _keep, "beat": _take}
"""What helpers answer, by wishes for which a task is never given up; by others, the whole tree is looked at."""


def _task(ask: Extended, policy: Policy) -> Repeated | None:
    own = NEVER_GIVEN_UP.get(policy.wish.name if policy.wish else "")
    rolls = 1 if ask.one_roll else ask.rolls_left
    return own and Repeated(_rolled(ask, own), ask.target - ask.gathered, rolls, ask.extra)


WEIGHTS = {"exceptional_success": 2, "success": 1, "failure": 0, "dramatic_failure": -2}
"""The value of an outcome for the wish ``weighed``."""


def _weighed(result: Result) -> int:
    """A Beat against the dramatic failure that it is for, the leader's or a helper's (CD-10, CD-12)."""
    return WEIGHTS[result.outcome] + result.beats - 2 * result.helper_dramatic


def _weighed_task(result: ExtendedResult) -> int:
    return 2 * (result.outcome == "success") + result.beats - 2 * (result.dramatic + result.botched)


def _weighed_contest(side: str, result: ContestedResult) -> int:
    """A win against what the side's own leader pays for it: helpers are left aside."""
    own = result.our_side if side == "ours" else result.their_side
    return 2 * (result.winner == side) + own.beat - 2 * (own.outcome == "dramatic_failure")


def _rolls(result: ExtendedResult) -> Any:
    """Beyond the last roll; a task that is given up is not done in those that it had left either."""
    left = result.rolls_left if result.outcome == "given_up" else 0
    return result.rolls if result.outcome == "success" else Beyond(result.rolls + left)


FACTS = {
    "attempt": {
        **facts(Result, "outcome", tones=TONES, marked=False),
        **facts(Result, "successes", closed=successes, endless=True, tallies=True, marked=False),
        **facts(Result, "beats"),
    },
    "extended": {
        "outcome": Fact(
            of=lambda result: result.outcome,
            domain=lambda ask: ("success", "unfinished", "failure") if ask.one_roll else ("success", "failure"),
            closed=reached,
            planned=reached,
            tones=TASKS,
            marked=False,
        ),
        "rolls": Fact(of=_rolls, closed=rolls_needed, planned=rolls_needed, marked=False),
    },
    "contested": facts(ContestedResult, "winner", closed=winner, planned=winner, tones=CONTESTS, marked=False),
}


def _wish(name: str, worth: Callable[[Any], int], marks: tuple[int, int] = NO_MARKS, **more: Any) -> Wish:
    return Wish(name, worth=worth, marks=marks, **more)


ASKED: dict[str, Any] = {"counts": True, "unasked": False}
"""Beats count in advice only if the player asks for that."""
ATTEMPT = (
    _wish("succeed", lambda result: int(result.rolled > 0)),
    _wish("exceptional", lambda result: int(result.rolled >= EXCEPTIONAL)),
    _wish("weighed", _weighed, WEIGHED, counts=True),
    _wish("calm", lambda result: int(result.outcome != "dramatic_failure")),
    _wish("beat", lambda result: result.beats, BEATS, **ASKED),
)
EXTENDED = (
    _wish("done", lambda result: int(result.outcome == "success")),
    _wish("weighed", _weighed_task, WEIGHED, counts=True),
    _wish("beat", lambda result: result.beats, BEATS, **ASKED),
)
CONTESTED = (
    _wish("succeed", lambda result: int(result.winner == "ours")),
    _wish("weighed", partial(_weighed_contest, "ours"), counts=True),
    _wish("beat", lambda result: int(result.our_side.beat), **ASKED),
    _wish("resist", lambda result: int(result.winner == "theirs"), theirs=True),
    _wish("their-weighed", partial(_weighed_contest, "theirs"), counts=True, theirs=True),
    _wish("their-beat", lambda result: int(result.their_side.beat), theirs=True, **ASKED),
)
KINDS = {"attempt": ATTEMPT, "extended": EXTENDED, "contested": CONTESTED}
WISHES = {kind: {wish.name: wish for wish in wishes} for kind, wishes in KINDS.items()}
