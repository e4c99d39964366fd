"""Choices that are never worth taking: in every state, and for every wish, another option is as good and costs less,
or is better and costs no more.

What an option is worth is computed as in ``advise``: later choices are answered for
the wish, and of equals the one that costs least on average. An option that does little
and costs little is worth taking to whoever saves points, and nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.dice.render.text import format_exact, format_number
from astragal.lint.finding import Finding, Proof
from astragal.lint.survey import Survey
from astragal.lint.walk import then_of
from astragal.rule.ask import Ask
from astragal.rule.fact import Wish, wishes_of
from astragal.rule.node import Choice, Lazy, Node, Option, Outcome, Throw
from astragal.rule.odds import UP_TO
from astragal.rule.solve import reading_odds

Weight = tuple[Fraction, Fraction]
"""What a wish is worth on average, and what that costs, as less than nothing."""
NOTHING = Fraction(0)


class Weigher:
    """What nodes are worth to one wish if every choice is answered for it; equal questions are weighed once."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self._known: dict[Lazy[Any], Weight] = {}

    def weigh(self, node: Node[Any]) -> Weight:
        if isinstance(node, Outcome):
            return Fraction(self.wish.worth(node.result)), NOTHING
        if isinstance(node, Lazy):
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
    """Where an option comes nearest to one that is better."""

    ask: Ask
    wish: Wish
    better: str
    mine: Weight
    theirs: Weight

    @property
    def short(self) -> Weight:
        return self.theirs[0] - self.mine[0], self.theirs[1] - self.mine[1]


class Doubtful(NamedTuple):
    """An option that has not been worth taking so far, and the states in which it was weighed, once for each wish."""

    label: str = ""
    rule: str = ""
    weighed: int = 0
    nearest: Nearest | None = None

    def seen(self, option: Option[Any], nearest: Nearest) -> Doubtful:
        """The same after one more state and wish."""
        kept = nearest if self.nearest is None or nearest.short < self.nearest.short else self.nearest
        return Doubtful(option.label, option.rule, self.weighed + 1, kept)


NEW = Doubtful()


def pointless(survey: Survey) -> Iterator[Finding]:
    """A finding for each option that never pays."""
    wishes = tuple(wishes_of(survey.grid.kind).values())
    for (choice, name), doubt in _doubtful(survey, wishes).items():
        if doubt is not None and doubt.nearest is not None:
            yield _finding(choice, name, doubt, doubt.nearest, len(wishes))


def _doubtful(survey: Survey, wishes: tuple[Wish, ...]) -> dict[tuple[str, str], Doubtful | None]:
    """Every option of every choice; None as soon as one state and one wish speak for it."""
    found: dict[tuple[str, str], Doubtful | None] = {}
    for ask, reached in survey.reached.items():
        weighers = [Weigher(wish) for wish in wishes] if reached.whole else []
        for choice in reached.choices:
            if weighers and len(choice.options) > 1:
                with suppress(RecursionError):
                    _weigh_state(found, ask, choice, weighers)
    return found


def _weigh_state(
    found: dict[tuple[str, str], Doubtful | None], ask: Ask, choice: Choice[Any], weighers: list[Weigher]
) -> None:
    if all(found.get((choice.name, name), choice) is None for name in choice.options):
        return
    for weigher in weighers:
        weights = {name: weigher.option(option) for name, option in choice.options.items()}
        for name, mine in weights.items():
            better = _better(mine, weights)
            if better is None:
                found[choice.name, name] = None
            elif (before := found.get((choice.name, name), NEW)) is not None:
                nearest = Nearest(ask, weigher.wish, better, mine, weights[better])
                found[choice.name, name] = before.seen(choice.options[name], nearest)


def _better(mine: Weight, weights: dict[str, Weight]) -> str | None:
    """The best of the options that are at least as good in worth and in cost, and not equal."""
    better = [name for name, (worth, saved) in weights.items() if worth >= mine[0] and saved >= mine[1]]
    better = [name for name in better if weights[name] != mine]
    return max(better, key=weights.__getitem__) if better else None


def _finding(choice: str, name: str, doubt: Doubtful, nearest: Nearest, wishes: int) -> Finding:
    wish = f'the wish "{nearest.wish.name}"'
    mine, theirs = nearest.mine, nearest.theirs
    sentence = (
        f'In the choice "{choice}", {name} ({doubt.label}) is never worth taking: in each of '
        f"{doubt.weighed // wishes:,} states another option is at least as good and costs no more, "
        f"{_for_all(wishes, wish)}. Where it comes nearest, {name} is worth {_number(mine[0])} at a cost of "
        f"{_number(-mine[1])} to {wish}, and {nearest.better} {_number(theirs[0])} at a cost of {_number(-theirs[1])}."
    )
    proof = (
        Proof(nearest.ask, f"{wish} after {name}", mine[0]),
        Proof(nearest.ask, f"{wish} after {nearest.better}", theirs[0]),
    )
    return Finding("pointless", "warning", sentence, (doubt.rule,) if doubt.rule else (), proof)


def _for_all(wishes: int, wish: str) -> str:
    return f"for each of the {wishes} wishes" if wishes > 1 else f"for {wish}"


def _number(number: Fraction) -> str:
    return format_exact(number) if number.denominator > 1 else format_number(number)
