"""Outcomes that never happen, and outcomes that hardly ever happen."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import NamedTuple

from astragal.dice.render.text import format_one_in, format_value
from astragal.errors import Refusal
from astragal.lint.finding import Finding, Proof, format_ask, format_chance
from astragal.lint.survey import Survey
from astragal.rule.chances.fact import Policy, Wish
from astragal.rule.chances.odds import UP_TO
from astragal.rule.chances.solve import Solver
from astragal.rule.inputs.ask import Ask

RARE = Fraction(1, 10_000)
"""Chance below which an outcome is rare: less than once in the life of a group."""


class Likeliest(NamedTuple):
    """The greatest chance of a value in any ask, that ask, and the number of asks that list the value."""

    chance: Fraction
    ask: Ask
    listed: int


def never(survey: Survey) -> Iterator[Finding]:
    """Yield a finding for each value that a fact lists and that no ask can come to, whatever is chosen."""
    for (name, value), best in _likeliest(survey).items():
        if best.chance or value in _reached(survey, name):
            continue
        what = f'"{survey.facts[name].title}: {format_value(value)}"'
        sentence = f"{what} never happens: its chance is 0 in all {best.listed:,} asks that list it."
        yield Finding("impossible", "warning", sentence, (), (Proof(best.ask, what, best.chance),))


def rare(survey: Survey) -> Iterator[Finding]:
    """Yield a finding for each value that is rare in every ask, even if every choice is made for its sake."""
    for (name, value), best in _likeliest(survey).items():
        if not 0 < best.chance < RARE or _on_purpose(survey, name, value) >= RARE:
            continue
        what = f'"{survey.facts[name].title}: {format_value(value)}"'
        sentence = (
            f"{what} is reached less than once in 10,000 rolls: at most {format_chance(best.chance)}, "
            f"{format_one_in(best.chance)}, with {format_ask(best.ask)}."
        )
        yield Finding("rare", "note", sentence, (), (Proof(best.ask, what, best.chance),))


def _likeliest(survey: Survey) -> dict[tuple[str, Hashable], Likeliest]:
    found: dict[tuple[str, Hashable], Likeliest] = {}
    for (ask, name), odds in survey.odds.items():
        for value in survey.domain(name, ask):
            chance = odds.get(value)
            best = found.get((name, value), Likeliest(Fraction(-1), ask, 0))
            where = (chance, ask) if chance > best.chance else best[:2]
            found[name, value] = Likeliest(*where, best.listed + 1)
    return found


def _reached(survey: Survey, name: str) -> set[Hashable]:
    of = survey.facts[name].of
    return {of(result) for reached in survey.reached.values() for result in reached.results}


def _on_purpose(survey: Survey, name: str, value: Hashable) -> Fraction:
    """The greatest chance of a value if every choice is made for its sake."""
    of = survey.facts[name].of
    wish = Wish(name, "that it happens", lambda result: int(of(result) == value))
    return max((_with_choices(survey, ask, wish) for ask in survey.reached), default=Fraction(0))


def _with_choices(survey: Survey, ask: Ask, wish: Wish) -> Fraction:
    if not any(len(choice.options) > 1 for choice in survey.reached[ask].choices):
        return Fraction(0)
    try:
        return Solver(Policy("best", wish), UP_TO).solve(survey.grid.kind.rule(ask)).worth
    except Refusal:
        return Fraction(0)
