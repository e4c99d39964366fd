"""Odds of one fact if options are taken for a wish: the tree of a roll, without all that only people look at.

Each state is solved once. What a throw again leads to depends on what it leaves alone, so that few states are left, and
what a roll comes to is worked out once for all that shows the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.dice.distribution import Distribution
from astragal.rule.chances.fact import Policy, Wish
from astragal.rule.tree.node import Throw, costs_of
from astragal.written.after import After, State

if TYPE_CHECKING:
    from astragal.written.roll import WrittenRoll


class Found(NamedTuple):
    """The weights of values out of a total, and the sums of worth and cost over that total."""

    weights: dict[Any, int]
    total: int
    worth: int
    cost: int


class Plan(After):
    """Goes through the states of a roll, and keeps what each comes to."""

    def __init__(
        self, roll: WrittenRoll, inputs: Mapping[str, Any], of: Callable[[Any], Any], wish: Wish, policy: Policy
    ) -> None:
        super().__init__(roll, inputs)
        self._of, self._wish, self._cheapest = of, wish, policy.name == "cheapest"
        self._priced = any(change.price for band in roll.bands for change in band.changes)
        self._ends: dict[int, Found] = {}
        self._found: dict[State, Found] = {}
        self._laws: dict[Any, Distribution[Any]] = {}

    def odds(self) -> Distribution[Any]:
        """The odds of the fact."""
        found = self._thrown(self.start())
        return Distribution(found.weights, found.total)

    def _goes_on(self, state: State) -> Any:
        if state not in self._found:
            self._found[state] = self._best(state)
        return self._found[state]

    def settled(self, state: State) -> Any:
        """What the roll comes to as it is."""
        values = self.values(state)
        if id(values) not in self._ends:
            result, cost = self.roll.result_of(values), 0
            if self._priced:
                effects = self.roll.settled(values).effects
                cost = sum(costs_of(effect for effect in effects if effect.price).values())
            self._ends[id(values)] = Found({self._of(result): 1}, 1, self._wish.worth(result), cost)
        return self._ends[id(values)]

    def _best(self, state: State) -> Found:
        """The best of all options, or the first of equal ones; behind what is certain and free, none is looked at."""
        best: Found = self.settled(state)
        if not self._wish.counts and best.worth == 1 and not (self._cheapest and best.cost):
            return best
        values = self.values(state)
        for option, barred in self.there(state, values):
            if not barred and option.by == "roller":
                node: Any = self.take(option.name, state)
                found: Found = self._thrown(node) if isinstance(node, Throw) else node
                if self._cheapest:
                    paid = sum([effect.cost for effect in self.effects(option, state, values)])
                    found = found._replace(cost=found.cost + paid * found.total)
                better = found.worth * best.total - best.worth * found.total
                if better > 0 or (self._cheapest and not better and found.cost * best.total < best.cost * found.total):
                    best = found
        return best

    def _thrown(self, throw: Any) -> Found:
        key = throw.pool, throw.reading
        if key not in self._laws:
            self._laws[key] = throw.reading.odds(throw.pool, 0)
        law = self._laws[key]
        parts = [(weight, throw.then(value)) for value, weight in law.weights.items() if weight]
        common = lcm(*{part.total for _, part in parts})
        weights: dict[Any, int] = {}
        worth = cost = 0
        for weight, part in parts:
            times = weight * (common // part.total)
            worth, cost = worth + times * part.worth, cost + times * part.cost
            for value, ways in part.weights.items():
                weights[value] = weights.get(value, 0) + times * ways
        return Found(weights, law.total * common, worth, cost)
