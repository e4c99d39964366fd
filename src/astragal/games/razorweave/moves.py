"""What a Razorweave GM does besides rolling: two Clocks race, a Resolve Clock is reset (RW-10, RW-11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.author import Ask, Change, Illegal, Move, Options, Participants, Unknown, words
from astragal.games.razorweave.effects import clock_named
from astragal.games.razorweave.rules import TEXTS, because, cited, say
from astragal.games.razorweave.sheet import RESOLVE, SEGMENTS


class RaceClocks(Ask, texts=TEXTS.of("race_clocks")):
    """Two Clocks of the table."""

    goal: str = words(rule="RW-11")
    threat: str = words(rule="RW-11")


def race(ask: RaceClocks, participants: Participants) -> Iterator[Change]:
    """Each Clock knows the other, and the one that is full first decides (RW-11)."""
    goal, threat = _clock(participants, ask.goal), _clock(participants, ask.threat)
    if goal == threat:
        raise Illegal(*cited("RW-11.itself"))
    _refuse_telling(participants, goal, threat)
    table, why = participants.table.id, because("RW-11.races", goal=goal, threat=threat)
    yield Change(table, "clocks", goal, "against", to=threat, deed=say("RW-11.starts"), **why)
    yield Change(table, "clocks", threat, "against", to=goal, rule="RW-11", silent=True)


def _refuse_telling(participants: Participants, goal: str, threat: str) -> None:
    """Refuse a race between a hidden Clock and an open one, which would name the hidden one to everybody."""
    clocks = participants.table.items("clocks")
    hidden = [name for name in (goal, threat) if clocks[name].get("seen") == "gm"]
    if len(hidden) == 1:
        raise Illegal(*cited("RW-11.hidden", name=hidden[0]))


def _clock(participants: Participants, name: str) -> str:
    clock = clock_named(participants, name)
    if clock is None:
        there = ", ".join(participants.table.items("clocks")) or "none"
        raise Unknown(*cited("RW-10.no_clock", name=name[:40], there=there))
    return clock


def begins(options: Options) -> dict[str, Any]:
    """A Resolve Clock with the table's segments, and none of them ticked (RW-10)."""
    return {"resolve": {RESOLVE: {"filled": 0, "segments": options.get("resolve", SEGMENTS)}}}


class Steady(Ask, texts=TEXTS.of("steady")):
    """A Resolve Clock is reset."""


def steady(ask: Steady, participants: Participants) -> Iterator[Change]:
    """Reset a character's Resolve Clock (RW-10)."""
    who, clock = participants.acting, begins(participants.options)["resolve"][RESOLVE]
    yield Change(who.id, "resolve", RESOLVE, to=clock, **because("RW-10.starts_over", name=who.name))


MOVES = (
    Move("race", ask=RaceClocks, does=race, by="gm", rule="RW-11"),
    Move("steady", ask=Steady, does=steady, by="gm", rule="RW-10"),
)
