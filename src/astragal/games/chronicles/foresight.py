"""What comes of a roll whose helpers' dice go again without end, by a wish: for advice, and for odds by policy.

A tree cannot be gone through there. What is found has only what facts and wishes ask for (CD-12, CD-13, CD-15).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.author import Distribution, Policy, common_multiple
from astragal.games.chronicles.attempt import Attempt
from astragal.games.chronicles.contest_odds import Counted, certain, counted, counted_from, judged
from astragal.games.chronicles.contested import Contested, ContestSide
from astragal.games.chronicles.extended import Extended, Progress
from astragal.games.chronicles.mixture import (
    DRAMATIC,
    NOTHING,
    ONE,
    Mixture,
    by_help,
    coefficients,
    fails,
    given_by,
    mixed_by,
)
from astragal.games.chronicles.team import EXCEPTIONAL, Help, Helper, TeamCount

WEIGHED = "weighed"
TAKES = {"succeed": False, "exceptional": False, WEIGHED: False, "calm": False, "beat": True}
"""Whether a wish takes a Beat for every failure: dice lost help nobody to succeed, and cost nobody a Beat.

Where it is weighed, a Beat counts less than the dramatic failure that it is for.
"""
TAKES_IN_TASKS = {"done": False, "beat": True}
"""The same in extended actions. Weighed, it is no closed form: a task may be given up."""
WEIGHTS = {"exceptional_success": 2, "success": 1, "failure": 0, "dramatic_failure": -2}
"""What an outcome is worth when it is weighed."""
BEST = 2
"""What a finished task is worth when it is weighed; a dramatic failure takes away as much, and a Beat counts 1."""

Foreseen = tuple[Distribution[Any], Fraction]
"""Results with their chances, and their average worth."""


class AttemptForeseen(NamedTuple):
    """What facts and wishes ask of an attempt's result."""

    outcome: str
    rolled: int
    successes: int
    beats: int
    helper_dramatic: int = 0


class TaskForeseen(NamedTuple):
    """What facts ask of the result of an extended action."""

    outcome: str
    rolls: int
    rolls_left: int = 0


def attempt_foreseen(ask: Attempt, team: tuple[Helper, ...], help: Help, policy: Policy, up_to: int) -> Foreseen | None:
    """An attempt where these helpers are still to roll; None for a wish that is none of the game's."""
    wish = policy.wish
    if wish is None or wish.name not in TAKES:
        return None
    pool, last = ask.dice + help.dice, max(up_to, EXCEPTIONAL)
    ways = given_by(team, ask.quality, TAKES[wish.name])
    chances: dict[AttemptForeseen, Fraction] = {}
    for (_, beats, dramatic), mixed in by_help(pool, ask.quality, ways).items():
        for rolled, chance in _attempts(ask, mixed, last, wish.name == "beat"):
            beats_of_all, botched = rolled.beats + beats + help.beats, dramatic + help.dramatic
            result = rolled._replace(beats=beats_of_all, helper_dramatic=botched)
            chances[result] = chances.get(result, NOTHING) + chance
    worth = sum((chance * wish.worth(result) for result, chance in chances.items()), NOTHING)
    return distributed(chances), worth


def _attempts(ask: Attempt, mixed: Mixture, last: int, own: bool) -> list[tuple[AttemptForeseen, Fraction]]:
    """Every number of successes rolled; with ``own``, the leader makes a failure dramatic for a Beat too."""
    ways, total = coefficients(mixed, last)
    every = sum((Fraction(weight, mixed.total) for weight, _ in mixed.parts), NOTHING)
    dramatic = mixed.chance * DRAMATIC[ask.rote]
    found = [(AttemptForeseen("dramatic_failure", 0, 0, 0), dramatic)]
    fails = AttemptForeseen("dramatic_failure", 0, 0, 1) if own else AttemptForeseen("failure", 0, 0, 0)
    found.append((fails, Fraction(ways[0], total) - dramatic))
    chances = [Fraction(n, total) for n in ways[1:]]
    for rolled, chance in enumerate((*chances, every - Fraction(ways[0], total) - sum(chances, NOTHING)), 1):
        outcome = "exceptional_success" if rolled >= EXCEPTIONAL else "success"
        found.append((AttemptForeseen(outcome, rolled, rolled + ask.extra, 0), chance))
    return found


