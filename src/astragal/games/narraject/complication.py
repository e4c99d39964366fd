"""Complications that the GM is owed: items of the table, ticked off when they are used (NJ-9, NJ-11 to NJ-13)."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.games.narraject.result import Result
from astragal.rule.keeping import Change, Holder

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
    for n, (why, rule) in enumerate(causes):
        cause = f"{who}: {why}"
        item = {"came_from": cause, "note": None, "used": False}
        yield Change(table.id, "complications", _new_name(table, n), to=item, cause=cause, rule=rule)
    yield from _room(table, len(causes))


def _new_name(table: Holder, n: int) -> str:
    """One more than the highest number there is, so that no name comes twice."""
    return f"Complication {max(map(_number, table.items('complications')), default=0) + 1 + n}"


def _number(name: str) -> int:
    """The number in a name; a name that somebody gave by hand has none."""
    digits = name.removeprefix("Complication ")
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _room(table: Holder, more: int) -> Iterator[Change]:
    there = table.items("complications")
    used = [name for name, item in there.items() if item["used"]]
    for name in used[: max(0, len(there) + more - KEPT)] if more else ():
        yield Change(table.id, "complications", name, cause="Used long ago")


def unused(table: Holder) -> list[str]:
    """The complications that the GM may still use, the oldest first."""
    return [name for name, item in table.items("complications").items() if not item["used"]]
