"""A race of two Clocks: the same Check, round after round, until one of them is full (RW-10, RW-11)."""

from __future__ import annotations

from typing import NamedTuple

from astragal.author import Ask, Effect, Faces, Illegal, Kept, Node, Note, Outcome, Telling, Throw, lazy, numbers, whole
from astragal.games.razorweave import text
from astragal.games.razorweave.edge import CAP, KEPT, THROWS
from astragal.games.razorweave.inputs import MAX_BONUS, dc_input
from astragal.games.razorweave.rules import TEXTS, cited, say
from astragal.games.razorweave.tiers import GOAL_TICKS, THREAT_TICKS, TIERS, tier_of

MAX_SEGMENTS = 24
MAX_ROUNDS = 2_000
"""Rounds of a race that is played, on average; its odds are known for any."""


class Race(Ask, texts=TEXTS.of("race")):
    """A goal Clock against a threat Clock, with the ticks that each tier gives to both, best tier first."""

    dc: int = dc_input()
    modifier: int = whole(-MAX_BONUS, MAX_BONUS, default=0, rule="RW-5", dice=False)
    edge: int = whole(-CAP, CAP, default=0, rule="RW-4")
    goal: int = whole(1, MAX_SEGMENTS, default=6, rule="RW-10", dice=False)
    threat: int = whole(1, MAX_SEGMENTS, default=4, rule="RW-10", dice=False)
    goal_ticks: tuple[int, ...] = numbers(0, MAX_SEGMENTS, default=GOAL_TICKS, rule="RW-11", n=5, dice=False)
    threat_ticks: tuple[int, ...] = numbers(0, MAX_SEGMENTS, default=THREAT_TICKS, rule="RW-11", n=5, dice=False)

    def check(self) -> None:
        """Refuse a race that could never end."""
        if all(map(max, self.goal_ticks, self.threat_ticks)):
            return
        totals = range(KEPT, 6 * KEPT + 1)
        tiers = {"critical_failure", *(tier_of(total + self.modifier - self.dc) for total in totals)}
        if not any(any(self.ticks(tier)) for tier in tiers):
            raise Illegal(*cited("RW-11.endless"))

    def ticks(self, tier: str) -> tuple[int, int]:
        """What a tier ticks on the goal and on the threat."""
        place = TIERS.index(tier)
        return self.goal_ticks[place], self.threat_ticks[place]


class RaceResult(NamedTuple):
    """Which Clock was full first, after how many rounds, and how far both had come."""

    first: str
    rounds: int
    goal: int
    threat: int


def race(ask: Race) -> Node[RaceResult]:
    """Round after round (RW-11); refused if hardly a round ticks, since nobody waits for its end."""
    if not all(map(max, ask.goal_ticks, ask.threat_ticks)):
        _check_rounds(ask)
    return next_round(ask, 0, 0, 0)


def _check_rounds(ask: Race) -> None:
    from astragal.games.razorweave.odds import climb

    once = climb(ask)
    if (ask.goal + ask.threat - 1) * once.total > MAX_ROUNDS * once.moving:
        raise Illegal(*cited("RW-11.too_long", n=MAX_ROUNDS))


def next_round(ask: Race, goal: int, threat: int, rounds: int) -> Node[RaceResult]:
    """One more round, unless a Clock is full."""
    if goal == ask.goal or threat == ask.threat:
        return finished(ask, goal, threat, rounds)
    pool, keep = THROWS[ask.edge]
    return Throw(
        pool,
        keep,
        then=lambda kept: lazy(next_round, ask, *_ticked(ask, goal, threat, kept), rounds + 1),
        tell=lambda faces: _tell_round(ask, goal, threat, faces),
        title=say("RW-11.turn", n=rounds + 1),
    )


def _tier(ask: Race, kept: Kept) -> str:
    return tier_of(kept.total + ask.modifier - ask.dc, kept.every)


def _ticked(ask: Race, goal: int, threat: int, kept: Kept) -> tuple[int, int]:
    """Ticks never pass a Clock's end (RW-10)."""
    for_goal, for_threat = ask.ticks(_tier(ask, kept))
    return min(goal + for_goal, ask.goal), min(threat + for_threat, ask.threat)


def _tell_round(ask: Race, goal: int, threat: int, faces: Faces) -> Telling:
    kept = THROWS[ask.edge][1].read(faces)
    after_goal, after_threat = _ticked(ask, goal, threat, kept)
    tier = say(f"tier.{_tier(ask, kept)}")
    clocks = cited("RW-11.round", tier=tier, goal=after_goal, goals=ask.goal, threat=after_threat, threats=ask.threat)
    return Telling(tuple(text.tell_dice(faces[0][0], ask.edge)), (Note(*clocks),))


def finished(ask: Race, goal: int, threat: int, rounds: int) -> Node[RaceResult]:
    """The outcome: which Clock is full, and after how many rounds."""
    full = goal == ask.goal, threat == ask.threat
    result = RaceResult("both" if all(full) else "goal" if full[0] else "threat", rounds, goal, threat)
    ticks = (("goal", goal), ("threat", threat))
    effects = tuple(Effect(clock, "table", n, rule="RW-11") for clock, n in ticks if n)
    return Outcome(result, effects, tell=lambda: text.race_notes(result))
