"""More is worse: a step that helps nearly everywhere, and hurts somewhere.

Nobody tells the lint which way an input should work. It learns that from the grid:
where nine steps of ten go one way, the others are surprises. Three of four are enough
if all the others have some other input in common that turns the direction round. An
input that goes both ways more evenly has no direction, and nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.lint.finding import Finding, Proof, apart, described, written
from astragal.lint.grid import Grid, Step
from astragal.lint.survey import Measure, Survey
from astragal.rule.ask import Ask
from astragal.rule.input import Flag, OneOf, Whole

CLEAR = Fraction(9, 10)
CLEAR_BUT_FOR_ONE = Fraction(3, 4)
FEWEST = 4


class Difference(NamedTuple):
    """A step, and what it does to the chance."""

    step: Step
    before: Fraction
    after: Fraction

    @property
    def by(self) -> Fraction:
        return self.after - self.before


def backwards(survey: Survey) -> Iterator[Finding]:
    """A finding for each input that helps nearly everywhere, or hurts, and does the opposite elsewhere."""
    measure = survey.measure
    if measure is None:
        return
    for moves in _by_direction(survey, measure).values():
        odd = exceptions(survey.grid, moves)
        if odd:
            yield _finding(survey.grid, measure, moves, odd)


def _by_direction(survey: Survey, measure: Measure) -> dict[tuple[Any, ...], list[Difference]]:
    """The moves that should go the same way: all of an input, or all between the same two words."""
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


def exceptions(grid: Grid, moves: list[Difference]) -> list[Difference]:
    """The moves against the rest, if the rest is a clear majority; the largest first."""
    up = [move for move in moves if move.by > 0]
    down = [move for move in moves if move.by < 0]
    many, few = (up, down) if len(up) >= len(down) else (down, up)
    if len(moves) < FEWEST or not few:
        return []
    if Fraction(len(many), len(moves)) < (CLEAR_BUT_FOR_ONE if common(grid, few) else CLEAR):
        return []
    return sorted(few, key=lambda move: (-abs(move.by), _size(move.step.low)))


def _size(ask: Ask) -> int:
    """Of equal surprises, the one with the smallest numbers is told."""
    return sum(abs(value) for value in vars(ask).values() if isinstance(value, int))


def _finding(grid: Grid, measure: Measure, moves: list[Difference], odd: list[Difference]) -> Finding:
    worst = odd[0]
    input = worst.step.input
    low, high = map(written, worst.step.values)
    does, usually = ("lowers", "raises") if worst.by < 0 else ("raises", "lowers")
    before, after = apart(worst.before, worst.after, measure.is_chance)
    shared = common(grid, odd)
    sentence = (
        f"With {described(_without(worst.step))}, {input.option} {high} in place of {low} {does} the "
        f"{'chance of' if measure.is_chance else 'average of'} {measure.words} from {before} to {after}; "
        f"{len(moves) - len(odd):,} of {len(moves):,} steps of {input.option} {usually[:-1]} it. {_where(odd, shared)}"
    )
    rules = [input.rule, *(grid.kind.ask.inputs[name].rule for name in shared)]
    what = f"{measure.words} at {input.option} {low}", f"{measure.words} at {input.option} {high}"
    proof = (Proof(worst.step.low, what[0], worst.before), Proof(worst.step.high, what[1], worst.after))
    return Finding("backwards", "warning", sentence, tuple(dict.fromkeys(filter(None, rules))), proof)


def _without(step: Step) -> Ask:
    """What both asks have in common."""
    given = {name: value for name, value in vars(step.low).items() if name != step.input.name}
    shown = object.__new__(type(step.low))
    vars(shown).update(given)
    return shown


def common(grid: Grid, odd: list[Difference]) -> dict[str, tuple[Any, ...]]:
    """Inputs that have another value than in the middle of the grid wherever there is an exception."""
    found: dict[str, tuple[Any, ...]] = {}
    for name in grid.values:
        values = dict.fromkeys(getattr(move.step.low, name) for move in odd)
        if name != odd[0].step.input.name and getattr(grid.middle, name) not in values:
            found[name] = tuple(values)
    return found


def _where(odd: list[Difference], shared: dict[str, tuple[Any, ...]]) -> str:
    if len(odd) == 1:
        return "This is the only exception."
    if not shared:
        return f"There are {len(odd)} exceptions."
    inputs = odd[0].step.low.inputs
    parts = (f"{inputs[name].option} {' or '.join(map(written, values))}" for name, values in shared.items())
    all_of_them = "Both" if len(odd) == 2 else f"All {len(odd)}"
    return f"{all_of_them} exceptions have {' and '.join(parts)}."
