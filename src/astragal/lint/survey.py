"""The survey of a lint: the tables of every ask in the grid, and all that the asks nearest the middle can come to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.dice.distribution import Distribution
from astragal.dice.render.text import format_value
from astragal.errors import Refusal
from astragal.lint.grid import Grid
from astragal.lint.walk import MOST_NODES, Reached, reach
from astragal.rule.ask import Ask
from astragal.rule.fact import Fact, Wish, facts_of, wishes_of
from astragal.rule.odds import odds

MOST_WALKED = 300_000
Progress = Callable[[int, int], None]


class Measure(NamedTuple):
    """What should get better: values of a table, each with its worth; or the wish itself, if no table tells it."""

    words: str
    help: str
    worths: dict[Hashable, int]
    table: str = ""
    wish: Wish | None = None

    @property
    def is_chance(self) -> bool:
        return set(self.worths.values()) <= {0, 1}

    def of(self, survey: Survey, ask: Ask) -> Fraction | None:
        """The exact chance, or the average worth; None if it cannot be told."""
        found = survey.tables.get((ask, self.table)) if self.table else self._solved(ask)
        if found is None or any(weight and value not in self.worths for value, weight in found.weights.items()):
            return None
        return Fraction(sum(self.worths.get(value, 0) * n for value, n in found.weights.items()), found.total)

    def _solved(self, ask: Ask) -> Distribution[Any] | None:
        try:
            return odds(ask, self.wish.worth) if self.wish else None
        except Refusal:
            return None


class Survey(NamedTuple):
    """What was found out; a table that an ask refuses is not there."""

    grid: Grid
    named: dict[str, Fact]
    tables: dict[tuple[Ask, str], Distribution[Any]]
    reached: dict[Ask, Reached]

    def domain(self, name: str, ask: Ask) -> tuple[Hashable, ...]:
        """The values that a table lists, if it lists any; facts that stand together are told apart elsewhere."""
        values = self.named[name].domain
        return tuple(value for value in values(ask) if not isinstance(value, tuple)) if values else ()

    @property
    def measure(self) -> Measure | None:
        """By the first wish; in a roll without one, by the word that stands first in its first table of words."""
        wishes = wishes_of(self.grid.kind)
        if wishes:
            return _by_wish(self, next(iter(wishes.values())))
        return next((_by_first(self, name) for name in self.named if _has_words(self, name)), None)


def survey_of(grid: Grid, progress: Progress | None = None) -> Survey:
    """Ask for everything once."""
    named = {name: table for name, table in facts_of(grid.kind).items() if table.domain}
    survey = Survey(grid, named, {}, {})
    total = len(grid.asks) + len(grid.alone)
    left = MOST_WALKED
    for done, ask in enumerate(grid.alone):
        survey.reached[ask] = reach(grid.kind.rule(ask), min(left, MOST_NODES))
        left -= survey.reached[ask].nodes
        _tell(progress, done, total)
    for done, ask in enumerate(grid.asks, len(grid.alone)):
        _ask_tables(survey, ask)
        _tell(progress, done + 1, total)
    return survey


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress:
        progress(done, total)


def _ask_tables(survey: Survey, ask: Ask) -> None:
    for name in survey.named:
        try:
            if survey.domain(name, ask):
                survey.tables[ask, name] = odds(ask, name)
        except Refusal:
            continue


def _by_wish(survey: Survey, wish: Wish) -> Measure:
    """A table tells the wish if, wherever a result was reached, its value there settles what it is worth."""
    words = f'the wish "{wish.name}"'
    results = [result for reached in survey.reached.values() for result in reached.results]
    for name, table in survey.named.items():
        worths = told_by((table.of(result), wish.worth(result)) for result in results)
        if worths and survey.domain(name, survey.grid.middle):
            return Measure(words, wish.help, worths, name)
    return Measure(words, wish.help, {worth: worth for worth in map(wish.worth, results)}, wish=wish)


def told_by(pairs: Iterable[tuple[Hashable, Any]]) -> dict[Hashable, Any] | None:
    """The second as a function of the first; None if it is none."""
    found: dict[Hashable, Any] = {}
    for value, other in pairs:
        if found.setdefault(value, other) != other:
            return None
    return found


def _has_words(survey: Survey, name: str) -> bool:
    values = survey.domain(name, survey.grid.middle)
    return bool(values) and not any(type(value) is int for value in values)


def _by_first(survey: Survey, name: str) -> Measure:
    """Tables of words stand from best to worst."""
    values = survey.domain(name, survey.grid.middle)
    words = f'"{survey.named[name].title}: {format_value(values[0])}"'
    return Measure(words, "the first of its words", {**dict.fromkeys(values, 0), values[0]: 1}, name)
