"""What a Narraject roll comes to: degree, reading of the Step Die, IP and complications (NJ-7 to NJ-12, NJ-15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from astragal.games.narraject.pool import PoolSummary

if TYPE_CHECKING:
    from astragal.games.narraject.attempt import Attempt

BROUGHT = {
    "catastrophic_failure": ("nothing counted at all", "NJ-9"),
    "partial_success": ("a partial success was bought", "NJ-13"),
}
"""The degrees that bring a complication, and by which rule."""
TROUBLE = 2
"""A Step Die that shows this or less brings a complication (NJ-11)."""
IP_FOR = {
    "player": {"highest": (1, 0), "lowest": (0, 1), "neither": (0, 0)},
    "gm": {"highest": (0, 1), "lowest": (0, 0), "neither": (0, 0)},
}
"""The IP that player and GM gain, by who rolls and how the Step Die stands (NJ-10, NJ-15)."""


class Result(NamedTuple):
    """What a roll gave; the IP are those gained, ``ip_left`` what is left of those held.

    ``cost`` is what an accepted offer of the GM's costs, in words. When the GM rolls, a gain is the GM's (NJ-15).
    """

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
    cost: str | None = None
    edition: str = "marks"
    side: str = "player"


def settle(ask: Attempt, summary: PoolSummary, ip: int, bought: bool = False, cost: str | None = None) -> Result:
    """Degree, position, IP and complications of these dice; ``bought`` or at a ``cost``, it is a partial success."""
    marks = summary.marks(ask.counting)
    margin = marks - ask.difficulty
    rolled = degree_of(marks, ask.difficulty)
    position = summary.position
    player_ip, gm_ip = IP_FOR[ask.side][position]
    return Result(
        marks=marks,
        difficulty=ask.difficulty,
        margin=margin,
        success=margin >= 0,
        degree="partial_success" if bought or cost is not None else rolled,
        position=position,
        player_ip=player_ip,
        gm_ip=gm_ip,
        complications=complications_of(ask.side, "partial_success" if bought else rolled, summary.step),
        ip_spent=ask.ip - ip,
        ip_left=ip,
        cost=cost,
        edition=ask.edition,
        side=ask.side,
    )


def degree_of(marks: int, difficulty: int) -> str:
    """How well it went (NJ-8) or how badly (NJ-9)."""
    margin = marks - difficulty
    if margin >= 0:
        return "triumph" if margin >= 5 else "strong" if margin >= 3 else "solid" if margin >= 1 else "success"
    if marks == 0:
        return "catastrophic_failure"
    return "near_miss" if margin >= -2 else "clear_failure"


def complications_of(side: str, degree: str, step: int) -> int:
    """The number of complications that the GM is owed."""
    return len(list(complications(side, degree, step)))


def complications(side: str, degree: str, step: int) -> Iterator[tuple[str, str]]:
    """Why and by which rule the GM is owed a complication; they stand side by side (NJ-12).

    One for a catastrophe (NJ-9) or a bought success (NJ-13), one for a Step Die of 1 or 2 (NJ-11), none to the GM
    who rolls (NJ-15).
    """
    if side == "player" and degree in BROUGHT:
        yield BROUGHT[degree]
    if side == "player" and step <= TROUBLE:
        yield "the Step Die showed 1 or 2", "NJ-11"
