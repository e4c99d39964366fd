"""Values: what an expression comes to, exactly. Equal expressions are worked out once."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from astragal.audit.finding import Value
from astragal.dice.distribution import Distribution
from astragal.errors import Malformed, Refusal
from astragal.questions.notation import odds_of

MEAN = re.compile(r"\s*mean\s*\((.*)\)\s*", re.DOTALL)
MOST_REMEMBERED = 50_000


class Evaluator:
    """Answers expressions, and remembers the answers and the refusals."""

    def __init__(self) -> None:
        self._known: dict[str, Value | Refusal] = {}

    def value(self, expression: str) -> Value:
        """The value of an expression, or the refusal to give one."""
        if expression not in self._known:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            self._known[expression] = _answer(expression)
        answer = self._known[expression]
        if isinstance(answer, Refusal):
            raise answer.with_traceback(None)
        return answer

    def chance(self, expression: str) -> Fraction | None:
        """The chance, where the expression makes sense and gives one."""
        try:
            value = self.value(expression)
        except Refusal:
            return None
        return value.exact if value.is_chance else None


def _answer(expression: str) -> Value | Refusal:
    try:
        mean = MEAN.fullmatch(expression)
        return Value(odds_of(mean[1]).mean, False) if mean else _value_of(odds_of(expression))
    except Refusal as refusal:
        return refusal


def _value_of(odds: Distribution[Any]) -> Value:
    if all(type(value) is bool for value in odds.weights):
        return Value(odds[True], True)
    if len(odds) == 1 and odds.is_numeric:
        return Value(odds.mean, False)
    raise Malformed("The expression is no yes or no; compare it at the end, as in 4d6 >= 14, or write mean(…).")
