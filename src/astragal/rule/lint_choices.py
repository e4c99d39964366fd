"""Choices that are never worth taking: for no wish, in no state of the grid, is the option the best or as good.

What an option is worth is computed as in ``advise``: later choices are answered for
the wish, and of equals the one that costs least on average.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.dice.table import format_exact, format_number
from astragal.rule.ask import Ask
from astragal.rule.lint_finding import Finding, Proof
from astragal.rule.lint_survey import Survey
from astragal.rule.lint_walk import then_of
from astragal.rule.node import Choice, Later, Node, Option, Outcome, Throw
from astragal.rule.odds import UP_TO
from astragal.rule.solve import reading_odds
from astragal.rule.table import wishes_of
from astragal.rule.wish import Wish

Weight = tuple[Fraction, Fraction]
"""What a wish is worth on average, and what that costs, as less than nothing."""
NOTHING = Fraction(0)


class Weigher:
    """What nodes are worth to one wish if every choice is answered for it; equal questions are weighed once."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self._known: dict[Later[Any], Weight] = {}

    def weigh(self, node: Node[Any]) -> Weight:
        if isinstance(node, Outcome):
            return Fraction(self.wish.worth(node.result)), NOTHING
        if isinstance(node, Later):
            if node not in self._known:
                self._known[node] = self.weigh(node.node())
            return self._known[node]
        if isinstance(node, Throw):
            return self._thrown(node)
        return max(map(self.option, node.options.values()))

    def _thrown(self, throw: Throw[Any, Any]) -> Weight:
        read = reading_odds(throw, UP_TO)
        parts = [(weight, self.weigh(throw.then(value))) for value, weight in read.weights.items() if weight]
        worth = sum((weight * part[0] for weight, part in parts), NOTHING)
        return worth / read.total, sum((weight * part[1] for weight, part in parts), NOTHING) / read.total

    def option(self, option: Option[Any]) -> Weight:
        worth, saved = self.weigh(then_of(option))
        return worth, saved - option.cost


class Nearest(NamedTuple):
    """Where an option comes nearest to the best one."""

    ask: Ask
    wish: Wish
    best: str
    mine: Weight
    theirs: Weight

    @property
    def short(self) -> Weight:
        return self.theirs[0] - self.mine[0], self.theirs[1] - self.mine[1]


class Doubtful(NamedTuple):
    """An option that has not been worth taking so far."""

    choice: Choice[Any]
    option: Option[Any]
    states: int
    nearest: Nearest


def pointless(survey: Survey) -> Iterator[Finding]:
    """A finding for each option that never pays."""
    wishes = tuple(wishes_of(survey.grid.kind).values())
    for (choice, name), doubt in _doubtful(survey, wishes).items():
        if doubt is not None:
            yield _finding(choice, name, doubt, len(wishes))


def _doubtful(survey: Survey, wishes: tuple[Wish, ...]) -> dict[tuple[str, str], Doubtful | None]:
    """Every option of every choice; None as soon as one state and one wish speak for it."""
    found: dict[tuple[str, str], Doubtful | None] = {}
    for ask, reached in survey.reached.items():
        weighers = [Weigher(wish) for wish in wishes] if reached.whole else []
        for choice in reached.choices:
            if weighers and len(choice.options) > 1:
                _weigh_state(found, ask, choice, weighers)
    return found


def _weigh_state(
    found: dict[tuple[str, str], Doubtful | None], ask: Ask, choice: Choice[Any], weighers: list[Weigher]
) -> None:
    if all(found.get((choice.name, name), choice) is None for name in choice.options):
        return
    for number, weigher in enumerate(weighers):
        weights = {name: weigher.option(option) for name, option in choice.options.items()}
        best = max(weights, key=weights.__getitem__)
        for name, weight in weights.items():
            key = choice.name, name
            before = found.get(key)
            if weight == weights[best]:
                found[key] = None
            elif key not in found or before is not None:
                nearest = Nearest(ask, weigher.wish, best, weight, weights[best])
                nearest = min((nearest, *([before.nearest] if before else [])), key=lambda each: each.short)
                states = (before.states if before else 0) + (number == 0)
                found[key] = Doubtful(choice, choice.options[name], states, nearest)


def _finding(choice: str, name: str, doubt: Doubtful, wishes: int) -> Finding:
    nearest = doubt.nearest
    every = f"none of the {wishes} wishes" if wishes > 1 else f'not for the wish "{nearest.wish.name}"'
    worse = (
        f"it is worth {_number(nearest.mine[0])} and {nearest.best} {_number(nearest.theirs[0])}"
        if nearest.short[0]
        else f"it is worth as much as {nearest.best} and costs {_number(-nearest.mine[1])} against "
        f"{_number(-nearest.theirs[1])}"
    )
    sentence = (
        f'In the choice "{choice}", {name} ({doubt.option.label}) is never worth taking, for {every}, in none of '
        f'{doubt.states:,} states. Where it comes nearest, for the wish "{nearest.wish.name}", {worse}.'
    )
    proof = (
        Proof(nearest.ask, f"{nearest.wish.name} after {name}", nearest.mine[0]),
        Proof(nearest.ask, f"{nearest.wish.name} after {nearest.best}", nearest.theirs[0]),
    )
    return Finding("pointless", "warning", sentence, (doubt.option.rule,) if doubt.option.rule else (), proof)


def _number(number: Fraction) -> str:
    return format_exact(number) if number.denominator > 1 else format_number(number)
