"""More is worse: a step that helps nearly everywhere, and hurts somewhere.

Nobody tells the lint which way an input should work. It learns that from the grid:
where nine steps of ten go one way, the others are surprises. An input that goes both
ways more evenly has no direction, and nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.rule.ask import Ask
from astragal.rule.lint_finding import Finding, Proof, apart, described, written
from astragal.rule.lint_grid import Grid, Step
from astragal.rule.lint_survey import Measure, Survey
from astragal.rule.number import Whole
from astragal.rule.word import Flag, OneOf

CLEAR = Fraction(4, 5)
FEWEST = 4


class Move(NamedTuple):
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
        odd = exceptions(moves)
        if odd:
            yield _finding(survey.grid, measure, moves, odd)


def _by_direction(survey: Survey, measure: Measure) -> dict[tuple[Any, ...], list[Move]]:
    """The moves that should go the same way: all of an input, or all between the same two words."""
    chances = {ask: measure.of(survey, ask) for ask in survey.grid.asks}
    found: dict[tuple[Any, ...], list[Move]] = {}
    for step in survey.grid.steps():
        before, after = chances[step.low], chances[step.high]
        if before is not None and after is not None and before != after:
            found.setdefault(_direction(step), []).append(Move(step, before, after))
    return found


def _direction(step: Step) -> tuple[Any, ...]:
    input = step.input
    grows = isinstance(input, (Whole, Flag)) or (
        isinstance(input, OneOf) and all(type(option) is int for option in input.options)
    )
    return (input.name,) if grows else (input.name, *step.values)


def exceptions(moves: list[Move]) -> list[Move]:
    """The moves against the rest, if the rest is a clear majority; the largest first."""
    up = [move for move in moves if move.by > 0]
    down = [move for move in moves if move.by < 0]
    many, few = (up, down) if len(up) >= len(down) else (down, up)
    if len(moves) < FEWEST or Fraction(len(many), len(moves)) < CLEAR:
        return []
    return sorted(few, key=lambda move: -abs(move.by))


def _finding(grid: Grid, measure: Measure, moves: list[Move], odd: list[Move]) -> Finding:
    worst = odd[0]
    input = worst.step.input
    low, high = map(written, worst.step.values)
    does, usually = ("lowers", "raises") if worst.by < 0 else ("raises", "lowers")
    before, after = apart(worst.before, worst.after, measure.is_chance)
    shared = common(grid, odd)
    sentence = (
        f"{input.option} from {low} to {high} {does} {'the chance of ' if measure.is_chance else ''}{measure.words} "
        f"from {before} to {after}, with {described(_without(worst.step))}; {input.option} {usually} it in "
        f"{len(moves) - len(odd):,} of {len(moves):,} steps. {_where(odd, shared)}"
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


def common(grid: Grid, odd: list[Move]) -> dict[str, Any]:
    """What all exceptions share and the middle of the grid does not have."""
    first = odd[0].step
    return {
        name: getattr(first.low, name)
        for name in grid.values
        if name != first.input.name
        and getattr(first.low, name) != getattr(grid.middle, name)
        and len({getattr(move.step.low, name) for move in odd}) == 1
    }


def _where(odd: list[Move], shared: dict[str, Any]) -> str:
    if len(odd) == 1:
        return "This is the only exception."
    inputs = odd[0].step.low.inputs
    with_all = " and ".join(f"{inputs[name].option} {written(value)}" for name, value in shared.items())
    return f"All {len(odd)} exceptions have {with_all}." if shared else f"There are {len(odd)} exceptions."
