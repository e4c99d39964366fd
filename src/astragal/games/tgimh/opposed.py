"""Two pools compared from the highest die down: who leads, and the exact odds of it (TG-3 to TG-5).

Let N(q, a, t) count the pairs of throws, a dice against t on q faces, in which the t
dice are, one by one from the top, equal to the highest of the a dice. On the top face
either as many of both show it and the rest is the same question with one face fewer,
or all t dice are used up and more of the others show it. If the loser's highest
remaining die shows g, the winner's a dice above g and the loser's t dice above g are
such a pair on the faces above g, and the winner has a − t successes.
"""

from __future__ import annotations

from math import comb
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from astragal.author import LIMIT, Dice, Faces, Pool, Scan, expect, spend

if TYPE_CHECKING:
    from astragal.author import Distribution

SIDES = ("ours", "theirs")
STEPS = 0.7
"""Steps for each face and each three dice."""


class Lead(NamedTuple):
    """The side that is ahead, how many of its dice beat what the other side has left, and whether that is known."""

    side: int = 0
    n: int = 0
    closed: bool = False

    @property
    def winner(self) -> str:
        """The side that leads, or ``none``."""
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
        """The lead of the thrown dice."""
        return SCAN.read(faces)

    def odds(self, pool: Pool, up_to: int) -> Distribution[Lead]:
        """The exact odds of every lead."""
        return opposed_odds(pool)


OPPOSED = Opposed()


class Shown(NamedTuple):
    """What lies there when one side has thrown its own dice: their faces, from the highest down."""

    def read(self, faces: Faces) -> tuple[int, ...]:
        """The faces."""
        return tuple(sorted(faces[0][0], reverse=True))


class Met(NamedTuple):
    """The lead once the other side has thrown its own dice, too."""

    lead: Lead


class Meeting(NamedTuple):
    """Their pool against faces that lie there."""

    ours: tuple[int, ...]

    def read(self, faces: Faces) -> Met:
        """The lead of both sides' dice."""
        return Met(OPPOSED.read(((self.ours,), faces[0])))

    def odds(self, pool: Pool, up_to: int) -> Distribution[Met]:
        """The exact odds of every lead, from the highest face down."""
        top = pool[0].sides + 1
        return Scan((Lead(), top), self._further).odds(pool, up_to).map(lambda state: Met(self._down_to(0, *state)))

    def _further(self, state: tuple[Lead, int], face: int, counts: tuple[int, ...]) -> tuple[Lead, int]:
        """Down to a face that they show."""
        lead = self._down_to(face, *state)
        return compare(lead, face, (self.ours.count(face), *counts)), face

    def _down_to(self, face: int, lead: Lead, last: int) -> Lead:
        """The lead after those of our faces that lie between two of theirs."""
        for ours in sorted({ours for ours in self.ours if face < ours < last}, reverse=True):
            lead = compare(lead, ours, (self.ours.count(ours), 0))
        return lead


def pools(ours: int, theirs: int, sides: int) -> Pool:
    """Both sides' dice; a pool of 0 or less rolls none (TG-2)."""
    return Dice(sides, max(ours, 0), "die (ours)"), Dice(sides, max(theirs, 0), "die (theirs)")


def opposed_odds(pool: Pool) -> Distribution[Lead]:
    """Every lead that two pools can come to, with the number of throws that lead there."""
    from astragal.author import Distribution

    ours, theirs = (dice.n for dice in pool)
    sides = pool[0].sides
    _check_size(max(ours, theirs), sides)
    pairs = _prefix_pairs(max(ours, theirs), min(ours, theirs), sides)
    weights: dict[Lead, int] = {}
    for side, winner, loser in ((1, ours, theirs), (-1, theirs, ours)):
        for successes, ways in enumerate(_wins(winner, loser, sides, pairs)):
            if ways:
                weights[Lead(side, successes, True)] = ways
    if ours == theirs:
        weights[Lead()] = pairs[sides][ours][ours]
    else:
        side, more, less = (1, ours, theirs) if ours > theirs else (-1, theirs, ours)
        weights[Lead(side, more - less, False)] = pairs[sides][more][less]
    return Distribution(weights, sides ** (ours + theirs))


def _check_size(most: int, sides: int) -> None:
    """Count the steps, or refuse with the most dice that can be compared."""
    largest = round((LIMIT / STEPS / sides) ** (1 / 3))
    steps = int(STEPS * sides * most**3)
    expect(steps, f"Exact odds of pools of {most:,}d{sides} take too long; at most {largest} dice a side are compared.")
    spend(steps)


def _prefix_pairs(most: int, least: int, sides: int) -> list[list[list[int]]]:
    """N(q, a, t) for every q up to the sides, a up to the larger pool and t up to a or the smaller pool."""
    choose = [[comb(a, b) for b in range(a + 1)] for a in range(most + 1)]
    both = [[list(map(mul, choose[a], choose[t])) for t in range(min(a, least) + 1)] for a in range(most + 1)]
    before = [[int(a == t == 0) for t in range(min(a, least) + 1)] for a in range(most + 1)]
    pairs = [before]
    for q in range(1, sides + 1):
        before = _one_face_more(before, both, choose, q)
        pairs.append(before)
    return pairs


def _one_face_more(
    before: list[list[int]], both: list[list[list[int]]], choose: list[list[int]], q: int
) -> list[list[int]]:
    """N(q, ·, ·) from N(q − 1, ·, ·): sums along diagonals, on which a − t stays the same."""
    most = len(before) - 1
    diagonals = [[before[d + t][t] for t in range(most - d + 1) if t < len(before[d + t])] for d in range(most + 1)]
    backwards = [diagonal[::-1] for diagonal in diagonals]
    after = []
    for a in range(most + 1):
        more = _used_up(choose[a], a, q)
        row = []
        for t in range(len(before[a])):
            diagonal = backwards[a - t]
            row.append(sum(map(mul, both[a][t], diagonal[len(diagonal) - 1 - t :])) + more[t])
        after.append(row)
    return after


def _used_up(choose: list[int], a: int, q: int) -> list[int]:
    """For each t: throws of a dice of which more than t show the top face."""
    above = [0] * (a + 2)
    for shown in range(a, -1, -1):
        above[shown] = above[shown + 1] + choose[shown] * (q - 1) ** (a - shown)
    return above[1:]


def _wins(winner: int, loser: int, sides: int, pairs: list[list[list[int]]]) -> list[int]:
    """For each number of successes: throws that the winner wins by it, with dice of the loser left to beat."""
    ways = [0] * (winner + 1)
    for t in range(min(loser, winner)):
        for g in range(1, sides):
            # The loser's other dice show g at the most, and at least one of them does.
            left = comb(loser, t) * (g ** (loser - t) - (g - 1) ** (loser - t))
            table = pairs[sides - g]
            for a in range(t + 1, winner + 1):
                ways[a - t] += table[a][t] * (comb(winner, a) * left * g ** (winner - a))
    return ways
