"""The survey: the odds of every ask in the grid, and the results and choices of the asks around the middle."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from time import monotonic
from typing import Any, NamedTuple

from astragal.deadline import time_is_up
from astragal.dice.distribution import Distribution
from astragal.dice.estimates import LINT_TREE, TooMuch, trees_up_to
from astragal.dice.render.text import format_value
from astragal.errors import Refusal
from astragal.lint.grid import Grid
from astragal.rule.chances.fact import Fact, Wish, facts_of, wishes_of
from astragal.rule.chances.odds import UP_TO, odds
from astragal.rule.chances.solve import reading_odds
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Choice, Lazy, Node, Option, Outcome, Throw

MAX_NODES = 20_000
"""Most nodes of one ask's tree that are visited."""
MAX_ALL_NODES = 300_000
"""Most nodes of all trees together: a few seconds' work."""

VISITS, ODDS = 0.25, 0.75
"""Shares of the time after which no more trees are visited, and no more odds computed."""

Progress = Callable[[int, int], None]
"""Called with the number of asks done and the number of all."""


class Reached(NamedTuple):
    """The possible results and choices of a tree; ``whole`` if all of it was visited."""

    results: tuple[Any, ...]
    choices: tuple[Choice[Any], ...]
    whole: bool
    nodes: int


def reach(node: Node[Any], most: int = MAX_NODES) -> Reached:
    """Visit a tree along every throw and every choice.

    Breadth first, so that an infinite tree shows its nearest results before the limit is reached.
    """
    results: dict[Any, None] = {}
    choices: list[Choice[Any]] = []
    seen: set[Lazy[Any]] = set()
    queue: deque[Node[Any]] = deque([node])
    nodes, whole = 0, True
    while queue and nodes < most and not time_is_up():
        nodes += 1
        node = queue.popleft()
        if isinstance(node, Outcome):
            results.setdefault(node.result)
        elif isinstance(node, Choice):
            choices.append(node)
            queue.extend(then_of(option) for option in node.options.values())
        elif isinstance(node, Throw):
            after, all_of_them = _after(node, most)
            whole = whole and all_of_them
            queue.extend(after)
        elif node not in seen:
            seen.add(node)
            queue.append(node.node())
    return Reached(tuple(results), tuple(choices), whole and not queue, nodes)


def _after(throw: Throw[Any, Any], most: int) -> tuple[list[Node[Any]], bool]:
    """The nodes that may follow a throw, and True if these are all of them; none if they cannot be computed."""
    try:
        with trees_up_to(LINT_TREE):
            read = reading_odds(throw, UP_TO)
    except Refusal:
        return [], False
    found: list[Node[Any]] = []
    for value, weight in read.weights.items():
        if len(found) >= most or time_is_up():
            return found, False
        if weight:
            found.append(throw.then(value))
    return found, True


def then_of(option: Option[Any]) -> Lazy[Any]:
    """Return the node that follows an option; if it needs words, these are its own hint."""
    return option.then if not option.words else Lazy(option.then.make, (*option.then.args, option.words))


class Measure(NamedTuple):
    """The measure that an improvement should raise: the worth of a fact's values, or of a wish without a fact."""

    words: str
    help: str
    worths: dict[Hashable, int]
    fact: str = ""
    wish: Wish | None = None

    @property
    def is_chance(self) -> bool:
        """True if the measure is a chance, False if it is an average."""
        return set(self.worths.values()) <= {0, 1}

    def of(self, survey: Survey, ask: Ask) -> Fraction | None:
        """Return the exact chance or average for an ask, or None if it is unknown."""
        found = survey.odds.get((ask, self.fact)) if self.fact else self._solved(ask)
        if found is None or any(weight and value not in self.worths for value, weight in found.weights.items()):
            return None
        return Fraction(sum(self.worths.get(value, 0) * n for value, n in found.weights.items()), found.total)

    def _solved(self, ask: Ask) -> Distribution[Any] | None:
        try:
            with trees_up_to(LINT_TREE):
                return odds(ask, self.wish.worth) if self.wish else None
        except Refusal:
            return None


