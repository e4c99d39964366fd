"""What a written game reads in a throw: all picks that its formulas make of its dice, together and exactly."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any, NamedTuple

from astragal.dice.dice import Faces, Pool, endless
from astragal.dice.distribution import Distribution
from astragal.dice.notation.expression import Name
from astragal.dice.notation.pool import throws_of
from astragal.dice.notation.term import Pick
from astragal.dice.reading import Tally
from astragal.dice.work import spend
from astragal.errors import Illegal
from astragal.written.formula import of_dice
from astragal.written.pools import NamedDice


class Picked(NamedTuple):
    """Reads every pick of every named dice; the value has a part for each of ``picks``."""

    dice: tuple[NamedDice, ...]
    names: tuple[Name, ...]
    """The names of dice with what is picked of them."""

    @property
    def picks(self) -> list[tuple[int, Pick]]:
        """Which dice, and what is picked of them."""
        places = {named.name: place for place, named in enumerate(self.dice)}
        return [(places[name.name], name.pick) for name in self.names]

    def read(self, faces: Faces) -> tuple[Any, ...]:
        """The value of each pick."""
        shown = [named.values(waves) for named, waves in zip(self.dice, faces, strict=True)]
        return tuple([of_dice(pick, shown[place]) for place, pick in self.picks])

    def odds(self, pool: Pool, up_to: int) -> Distribution[tuple[Any, ...]]:
        """The exact odds of all of them together; dice of different names are independent."""
        each = [self._odds_of(place, pool, up_to) for place in range(len(pool))]
        joint: dict[tuple[Any, ...], int] = {(): 1}
        for odds in each:
            spend(len(joint) * len(odds))
            joint = {(*left, right): a * b for left, a in joint.items() for right, b in odds.weights.items()}
        found: dict[tuple[Any, ...], int] = {}
        for parts, weight in joint.items():
            value = self._in_order(parts)
            found[value] = found.get(value, 0) + weight
        return Distribution(found, prod(odds.total for odds in each))

    def _of(self, place: int) -> list[Pick]:
        return [pick for at, pick in self.picks if at == place]

    def _in_order(self, parts: Iterable[tuple[Any, ...]]) -> tuple[Any, ...]:
        left = [list(part) for part in parts]
        return tuple([left[place].pop(0) for place, _ in self.picks])

    def _odds_of(self, place: int, pool: Pool, up_to: int) -> Distribution[tuple[Any, ...]]:
        named, dice, picks = self.dice[place], pool[place], self._of(place)
        if endless((dice,)):
            return _counted(named, dice, picks, up_to)
        if not picks or not dice.n:
            return Distribution.certain(tuple([of_dice(pick, ()) for pick in picks]))
        values = [named.value(face) for face in range(1, named.sides + 1)]
        weights = {value: values.count(value) for value in values}
        found: dict[tuple[Any, ...], int] = {}
        for throw, weight in throws_of(dice.n, weights, sorted(weights)).items():
            value = tuple([of_dice(pick, throw) for pick in picks])
            found[value] = found.get(value, 0) + weight
        return Distribution(found, named.sides**dice.n)


def _counted(named: NamedDice, dice: Any, picks: list[Pick], up_to: int) -> Distribution[tuple[Any, ...]]:
    """Dice without end are counted in one way, with odds that have no end either."""
    if len(picks) != 1 or len(picks[0].scores) != 1 or picks[0].keeps or picks[0].scores[0].by != 1:
        raise Illegal(f"Exact odds of {named.name}, which explode without end, are known for one count of them only.")
    counting = frozenset(f for f in range(1, dice.sides + 1) if picks[0].scores[0].test.holds(named.value(f)))
    return Tally(counting).odds((dice,), up_to).map(lambda count: (count,))
