"""What the loser of a contest bears: a box of the Power track, an Injury, or both (TG-10 to TG-12)."""

from __future__ import annotations

from typing import NamedTuple

from astragal.games.tgimh.rules import cited, say

INJURY = "Injury"
"""What an Injury is called that nobody named."""


class Loss(NamedTuple):
    """What the loser bears: a box, an Injury of so many dice, and whether it is out."""

    label: str
    rule: str
    box: int | None = None
    injury: int = 0
    out: bool = False
    detail: str = ""


def losses(successes: int, track: int, crossed: tuple[int, ...]) -> dict[str, Loss]:
    """The loser's ways: cross a box, or take an Injury instead (TG-10). A crossed box leaves no choice (TG-11)."""
    box = cross(successes, track, crossed)
    if min(successes, track) in crossed:
        return {"box": box}
    detail = say("TG-10.injury_detail", n=successes)
    return {"box": box, "injury": Loss(*cited("TG-10.do_injury"), injury=successes, detail=detail)}


def cross(successes: int, track: int, crossed: tuple[int, ...]) -> Loss:
    """Cross the box of that number; if it is crossed, the next free one above, with an Injury besides (TG-11)."""
    wanted = min(successes, track)
    free = [box for box in range(wanted, track + 1) if box not in crossed]
    if not free:
        return Loss(*cited("TG-11.do_leave"), out=True, detail=say("TG-11.leave_detail"))
    box = free[0]
    out = box == track
    if box == wanted:
        detail = say("TG-12.cross_detail" if out else "TG-10.cross_detail")
        return Loss(*cited("TG-10.do_cross", box=box), box, out=out, detail=detail)
    detail = say("TG-11.both_detail_out" if out else "TG-11.both_detail", n=box, wanted=wanted)
    return Loss(*cited("TG-11.do_both", box=box), box, box, out, detail)
