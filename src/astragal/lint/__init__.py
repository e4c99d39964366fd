"""Lint: surprises in a game's rules, each proved by exact numbers.

There are four categories: an improvement that hurts, outcomes that never happen,
options that are never worth taking, and outcomes that hardly ever happen. Lint knows no
game: asks come from the declarations and chances from the odds, and which way an input
should work is learnt from most of its steps.
"""

from __future__ import annotations

from typing import NamedTuple

from astragal.lint.backwards import backwards
from astragal.lint.choices import pointless
from astragal.lint.finding import Finding, Proof
from astragal.lint.grid import MAX_ASKS, grid_of
from astragal.lint.outcomes import never, rare
from astragal.lint.survey import Progress, Survey, survey_of
from astragal.lint.together import together
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask

__all__ = ["Finding", "LintReport", "Proof", "lint", "lint_report"]

CHECKS = (backwards, never, together, pointless, rare)


class LintReport(NamedTuple):
    """The survey of a kind of roll, and the findings in it."""

    survey: Survey
    findings: tuple[Finding, ...]


def lint(kind: Kind, near: Ask | None = None) -> tuple[Finding, ...]:
    """Return the findings for a kind of roll, around an ask or around the roll's own example."""
    return lint_report(kind, near).findings


def lint_report(
    kind: Kind, near: Ask | None = None, progress: Progress | None = None, most: int = MAX_ASKS
) -> LintReport:
    """Return the findings with their survey; ``progress`` is called with the numbers of asks done and in total."""
    survey = survey_of(grid_of(kind, near, most), progress)
    return LintReport(survey, tuple(finding for check in CHECKS for finding in check(survey)))
