"""The evaluator: exact values of expressions, each computed once."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.dice.distribution import Distribution
from astragal.errors import Malformed, Refusal
from astragal.notation.dialect import ANYDICE, dialect_named
from astragal.questions.notation import solve_notation

MEAN = re.compile(r"\s*mean\s*\((.*)\)\s*", re.DOTALL)
MAX_CACHED = 50_000
"""Expressions. Bounds memory for an audit of many files."""


class ExactValue(NamedTuple):
    """The exact value of an expression: a chance, or another number such as a mean."""

    exact: Fraction
    is_chance: bool
    notes: tuple[str, ...] = ()
    """How the expression was read where tools differ."""


class Evaluator:
    """Evaluates expressions, read as a dialect's tool does, and caches values and refusals."""

    def __init__(self, dialect: str = "") -> None:
        self._dialect = dialect_named(dialect).name
        self._cache: dict[str, ExactValue | Refusal] = {}

    def value(self, expression: str) -> ExactValue:
        """Return the value of an expression, or raise the refusal."""
        if expression not in self._cache:
            if len(self._cache) >= MAX_CACHED:
                self._cache.clear()
            self._cache[expression] = _evaluated(expression, self._dialect)
        found = self._cache[expression]
        if isinstance(found, Refusal):
            raise found.with_traceback(None)
        return found

    def chance(self, expression: str) -> Fraction | None:
        """Return the chance that an expression means, or None if it means none."""
        try:
            value = self.value(expression)
        except Refusal:
            return None
        return value.exact if value.is_chance else None


def _evaluated(expression: str, dialect: str) -> ExactValue | Refusal:
    try:
        mean = MEAN.fullmatch(expression)
        found = solve_notation(mean[1] if mean else expression, None, dialect)
        value = ExactValue(found.odds.mean, False) if mean else _value_of(found.odds, dialect)
        return value._replace(notes=found.notes)
    except Refusal as refusal:
        return refusal


def _value_of(odds: Distribution[Any], dialect: str) -> ExactValue:
    if all(type(value) is bool for value in odds.weights):
        return ExactValue(odds[True], True)
    if dialect == ANYDICE and set(odds.weights) <= {0, 1}:
        return ExactValue(odds[1], True)  # A comparison gives 0 or 1 there.
    if len(odds) == 1 and odds.is_numeric:
        return ExactValue(odds.mean, False)
    raise Malformed(
        "The expression is not a yes-or-no question; end it with a comparison, as in 4d6 >= 14, or write mean(…)."
    )
