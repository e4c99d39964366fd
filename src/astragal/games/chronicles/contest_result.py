"""What a contest comes to: each side's part, and who wins (CD-10, CD-13)."""

from __future__ import annotations

from typing import NamedTuple


class SideResult(NamedTuple):
    """What one side rolled, in words: its successes with the extra ones, its outcome, a Beat, a Condition."""

    name: str
    successes: int
    outcome: str
    beat: bool = False
    condition: str | None = None


class ContestedResult(NamedTuple):
    """Both sides' successes, and who has more."""

    winner: str
    ours: int
    theirs: int
    our_outcome: str
    their_outcome: str
    our_side: SideResult
    their_side: SideResult


def dramatic(side: SideResult) -> SideResult:
    """A side whose failure is made dramatic for a Beat."""
    return side._replace(outcome="dramatic_failure", beat=True)


def judged(ours: SideResult, theirs: SideResult) -> ContestedResult:
    """More successes win, and equal is a draw (CD-13)."""
    mine, other = ours.successes, theirs.successes
    winner = "ours" if mine > other else "theirs" if other > mine else "draw"
    return ContestedResult(winner, mine, other, ours.outcome, theirs.outcome, ours, theirs)
