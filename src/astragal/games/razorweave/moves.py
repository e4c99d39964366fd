"""What a Razorweave GM does besides rolling: two Clocks race, a Resolve Clock is reset (RW-10, RW-11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.author import Ask, Change, Illegal, Move, NoInputs, Options, Participants, Unknown, words
from astragal.games.razorweave.effects import clock_named
from astragal.games.razorweave.sheet import RESOLVE, SEGMENTS


class RaceClocksAsk(Ask):
    """Two Clocks of the table."""

    goal: str = words("a Clock", rule="RW-11")
    threat: str = words("the Clock that it races", rule="RW-11")


def race(ask: RaceClocksAsk, participants: Participants) -> Iterator[Change]:
    """Each Clock knows the other, and the one that is full first decides (RW-11)."""
    goal, threat = _clock(participants, ask.goal), _clock(participants, ask.threat)
    if goal == threat:
        raise Illegal("A Clock cannot race itself.", "RW-11")
    _refuse_telling(participants, goal, threat)
    cause, table, deed = f"{goal} races {threat}; the first to fill decides", participants.table.id, "starts a race"
    yield Change(table, "clocks", goal, "against", to=threat, cause=cause, rule="RW-11", deed=deed)
    yield Change(table, "clocks", threat, "against", to=goal, rule="RW-11", silent=True)


def _refuse_telling(participants: Participants, goal: str, threat: str) -> None:
    """Refuse a race between a hidden Clock and an open one, which would name the hidden one to everybody."""
    clocks = participants.table.items("clocks")
    hidden = [name for name in (goal, threat) if clocks[name].get("seen") == "gm"]
    if len(hidden) == 1:
        raise Illegal(f"{hidden[0]} is hidden, and the race would tell of it; show it, or hide both Clocks.", "RW-11")


def _clock(participants: Participants, name: str) -> str:
    clock = clock_named(participants, name)
    if clock is None:
        there = ", ".join(participants.table.items("clocks")) or "none"
        raise Unknown(f'The table has no Clock "{name[:40]}"; there is {there}.', "RW-10")
    return clock


def begins(options: Options) -> dict[str, Any]:
    """A Resolve Clock with the table's segments, and none of them ticked (RW-10)."""
    return {"resolve": {RESOLVE: {"filled": 0, "segments": options.get("resolve", SEGMENTS)}}}


def steady(ask: NoInputs, participants: Participants) -> Iterator[Change]:
    """Reset a character's Resolve Clock (RW-10)."""
    if participants.roller is None:
        raise Illegal("Whose Resolve is it? Name a character.", "RW-10")
    clock = begins(participants.options)["resolve"][RESOLVE]
    yield Change(
        participants.roller.id,
        "resolve",
        RESOLVE,
        to=clock,
        cause=f"{participants.roller.name} starts over",
        rule="RW-10",
    )


MOVES = (
    Move("race", "Let two Clocks race", RaceClocksAsk, race, by="gm", rule="RW-11"),
    Move("steady", "Reset a Resolve Clock", NoInputs, steady, by="gm", rule="RW-10"),
)
