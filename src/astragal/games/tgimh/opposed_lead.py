"""Who leads when two pools are compared from the highest die down (TG-3 to TG-5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from astragal.dice.dice import Dice, Faces, Pool
from astragal.dice.reading import Scan
from astragal.rule.note import Die, Note

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution

SIDES = ("ours", "theirs")


class Lead(NamedTuple):
    """The side that is ahead, how many of its dice beat what the other side has left, and whether that is known."""

    side: int = 0
    n: int = 0
    closed: bool = False

    @property
    def winner(self) -> str:
        return {0: "none", 1: "ours", -1: "theirs"}[self.side]

    @property
    def successes(self) -> int:
        """A side that ran out while every pair tied loses by exactly 1 (TG-5)."""
        return self.n if self.closed else abs(self.side)


def compare(lead: Lead, face: int, counts: tuple[int, ...]) -> Lead:
    """One face further down: equal dice are set aside (TG-3), then the leader's dice are counted (TG-4)."""
    ours, theirs = counts
    if lead.closed:
        return lead
    if lead.side == 0:
        return Lead((ours > theirs) - (ours < theirs), abs(ours - theirs))
    mine, other = (ours, theirs) if lead.side > 0 else (theirs, ours)
    return Lead(lead.side, lead.n, True) if other else Lead(lead.side, lead.n + mine)


SCAN = Scan(Lead(), compare)


class Opposed(NamedTuple):
    """Two pools, read by a scan; the odds have a closed form."""

    def read(self, faces: Faces) -> Lead:
        return SCAN.read(faces)

    def odds(self, pool: Pool, up_to: int) -> Distribution[Lead]:
        from astragal.games.tgimh.opposed import opposed_odds

        return opposed_odds(pool)


OPPOSED = Opposed()


def pools(ours: int, theirs: int, sides: int) -> Pool:
    """Both sides' dice; a pool of 0 or less rolls none (TG-2)."""
    return Dice(sides, max(ours, 0), "die (ours)"), Dice(sides, max(theirs, 0), "die (theirs)")


def tell_dice(faces: Faces, sides: int) -> Iterator[Die]:
    """Each side from high to low: what was set aside, what had to be beaten, what beat it."""
    ours, theirs = (sorted(waves[0], reverse=True) for waves in faces)
    tied = _tied(ours, theirs)
    for side, dice, other in ((SIDES[0], ours, theirs), (SIDES[1], theirs, ours)):
        highest = other[tied] if len(other) > tied else 0
        for place, face in enumerate(dice):
            if place < tied:
                yield Die(side, sides, face, "set aside")
            elif highest and face > highest:
                yield Die(side, sides, face, "beats", True)
            else:
                yield Die(side, sides, face)


def order_notes(faces: Faces) -> Iterator[Note]:
    """How the comparison went."""
    yield Note("From the highest die down, equal pairs are set aside; then the higher die wins.", "TG-3")
    ours, theirs = (sorted(waves[0], reverse=True) for waves in faces)
    if len(ours) != len(theirs) and 0 < _tied(ours, theirs) == min(len(ours), len(theirs)):
        yield Note("One side runs out while every pair is equal: the side with more dice wins by 1.", "TG-5")


def _tied(ours: list[int], theirs: list[int]) -> int:
    """How many pairs are equal from the top."""
    tied = 0
    for one, other in zip(ours, theirs, strict=False):
        if one != other:
            break
        tied += 1
    return tied