class Survey(NamedTuple):
    """A grid with the odds of its facts, by ask and fact, and the outcomes reached by the trees around the middle.

    Odds that a roll refuses are missing. ``grid`` has the asks that were surveyed, ``planned`` is the number of all,
    and ``too_much`` the number of those that take more work than one question may.
    """

    grid: Grid
    facts: dict[str, Fact]
    odds: dict[tuple[Ask, str], Distribution[Any]]
    reached: dict[Ask, Reached]
    planned: int = 0
    too_much: int = 0

    def domain(self, name: str, ask: Ask) -> tuple[Hashable, ...]:
        """Return the values that a fact lists, without tuples; their parts are checked on their own."""
        values = self.facts[name].domain
        return tuple(value for value in values(ask) if not isinstance(value, tuple)) if values else ()

    @property
    def measure(self) -> Measure | None:
        """The first wish; for a roll without wishes, the first word of its first fact of words."""
        wishes = wishes_of(self.grid.kind)
        if wishes:
            return _by_wish(self, next(iter(wishes.values())))
        return next((_by_first(self, name) for name in self.facts if _has_words(self, name)), None)


def survey_of(
    grid: Grid, progress: Progress | None = None, seconds: float | None = None, clock: Callable[[], float] = monotonic
) -> Survey:
    """Visit the trees around the middle and compute the odds of every ask of a grid, as far as ``seconds`` allow."""
    start = clock()

    def is_past(share: float) -> bool:
        """True if this share of the time is over."""
        return time_is_up() or (seconds is not None and clock() - start > seconds * share)

    facts = {name: fact for name, fact in facts_of(grid.kind).items() if fact.domain}
    survey = Survey(grid, facts, {}, {})
    total = len(grid.asks) + len(grid.alone)
    left = MAX_ALL_NODES
    for done, ask in enumerate(grid.alone):
        if is_past(VISITS):
            break
        survey.reached[ask] = reach(grid.kind.rule(ask), min(left, MAX_NODES))
        left -= survey.reached[ask].nodes
        _report(progress, done, total)
    looked_at, too_much = [], 0
    for done, ask in enumerate(grid.asks, len(grid.alone)):
        if is_past(ODDS):
            break
        too_much += not _add_odds(survey, ask)
        looked_at.append(ask)
        _report(progress, done + 1, total)
    whole = grid.whole and len(looked_at) == len(grid.asks)
    seen = grid._replace(asks=tuple(looked_at), alone=tuple(survey.reached), whole=whole)
    return survey._replace(grid=seen, planned=len(grid.asks), too_much=too_much)


def _report(progress: Progress | None, done: int, total: int) -> None:
    if progress:
        progress(done, total)


def _add_odds(survey: Survey, ask: Ask) -> bool:
    """Add the odds of each fact; return True if none of them takes too much work."""
    tree = True
    for name, fact in survey.facts.items():
        try:
            if (tree or fact.closed) and survey.domain(name, ask):
                with trees_up_to(LINT_TREE):
                    survey.odds[ask, name] = odds(ask, name)
        except TooMuch:
            tree = False  # every other fact without a closed form would take the same work again
        except Refusal:
            continue
    return tree


def _by_wish(survey: Survey, wish: Wish) -> Measure:
    """A fact expresses the wish if its value determines the worth of every result that was reached."""
    words = f'the wish "{wish.name}"'
    results = [result for reached in survey.reached.values() for result in reached.results]
    for name, fact in survey.facts.items():
        worths = as_function((fact.of(result), wish.worth(result)) for result in results)
        if worths and survey.domain(name, survey.grid.middle):
            return Measure(words, wish.help, worths, name)
    return Measure(words, wish.help, {worth: worth for worth in map(wish.worth, results)}, wish=wish)


def as_function(pairs: Iterable[tuple[Hashable, Any]]) -> dict[Hashable, Any] | None:
    """Return a mapping of firsts to seconds, or None if some first has two different seconds."""
    found: dict[Hashable, Any] = {}
    for value, other in pairs:
        if found.setdefault(value, other) != other:
            return None
    return found


def _has_words(survey: Survey, name: str) -> bool:
    values = survey.domain(name, survey.grid.middle)
    return bool(values) and not any(type(value) is int for value in values)


def _by_first(survey: Survey, name: str) -> Measure:
    """Facts of words list them from best to worst."""
    values = survey.domain(name, survey.grid.middle)
    words = f'"{survey.facts[name].title}: {format_value(values[0])}"'
    return Measure(words, "the first of its words", {**dict.fromkeys(values, 0), values[0]: 1}, name)
