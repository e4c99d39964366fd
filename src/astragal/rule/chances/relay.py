"""Relays: throws whose counts are dice of a later throw, solved for every number of dice together.

A node of a number of dice (``Lazy.dice``) is looked at once. All that its throws give is kept as a sum of pools with
weights; from it follows what the last throw counts, however many dice that may have (``dice.solver.endless.mixed``).

The answer to a choice on the way must not depend on the number of dice. Of two answers that lead on with other dice,
one is better with any number of dice if the worth of what follows never falls, or never rises, with each die more,
and if it is at least as good with equal dice. Both follow from the last throw: what is true of the worth of its counts
is true of their averages, of averages of these, and of the best of several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from operator import mul
from typing import Any, NamedTuple, Protocol, TypeAlias

from astragal.dice.distribution import added_up
from astragal.dice.reading import Tally
from astragal.dice.solver.endless.mixed import Gifts, Mixed, gathered, grown
from astragal.dice.solver.packed import common_multiple
from astragal.dice.solver.readings import tally_series
from astragal.dice.solver.series import Ratio, ratio_of
from astragal.errors import Illegal, Malformed
from astragal.rule.tree.node import Choice, Lazy, Node, Option, Throw

NOTHING = Fraction(0)
LEAST = 1
"""The fewest dice of a last throw; with fewer, something else is thrown."""

Pools: TypeAlias = dict[tuple[Gifts, int], int]
"""Pools of a last throw with their weights: what is given to them, and how many dice they have besides."""


class Lead(NamedTuple):
    """The last throw of a relay, how likely it comes to that, and what it counts; a throw of something else has no law.

    The law has that chance as its whole.
    """

    throw: Throw[Any, Any]
    chance: Fraction
    law: Mixed | None = None


class Turn(NamedTuple):
    """A node of a number of dice, without the number."""

    make: Callable[..., Node[Any]]
    args: tuple[Any, ...]
    marks: tuple[int, ...]


class Way(NamedTuple):
    """How a throw of a relay leads on: to which node, what it gives, and with what weight."""

    to: Turn
    more: int
    gain: int
    gifts: Gifts
    weight: int


class Step(NamedTuple):
    """The next node of a relay, how many dice more it has, and what its marks are worth if they are left aside."""

    to: Turn
    more: int
    gain: int = 0


class Relayed(NamedTuple):
    """The last throws to which a relay comes, and what the marks on the way are worth on average."""

    leads: list[Lead]
    gain: Fraction


def die_of(throw: Throw[Any, Any]) -> tuple[Ratio, int]:
    """Return what one die of a throw of a relay counts, and how many dice there are."""
    if not isinstance(throw.reading, Tally) or len(throw.pool) != 1:
        raise Malformed("What gives dice, or has dice given to it, counts dice of one kind.")
    (dice,) = throw.pool
    return ratio_of(dice, throw.reading.counting), dice.n


def law_of(throw: Throw[Any, Any], pools: Pools, total: int = 1) -> tuple[Mixed, Fraction]:
    """Return what these pools count, as this throw of ``LEAST`` dice counts, and the chance of fewer dice."""
    die, _ = die_of(throw)
    most = None
    if len(die.below) == 1 and all(len(kind.below) == 1 for gifts, _ in pools for kind, _ in gifts):
        dice_of_all = [n + sum([(len(kind.above) - 1) * m for kind, m in gifts]) for gifts, n in pools]
        most = (len(die.above) - 1) * max(*dice_of_all, LEAST)
    return grown(die, pools, total, LEAST, most)


def alone(throw: Throw[Any, Any]) -> Lead:
    """Return a throw by itself as the last one."""
    if not isinstance(throw.reading, Tally):
        return Lead(throw, Fraction(1))
    return Lead(throw, Fraction(1), Mixed.of(tally_series(throw.reading.counting, throw.pool)))


class Worths(Protocol):
    """What a solver tells about nodes, by its policy."""

    def in_relay(self, choice: Choice[Any]) -> Option[Any]:
        """Return the answer to a choice that may come with any number of dice."""

    def values(self, throw: Throw[Any, Any]) -> tuple[Sequence[tuple[Any, int]], int]:
        """Return the values of a throw with their weights."""

    def worth(self, node: Node[Any]) -> Fraction:
        """Return the average worth of what follows."""

    def worths(self, throw: Throw[Any, Any]) -> Sequence[Sequence[Fraction]]:
        """Return the worth of each count of a last throw, in runs that go up; what is above them is worth as much."""


class Relays:
    """The relays of a tree, by how a solver answers their choices.

    With ``each``, marks are left aside, and counted by what each of them is worth.
    """

    def __init__(self, solver: Worths, each: tuple[int, ...] | None) -> None:
        self._solver = solver
        self._each = each
        self._throws: dict[tuple[Turn, int], Throw[Any, Any]] = {}
        self._slopes: dict[Turn, tuple[bool, bool]] = {}
        self._gaps: dict[tuple[Turn, Turn], tuple[Fraction, Fraction]] = {}
        self._runs: dict[Turn, tuple[list[list[Fraction]], Fraction]] = {}

    def run(self, start: Lazy[Any]) -> Relayed:
        """Return to which last throws a relay comes."""
        first = self._step(start)
        turns: dict[Turn, Pools] = {first.to: {((), first.more + LEAST): 1}}
        total = 1
        found: list[Lead] = []
        gain = Fraction(first.gain)
        while turns:
            after: dict[Turn, Pools] = {}
            ways = []
            for turn, pools in turns.items():
                throw = self._throw(turn)
                if throw.gives is None:
                    law, fewer = law_of(throw, pools, total)
                    found += [Lead(throw, law.whole, law)] if law.whole else []
                    found += [Lead(self._throw(turn, LEAST - 1), fewer)] if fewer else []
                else:
                    ways.append((pools, *self._ways(throw)))
            common = common_multiple(each for _, _, each in ways)
            for pools, leading, each in ways:
                for way in leading:
                    weight = way.weight * (common // each)
                    if way.gain:
                        gain += Fraction(sum(pools.values()) * weight * way.gain, total * common)
                    reached = after.setdefault(way.to, {})
                    for (gifts, n), ways_there in pools.items():
                        pool = _joined(gifts, way.gifts), n + way.more
                        reached[pool] = reached.get(pool, 0) + ways_there * weight
            turns, total = after, total * common
        return Relayed(found, gain)

    def _step(self, node: Node[Any]) -> Step:
        if not isinstance(node, Lazy) or node.dice is None:
            raise Malformed("Each count of a throw that gives dice must lead to a node of a number of dice.")
        if self._each is None:
            return Step(Turn(node.make, node.args, node.marks), node.dice - LEAST)
        turn = Turn(node.make, node.args, (0,) * len(node.marks))
        return Step(turn, node.dice - LEAST, worth_of(node.marks, self._each))

    def _throw(self, turn: Turn, dice: int = LEAST) -> Throw[Any, Any]:
        if (turn, dice) not in self._throws:
            node = turn.make(*turn.args, turn.marks, dice)
            if not isinstance(node, Throw):
                raise Malformed("A node of a number of dice must be a throw.")
            self._throws[turn, dice] = node
        return self._throws[turn, dice]

    def _ways(self, throw: Throw[Any, Any]) -> tuple[list[Way], int]:
        """How a throw of a relay leads on, and the total of the weights."""
        if not isinstance(throw.reading, Tally):
            weights, total = self._solver.values(throw)
            return [Way(*self._next(throw.then(value)), (), weight) for value, weight in weights], total
        gifts = (die_of(throw),)
        one = self._next(throw.then(1))
        one = one._replace(more=one.more - 1)
        other = self._next(throw.then(0))
        if other == one:
            return [Way(*one, gifts, 1)], 1
        # The gifts have the chance of none as well, which leads elsewhere.
        (none,), total = gathered(gifts).weights(0)
        return [Way(*one, gifts, total), Way(*one, (), -none), Way(*other, (), none)], total

    def _next(self, node: Node[Any]) -> Step:
        """The next node of a relay, and how many dice more it has than this one."""
        while isinstance(node, Choice):
            option = self._solver.in_relay(node)
            if option.costs:
                raise Illegal("What an answer costs is not counted where dice are given without end.")
            node = option.then
        return self._step(node)

    def best(self, choice: Choice[Any]) -> Option[Any]:
        """Return the first option that is as good as every other, with any number of dice."""
        options = list(choice.taken.values())
        for option in options:
            if all(self._is_as_good(option, other) for other in options if other is not option):
                return option
        raise Illegal(
            "Which answer is best depends here on a number of dice that has no end. Ask without a policy, for another "
            "wish, or for dice that do not go again."
        )

    def _is_as_good(self, option: Option[Any], other: Option[Any]) -> bool:
        """True if F(n + a) ≥ G(n + b) for every n: G goes up or down from b to a, and F is never below G."""
        mine, theirs = self._next(option.then), self._next(other.then)
        if mine.gain + self._gap(theirs.to, mine.to)[0] < theirs.gain:
            return False
        if mine.more == theirs.more:
            return True
        rises, falls = self._slope(theirs.to)
        return rises if mine.more > theirs.more else falls

    def _slope(self, turn: Turn) -> tuple[bool, bool]:
        """Whether the worth never falls with a die more, and whether it never rises."""
        if turn not in self._slopes:
            throw = self._throw(turn)
            if throw.gives is None:
                runs, fewer = self._run(turn, throw)
                ups = [pair for run in runs for pair in pairwise(run)]
                ups.append((fewer, self._solver.worth(throw)))
                self._slopes[turn] = all(a <= b for a, b in ups), all(a >= b for a, b in ups)
            else:
                slopes = [self._slope(step.to) for step in self._all(throw)]
                self._slopes[turn] = all(rises for rises, _ in slopes), all(falls for _, falls in slopes)
        return self._slopes[turn]

    def _gap(self, left: Turn, right: Turn) -> tuple[Fraction, Fraction]:
        """The least and the most by which the second is worth more than the first, with equal dice."""
        if left == right:
            return NOTHING, NOTHING
        if (left, right) not in self._gaps:
            one, other = self._throw(left), self._throw(right)
            if one.gives is None:
                (runs, fewer), (runs_too, fewer_too) = self._run(left, one), self._run(right, other)
                gaps = [b - a for run, too in zip(runs, runs_too, strict=True) for a, b in zip(run, too, strict=True)]
                gaps.append(fewer_too - fewer)
            else:
                pairs = list(zip(self._all(one), self._all(other), strict=True))
                gaps = [gap + b.gain - a.gain for a, b in pairs for gap in self._gap(a.to, b.to)]
            self._gaps[left, right] = min(gaps), max(gaps)
        return self._gaps[left, right]

    def _run(self, turn: Turn, throw: Throw[Any, Any]) -> tuple[list[list[Fraction]], Fraction]:
        """What the counts of the last throw are worth, and the throw of something else."""
        if turn not in self._runs:
            runs = [list(run) for run in self._solver.worths(throw)]
            self._runs[turn] = runs, self._solver.worth(self._throw(turn, LEAST - 1))
        return self._runs[turn]

    def _all(self, throw: Throw[Any, Any]) -> list[Step]:
        """Every node to which a throw of a relay may lead, whatever is answered."""
        values = (0, 1) if isinstance(throw.reading, Tally) else [value for value, _ in self._solver.values(throw)[0]]
        found = []
        for value in values:
            node = throw.then(value)
            options = [option.then for option in node.taken.values()] if isinstance(node, Choice) else [node]
            found += [self._next(option) for option in options]
        return found


def worth_of(marks: tuple[int, ...], each: tuple[int, ...]) -> int:
    """Return what marks are worth; of those for which no worth is given, nothing."""
    return sum(map(mul, marks, each))


def _joined(gifts: Gifts, more: Gifts) -> Gifts:
    if not more or not gifts:
        return gifts or more
    return tuple(sorted(added_up((*gifts, *more)).items()))
