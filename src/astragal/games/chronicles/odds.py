"""What is asked of Chronicles' results: facts, and wishes (CD-10, CD-12, CD-13)."""

from __future__ import annotations

from collections.abc import Callable
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
    versus,
)
from astragal.games.chronicles.attempt import Attempt, Result
from astragal.games.chronicles.contested import Contested
from astragal.games.chronicles.dice import AGAIN, Quality
from astragal.games.chronicles.extended import Extended
from astragal.games.chronicles.team import Helper, TeamAsk, TeamRoll, roll_team
from astragal.games.chronicles.text import CONTESTS, OUTCOMES, TASKS, TONES

NO_MARKS, BEATS, WEIGHED = (0, 0), (1, 0), (1, -2)
"""What each Beat and each dramatic failure of a helper is worth (CD-10, CD-12)."""


def _keep(roll: OpenRoll) -> None:
    """Helpers keep their failures: dice lost help nobody to succeed (CD-12)."""


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
"""What a single die gives; dice by themselves are so many of it."""


def successes(ask: Attempt, up_to: int) -> Distribution[Any]:
    """Successes with the extra ones, which come only with a success rolled (CD-9)."""
    return _rolled(ask).raised(ask.extra).odds(up_to)


def winner(ask: Contested, up_to: int, policy: Policy | None = None) -> Distribution[str]:
    """Who has more successes (CD-13); who wishes for Beats has helpers who take them."""
    wish = policy.wish.name if policy and policy.wish else ""
    ours, theirs = ask.our_side, ask.their_side
    mine = _rolled(ours, _take if wish == "beat" else _keep).raised(ours.extra)
    other = _rolled(theirs, _take if wish == "their-beat" else _keep).raised(theirs.extra)
    return versus(mine, other)


def rolls_needed(ask: Extended, up_to: int, own: Own = _keep) -> Distribution[Any]:
    """After how many rolls the target is reached; beyond the last roll it is not reached at all (CD-13)."""
    return _task(ask, own).rolls(ask.made)


def reached(ask: Extended, up_to: int, own: Own = _keep) -> Distribution[str]:
    """Whether the target is reached at all; after one roll of several, a task may be unfinished."""
    return _task(ask, own).reached("success", "unfinished" if ask.one_roll and ask.rolls_left > 1 else "failure")


def _task(ask: Extended, own: Own) -> Repeated:
    law, rolls = _rolled(ask, own), 1 if ask.one_roll else ask.rolls_left
    return Repeated(law, ask.target - ask.gathered, rolls, ask.extra)


def never_given_up(form: Callable[[Extended, int, Own], Distribution[Any]]) -> Any:
    """The odds of a task by the wishes for which it is never given up; weighed, the whole tree is looked at."""
    answers: dict[str, Own] = {"done": _keep, "beat": _take}

    def planned(ask: Extended, up_to: int, policy: Policy) -> Distribution[Any] | None:
        own = answers.get(policy.wish.name) if policy.wish else None
        return form(ask, up_to, own) if own else None

    return planned


WEIGHTS = {"exceptional_success": 2, "success": 1, "failure": 0, "dramatic_failure": -2}
"""What an outcome is worth when it is weighed."""


def _weighed(result: Result) -> int:
    """A Beat against the dramatic failure that it is for, the leader's or a helper's (CD-10, CD-12)."""
    return WEIGHTS[result.outcome] + result.beats - 2 * result.helper_dramatic


def _never(result: Any) -> Beyond:
    """Beyond the last roll; a task that is given up is not done in those that it had left either."""
    return Beyond(result.rolls + (result.rolls_left if result.outcome == "given_up" else 0))


FACTS = {
    "attempt": {
        "outcome": Fact(
            "Outcome", lambda result: result.outcome, lambda ask: tuple(OUTCOMES)[::-1], tones=TONES, marked=False
        ),
        "successes": Fact(
            "Successes", lambda result: result.successes, None, successes, endless=True, tallies=True, marked=False
        ),
        "beats": Fact("Beats", lambda result: result.beats),
    },
    "extended": {
        "outcome": Fact(
            "Outcome",
            lambda result: result.outcome,
            lambda ask: ("success", "unfinished", "failure") if ask.one_roll else ("success", "failure"),
            reached,
            planned=never_given_up(reached),
            tones=TASKS,
            marked=False,
        ),
        "rolls": Fact(
            "Rolls needed",
            lambda result: result.rolls if result.outcome == "success" else _never(result),
            None,
            rolls_needed,
            planned=never_given_up(rolls_needed),
            marked=False,
        ),
    },
    "contested": {
        "winner": Fact(
            "Winner",
            lambda result: result.winner,
            lambda ask: ("ours", "draw", "theirs"),
            winner,
            planned=winner,
            tones=CONTESTS,
            marked=False,
        ),
    },
}
WISHES = {
    "attempt": {
        "succeed": Wish("succeed", "at least one success", lambda result: int(result.rolled > 0), marks=NO_MARKS),
        "exceptional": Wish(
            "exceptional", "five successes or more", lambda result: int(result.rolled >= 5), marks=NO_MARKS
        ),
        "weighed": Wish(
            "weighed",
            "a success counts 1, an exceptional one 2, a Beat 1, a dramatic failure -2, a helper's too",
            _weighed,
            counts=True,
            marks=WEIGHED,
        ),
        "calm": Wish(
            "calm", "no dramatic failure", lambda result: int(result.outcome != "dramatic_failure"), marks=NO_MARKS
        ),
        "beat": Wish(
            "beat", "as many Beats as can be", lambda result: result.beats, counts=True, unasked=False, marks=BEATS
        ),
    },
    "extended": {
        "done": Wish("done", "the target is reached", lambda result: int(result.outcome == "success"), marks=NO_MARKS),
        "weighed": Wish(
            "weighed",
            "a task that is done counts 2, a Beat 1, a dramatic failure -2, a helper's too",
            lambda result: 2 * (result.outcome == "success") + result.beats - 2 * (result.dramatic + result.botched),
            counts=True,
            marks=WEIGHED,
        ),
        "beat": Wish(
            "beat", "as many Beats as can be", lambda result: result.beats, counts=True, unasked=False, marks=BEATS
        ),
    },
    "contested": {
        "succeed": Wish("succeed", "our side wins", lambda result: int(result.winner == "ours"), marks=NO_MARKS),
        "weighed": Wish(
            "weighed",
            "a win counts 2, our leader's Beat 1, our leader's dramatic failure -2",
            lambda result: (
                2 * (result.winner == "ours") + result.our_side.beat - 2 * (result.our_outcome == "dramatic_failure")
            ),
            counts=True,
            marks=NO_MARKS,
        ),
        "beat": Wish(
            "beat",
            "a Beat for our leader",
            lambda result: int(result.our_side.beat),
            counts=True,
            unasked=False,
            marks=NO_MARKS,
        ),
        "resist": Wish(
            "resist", "their side wins", lambda result: int(result.winner == "theirs"), theirs=True, marks=NO_MARKS
        ),
        "their-weighed": Wish(
            "their-weighed",
            "their win counts 2, their leader's Beat 1, their leader's dramatic failure -2",
            lambda result: (
                2 * (result.winner == "theirs")
                + result.their_side.beat
                - 2 * (result.their_outcome == "dramatic_failure")
            ),
            counts=True,
            theirs=True,
            marks=NO_MARKS,
        ),
        "their-beat": Wish(
            "their-beat",
            "a Beat for their leader",
            lambda result: int(result.their_side.beat),
            counts=True,
            unasked=False,
            theirs=True,
            marks=NO_MARKS,
        ),
    },
}