def distributed(chances: Mapping[Any, Fraction]) -> Distribution[Any]:
    """Chances over one denominator."""
    total = common_multiple(chance.denominator for chance in chances.values())
    return Distribution({result: int(chance * total) for result, chance in chances.items() if chance}, total)


# A contest.


class ContestForeseen(NamedTuple):
    """What facts ask of a contest's result."""

    winner: str


class Failing(NamedTuple):
    """How likely a side is to fail plainly, and dramatically."""

    plain: Fraction
    dramatic: Fraction


KNOWN = {"failure": Failing(ONE, NOTHING), "dramatic_failure": Failing(NOTHING, ONE)}
"""The same of dice that lie there."""


def contest_foreseen(ask: Contested, team: tuple[Helper, ...], help: Help, policy: Policy) -> Foreseen | None:
    """A contest where these helpers and the leader of our side are still to roll, and then the other side.

    Only those of the wish's own side take Beats for it. A leader's own costs more than it brings where it is weighed.
    """
    side, wish = ask.our_side, policy.wish.name if policy.wish else ""
    pool = side.traits.dice + help.dice
    mine, other = counted_from(side, pool, team, wish == "beat"), counted(ask.their_side, wish == "their-beat")
    return _contest(wish, judged(mine, other), _failing(side, mine), _failing(ask.their_side, other))


def their_part_foreseen(
    ask: Contested, ours: TeamCount, team: tuple[Helper, ...], help: Help, policy: Policy
) -> Foreseen | None:
    """A contest where these helpers and the leader of their side are still to roll; our dice lie there."""
    side, wish = ask.their_side, policy.wish.name if policy.wish else ""
    pool = side.traits.dice + help.dice
    other = counted_from(side, pool, team, wish == "their-beat")
    results = judged(certain(ours.successes(ask.our_side.extra)), other)
    return _contest(wish, results, KNOWN.get(ours.outcome, Failing(NOTHING, NOTHING)), _failing(side, other))


def _failing(side: ContestSide, rolled: Counted) -> Failing:
    ways, total = coefficients(rolled.mixed, 0)
    dramatic = rolled.mixed.chance * DRAMATIC[side.quality.rote]
    return Failing(Fraction(ways[0], total) - dramatic, dramatic)


def _contest(wish: str, results: Distribution[str], mine: Failing, other: Failing) -> Foreseen | None:
    """Who wins, and what that is worth; None for a wish that is none of the game's."""
    wins, losses = results["ours"], results["theirs"]
    worth = {
        "succeed": wins,
        WEIGHED: 2 * wins - 2 * mine.dramatic,
        "beat": mine.plain,
        "resist": losses,
        "their-weighed": 2 * losses - 2 * other.dramatic,
        "their-beat": other.plain,
    }
    return (results.map(ContestForeseen), worth[wish]) if wish in worth else None


# An extended action.


def task_foreseen(
    ask: Extended, so_far: Progress, team: tuple[Helper, ...], help: Help, policy: Policy
) -> Foreseen | None:
    """An extended action in the middle of a roll, where these helpers are still to roll."""
    wish = policy.wish
    if wish is None or (wish.name not in TAKES_IN_TASKS and wish.name != WEIGHED):
        return None
    task = _Task(ask, wish.name)
    left, needed = 1 if ask.one_roll else ask.most_rolls - so_far.rolls, ask.target - so_far.successes
    roll = task.roll(left, needed, team, ask.dice + help.dice)
    chances = {
        TaskForeseen(outcome, so_far.rolls + rolls, left - rolls): chance
        for (outcome, rolls), chance in task.ends(roll).items()
    }
    beats, dramatic = so_far.beats + help.beats, so_far.dramatic + so_far.botched + help.dramatic
    before = {WEIGHED: beats - BEST * dramatic, "beat": beats}
    return distributed(chances), roll.worth + before.get(wish.name, 0)


