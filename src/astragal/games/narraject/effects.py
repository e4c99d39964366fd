"""The changes of a Narraject roll on the sheets: IP spent and gained, complications owed (NJ-9 to NJ-15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from astragal.author import Change, Effect, Handful, Holder, Note, Participants, changed
from astragal.games.narraject.rules import say

MAX_COMPLICATIONS = 100
"""Complications kept on the sheet; above that, used ones are removed, the oldest first. The log has them all."""


def apply(kind: str, ask: Any, effects: Sequence[Effect], participants: Participants) -> Iterator[Change | Note]:
    """Points and IP go by their path; complications owed are numbered (NJ-12)."""
    table, owed = participants.table, [effect for effect in effects if effect.what == "complication"]
    for effect in effects:
        if effect not in owed:
            yield from changed(effect, participants)
    for name, effect in zip(_new_names(table), owed, strict=False):
        cause = f"{participants.called('roller')}: {effect.cause}"
        item = {"came_from": cause, "note": None, "used": False}
        yield Change(table.id, "complications", name, to=item, cause=cause, rule=effect.rule)
    yield from _room(table, len(owed)) if owed else ()


def _new_names(table: Holder) -> Iterator[str]:
    """The numbers after the latest one, without those that are taken, so that no name comes twice."""
    there = table.items("complications")
    numbers = [name.removeprefix("Complication ") for name in reversed(list(there))]
    latest = next((int(n) for n in numbers if n.isascii() and n.isdigit() and int(n)), 0)
    return (name for n in count(latest + 1) if (name := f"Complication {n}") not in there)


def _room(table: Holder, more: int) -> Iterator[Change]:
    there = table.items("complications")
    over = len(there) + more - MAX_COMPLICATIONS
    for name in [name for name, item in there.items() if item["used"]][:over] if over > 0 else ():
        yield Change(table.id, "complications", name, cause=say("NJ-12.long_ago"))


def unused(table: Holder) -> list[str]:
    """The complications that the GM may still use, the oldest first."""
    return [name for name, item in table.items("complications").items() if not item["used"]]


def luck(kind: str, value: Any) -> int | None:
    """The d6s' Marks: they are the same in both editions, and a Step Die's face depends on the edition."""
    return value.others if isinstance(value, Handful) else None
