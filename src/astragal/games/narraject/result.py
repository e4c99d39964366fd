"""The result of a Narraject roll, settled on the final dice (NJ-7 to NJ-13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from astragal.games.narraject.result_seen import Seen

if TYPE_CHECKING:
    from astragal.games.narraject.attempt import Attempt


class Result(NamedTuple):
    """What a roll gave; the IP are those gained, ``ip_left`` what is left of those held."""

    marks: int
    difficulty: int
    margin: int
    success: bool
    degree: str
    position: str
    player_ip: int
    gm_ip: int
    complications: int
    ip_spent: int
    ip_left: int


def settle(ask: Attempt, seen: Seen, ip: int, partial: bool = False) -> Result:
    """Degree, position, IP and complications of these dice."""
    marks = seen.marks(ask.counting)
    margin = marks - ask.difficulty
    degree = "partial_success" if partial else degree_of(marks, ask.difficulty)
    position = seen.position
    return Result(
        marks=marks,
        difficulty=ask.difficulty,
        margin=margin,
        success=margin >= 0,
        degree=degree,
        position=position,
        player_ip=int(position == "highest"),
        gm_ip=int(position == "lowest"),
        complications=complications_of(degree, seen.step),
        ip_spent=ask.ip - ip,
        ip_left=ip,
    )


def degree_of(marks: int, difficulty: int) -> str:
    """How well it went (NJ-8) or how badly (NJ-9)."""
    margin = marks - difficulty
    if margin >= 0:
        return "triumph" if margin >= 5 else "strong" if margin >= 3 else "solid" if margin >= 1 else "success"
    if marks == 0:
        return "catastrophic_failure"
    return "near_miss" if margin >= -2 else "clear_failure"


def complications_of(degree: str, step: int) -> int:
    """One for a catastrophe (NJ-9) or a bought partial success (NJ-13), one for a Step Die of 1 or 2 (NJ-11)."""
    return (degree in ("catastrophic_failure", "partial_success")) + (step <= 2)
