"""What the loser of a contest bears: a box of the Power track, an Injury, or both (TG-10 to TG-12)."""

from __future__ import annotations

from typing import NamedTuple

from astragal.author import counted

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
    dice = counted(successes, "die", "dice")
    injury = Loss("Take an Injury instead", "TG-10", injury=successes, detail=f"{dice} against you")
    return {"box": box, "injury": injury}


def cross(successes: int, track: int, crossed: tuple[int, ...]) -> Loss:
    """Cross the box of that number; if it is crossed, the next free one above, with an Injury besides (TG-11)."""
    wanted = min(successes, track)
    free = [box for box in range(wanted, track + 1) if box not in crossed]
    if not free:
        return Loss("Leave the scene", "TG-11", out=True, detail="every box from there up is crossed")
    box = free[0]
    out = ", and out of the scene" if box == track else ""
    if box == wanted:
        return Loss(f"Cross box {box}", "TG-10", box, out=box == track, detail=f"of the Power track{out}")
    label, dice = f"Cross box {box} and take an Injury", counted(box, "die", "dice")
    return Loss(label, "TG-11", box, box, box == track, f"with {dice}, as box {wanted} is crossed{out}")
