"""Solve: the exact distribution of a tree's results.

Throws branch with the exact odds of their reading, a policy answers choices, and equal ``Lazy`` nodes are solved once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.dice.dice import endless, refuse_short
from astragal.dice.distribution import Distribution, mix
from astragal.dice.estimates import most_nodes, tree_too_large
from astragal.dice.solver.packed import common_multiple, reduced
from astragal.dice.solver.readings import every_reading
from astragal.errors import Illegal
from astragal.rule.chances.fact import NEVER, Policy
from astragal.rule.chances.open_roll import Own, answer_of
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Choice, Lazy, Node, Option, Outcome, Throw, costs_of, prices_of

TOO_DEEP = "This question goes on for too many throws in a row; ask for fewer points or rolls, or for a fact by name."
MOST_DEEP = 300
"""Nodes below each other; a deeper tree is refused, whatever recursion limit this process has."""


class Solved(NamedTuple):
    """The distribution of results, and their average worth to the wish and costs, by what these are paid with."""

    results: Distribution[Any]
    worth: Fraction = Fraction(0)
    costs: Mapping[str, Fraction] = {}

    @property
    def cost(self) -> Fraction:
        """The average cost in all."""
        return sum(self.costs.values(), Fraction(0))


class Solver:
    """Solves nodes under one policy; caches solved nodes. Where trees have a limit, it counts their nodes.

    ``of`` is what is asked of each result; without it, results are told as they are. ``parts`` are those that are
    read of dice whose reading has parts; without them, all are. A policy of one's own must give equal open rolls equal
    answers: each of them is asked about once.
    """

    def __init__(
        self,
        policy: Policy | Own,
        up_to: int,
        of: Callable[[Any], Hashable] | None = None,
        parts: frozenset[str] | None = None,
    ) -> None:
        self._own = None if isinstance(policy, Policy) else policy
        self._of = of
        self._parts = parts
        self.policy = policy if isinstance(policy, Policy) else NEVER
        self.up_to = up_to
        self._most = most_nodes()
        self._nodes = 0
        self._depth = 0
        self._known: dict[Hashable, Solved] = {}
        self._read: dict[Hashable, tuple[Sequence[tuple[Any, int]], int]] = {}

    def solve(self, node: Node[Any]) -> Solved:
        """The distribution of the results below this node."""
        try:
            return self._solve(node)
        except RecursionError:
            raise Illegal(TOO_DEEP) from None

    def _solve(self, node: Node[Any]) -> Solved:
        self._count(1)
        if isinstance(node, Outcome):
            return self._settled(node.result, node.effects)
        if self._depth >= MOST_DEEP:
            raise Illegal(TOO_DEEP)
        self._depth += 1
        try:
            if isinstance(node, Lazy):
                return self._remembered(node)
            return self._thrown(node) if isinstance(node, Throw) else self._chosen(node)
        finally:
            self._depth -= 1

    def _count(self, nodes: int) -> None:
        self._nodes += nodes
        if self._most is not None and self._nodes > self._most:
            raise tree_too_large(self._most)

    def _settled(self, result: Any, effects: Sequence[Effect] = ()) -> Solved:
        """A result, and what it costs: prices that were known only when the dice had fallen."""
        wish = self.policy.wish
        told = Distribution.certain(self._of(result) if self._of else result)
        if not wish:
            return Solved(told)
        costs = costs_of(prices_of(effects))
        return _paid(Solved(told, Fraction(wish.worth(result))), costs)

    def _remembered(self, node: Lazy[Any]) -> Solved:
        if node not in self._known:
            self._known[node] = self._solve(node.node())
        return self._known[node]

    def _thrown(self, throw: Throw[Any, Any]) -> Solved:
        if throw.together:
            return self._thrown(throw.together)
        foreseen = self._foreseen(throw) if throw.foreseen else None
        if foreseen:
            return foreseen
        values, total = self._reading(throw)
        if throw.so_far and self._own is None and self.policy.name == "never":
            return self._left(throw.so_far, values, total)
        ends: list[tuple[int, Outcome[Any]]] = []
        parts: list[tuple[int, Solved]] = []
        for value, weight in values:
            node = throw.then(value) if weight else None
            if isinstance(node, Outcome):
                ends.append((weight, node))
            elif node is not None:
                parts.append((weight, self._solve(node)))
        if ends:
            parts.append((sum([weight for weight, _ in ends]), self._ended(ends)))
        return self._mixed(parts, total)

    def _left(self, so_far: Callable[[Any], Any], values: Sequence[tuple[Any, int]], total: int) -> Solved:
        """The results of dice after which nothing is decided."""
        self._count(len(values))
        of, found = self._of, dict[Any, int]()
        for value, weight in values:
            result = of(so_far(value)) if of else so_far(value)
            found[result] = found.get(result, 0) + weight
        return Solved(Distribution(found, total))

    def _foreseen(self, throw: Throw[Any, Any]) -> Solved | None:
        """What comes of a throw by the game's own closed form, if it has one for this policy."""
        found = throw.foreseen(self.policy, self.up_to) if throw.foreseen and self.policy.wish else None
        if not found:
            return None
        results, worth = found
        return Solved(results.map(self._of) if self._of else results, worth)

    def _reading(self, throw: Throw[Any, Any]) -> tuple[Sequence[tuple[Any, int]], int]:
        """The values of a throw with their weights; equal throws come up in many branches, and are read once."""
        key = (throw.pool, throw.reading, throw.enough)
        if not isinstance(throw.reading, Hashable):
            return self._values(throw)
        if key not in self._read:
            self._read[key] = self._values(throw)
        return self._read[key]

    def _values(self, throw: Throw[Any, Any]) -> tuple[Sequence[tuple[Any, int]], int]:
        """All values, with no more parts of the dice than are needed."""
        if self._parts is None or not has_parts(throw):
            odds = reading_odds(throw, self.up_to)
            return list(odds.weights.items()), odds.total
        refuse_short(throw.pool)
        reading: Any = throw.reading
        parts = tuple([part for part in reading.parts if part in self._parts])
        odds = reading.odds_of(parts, throw.pool, self.up_to)
        return [(reading.made(parts, values), weight) for values, weight in odds.weights.items()], odds.total

    def _ended(self, ends: list[tuple[int, Outcome[Any]]]) -> Solved:
        """Many outcomes at once, by weight: most throws end a roll, and most of their results are the same."""
        self._count(len(ends))
        of, weights = self._of, dict[Any, int]()
        for weight, outcome in ends:
            told = of(outcome.result) if of else outcome.result
            weights[told] = weights.get(told, 0) + weight
        results = Distribution(weights)
        wish = self.policy.wish
        if not wish:
            return Solved(results)
        worth = sum([weight * wish.worth(outcome.result) for weight, outcome in ends])
        costs: dict[str, int] = {}
        for weight, outcome in ends:
            for what, cost in costs_of(prices_of(outcome.effects)).items():
                costs[what] = costs.get(what, 0) + weight * cost
        return Solved(
            results,
            Fraction(worth, results.total),
            {what: Fraction(cost, results.total) for what, cost in costs.items()},
        )

    def _mixed(self, parts: list[tuple[int, Solved]], total: int) -> Solved:
        results = mix([(weight, part.results) for weight, part in parts], total)
        if not self.policy.wish:
            return Solved(results)
        worth = _average([(weight, part.worth) for weight, part in parts], total)
        paid_with = dict.fromkeys(what for _, part in parts for what in part.costs)
        costs = {
            what: _average([(weight, part.costs.get(what, Fraction(0))) for weight, part in parts], total)
            for what in paid_with
        }
        return Solved(results, worth, costs)

    def _chosen(self, choice: Choice[Any]) -> Solved:
        answer = answer_of(self._own, choice) if self._own else ""
        if answer:
            return self._option(choice.options[answer])
        never = self.policy.name == "never"
        wish = self.policy.wish
        if choice.passes and (never or (wish is not None and wish.theirs != choice.is_theirs)):
            return self._solve(choice.options[choice.rest].then)
        if never:
            return self._settled(choice.so_far)
        others = [option for option in choice.options.values() if option.by] if self.policy.offers else []
        if others:
            return self._option(others[0])
        return self._best(choice)

    def _best(self, choice: Choice[Any]) -> Solved:
        """The best option, and of equal ones the first: behind one that is certain and free, none is looked at.

        To refuse an offer is no better than what else can be done, and the offer might come again without end.
        """
        wish, cheapest = self.policy.wish, self.policy.name == "cheapest"
        solved: list[Solved] = []
        for option in choice.taken.values():
            solved.append(self._option(option))
            if wish and not wish.counts and solved[-1].worth == 1 and not (cheapest and solved[-1].cost):
                break
        return max(solved, key=lambda each: (each.worth, -each.cost) if cheapest else each.worth)

    def _option(self, option: Option[Any]) -> Solved:
        return _paid(self._solve(_taken(option)), option.costs)

    def option(self, option: Option[Any]) -> Solved:
        """What this option leads to, including its own cost."""
        return _paid(self.solve(_taken(option)), option.costs)


