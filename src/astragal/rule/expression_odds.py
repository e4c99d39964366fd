"""Exact odds of dice notation. The caller solves a game's rolls in an expression, as this room knows no game."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from astragal.dice.distribution import Beyond, Distribution, Moments
from astragal.dice.notation.expression import (
    Binary,
    Call,
    Comparison,
    DiceTerm,
    Expression,
    Negative,
    Number,
    Sets,
    Word,
    compare,
)
from astragal.dice.notation.odds import term_odds, usual_reach
from astragal.errors import Illegal, Malformed

MAX_PAIRS = 1_000_000
"""Most pairs of values of two operands; more would take over a second."""
MAX_UP_TO = 1000
"""Highest value of an endless count that is shown on its own."""
CALL_REACH = 20
"""Highest value of a game's endless count that is shown on its own, unless a comparison needs more."""


class ExpressionOdds(NamedTuple):
    """The odds of an expression, and the order of its words, best first, if it has any."""

    odds: Distribution[Any]
    order: Sequence[Any] = ()


Solve = Callable[[Call, int], ExpressionOdds]


def expression_odds(expression: Expression, call: Solve, up_to: int | None = None) -> Distribution[Any]:
    """The exact distribution of an expression's value: a number, a word, or True and False for a comparison.

    Endless values above ``up_to`` are one value; a comparison raises ``up_to`` as far as it needs.
    """
    reach = _reach(expression) if up_to is None or isinstance(expression, Comparison) else 0
    return _solve(expression, call, min(max(up_to or 0, reach), MAX_UP_TO)).odds


def _reach(expression: Expression) -> int:
    """The default ``up_to``: the usual reach of the dice plus all numbers in the expression."""
    if isinstance(expression, Number):
        return expression.n + 1
    if isinstance(expression, DiceTerm):
        return usual_reach(expression)
    if isinstance(expression, Call):
        return CALL_REACH
    if isinstance(expression, (Binary, Comparison)):
        return _reach(expression.left) + _reach(expression.right)
    return _reach(expression.inner) if isinstance(expression, (Negative, Sets)) else 0


def _solve(expression: Expression, call: Solve, up_to: int) -> ExpressionOdds:
    if isinstance(expression, Call):
        return call(expression, up_to)
    if isinstance(expression, Sets):
        return _solve(expression.inner, call, up_to)
    if isinstance(expression, (Binary, Comparison)):
        return ExpressionOdds(_solve_pair(expression, call, up_to))
    return ExpressionOdds(_solve_one(expression, call, up_to))


def _solve_one(expression: Number | DiceTerm | Word | Negative, call: Solve, up_to: int) -> Distribution[Any]:
    if isinstance(expression, Number):
        return Distribution.certain(expression.n)
    if isinstance(expression, DiceTerm):
        return term_odds(expression, up_to)
    if isinstance(expression, Negative):
        return _combined("-", Distribution.certain(0), _solve(expression.inner, call, up_to).odds)
    raise Malformed(f'"{expression.word}" is neither dice nor a number; words are compared with games only.')


def _solve_pair(expression: Binary | Comparison, call: Solve, up_to: int) -> Distribution[Any]:
    left = _solve(expression.left, call, up_to)
    if isinstance(expression, Comparison) and isinstance(expression.right, Word):
        return _compared_to_word(expression.operator, expression.right.word, left)
    right = _solve(expression.right, call, up_to).odds
    if isinstance(expression, Binary):
        return _combined(expression.operator, left.odds, right)
    return _compared(expression.operator, left.odds, right)


def _last(odds: Distribution[Any]) -> int | None:
    """The highest value shown on its own, if the values are endless."""
    return next((value.last for value in odds.weights if isinstance(value, Beyond)), None)


def _numbers(odds: Distribution[Any]) -> list[int]:
    found = [value for value in odds.weights if not isinstance(value, Beyond)]
    if not all(isinstance(value, int) for value in found):
        raise Illegal("Words cannot be added or compared with numbers.")
    return found


def _combined(operator: str, left: Distribution[Any], right: Distribution[Any]) -> Distribution[Any]:
    """A sum, difference or product of two independent values."""
    mine, other = _numbers(left), _numbers(right)
    if len(mine) * len(other) > MAX_PAIRS:
        raise Illegal(f"There are more than {MAX_PAIRS:,} pairs of values; ask for fewer dice or sides.")
    if _last(left) is not None or _last(right) is not None:
        return _combined_endless(operator, left, right, mine, other)
    join = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}[operator]
    return left.convolve(right, lambda a, b: join(int(a), int(b)))


def _combined_endless(
    operator: str, left: Distribution[Any], right: Distribution[Any], mine: list[int], other: list[int]
) -> Distribution[Any]:
    """Add or subtract with an endless operand: sums above the limit are one value, as their parts are not known."""
    if operator != "+" and (operator != "-" or _last(right) is not None):
        raise Illegal("An endless value can be added to or reduced; anything else has no exact odds here.")
    if operator == "-":
        right = right.map(lambda value: -value)
        other = [-value for value in other]
    limits = []
    if (last := _last(left)) is not None:
        limits.append(last + min(other))
    if (last := _last(right)) is not None:
        limits.append(last + min(mine))
    limit = min(limits)

    def join(a: Any, b: Any) -> Any:
        beyond = isinstance(a, Beyond) or isinstance(b, Beyond) or a + b > limit
        return Beyond(limit) if beyond else a + b

    joined = left.convolve(right, join)
    return Distribution(joined.weights, joined.total, Moments(left.mean + right.mean, left.variance + right.variance))


def _compared(operator: str, left: Distribution[Any], right: Distribution[Any]) -> Distribution[bool]:
    """The odds of a comparison of numbers, from cumulated weights of the right side."""
    if _last(right) is not None:
        turned = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}.get(operator, operator)
        if _last(left) is not None:
            raise Illegal("Two endless values cannot be compared; only a game's contest has exact odds for that.")
        return _compared(turned, right, left)
    _numbers(left)
    values = sorted(_numbers(right))
    below = [0, *accumulate(right.weights[value] for value in values)]
    ways = 0
    for value, weight in left.weights.items():
        ways += weight * _below(operator, value, values, below)
    total = left.total * right.total
    return Distribution({True: ways, False: total - ways}, total)


def _below(operator: str, value: Any, values: list[int], below: list[int]) -> int:
    """The weight of the right side for which ``value operator right`` holds."""
    if isinstance(value, Beyond):
        if values[-1] > value.last:
            raise Illegal(f"Values are told apart up to {value.last} only; raise up-to.")
        return below[-1] if operator in (">", ">=", "!=") else 0
    under, upto = below[bisect_left(values, value)], below[bisect_right(values, value)]
    return {
        ">=": upto,
        ">": under,
        "<=": below[-1] - under,
        "<": below[-1] - upto,
        "==": upto - under,
        "!=": below[-1] - (upto - under),
    }[operator]


def _compared_to_word(operator: str, word: str, left: ExpressionOdds) -> Distribution[bool]:
    """The odds of a comparison with a game's word; words are ordered best first, and a better one is greater."""
    value: Any = {"true": True, "false": False}.get(word, word)
    order = list(left.order) or list(left.odds)
    if value not in order:
        raise Malformed(f'"{word}" is not one of {", ".join(map(str, order))}.')
    wanted = order.index(value)
    chance = left.odds.chance(lambda value: compare(operator, -order.index(value), -wanted))
    return Distribution({True: chance.numerator, False: chance.denominator - chance.numerator}, chance.denominator)
