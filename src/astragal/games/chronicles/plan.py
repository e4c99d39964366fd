"""Which Beats helpers take if a roll is weighed: each against the four dice that it costs the leader (CD-10, CD-12).

More dice always help, but less and less: from some pool on, no four dice are worth a Beat. So a plan is to take
every Beat, for which there is a closed form, but for a few small pools at which it is better to keep the failure.
What these change is added to the closed form, and taken back from it, exactly (CD-15).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from astragal.author import Series, common_multiple, spend
from astragal.games.chronicles.mixture import (
    CHANCE,
    DIE,
    DRAMATIC,
    NOTHING,
    ONE,
    Given,
    Ways,
    cases,
    coefficients,
    mixture,
    on_chance_dice,
)
from astragal.games.chronicles.pool import Quality
from astragal.games.chronicles.team import DRAMATIC_HELPER, Help, Helper

BEST = 2
"""What the best result is worth; a Beat is worth 1, and a dramatic failure takes away 2."""
TERM = 60
"""Steps of one fraction that is multiplied and added."""


class TeamChances:
    """What a leader rolls below some number of successes, with helpers who take every Beat; computed once."""

    def __init__(self, team: tuple[Helper, ...], quality: Quality, below: int) -> None:
        self.team = team
        self.quality = quality
        self._below = below
        self._rolled: dict[tuple[int, int], tuple[list[Fraction], Fraction]] = {}
        self._given: dict[int, list[Fraction]] = {}

    def rolled(self, place: int, pool: int) -> tuple[list[Fraction], Fraction]:
        """The chance of each number of successes, from the helper at this place on, and that of a chance die."""
        if (place, pool) not in self._rolled:
            mixed = mixture(pool, self.quality, self.team[place:], True)
            ways, total = coefficients(mixed, self._below - 1)
            self._rolled[place, pool] = [Fraction(n, total) for n in ways], mixed.chance
        return self._rolled[place, pool]

    def fails(self, helper: Helper) -> Fraction:
        """The chance that a helper plainly fails."""
        if helper.dice < 1:
            (fail, _), (total,) = CHANCE[self.quality.rote]
            return Fraction(fail, total) - DRAMATIC[self.quality.rote]
        die = DIE[self.quality]
        return Fraction(die.above[0] ** helper.dice, die.below[0] ** helper.dice)

    def gives(self, helper: Helper, most: int) -> Iterator[tuple[int, Fraction]]:
        """The dice that a helper gives or takes, up to so many, but for a plain failure."""
        if helper.dice < 1:
            (_, one), (total,) = CHANCE[self.quality.rote]
            yield 1, Fraction(one, total)
            yield DRAMATIC_HELPER, DRAMATIC[self.quality.rote]
            return
        known = self._given.get(helper.dice, [])
        if len(known) <= most:
            ways, total = Series.of(DIE[self.quality], helper.dice).weights(most)
            known = self._given[helper.dice] = [Fraction(n, total) for n in ways]
        yield from ((more, known[more]) for more in range(1, most + 1))


class Plan:
    """The best answers of a team to its failures.

    ``less`` says how much less than the best each number of successes of the leader is worth; more are worth the best.
    """

    def __init__(self, chances: TeamChances, less: tuple[Fraction, ...]) -> None:
        self._chances = chances
        self._team = chances.team
        self._less = less
        self._more: dict[tuple[int, int], Fraction] = {}
        self._settled = self._first_settled()

    def _first_settled(self) -> int:
        """A pool from which on four dice never matter as much as a Beat: nearly all that it rolls is the best."""
        worst, pool = max(map(abs, self._less)), 1
        while 2 * worst * sum(self._chances.rolled(len(self._team), pool)[0][: len(self._less)], NOTHING) >= 1:
            pool += 1
        return pool - DRAMATIC_HELPER

    def worth(self, place: int, pool: int) -> Fraction:
        """What the rest of the roll is worth, from the helper at this place on, with so many dice for the leader."""
        return self._always(place, pool) + self._kept(place, pool)

    def keeps(self, place: int, pool: int) -> bool:
        """Whether the helper at this place keeps a failure."""
        if pool >= self._limit(place):
            return False
        return self.worth(place + 1, pool) >= 1 + self.worth(place + 1, pool + DRAMATIC_HELPER)

    def _limit(self, place: int) -> int:
        """From here on every failure is made dramatic, whatever later helpers roll."""
        return self._settled - DRAMATIC_HELPER * (len(self._team) - 1 - place)

    def _always(self, place: int, pool: int) -> Fraction:
        """The worth if every helper from here on takes every Beat."""
        spend(TERM * len(self._less))
        rolled, chance_die = self._chances.rolled(place, pool)
        short = sum((less * chance for less, chance in zip(self._less, rolled, strict=False)), NOTHING)
        beats = sum((self._chances.fails(helper) for helper in self._team[place:]), NOTHING)
        return BEST + short - 2 * chance_die * DRAMATIC[self._chances.quality.rote] + beats

    def _kept(self, place: int, pool: int) -> Fraction:
        """How much more it is worth to keep failures where that is better."""
        if place == len(self._team) or pool >= self._limit(place):
            return NOTHING
        if (place, pool) not in self._more:
            helper, after = self._team[place], place + 1
            taken = 1 + self._always(after, pool + DRAMATIC_HELPER)
            better = max(self.worth(after, pool), 1 + self.worth(after, pool + DRAMATIC_HELPER)) - taken
            found = self._chances.fails(helper) * better
            for more, chance in self._chances.gives(helper, max(0, self._limit(after) - pool - 1)):
                spend(TERM)
                found += chance * self._kept(after, pool + more)
            self._more[place, pool] = found
        return self._more[place, pool]

    def ways(self, place: int, pool: int) -> Ways:
        """All that helpers from this place on may give, by the plan."""
        found = {Given(0, Help()): ONE}
        quality = self._chances.quality
        for at in range(place, len(self._team)):
            helper = self._team[at]
            each = cases(helper.dice, quality) if helper.dice >= 1 else on_chance_dice(1, quality, True, 0)
            after = _also(found, each)
            for held in range(pool + DRAMATIC_HELPER * (at - place), self._limit(at)):
                if self.keeps(at, held):
                    self._keep(after, self._at(found, held - pool), held - pool, self._chances.fails(helper))
            found = after
        total = common_multiple(weight.denominator for weight in found.values())
        return Ways({given: int(weight * total) for given, weight in found.items() if weight}, total)

    def _at(self, found: dict[Given, Fraction], dice: int) -> dict[int, Fraction]:
        """How likely it is that helpers have given just so many dice, for each number of Beats."""
        chances: dict[int, Fraction] = {}
        for (thrown, help), weight in found.items():
            rolled = dice - help.dice
            if rolled < 0 or (rolled and not thrown):
                continue
            ways, total = Series.of(DIE[self._chances.quality], thrown).weights(rolled) if thrown else ([1], 1)
            chances[help.beats] = chances.get(help.beats, NOTHING) + weight * ways[rolled] / total
        return chances

    def _keep(self, after: dict[Given, Fraction], chances: dict[int, Fraction], dice: int, fails: Fraction) -> None:
        """Take back the Beat at so many dice given, and keep the failure."""
        for beats, chance in chances.items():
            kept, taken = Given(0, Help(dice, beats)), Given(0, Help(dice + DRAMATIC_HELPER, beats + 1))
            after[kept] = after.get(kept, NOTHING) + chance * fails
            after[taken] = after.get(taken, NOTHING) - chance * fails


def _also(found: dict[Given, Fraction], more: Ways) -> dict[Given, Fraction]:
    """What helpers have given, and what one more may give."""
    after: dict[Given, Fraction] = {}
    spend(TERM * len(found) * len(more.weights))
    for (thrown, (dice, beats)), weight in found.items():
        for (thrown_too, (dice_too, taken)), n in more.weights.items():
            both = Given(thrown + thrown_too, Help(dice + dice_too, beats + taken))
            after[both] = after.get(both, NOTHING) + weight * n / more.total
    return after
