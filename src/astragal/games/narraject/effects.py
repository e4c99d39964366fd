"""Complications that the GM is owed: items of the table, ticked off when they are used (NJ-9, NJ-11 to NJ-13)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from astragal.games.narraject.result import Result
from astragal.rule.table_rules import Change, Holder

KEPT = 100
"""So many are kept; then used ones make room, the oldest first. The log remembers them all."""
BROUGHT = {
    "catastrophic_failure": ("nothing counted at all", "NJ-9"),
    "partial_success": ("a partial success was bought", "NJ-13"),
}


def complications(table: Holder, who: str, result: Result) -> Iterator[Change]:
    """One item for each complication, with what it came from; a catastrophe's and the Step Die's are two (NJ-12)."""
    causes = [BROUGHT[result.degree]] if result.degree in BROUGHT else []
    if result.complications > len(causes):
        causes.append(("the Step Die showed 1 or 2", "NJ-11"))
    if causes:
        yield from _owed(table, who, causes)
        yield from _room(table, len(causes))


def _owed(table: Holder, who: str, causes: list[tuple[str, str]]) -> Iterator[Change]:
    for name, (why, rule) in zip(_new_names(table), causes, strict=False):
        cause = f"{who}: {why}"
        item = {"came_from": cause, "note": None, "used": False}
        yield Change(table.id, "complications", name, to=item, cause=cause, rule=rule)


def _new_names(table: Holder) -> Iterator[str]:
    """The numbers after the latest one, without those that are taken, so that no name comes twice."""
    there = table.items("complications")
    latest = next((n for n in map(_number, reversed(list(there))) if n), 0)
    return (name for n in count(latest + 1) if (name := f"Complication {n}") not in there)


def _number(name: str) -> int:
    """The number in a name; a name that somebody gave by hand has none."""
    digits = name.removeprefix("Complication ")
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _room(table: Holder, more: int) -> Iterator[Change]:
    there = table.items("complications")
    over = len(there) + more - KEPT
    for name in [name for name, item in there.items() if item["used"]][:over] if over > 0 else ():
        yield Change(table.id, "complications", name, cause="Used long ago")


def unused(table: Holder) -> list[str]:
    """The complications that the GM may still use, the oldest first."""
    return [name for name, item in table.items("complications").items() if not item["used"]]
