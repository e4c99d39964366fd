"""Fights: a series of rolls with decisions, solved exactly.

Everyone has a counter that only goes up, and is out when it is full. So the counters give an order in which states are
solved. Only turns in which nothing is ticked lead round in a circle, among those who stand: there the chance of a turn
is the best of some lines of the next one's,

    V(turn) = max or min over the ways to act of (a + p · V(next turn)),

and once round, V = g(V) with a piecewise linear g that grows by less than V does. Its fixed point is that of one piece.
It is found by trying the fixed point of the piece at a guess, within bounds that get closer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple, TypeAlias

from astragal.dice.distribution import Distribution
from astragal.dice.estimates import refuse_bytes
from astragal.errors import Illegal, Malformed

Counters: TypeAlias = tuple[int, ...]
"""The value of each fighter's counter, heroes first."""
HALF = Fraction(1, 2)
STATE = 5_000
"""Bytes for all turns of a state, with fractions of a thousand bits."""


class Fighter(NamedTuple):
    """A fighter, who is out with ``size`` ticks, and their ways to act: what each ticks on its target."""

    size: int
    ways: Mapping[str, Distribution[int]]


class Act(NamedTuple):
    """The best act on a turn: the target, by its place on the other side, the way, and the heroes' chance with it."""

    target: int
    way: str
    chance: Fraction


class Line(NamedTuple):
    """A way to act: the chance that comes of its ticks, and how likely it ticks nothing."""

    gains: Fraction
    waits: Fraction
    target: int
    way: str


class Fight:
    """Heroes against foes, who act in this order, round after round, until one side is out.

    On a turn, a fighter who stands picks a standing target on the other side, and a way to act. Heroes do what is best
    for them, foes what is worst for the heroes.
    """

    def __init__(self, heroes: Sequence[Fighter], foes: Sequence[Fighter]) -> None:
        self.heroes = len(heroes)
        self.fighters = (*heroes, *foes)
        self.sizes = tuple([fighter.size for fighter in self.fighters])
        if not heroes or not foes or min(self.sizes) < 1:
            raise Malformed("A fight needs somebody on each side, each with room for at least 1 tick.")
        for way in (way for fighter in self.fighters for way in fighter.ways.values()):
            if way.chance(lambda ticks: ticks < 0) or not way.chance(lambda ticks: ticks > 0):
                raise Illegal("A way to act ticks 0 or more, and must be able to tick something; else there is no end.")
        if not all(fighter.ways for fighter in self.fighters):
            raise Malformed("Each fighter needs a way to act.")
        self._ticks = [
            {name: [(ticks, chance) for ticks, chance in way.items() if chance] for name, way in fighter.ways.items()}
            for fighter in self.fighters
        ]
        self._known: dict[Counters, Fraction | dict[int, Act]] = {}

    @property
    def chance(self) -> Fraction:
        """The chance that the heroes win, from the first hero's turn on."""
        return self.best((0,) * len(self.sizes), 0).chance

    def best(self, ticked: Counters, turn: int) -> Act:
        """Return what is best for a fighter, by place among heroes and foes, with these ticks on everyone."""
        if not self._known:
            self._solve()
        acts = self._known.get(tuple(ticked))
        if not isinstance(acts, dict) or turn not in acts:
            raise Illegal("Nobody acts here: the fight is over, this fighter is out, or there are no such counters.")
        return acts[turn]

    def _solve(self) -> None:
        states = prod([size + 1 for size in self.sizes])
        refuse_bytes(states * STATE)
        heroes = self.heroes
        for state in sorted(product(*[range(size + 1) for size in self.sizes]), key=sum, reverse=True):
            standing = [place for place, size in enumerate(self.sizes) if state[place] < size]
            ours = [place for place in standing if place < heroes]
            theirs = standing[len(ours) :]
            if not ours or not theirs:
                self._known[state] = Fraction(bool(ours))
                continue
            lines = [self._lines(state, turn, theirs if turn < heroes else ours) for turn in standing]
            acts = _circle(lines, [turn < heroes for turn in standing])
            self._known[state] = {
                turn: Act(act.target - heroes if turn < heroes else act.target, act.way, act.chance)
                for turn, act in zip(standing, acts, strict=True)
            }

    def _lines(self, state: Counters, turn: int, targets: Sequence[int]) -> list[Line]:
        """All ways to act, by what is known of the states with more ticks."""
        lines = []
        for target in targets:
            after = list(state)
            ends: dict[int, Fraction] = {}
            for way, ticked in self._ticks[turn].items():
                gains = waits = Fraction(0)
                for ticks, chance in ticked:
                    if not ticks:
                        waits = chance
                        continue
                    full = min(state[target] + ticks, self.sizes[target])
                    if full not in ends:
                        after[target] = full
                        ends[full] = self._from(tuple(after), turn)
                    gains += chance * ends[full]
                lines.append(Line(gains, waits, target, way))
        return lines

    def _from(self, state: Counters, turn: int) -> Fraction:
        """The chance once the turn has passed to the next who stands."""
        known = self._known[state]
        if isinstance(known, Fraction):
            return known
        return known[next((place for place in known if place > turn), next(iter(known)))].chance


def _circle(lines: Sequence[Sequence[Line]], wants_more: Sequence[bool]) -> list[Act]:
    """The best act of each turn while no counter is ticked, with the chance from that turn on.

    Picks of two sides may go round in circles, so a fixed point outside the bounds gives way to their middle.
    """
    low, high = Fraction(-1), Fraction(2)
    guess = HALF
    while True:
        acts, gains, waits = _round(lines, wants_more, guess)
        found = acts[0].chance
        if found == guess:
            return acts
        low, high = (guess, high) if found > guess else (low, guess)
        guess = gains / (1 - waits)
        if not low < guess < high:
            guess = (low + high) / 2


def _round(
    lines: Sequence[Sequence[Line]], wants_more: Sequence[bool], guess: Fraction
) -> tuple[list[Act], Fraction, Fraction]:
    """The best acts if the first turn of the next round is worth ``guess``, and the line that they make together."""
    acts: list[Act] = []
    value, gains, waits = guess, Fraction(0), Fraction(1)
    for options, more in zip(reversed(lines), reversed(wants_more), strict=True):
        worths = [line.gains + line.waits * value for line in options]
        value = max(worths) if more else min(worths)
        line = options[worths.index(value)]
        gains, waits = line.gains + line.waits * gains, line.waits * waits
        acts.append(Act(line.target, line.way, value))
    return acts[::-1], gains, waits
