"""Pointless options: in every state and for every wish, another option is better at no higher cost, or cheaper
and as good.

Worth is computed as in ``advise``: later choices serve the wish, at the lowest average
cost. An option that does little but costs little is worth taking to save points.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.deadline import time_is_up
from astragal.dice.render.text import format_exact, format_number
from astragal.lint.finding import Finding, Proof
from astragal.lint.survey import Survey, then_of
from astragal.rule.chances.fact import Wish, wishes_of
from astragal.rule.chances.odds import UP_TO
from astragal.rule.chances.solve import reading_odds
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Choice, Lazy, Node, Option, Outcome, Throw

ZERO = Fraction(0)


class Worth(NamedTuple):
    """The average worth to a wish, then the average cost, negated: the greater tuple is preferred."""

    worth: Fraction
    saved: Fraction


class WorthSolver:
    """Computes what nodes are worth to one wish if every choice serves it; equal nodes are solved once."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self._known: dict[Lazy[Any], Worth] = {}

    def solve(self, node: Node[Any]) -> Worth:
        """Return the worth of a node; without time for it, a guess that nobody will see."""
        if time_is_up():
            return Worth(ZERO, ZERO)
        if isinstance(node, Outcome):
            return Worth(Fraction(self.wish.worth(node.result)), ZERO)
        if isinstance(node, Lazy):
            if node not in self._known:
                self._known[node] = self.solve(node.node())
            return self._known[node]
        if isinstance(node, Throw):
            return self._thrown(node)
        return max(map(self.option, node.of_side(self.wish.theirs).values()))

    def _thrown(self, throw: Throw[Any, Any]) -> Worth:
        read = reading_odds(throw, UP_TO)
        parts = [(weight, self.solve(throw.then(value))) for value, weight in read.weights.items() if weight]
        worth = sum((weight * part.worth for weight, part in parts), ZERO)
        saved = sum((weight * part.saved for weight, part in parts), ZERO)
        return Worth(worth / read.total, saved / read.total)

    def option(self, option: Option[Any]) -> Worth:
        """Return the worth of an option, with its cost."""
        worth, saved = self.solve(then_of(option))
        return Worth(worth, saved - option.cost)


class Nearest(NamedTuple):
    """The state in which an option comes nearest to a better one."""

    ask: Ask
    wish: Wish
    better: str
    mine: Worth
    theirs: Worth

    @property
    def gap(self) -> Worth:
        """How much better the other option is."""
        return Worth(self.theirs.worth - self.mine.worth, self.theirs.saved - self.mine.saved)


class Candidate(NamedTuple):
    """An option that was not worth taking in any state so far; ``tried`` counts states, once for each wish."""

    label: str = ""
    rule: str = ""
    tried: int = 0
    nearest: Nearest | None = None
    wishes: int = 0
    """The wishes by which it is judged: those of the side whose option it is."""

    def seen(self, option: Option[Any], nearest: Nearest, wishes: int) -> Candidate:
        """Return the candidate after one more state and wish."""
        kept = nearest if self.nearest is None or nearest.gap < self.nearest.gap else self.nearest
        return Candidate(option.label, option.rule, self.tried + 1, kept, wishes)


NO_EVIDENCE = Candidate()


def pointless(survey: Survey) -> Iterator[Finding]:
    """Yield a finding for each option that is never worth taking."""
    wishes = tuple(wishes_of(survey.grid.kind).values())
    for (choice, name), candidate in _candidates(survey, wishes).items():
        if candidate is not None and candidate.nearest is not None:
            yield _finding(choice, name, candidate, candidate.nearest, candidate.wishes)


def _candidates(survey: Survey, wishes: tuple[Wish, ...]) -> dict[tuple[str, str], Candidate | None]:
    """Every option of every choice; None once it was worth taking."""
    found: dict[tuple[str, str], Candidate | None] = {}
    for ask, reached in survey.reached.items():
        solvers = [WorthSolver(wish) for wish in wishes] if reached.whole else []
        for choice in reached.choices:
            judged = any(wish.theirs == choice.is_theirs for wish in wishes)  # the other side does not serve ours
            if solvers and judged and len(choice.options) > 1:
                with suppress(RecursionError):
                    _try_state(found, ask, choice, solvers)
    return found


def _try_state(
    found: dict[tuple[str, str], Candidate | None], ask: Ask, choice: Choice[Any], solvers: list[WorthSolver]
) -> None:
    if all(found.get((choice.name, name), choice) is None for name in choice.options):
        return
    sides = [choice.of_side(solver.wish.theirs) for solver in solvers]
    for solver, options in zip(solvers, sides, strict=True):
        worths = {name: solver.option(option) for name, option in options.items()}
        for name, mine in worths.items():
            better = _better(mine, worths)
            if better is None:
                found[choice.name, name] = None
            elif (before := found.get((choice.name, name), NO_EVIDENCE)) is not None:
                nearest = Nearest(ask, solver.wish, better, mine, worths[better])
                found[choice.name, name] = before.seen(options[name], nearest, sum(name in side for side in sides))


def _better(mine: Worth, worths: dict[str, Worth]) -> str | None:
    """The best of the options that are at least as good in worth and cost, and better in one of them."""
    better = [
        name
        for name, other in worths.items()
        if other.worth >= mine.worth and other.saved >= mine.saved and other != mine
    ]
    return max(better, key=worths.__getitem__) if better else None


def _finding(choice: str, name: str, candidate: Candidate, nearest: Nearest, wishes: int) -> Finding:
    wish = f'the wish "{nearest.wish.name}"'
    mine, theirs = nearest.mine, nearest.theirs
    sentence = (
        f'In the choice "{choice}", {name} ({candidate.label}) is never worth taking: in each of '
        f"{candidate.tried // wishes:,} states another option is at least as good and costs no more, "
        f"{_for_all(wishes, wish)}. Where it comes nearest, {name} is worth {_number(mine.worth)} at a cost of "
        f"{_number(-mine.saved)} to {wish}, and {nearest.better} {_number(theirs.worth)} at a cost of "
        f"{_number(-theirs.saved)}."
    )
    proof = (
        Proof(nearest.ask, f"{wish} after {name}", mine.worth),
        Proof(nearest.ask, f"{wish} after {nearest.better}", theirs.worth),
    )
    return Finding("pointless", "warning", sentence, (candidate.rule,) if candidate.rule else (), proof)


def _for_all(wishes: int, wish: str) -> str:
    return f"for each of the {wishes} wishes" if wishes > 1 else f"for {wish}"


def _number(number: Fraction) -> str:
    return format_exact(number) if number.denominator > 1 else format_number(number)
