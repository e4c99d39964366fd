"""A Razorweave GM's moves besides rolling: race two Clocks, reset a Resolve Clock (RW-10, RW-11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.author import Change, Options, Participants, Unknown, move, words
from astragal.games.razorweave.rules import TEXTS, because, refuse, say
from astragal.games.razorweave.sheet import RESOLVE, SEGMENTS


@move(TEXTS, "RW-11", name="race", by="gm")
def race_clocks(
    participants: Participants, goal: str = words(rule="RW-11"), threat: str = words(rule="RW-11")
) -> Iterator[Change]:
    """Each Clock knows the other, and the one that is full first decides (RW-11)."""
    table, clocks = participants.table, participants.table.items("clocks")
    for name in (goal, threat):
        unknown, there = not table.find("clocks", name), ", ".join(clocks) or "none"
        refuse(unknown, "RW-10.no_clock", Unknown, name=name[:40], there=there)
    goal, threat = (table.find("clocks", name) or "" for name in (goal, threat))
    refuse(goal == threat, "RW-11.itself")
    # A race between a hidden Clock and an open one would name the hidden one to all.
    hidden = [name for name in (goal, threat) if clocks[name].get("seen") == "gm"]
    refuse(len(hidden) == 1, "RW-11.hidden", name=hidden and hidden[0])
    why = because("RW-11.races", goal=goal, threat=threat)
    yield Change(table.id, "clocks", goal, "against", to=threat, deed=say("RW-11.starts"), **why)
    yield Change(table.id, "clocks", threat, "against", to=goal, rule="RW-11", silent=True)


def begins(options: Options) -> dict[str, Any]:
    """A Resolve Clock with the table's segments, and none of them ticked (RW-10)."""
    return {"resolve": {RESOLVE: {"filled": 0, "segments": options.get("resolve", SEGMENTS)}}}


@move(TEXTS, "RW-10", by="gm")
def steady(participants: Participants) -> Iterator[Change]:
    """Reset a character's Resolve Clock (RW-10)."""
    who, clock = participants.acting, begins(participants.options)["resolve"][RESOLVE]
    yield Change(who.id, "resolve", RESOLVE, to=clock, **because("RW-10.starts_over", name=who.name))


MOVES = (race_clocks, steady)
