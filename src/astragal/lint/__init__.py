"""Lint: surprises in a game's rules, each proved by exact numbers.

Four sorts are looked for: a step that should help and hurts, outcomes that never
happen, choices that are never worth taking, and outcomes that hardly ever happen.
Nothing here knows a game: the asks come from the declarations, the chances from the
odds, and which way an input should work is learnt from most of its steps.
"""

from __future__ import annotations

from typing import NamedTuple

from astragal.lint.backwards import backwards
from astragal.lint.choices import pointless
from astragal.lint.finding import Finding, Proof
from astragal.lint.grid import MOST_ASKS, grid_of
from astragal.lint.outcomes import never, rare
from astragal.lint.survey import Progress, Survey, survey_of
from astragal.lint.together import together
from astragal.rule.ask import Ask
from astragal.rule.game import Kind

__all__ = ["Finding", "Linted", "Proof", "lint", "look_over"]

CHECKS = (backwards, never, together, pointless, rare)


class Linted(NamedTuple):
    """What was looked at, and what was found."""

    survey: Survey
    findings: tuple[Finding, ...]


def lint(kind: Kind, near: Ask | None = None) -> tuple[Finding, ...]:
    """The surprises of one kind of roll, around an ask or around the roll's own example."""
    return look_over(kind, near).findings


def look_over(kind: Kind, near: Ask | None = None, progress: Progress | None = None, most: int = MOST_ASKS) -> Linted:
    """The same, with what was looked at; ``progress`` is told how many asks are done, and of how many."""
    survey = survey_of(grid_of(kind, near, most), progress)
    return Linted(survey, tuple(finding for check in CHECKS for finding in check(survey)))