def _taken(option: Option[Any]) -> Lazy[Any]:
    """The node after an option; odds do not depend on the words of the answer."""
    return Lazy(option.then.make, (*option.then.args, option.words)) if option.words else option.then


def _paid(solved: Solved, costs: Mapping[str, int]) -> Solved:
    """The same with further costs."""
    if not costs:
        return solved
    return solved._replace(
        costs={what: solved.costs.get(what, Fraction(0)) + costs.get(what, 0) for what in {**solved.costs, **costs}}
    )


def _average(values: Sequence[tuple[int, Fraction]], total: int) -> Fraction:
    """Values by weight, out of ``total``; over one denominator, since denominators grow with every throw."""
    common = common_multiple(value.denominator for _, value in values)
    above = sum([weight * value.numerator * (common // value.denominator) for weight, value in values])
    return reduced(above, common * total)


def has_parts(throw: Throw[Any, Any]) -> bool:
    """Return True if some of what these dice show can be read without the rest."""
    return hasattr(throw.reading, "odds_of")


def reading_odds(throw: Throw[Any, Any], up_to: int) -> Distribution[Any]:
    """The exact odds of a throw's reading; a reading without ``odds`` is enumerated over every throw."""
    refuse_short(throw.pool)
    solve = getattr(throw.reading, "odds", None)
    if solve is None:
        return every_reading(throw.pool, throw.reading)
    if endless(throw.pool):
        if throw.enough is None:
            raise Illegal(
                "The count has no end here, and more of it always matters, so that whole results, or what is best by "
                "this policy, have no exact answer. Ask for a fact by name without a policy, for another wish, or for "
                "dice that do not go again."
            )
        up_to = max(up_to, throw.enough)
    found: Distribution[Any] = solve(throw.pool, up_to)
    return found
