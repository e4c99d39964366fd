"""More is worse: a step that helps nearly everywhere and hurts somewhere.

The direction in which an input should work comes from the grid: if nine steps of ten go one way, the others are
exceptions. Three of four are enough if all exceptions share another input that reverses the direction. An input that
goes both ways more evenly has no direction and no findings.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.lint.finding import Finding, Proof, format_ask, format_input, format_pair
from astragal.lint.grid import Grid, Step
from astragal.lint.survey import Measure, Survey
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Flag, OneOf, Whole

CLEAR = Fraction(9, 10)
"""Share of the steps that must go one way to make it the direction."""
CLEAR_IF_SHARED = Fraction(3, 4)
"""The same if all exceptions share another input."""
MIN_STEPS = 4
"""Least steps of an input that show a direction."""


class Difference(NamedTuple):
    """A step, and the measure before and after it."""

    step: Step
    before: Fraction
    after: Fraction

    @property
    def by(self) -> Fraction:
        """The amount by which the step raises the measure."""
        return self.after - self.before


def backwards(survey: Survey) -> Iterator[Finding]:
    """Yield a finding for each input that raises the measure nearly everywhere, or lowers it, with exceptions."""
    measure = survey.measure
    if measure is None:
        return
    for differences in _by_direction(survey, measure).values():
        exceptions = exceptions_of(survey.grid, differences)
        if exceptions:
            yield _finding(survey.grid, measure, differences, exceptions)


def _by_direction(survey: Survey, measure: Measure) -> dict[tuple[Any, ...], list[Difference]]:
    """The differences that should go the same way: all of an input, or those between the same two words."""
    chances = {ask: measure.of(survey, ask) for ask in survey.grid.asks}
    found: dict[tuple[Any, ...], list[Difference]] = {}
    for step in survey.grid.steps():
        before, after = chances[step.low], chances[step.high]
        if before is not None and after is not None and before != after:
            found.setdefault(_direction(step), []).append(Difference(step, before, after))
    return found


def _direction(step: Step) -> tuple[Any, ...]:
    input = step.input
    grows = isinstance(input, (Whole, Flag)) or (
        isinstance(input, OneOf) and all(type(option) is int for option in input.options)
    )
    return (input.name,) if grows else (input.name, *step.values)


def exceptions_of(grid: Grid, differences: list[Difference]) -> list[Difference]:
    """Return the differences against a clear majority, the largest first."""
    up = [each for each in differences if each.by > 0]
    down = [each for each in differences if each.by < 0]
    many, few = (up, down) if len(up) >= len(down) else (down, up)
    if len(differences) < MIN_STEPS or not few:
        return []
    if Fraction(len(many), len(differences)) < (CLEAR_IF_SHARED if shared_inputs(grid, few) else CLEAR):
        return []
    return sorted(few, key=lambda each: (-abs(each.by), _size(each.step.low)))


def _size(ask: Ask) -> int:
    """Among equal exceptions, the one with the smallest numbers is reported."""
    return sum(abs(value) for value in vars(ask).values() if isinstance(value, int))


def _finding(grid: Grid, measure: Measure, differences: list[Difference], exceptions: list[Difference]) -> Finding:
    worst = exceptions[0]
    input = worst.step.input
    low, high = map(format_input, worst.step.values)
    verb, usual = ("lower", "raise") if worst.by < 0 else ("raise", "lower")
    before, after = format_pair(worst.before, worst.after, measure.is_chance)
    shared = shared_inputs(grid, exceptions)
    sentence = (
        f"With {format_ask(worst.step.low, input.name)}, {input.option} {high} in place of {low} {verb}s the "
        f"{'chance of' if measure.is_chance else 'average of'} {measure.words} from {before} to {after}; "
        f"{len(differences) - len(exceptions):,} of {len(differences):,} steps of {input.option} {usual} it. "
        f"{_where(exceptions, shared)}"
    )
    rules = [input.rule, *(grid.kind.ask.inputs[name].rule for name in shared)]
    what = f"{measure.words} at {input.option} {low}", f"{measure.words} at {input.option} {high}"
    proof = (Proof(worst.step.low, what[0], worst.before), Proof(worst.step.high, what[1], worst.after))
    return Finding("backwards", "warning", sentence, tuple(dict.fromkeys(filter(None, rules))), proof)


def shared_inputs(grid: Grid, exceptions: list[Difference]) -> dict[str, tuple[Any, ...]]:
    """Return the inputs that differ from the middle of the grid in every exception, with their values there."""
    found: dict[str, tuple[Any, ...]] = {}
    for name in grid.values:
        values = dict.fromkeys(getattr(each.step.low, name) for each in exceptions)
        if name != exceptions[0].step.input.name and getattr(grid.middle, name) not in values:
            found[name] = tuple(values)
    return found


def _where(exceptions: list[Difference], shared: dict[str, tuple[Any, ...]]) -> str:
    if len(exceptions) == 1:
        return "This is the only exception."
    if not shared:
        return f"There are {len(exceptions)} exceptions."
    inputs = exceptions[0].step.low.inputs
    parts = (f"{inputs[name].option} {' or '.join(map(format_input, values))}" for name, values in shared.items())
    all_of_them = "Both" if len(exceptions) == 2 else f"All {len(exceptions)}"
    return f"{all_of_them} exceptions have {' and '.join(parts)}."