class _Roll(NamedTuple):
    """One roll of a task: what it and all later ones are worth, and the chance of each state that it leads to.

    A state is the rolls left and the successes needed; none are needed where the task is done.
    """

    worth: Fraction
    after: dict[tuple[int, int], Fraction]


class _Task:
    """An extended action by a wish, from any state on."""

    def __init__(self, ask: Extended, wish: str) -> None:
        self._ask = ask
        self._wish = wish
        self._short = "unfinished" if ask.one_roll and ask.rolls_left > 1 else "failure"
        self._rolls: dict[tuple[int, int], _Roll] = {}
        self._ends: dict[tuple[int, int], dict[tuple[str, int], Fraction]] = {}

    def worth(self, left: int, needed: int) -> Fraction:
        """What a state is worth; a task that can only lose is given up."""
        if needed < 1:
            return Fraction({WEIGHED: BEST, "done": 1}.get(self._wish, 0))
        if not left:
            return NOTHING
        return max(NOTHING, self._next(left, needed).worth)

    def _next(self, left: int, needed: int) -> _Roll:
        if (left, needed) not in self._rolls:
            self._rolls[left, needed] = self.roll(left, needed, self._ask.team, self._ask.dice)
        return self._rolls[left, needed]

    def roll(self, left: int, needed: int, team: tuple[Helper, ...], pool: int) -> _Roll:
        """The next roll, or the rest of it, where these helpers are still to roll."""
        quality = self._ask.quality
        mixed = mixed_by(pool, quality, given_by(team, quality, self._wish == "beat"))
        ways, total = coefficients(mixed, needed - 1)
        after: dict[tuple[int, int], Fraction] = {}
        for rolled in range(needed):
            state = self._after(left, needed, rolled)
            after[state] = after.get(state, NOTHING) + Fraction(ways[rolled], total)
        after[left - 1, 0] = after.get((left - 1, 0), NOTHING) + 1 - Fraction(sum(ways), total)
        later = sum((chance * self.worth(*state) for state, chance in after.items()), NOTHING)
        return _Roll(later + self._besides(team, mixed), after)

    def _after(self, left: int, needed: int, rolled: int) -> tuple[int, int]:
        """The state after a roll, with the extra successes (CD-9)."""
        return left - 1, max(0, needed - rolled - (self._ask.extra if rolled else 0))

    def _besides(self, team: tuple[Helper, ...], mixed: Mixture) -> Fraction:
        """What a roll is worth besides what follows it: the Beats that all can take, or dramatic failures."""
        rote = self._ask.rote
        if self._wish == WEIGHED:
            chance_dice = sum(helper.dice < 1 for helper in team)
            return -BEST * (mixed.chance + chance_dice) * DRAMATIC[rote]
        if self._wish != "beat":
            return NOTHING
        ways, total = coefficients(mixed, 0)
        own = Fraction(ways[0], total) - mixed.chance * DRAMATIC[rote]
        return own + sum((fails(helper, self._ask.quality) for helper in team), NOTHING)

    def ends(self, roll: _Roll) -> dict[tuple[str, int], Fraction]:
        """How and after how many rolls from here the task ends, once a roll is made."""
        found: dict[tuple[str, int], Fraction] = {}
        for state, chance in roll.after.items():
            for (outcome, rolls), inner in self._end(*state).items():
                end = outcome, rolls + 1
                found[end] = found.get(end, NOTHING) + chance * inner
        return found

    def _end(self, left: int, needed: int) -> dict[tuple[str, int], Fraction]:
        if needed < 1 or not left:
            return {(self._short if needed else "success", 0): ONE}
        if (left, needed) not in self._ends:
            roll = self._next(left, needed)
            gives_up = self._wish == WEIGHED and roll.worth < 0
            self._ends[left, needed] = {("given_up", 0): ONE} if gives_up else self.ends(roll)
        return self._ends[left, needed]
