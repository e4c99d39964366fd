"""Lint: surprises in a game's rules, each proved by exact numbers.

There are four categories: an improvement that hurts, outcomes that never happen, options that are never worth taking,
and outcomes that hardly ever happen. Lint has no code for any game: asks come from the declarations and chances from
the odds. The direction in which an input should work is that of most of its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import NamedTuple

from astragal.deadline import Deadline, time_is_up
from astragal.lint.backwards import backwards
from astragal.lint.choices import pointless
from astragal.lint.finding import Finding, Proof
from astragal.lint.grid import MAX_ASKS, Grid, grid_of
from astragal.lint.outcomes import never, rare
from astragal.lint.survey import Progress, Survey, survey_of
from astragal.lint.together import together
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask

__all__ = ["Finding", "LintReport", "Proof", "lint", "lint_report"]

CHECKS = (backwards, never, together, pointless, rare)


class LintReport(NamedTuple):
    """The survey of a kind of roll, the findings in it, and sentences about what was left out."""

    survey: Survey
    findings: tuple[Finding, ...]
    left_out: tuple[str, ...] = ()


def lint(kind: Kind, near: Ask | None = None, seconds: float | None = None) -> tuple[Finding, ...]:
    """Return the findings for a kind of roll, around an ask or around the roll's own example."""
    return lint_report(kind, near, seconds=seconds).findings


def lint_report(
    kind: Kind,
    near: Ask | None = None,
    progress: Progress | None = None,
    most: int = MAX_ASKS,
    *,
    seconds: float | None = None,
    clock: Callable[[], float] = monotonic,
) -> LintReport:
    """Return the findings with their survey; ``progress`` is called with the numbers of asks done and in total.

    It ends after ``seconds`` by ``clock``, with the findings so far and what was left out.
    """
    with Deadline(seconds, clock=clock, interrupts=False):
        grid = grid_of(kind, near, most)
        survey = survey_of(grid, progress, seconds, clock)
        findings: list[Finding] = []
        missing: list[str] = []
        for check in CHECKS:
            found = [] if time_is_up() else list(check(survey))
            # A refusal for lack of time looks like something that cannot happen, so nothing is concluded from it.
            if time_is_up():
                missing.append(WORDS[check.__name__])
            else:
                findings += found
    return LintReport(survey, tuple(findings), tuple(_left_out(grid, survey, missing)))


WORDS = {
    "backwards": "improvements that hurt",
    "never": "outcomes that never happen",
    "together": "outcomes that never happen together",
    "pointless": "options that are never worth taking",
    "rare": "outcomes that hardly ever happen",
}


def _left_out(grid: Grid, survey: Survey, missing: list[str]) -> Iterator[str]:
    """Sentences about what was left out."""
    if len(survey.grid.asks) < len(grid.asks):
        yield f"Time was up after the odds of {len(survey.grid.asks):,} of {len(grid.asks):,} asks."
    if len(survey.reached) < len(grid.alone):
        yield f"Time was up after the trees of {len(survey.reached):,} of {len(grid.alone):,} asks."
    if survey.too_much:
        yield f"Odds of {survey.too_much:,} of these asks take more work than one question may, and are missing."
    if missing:
        yield f"Time was up before these were looked for: {', '.join(missing)}."
