"""Solve: the exact distribution of a tree's results.

Throws branch with the exact odds of their reading, a policy answers choices, and equal ``Lazy`` nodes are solved once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from astragal.dice.dice import Pool, endless, refuse_short
from astragal.dice.distribution import Distribution, Moments, added_up, mix
from astragal.dice.estimates import most_nodes, tree_too_large
from astragal.dice.reading import Tally
from astragal.dice.solver.endless.mixed import Duel, Mixed, joined, listed
from astragal.dice.solver.packed import common_multiple
from astragal.dice.solver.readings import every_reading
from astragal.errors import Illegal, Malformed
from astragal.rule.chances.fact import NEVER, Fact, Policy
from astragal.rule.chances.open_roll import Own, answer_of
from astragal.rule.chances.pushes import Pushed
from astragal.rule.chances.relay import Lead, Relays, alone
from astragal.rule.tree.node import Choice, Lazy, Node, Option, Outcome, Throw, costs_of, prices_of
from astragal.rule.tree.push import Push

TOO_DEEP = "This question goes on for too many throws in a row; ask for fewer points or rolls, or for a fact by name."
NO_END = (
    "The count has no end here, and more of it always matters, so that whole results, or what is best by this policy, "
    "have no exact answer. Ask for a fact by name without a policy, for another wish, or for dice that do not go again."
)
MOST_DEEP = 300
"""Nodes below each other; a deeper tree is refused, whatever recursion limit this process has."""


class Squares:
    """The moments of numbers by their average and average square, which are found on demand."""

    def __init__(self, find: Callable[[], tuple[Fraction, Fraction]]) -> None:
        self._find = find

    def __reduce__(self) -> tuple[type[Moments], tuple[Fraction, Fraction]]:
        return Moments, (self.mean, self.variance)

    @cached_property
    def both(self) -> tuple[Fraction, Fraction]:
        """The average and the average square."""
        return self._find()

    @property
    def mean(self) -> Fraction:
        """The average."""
        return self.both[0]

    @property
    def variance(self) -> Fraction:
        """The mean square distance from the average."""
        mean, square = self.both
        return square - mean**2


class Solved(NamedTuple):
    """The distribution of results, and their average worth to the wish and costs, by what these are paid with."""

    results: Distribution[Any]
    worth: Fraction = Fraction(0)
    costs: Mapping[str, Fraction] = {}
    moments: Callable[[], tuple[Fraction, Fraction]] | None = None
    """What gives the average and the average square of results that are numbers, where these are asked for."""

    @property
    def cost(self) -> Fraction:
        """The average cost in all."""
        return sum(self.costs.values(), Fraction(0))


class Solver:
    """Solves nodes under one policy; caches solved nodes. Where trees have a limit, it counts their nodes.

    ``of`` is what is asked of each result; without it, the results themselves. ``parts`` are those that are
    read of dice whose reading has parts; without them, all are. A policy of one's own must give equal open rolls equal
    answers: each of them is asked about once. A fact looks at no number that results only show.
    """

    def __init__(
        self,
        policy: Policy | Own,
        up_to: int,
        of: Callable[[Any], Hashable] | Fact | None = None,
        parts: frozenset[str] | None = None,
    ) -> None:
        self._own = None if isinstance(policy, Policy) else policy
        self._fact = of if isinstance(of, Fact) else None
        self._of: Callable[[Any], Hashable] | None = of.of if isinstance(of, Fact) else of
        self._parts = parts
        self._moments = self._fact is not None and self._fact.tallies
        self.policy = policy if isinstance(policy, Policy) else NEVER
        wish = self.policy.wish
        each = () if wish is None else wish.marks
        self._each = each if self._fact is not None and not self._fact.marked else None
        self._relays = Relays(self, self._each)
        self._weigher: Solver | None = None
        self.up_to = up_to if self._fact is None or self._fact.endless else 0
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
        if isinstance(node, Outcome):
            return self._ended([(1, node)])
        self._count(1)
        if self._depth >= MOST_DEEP:
            raise Illegal(TOO_DEEP)
        self._depth += 1
        try:
            if isinstance(node, Lazy):
                if node not in self._known:
                    self._known[node] = self._solve(node.node())
                return self._known[node]
            return self._thrown(node) if isinstance(node, Throw) else self._chosen(node)
        finally:
            self._depth -= 1

    def _count(self, nodes: int) -> None:
        self._nodes += nodes
        if self._most is not None and self._nodes > self._most:
            raise tree_too_large(self._most)

    def _thrown(self, throw: Throw[Any, Any]) -> Solved:
        if throw.together:
            return self._thrown(throw.together)
        pushed = self._pushed(throw.push, throw.pool) if throw.push else None
        if pushed:
            return pushed
        without_end = endless(throw.pool)
        if throw.gives and (self._fact or (without_end and self._knows)):
            return self._relayed(throw.gives)
        if without_end and ((throw.rivals and self._knows) or self._moments) and isinstance(throw.reading, Tally):
            return self._led(alone(throw))
        values, total = self._reading(throw)
        if throw.so_far and self._own is None and self.policy.name == "never":
            # Nothing is decided after these dice.
            self._count(len(values))
            of, so_far = self._of or _itself, throw.so_far
            return Solved(Distribution(added_up((of(so_far(value)), weight) for value, weight in values), total))
        return self._mixed(self._gone_on(throw, values), total)

    def _pushed(self, push: Push[Any], pool: Pool) -> Solved | None:
        """What comes of dice that may be thrown again once; None where only the tree knows."""
        of, wish, name = self._of, self.policy.wish, self.policy.name
        is_theirs, costs = bool(wish and wish.theirs), name == "cheapest" and not push.free
        if of is None or self._own or self._moments or is_theirs or costs:
            return None
        worth = wish.worth if wish and name != "never" else None
        results = Pushed(push, pool, of, worth).odds()
        if results is None or worth is None or self._depth == 1:  # a whole roll is not weighed against anything else
            return None if results is None else Solved(results)
        worths = Pushed(push, pool, worth, worth).odds()
        return None if worths is None else Solved(results, worths.mean)

    def _gone_on(self, throw: Throw[Any, Any], values: Iterable[tuple[Any, int]]) -> list[tuple[int, Solved]]:
        """The solutions after each value, by weight."""
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
        return parts

    @property
    def _knows(self) -> bool:
        """True if it is known what is asked of results: numbers that they only show may have no end."""
        return self._fact is not None or self._own is not None or self.policy.wish is not None

    def leads(self, start: Lazy[Any]) -> list[Lead]:
        """Return the last throws to which throws that give dice come."""
        return self._relays.run(start).leads

    def counted(self, lead: Lead) -> Mixed:
        """Return the law of what a last throw counts: the numbers to which its values lead."""
        if lead.law is not None:
            return lead.law
        values, total = self._reading(lead.throw)
        weights: list[tuple[int, int]] = []
        for value, weight in values:
            node = lead.throw.then(value)
            if not isinstance(node, Outcome):
                raise Malformed("A roll that only counts has numbers for results.")
            weights.append((node.result, weight * lead.chance.numerator))
        return listed(added_up(weights), total * lead.chance.denominator)

    def _relayed(self, start: Lazy[Any]) -> Solved:
        """What comes of throws that give dice to a later one."""
        relayed = self._relays.run(start)
        found = self._averaged([(lead.chance, self._led(lead)) for lead in relayed.leads])
        return found._replace(worth=found.worth + relayed.gain) if relayed.gain else found

    def in_relay(self, choice: Choice[Any]) -> Option[Any]:
        """Return the answer to a choice that may come with any number of dice."""
        answer = answer_of(self._own, choice) if self._own else ""
        if answer or self._passes(choice):
            return choice.options[answer or choice.rest]
        if self._weigher is None:
            # The best option does not depend on the results that are asked for.
            self._weigher = self if self._of is _nothing else Solver(self.policy, 0, WORTH)
        return self._weigher._relays.best(choice)

    def _passes(self, choice: Choice[Any]) -> bool:
        wish = self.policy.wish
        return choice.passes and (self.policy.name == "never" or (wish is not None and wish.theirs != choice.is_theirs))

    def _led(self, lead: Lead) -> Solved:
        """What comes of the last throw of a relay, or of one whose count has no end."""
        throw, law = lead.throw, lead.law
        if law is None:
            values, total = self._reading(throw)
            return self._mixed(self._gone_on(throw, values), total)
        if throw.rivals and law.most is None:
            return self._met(throw, law)
        last = self._told_apart(throw, law.most)
        ways, total = law.coefficients(last)
        whole = law.whole
        weights = [n * whole.denominator for n in ways]
        beyond = whole.numerator * total - sum(weights)
        if self._moments and throw.enough is not None:
            return self._tallied(throw, law, weights, beyond)
        return self._mixed(self._gone_on(throw, enumerate((*weights, beyond))), whole.numerator * total)

    def _tallied(self, throw: Throw[Any, Any], law: Mixed, weights: list[int], beyond: int) -> Solved:
        """The same where each count from ``enough`` on is one more: only those below are looked at."""
        whole, first = sum(weights) + beyond, (throw.enough or 0) + 1
        parts = self._gone_on(throw, enumerate(weights[:first]))
        above = [*weights[first:], beyond]
        if any(above):
            at = self._solve(throw.then(first))
            results: Distribution[Any] = at.results.convolve(Distribution(dict(enumerate(above))))
            squares = at.moments
            moments = (lambda: self._beyond(squares(), law, first)) if squares else None
            parts.append((sum(above), at._replace(results=results, moments=moments)))
        return self._mixed(parts, whole)

    def _told_apart(self, throw: Throw[Any, Any], most: int | None) -> int:
        """The highest count that is kept apart from higher ones."""
        if throw.enough is None or throw.rivals:
            if most is None:
                raise Illegal(NO_END)
            return most
        last = max(self.up_to, throw.enough, throw.level or 0)
        return last if most is None else min(last, most)

    def _beyond(self, first: tuple[Fraction, Fraction], law: Mixed, least: int) -> tuple[Fraction, Fraction]:
        """The averages of all counts from the least up, where each count gives one more than the count below it."""
        ways, total = law.coefficients(least - 1)
        chance = law.whole - Fraction(sum(ways), total)
        mean = law.mean - Fraction(sum([k * n for k, n in enumerate(ways)]), total)
        square = law.square - Fraction(sum([k * k * n for k, n in enumerate(ways)]), total)
        more, squared = mean / chance - least, square / chance - 2 * least * mean / chance + least**2
        at, at_squared = first
        return at + more, at_squared + 2 * at * more + squared

    def _met(self, throw: Throw[Any, Any], ours: Mixed) -> Solved:
        """The solution of a count without end that is compared with a later one.

        Up to some count each is looked at. Above it, the other count is either so low that ours is greater whatever it
        is, or all that matters is which of them is greater.
        """
        start, rivals = self._rivals(throw)
        ways, total = ours.coefficients(start)
        parts = [(Fraction(n, total), self._solve(throw.then(k))) for k, n in enumerate(ways)]
        above = ours.whole - Fraction(sum(ways), total)
        for rival in rivals:
            if rival.law is None:
                parts.append((above * rival.chance, self._led(rival)))
                continue
            enough, level = rival.throw.enough or 0, rival.throw.level or 0
            duel = Duel(ours, rival.law, level - start - 1)
            low, ahead, draw, behind = duel.above(start, enough)
            parts += [(above * chance, self._solve(rival.throw.then(k))) for k, chance in enumerate(low)]
            values = ((level - 1, ahead), (level, draw), (level + 1, behind))
            parts += [(chance, self._solve(rival.throw.then(k))) for k, chance in values]
        return self._averaged(parts)

    def _rivals(self, throw: Throw[Any, Any]) -> tuple[int, list[Lead]]:
        """The count above which only their order matters, and the throws that the next count above it is met by."""
        start = throw.enough or 0
        while True:
            node = throw.then(start + 1)
            while isinstance(node, Lazy):
                node = node.node()
            if not isinstance(node, Throw):
                raise Illegal(NO_END)
            found = self.leads(node.gives) if node.gives else [alone(node)]
            missing = 0
            for lead in found:
                if lead.throw.enough is None or lead.throw.level is None:
                    raise Malformed("A throw after one with rivals says how much is enough, and with what it is level.")
                missing = max(missing, lead.throw.enough - lead.throw.level + 1)
            if not missing:
                return start, found
            start += missing

    def worth(self, node: Node[Any]) -> Fraction:
        """Return the average worth of what follows."""
        return self._solve(node).worth

    def worths(self, throw: Throw[Any, Any]) -> list[list[Fraction]]:
        """Return the worth of each count, in runs that go up; what is above them is worth as much."""
        if not throw.rivals:
            last = self._told_apart(throw, None) + 1
            return [[self.worth(throw.then(k)) for k in range(last + 1)]]
        start, rivals = self._rivals(throw)
        runs = [[self.worth(throw.then(k)) for k in range(start + 2)]]
        for rival in rivals:
            if rival.law is not None:
                level = rival.throw.level or 0
                runs.append([self.worth(rival.throw.then(k)) for k in (level + 1, level, level - 1)])
        return runs

    def values(self, throw: Throw[Any, Any]) -> tuple[Sequence[tuple[Any, int]], int]:
        """Return the values of a throw with their weights."""
        return self._reading(throw)

    def _reading(self, throw: Throw[Any, Any]) -> tuple[Sequence[tuple[Any, int]], int]:
        """The values of a throw with their weights; equal throws come up in many branches, and are read once."""
        key = (throw.pool, throw.reading, throw.enough, throw.level)
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
        found = odds.weights.items()
        if len(parts) == 1:
            return [(reading.made(parts, (value,)), weight) for value, weight in found], odds.total
        return [(reading.made(parts, values), weight) for values, weight in found], odds.total

    def _ended(self, ends: list[tuple[int, Outcome[Any]]]) -> Solved:
        """Outcomes by weight, with prices that were known only when the dice had fallen.

        Most throws end a roll, and most of their results are the same.
        """
        self._count(len(ends))
        of = self._of or _itself
        results = Distribution(added_up((of(outcome.result), weight) for weight, outcome in ends))
        wish = self.policy.wish
        moments = (lambda: (results.mean, results.variance + results.mean**2)) if self._moments else None
        if not wish:
            return Solved(results, moments=moments)
        worth = sum([weight * wish.worth(outcome.result) for weight, outcome in ends])
        costs = added_up(
            (what, weight * cost)
            for weight, outcome in ends
            for what, cost in costs_of(prices_of(outcome.effects)).items()
        )
        return Solved(
            results,
            Fraction(worth, results.total),
            {what: Fraction(cost, results.total) for what, cost in costs.items()},
            moments,
        )

    def _mixed(self, parts: list[tuple[int, Solved]], total: int) -> Solved:
        results = mix([(weight, part.results) for weight, part in parts], total)
        moments = (lambda: _squares_mixed(parts, total)) if self._moments else None
        if not self.policy.wish:
            return Solved(results, moments=moments)
        worth = _average([(weight, part.worth) for weight, part in parts], total)
        paid_with = dict.fromkeys(what for _, part in parts for what in part.costs)
        costs = {
            what: _average([(weight, part.costs.get(what, Fraction(0))) for weight, part in parts], total)
            for what in paid_with
        }
        return Solved(results, worth, costs, moments)

    def _averaged(self, parts: Iterable[tuple[Fraction, Solved]]) -> Solved:
        """The same by chances, which need not come to 1 together: they are those of a part of all there is."""
        some = [(chance, part) for chance, part in parts if chance]
        common = common_multiple(chance.denominator for chance, _ in some)
        weights = [(chance.numerator * (common // chance.denominator), part) for chance, part in some]
        return self._mixed(weights, sum([weight for weight, _ in weights]))

    def _chosen(self, choice: Choice[Any]) -> Solved:
        answer = answer_of(self._own, choice) if self._own else ""
        if answer:
            return self._option(choice.options[answer])
        never = self.policy.name == "never"
        if self._passes(choice):
            return self._solve(choice.options[choice.rest].then)
        if never:
            return self._ended([(1, Outcome(choice.so_far))])
        others = [option for option in choice.options.values() if option.by] if self.policy.offers else []
        if others:
            return self._option(others[0])
        return self._best(choice)

    def _best(self, choice: Choice[Any]) -> Solved:
        """The best option, and of equal ones the first: behind one that is certain and free, none is looked at.

        Refusing an offer is never better than the other options, and the offer might come again without end.
        """
        wish, cheapest = self.policy.wish, self.policy.name == "cheapest"
        solved: list[Solved] = []
        options = choice.of_side(wish is not None and wish.theirs).values()
        for option in [each for each in options if not each.refuses] or options:
            solved.append(self._option(option))
            if wish and not wish.counts and solved[-1].worth == 1 and not (cheapest and solved[-1].cost):
                break
        return max(solved, key=lambda each: (each.worth, -each.cost) if cheapest else each.worth)

    def _option(self, option: Option[Any]) -> Solved:
        return _paid(self._solve(_taken(option)), option.costs)

    def option(self, option: Option[Any]) -> Solved:
        """The solution after this option, including its own cost."""
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
    return Fraction(above, common * total)


def _squares_mixed(parts: list[tuple[int, Solved]], total: int) -> tuple[Fraction, Fraction]:
    found = [(weight, part.moments()) for weight, part in parts if part.moments]
    return _average([(weight, mean) for weight, (mean, _) in found], total), _average(
        [(weight, square) for weight, (_, square) in found], total
    )


def count_law(node: Node[int], policy: Policy | Own = NEVER) -> Mixed:
    """Return the law of a roll whose results are what its last throw counts, by a policy that weighs nothing."""
    solver = Solver(policy, 0, WORTH)
    while isinstance(node, Lazy):
        node = node.node()
    if not isinstance(node, Throw):
        raise Malformed("Only a throw counts something.")
    return joined([solver.counted(lead) for lead in (solver.leads(node.gives) if node.gives else [alone(node)])])


def _itself(result: Any) -> Any:
    """The question whose answer is the result itself."""
    return result


def _nothing(result: Any) -> None:
    """What is asked of results where only their worth matters."""


WORTH = Fact("", _nothing, marked=False)


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
        if throw.enough is None or throw.rivals:
            raise Illegal(NO_END)
        up_to = max(up_to, throw.enough, throw.level or 0)
    found: Distribution[Any] = solve(throw.pool, up_to)
    return found
