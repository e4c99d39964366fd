"""Two pools compared from the highest die down: who leads, and by how much (TG-3 to TG-5)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from astragal.author import Dice, Pool, Scored

Winner = Literal["ours", "none", "theirs"]
"""The side that wins, for ours best first."""
Side = Literal["ours", "theirs"]
SIDES: tuple[Side, Side] = ("ours", "theirs")
WON = {"ours": "ours won", "theirs": "theirs won"}
"""The other side shows a die below those that the leader has counted, so nothing changes any more (TG-4)."""


class Lead(NamedTuple):
    """Where the comparison stands: a tie, a side that is ahead, or one that has won; and the dice counted for it."""

    state: str = "tie"
    n: int = 0

    @property
    def winner(self) -> Winner:
        """The side that leads, or ``none``."""
        return "none" if self.state == "tie" else "ours" if self.state.startswith("ours") else "theirs"

    @property
    def successes(self) -> int:
        """A side that ran out while every pair tied loses by exactly 1 (TG-5)."""
        return self.n if self.state in WON.values() else int(self.state != "tie")

    @property
    def signed(self) -> int:
        """The successes of our side, below 0 where theirs has them."""
        return -self.successes if self.winner == "theirs" else self.successes


class Met(NamedTuple):
    """The lead once the other side has thrown its own dice, too."""

    lead: Lead


def compare(state: str, counts: tuple[int, ...]) -> tuple[str, int]:
    """One face further down: equal dice are set aside (TG-3), then the leader's dice are counted (TG-4)."""
    ours, theirs = counts
    if state == "tie":
        return ("tie", 0) if ours == theirs else ("ours", ours - theirs) if ours > theirs else ("theirs", theirs - ours)
    mine, other = (ours, theirs) if state == "ours" else (theirs, ours)
    return (WON[state], 0) if other else (state, mine)


OPPOSED = Scored("tie", compare, Lead, frozenset(WON.values()))


def met(state: str, n: int) -> Met:
    """The lead of both sides' dice."""
    return Met(Lead(state, n))


def pools(ours: int, theirs: int, sides: int) -> Pool:
    """Both sides' dice; a pool of 0 or less rolls none (TG-2)."""
    return Dice(sides, max(ours, 0), "die (ours)"), Dice(sides, max(theirs, 0), "die (theirs)")
