"""A race of two Clocks: the same Check, round after round, until one of them is full (RW-10, RW-11)."""

from __future__ import annotations

from functools import partial
from typing import cast

from astragal.author import (
    Ask,
    Climbed,
    Climbing,
    Effect,
    Faces,
    Fields,
    Illegal,
    Node,
    Note,
    Outcome,
    Pool,
    Reach,
    Reaches,
    Telling,
    Throw,
    field,
    lazy,
    numbers,
    whole,
)
from astragal.games.razorweave import text
from astragal.games.razorweave.pool import CAP, MAX_BONUS, THROWS, dc_input
from astragal.games.razorweave.rules import TEXTS, cited, say
from astragal.games.razorweave.tiers import BANDS, GOAL_TICKS, THREAT_TICKS, First

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
        if not self.always_ticks and not self.clocks.moving(self.dice):
            raise Illegal(*cited("RW-11.endless"))

    @property
    def always_ticks(self) -> bool:
        """True if every tier ticks a Clock."""
        return all(map(max, self.goal_ticks, self.threat_ticks))

    @property
    def dice(self) -> Pool:
        """The dice of every round (RW-4)."""
        return THROWS[self.edge][0]

    @property
    def clocks(self) -> Climbing:
        """Both Clocks, and what the tier of each round ticks (RW-10, RW-11)."""
        ticks = tuple(zip(self.goal_ticks, self.threat_ticks, strict=True))
        counters = (("goal", self.goal), ("threat", self.threat))
        return Climbing(Reaches(THROWS[self.edge][1], BANDS, self.dc - self.modifier), counters, ticks, "both")


class RaceResult(Fields):
    """Which Clock was full first, after how many rounds, and how far both had come."""

    def __init__(self, climbed: Climbed) -> None:
        self.climbed = climbed

    @field
    def first(self) -> First:
        """The Clock that was full first; both, if the same round fills them (RW-11)."""
        return cast("First", self.climbed.first)

    @field
    def rounds(self) -> int:
        """The number of rounds."""
        return self.climbed.rounds

    @field
    def goal(self) -> int:
        """The ticks on the goal."""
        return self.climbed.ends[0]

    @field
    def threat(self) -> int:
        """The ticks on the threat."""
        return self.climbed.ends[1]


def thrown(ask: Race) -> tuple[Pool, Climbing]:
    """The dice of a race, round after round, and their reading."""
    return ask.dice, ask.clocks


def race(ask: Race) -> Node[RaceResult]:
    """Round after round (RW-11); not played if a round rarely ticks, since it would take too long."""
    too_long = not ask.always_ticks and ask.goal + ask.threat - 1 > MAX_ROUNDS * ask.clocks.moving(ask.dice)
    return next_round(ask, ask.clocks.start)._replace(
        together=Throw(ask.dice, ask.clocks, then=partial(finished, ask), so_far=RaceResult),
        barred=Illegal(*cited("RW-11.too_long", n=MAX_ROUNDS)) if too_long else None,
    )


def next_round(ask: Race, so_far: Climbed) -> Throw[Reach, RaceResult]:
    """One more round."""
    return Throw(
        ask.dice,
        ask.clocks.reading,
        then=lambda reach: lazy(after_round, ask, ask.clocks.after(so_far, reach)),
        tell=lambda faces: _tell_round(ask, so_far, faces),
        title=say("RW-11.turn", n=so_far.rounds + 1),
    )


def after_round(ask: Race, climbed: Climbed) -> Node[RaceResult]:
    """The next round, unless a Clock is full."""
    return finished(ask, climbed) if climbed.first else next_round(ask, climbed)


def _tell_round(ask: Race, so_far: Climbed, faces: Faces) -> Telling:
    reach = ask.clocks.reading.read(faces)
    goal, threat = ask.clocks.after(so_far, reach).ends
    tier = say(f"tier.{reach.word}")
    clocks = cited("RW-11.round", tier=tier, goal=goal, goals=ask.goal, threat=threat, threats=ask.threat)
    return Telling(tuple(text.tell_dice(faces[0][0], ask.edge)), (Note(*clocks),))


def finished(ask: Race, climbed: Climbed) -> Node[RaceResult]:
    """The outcome: which Clock is full, and after how many rounds."""
    result = RaceResult(climbed)
    ticks = zip(("goal", "threat"), climbed.ends, strict=True)
    effects = tuple(Effect(clock, "table", n, rule="RW-11") for clock, n in ticks if n)
    return Outcome(result, effects, tell=lambda: text.race_notes(result))
