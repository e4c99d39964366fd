"""The rules once more, as one writes them for another library: small functions of faces and whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

BELOW, ABOVE = 1, 2
POSITIONS = ("neither", "highest", "lowest")
TIERS = ("critical_success", "full_success", "partial_success", "failure", "critical_failure")
TICKS = dict(zip(TIERS, (3 * 32, 2 * 32, 32 + 1, 1, 2), strict=True))
"""What a tier ticks: 32 × the goal's ticks + the threat's."""
GOAL, THREAT, BOTH = -1, -2, -3
FIRST = {GOAL: "goal", THREAT: "threat", BOTH: "both"}
ALL_ONES = -1000
"""Stands for the sum of the kept dice when every die shows a 1: a critical failure against any DC (RW-7)."""
TIE, AHEAD, LOST, MET = range(4)


def by_squaring(one: T, times: int, join: Callable[[T, T], T]) -> T:
    """Something joined with itself so many times, in as few steps as the binary number has digits."""
    result: T | None = None
    while True:
        if times & 1:
            result = one if result is None else join(result, one)
        times >>= 1
        if not times:
            assert result is not None
            return result
        one = join(one, one)


def d10_shown(again: int) -> dict[int, int]:
    """A d10 as ``2 × successes + whether it goes on``; a chain of throws joins by ``then`` (CD-5, CD-6)."""
    ends = {0: 7, 2: again - 8}
    return {shown: faces for shown, faces in {**ends, 3: 11 - again}.items() if faces}


def then(so_far: int, more: int) -> int:
    """One throw after another, as long as the first goes on."""
    return so_far - 1 + more if so_far & 1 else so_far


def rote(so_far: int, more: int) -> int:
    """A die without success is thrown once more (CD-7)."""
    return so_far or more


def counts(edition: str, face: int) -> bool:
    """NJ-4."""
    return face in (5, 6) if edition == "hits" else face >= 5


def d6_seen(step_face: int) -> list[int]:
    """A d6 as ``4 × Marks + where it lies from the Step Die``; a pool joins by ``both_d6`` (NJ-4, NJ-10)."""
    return [4 * (face >= 5) + (BELOW if face < step_face else ABOVE if face > step_face else 0) for face in range(1, 7)]


def both_d6(one: int, other: int) -> int:
    """Marks add up; a position is held by all dice or by none."""
    return (one >> 2) + (other >> 2) << 2 | one & other & 3


def joint(seen: int, step_face: int, edition: str) -> tuple[int, str, bool]:
    """Marks, position and complication (NJ-10, NJ-11)."""
    return (seen >> 2) + counts(edition, step_face), POSITIONS[seen & 3], step_face <= 2


def tier(margin: int) -> str:
    """RW-6."""
    if margin >= 0:
        return "critical_success" if margin >= 5 else "full_success"
    return "partial_success" if margin >= -2 else "failure" if margin >= -6 else "critical_failure"


def race_of(goal: int, threat: int) -> Callable[[int, int], int]:
    """A round of a race: the Clocks as ``32 × goal + threat``, or below 0 when one of them is full (RW-10, RW-11)."""
    full = 32 * goal

    def tick(clocks: int, ticks: int) -> int:
        if clocks < 0:
            return clocks
        clocks += ticks
        if clocks >= full:
            return BOTH if clocks & 31 >= threat else GOAL
        return THREAT if clocks & 31 >= threat else clocks

    return tick


def won(standing: int, side: str) -> str:
    """What a standing of two pools comes to for one side (TG-3 to TG-5).

    A standing is 0 while all dice have met their equal; below 0 while dice of the other
    side wait for an answer; else a kind, and 4 × the dice that this side has ahead.
    """
    kind = standing & 3
    if standing == 0:
        return "stalemate"
    if standing < 0 or kind == LOST:
        return "lost"
    return f"{side} {standing >> 2}" if kind == MET else f"{side} 1"
