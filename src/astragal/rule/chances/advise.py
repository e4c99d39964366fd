"""Advise: the exact chances after each option of an open choice, and the best option for a wish."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.dice.distribution import Distribution
from astragal.errors import Illegal
from astragal.rule.chances.fact import Policy, Wish
from astragal.rule.chances.odds import UP_TO
from astragal.rule.chances.solve import Solved, Solver
from astragal.rule.tree.node import Choice, Lazy, Node, Option


class Advised(NamedTuple):
    """One option: its cost now, and the average worth and total cost of what follows.

    ``costs`` has the total cost by what it is paid with: what answers cost, and prices that come as the dice fall.
    """

    name: str
    label: str
    rule: str
    cost: int
    worth: Fraction
    total_cost: Fraction
    results: Distribution[Any]
    costs: Mapping[str, Fraction] = {}


class Advice(NamedTuple):
    """All options of a choice, weighed for a wish. ``best`` is the cheapest of the best, and never refuses an offer."""

    choice: Choice[Any]
    wish: Wish
    options: tuple[Advised, ...]
    best: str

    @property
    def worth(self) -> Fraction:
        """The worth of the best option for the wish."""
        return max(option.worth for option in self.options)

    @property
    def matters(self) -> bool:
        """True if the options differ for the wish."""
        return len({option.worth for option in self.options}) > 1

    @property
    def helps(self) -> bool:
        """True if some option is better for the wish than leaving the roll as it is."""
        return self.worth > self.saved if self.choice.rest else self.matters

    @property
    def saved(self) -> Fraction:
        """The worth for the wish of leaving the roll as it is."""
        rest = self.choice.rest or self.best
        return next(option.worth for option in self.options if option.name == rest)


def advise(node: Node[Any], wish: Wish, up_to: int = UP_TO, offers: bool = False) -> Advice:
    """Weigh every option of an open choice exactly; later choices are answered for the wish, at least cost.

    With ``offers``, others give their answers where they have one, here and later.
    """
    while isinstance(node, Lazy):
        node = node.node()
    if not isinstance(node, Choice):
        raise Illegal("Nothing is left to decide here: the roll is settled or its dice are not thrown yet.")
    choice = _offered(node) if offers else node
    solver = Solver(Policy("cheapest", wish, offers), up_to)
    weighed = choice.of_side(wish.theirs)
    if len(weighed) == 1:  # the other side has no say here: what our answers are worth to it
        weighed = choice.own
    options = tuple(_advised(name, option, solver.option(option)) for name, option in weighed.items())
    taken = [option for option in options if not weighed[option.name].refuses] or list(options)
    best = max(taken, key=lambda option: (option.worth, -option.total_cost))
    return Advice(choice, wish, options, best.name)


def _offered(choice: Choice[Any]) -> Choice[Any]:
    """The choice after another person's answer, if that leads to one."""
    other = next((option for option in choice.options.values() if option.by), None)
    after = other and (other.then.node(other.words) if other.words else other.then.node())
    return after if isinstance(after, Choice) else choice


def _advised(name: str, option: Option[Any], solved: Solved) -> Advised:
    worth, results, costs = solved.worth, solved.results, solved.costs
    return Advised(name, option.label, option.rule, option.cost, worth, solved.cost, results, costs)
