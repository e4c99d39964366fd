"""The table's Clocks, as rolls see them (RW-10, RW-11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from astragal.rule.sheet import Item
from astragal.rule.table_rules import Change, Participants


class Racing(NamedTuple):
    """A goal Clock and a threat Clock that race, and the segments that each has left."""

    goal: str
    threat: str
    goal_left: int
    threat_left: int


def of_kind(participants: Participants, kind: str) -> list[str]:
    return [name for name, item in participants.table.items("clocks").items() if item["kind"] == kind]


def clock_named(participants: Participants, name: str | None) -> str | None:
    """The Clock with this name, however somebody wrote it."""
    wanted = (name or "").strip().lower()
    return next((clock for clock in participants.table.items("clocks") if clock.lower() == wanted), None)


def only_one(participants: Participants, kind: str) -> str | None:
    """The Clock that is meant when there is one of its kind and no more."""
    clocks = of_kind(participants, kind)
    return clocks[0] if len(clocks) == 1 else None


def left(item: Item) -> int:
    return int(item["segments"]) - int(item["filled"])


def racing(participants: Participants) -> Racing | None:
    """The one pair of Clocks that races and is not decided yet; with more than one, nobody can tell which is meant."""
    pairs = list(_races(participants))
    return pairs[0] if len(pairs) == 1 else None


def _races(participants: Participants) -> Iterator[Racing]:
    clocks = participants.table.items("clocks")
    for goal in of_kind(participants, "goal"):
        for threat in of_kind(participants, "threat"):
            one, other = clocks[goal], clocks[threat]
            linked = one["against"] == threat or other["against"] == goal
            # A roll shows what it reads, so a Clock that is not for everybody's eyes is not read.
            if linked and all(left(clock) and clock.get("seen", "all") == "all" for clock in (one, other)):
                yield Racing(goal, threat, left(one), left(other))


def tick(participants: Participants, clock: str, n: int, cause: str, rule: str) -> Change:
    return Change(participants.table.id, "clocks", clock, "filled", n, cause=cause, rule=rule)


def full_with(participants: Participants, clock: str, n: int) -> bool:
    """Whether so many ticks fill a Clock that is not full."""
    return 0 < left(participants.table.item("clocks", clock)) <= n
