"""Laws: the exact odds of a value, listed or without end, and how two independent ones are joined."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeAlias, Union

from astragal.dice.distribution import Below, Beyond, Distribution, Moments, mix, of_chances
from astragal.dice.solver.endless.comparison import solved
from astragal.dice.solver.endless.mixed import comparison_odds
from astragal.dice.solver.series import Series
from astragal.dice.solver.sums import sum_odds
from astragal.errors import Illegal
from astragal.notation.condition import COMPARE
from astragal.notation.endless import Endless, gathered, joined, negative, plus_finite
from astragal.notation.expression import EXACT

Law: TypeAlias = Union[Distribution[Any], Endless]
WORDS = "Words cannot be added or compared with numbers."
MAX_REMAINDER = 60
"""Largest divisor for which remainders of endless values are computed."""
HELD = {
    ">": ("ours",),
    ">=": ("ours", "draw"),
    "<": ("theirs",),
    "<=": ("theirs", "draw"),
    "==": ("draw",),
    "!=": ("ours", "theirs"),
}


def listed(law: Law, up_to: int) -> Distribution[Any]:
    """Return the odds with every value listed, or one value for all beyond a bound."""
    return law.listed(up_to) if isinstance(law, Endless) else law


def negated(law: Law) -> Law:
    """Return the odds of the negative value."""
    if isinstance(law, Endless):
        return -law
    moments = Moments(-law.mean, law.variance) if law.moments else None
    return Distribution({negative(value): ways for value, ways in law.weights.items()}, law.total, moments)


def mixed(parts: Sequence[tuple[int, Law]], whole: int, up_to: int) -> Law:
    """Return the odds of cases, each with its weight out of ``whole``."""
    if len(parts) == 1:
        return parts[0][1]
    cases = [(weight, listed(part, up_to)) for weight, part in parts]
    return gathered(mix(cases, whole))


def combined(operator: str, left: Law, right: Law, up_to: int) -> Law:
    """Return the odds of an operator of arithmetic, of two independent values."""
    if isinstance(left, Endless) or isinstance(right, Endless):
        found = _without_listing(operator, left, right, up_to)
        if found is not None:
            return found
    mine, other = listed(left, up_to), listed(right, up_to)
    if operator in ("+", "-") and _whole(mine) and _whole(other):
        theirs = other.weights if operator == "+" else {-value: ways for value, ways in other.weights.items()}
        return sum_odds([(1, mine.weights), (1, theirs)])
    odds = gathered(mine.convolve(other, lambda a, b: joined(operator, a, b)))
    if mine.moments or other.moments:
        return Distribution(odds.weights, odds.total, _moments(operator, mine, other))
    return odds


def _whole(odds: Distribution[Any]) -> bool:
    return all(type(value) is int for value in odds.weights)


def _without_listing(operator: str, left: Law, right: Law, up_to: int) -> Law | None:
    """The same by generating functions, where that is possible."""
    if operator == "-":
        if isinstance(left, Endless) and isinstance(right, Endless) and left.sign == right.sign:
            return difference(left, right, up_to)
        return _without_listing("+", left, negated(right), up_to)
    if operator in ("+", "*") and not isinstance(left, Endless):
        left, right = right, left
    if not isinstance(left, Endless):
        return None
    if operator == "+":
        if isinstance(right, Endless) and left.sign != right.sign:
            return difference(left, -right, up_to)
        return _sum(left, right)
    return _by_number(operator, left, certain(right), up_to)


def _by_number(operator: str, left: Endless, number: int | None, up_to: int) -> Law | None:
    """An endless value times a number, divided by it, or what is left then."""
    if operator == "*" and number:
        return left.scaled(number)
    if operator == "%" and number and 0 < number <= MAX_REMAINDER:
        return remainder(left, number)
    if operator in ("/", EXACT) and number and number > 0:
        whole = left.listed((up_to + 1) * number)
        return gathered(whole.map(lambda value: joined(operator, value, number)))
    return None


def _sum(left: Endless, right: Law) -> Law | None:
    if isinstance(right, Endless):
        return left.joined(right)
    if not all(isinstance(value, int) for value in right.weights):
        return None
    number = certain(right)
    return left.plus(number) if number is not None else plus_finite(left, right.map(int))


def certain(law: Law) -> int | None:
    """Return the only value of a distribution, if there is one and it is a whole number."""
    if isinstance(law, Endless) or len(law) != 1:
        return None
    (value,) = law.weights
    return int(value) if isinstance(value, int) else None


def _moments(operator: str, left: Distribution[Any], right: Distribution[Any]) -> Moments | None:
    """The mean and variance of a sum, difference or product of independent values."""
    if operator in ("+", "-"):
        sign = 1 if operator == "+" else -1
        return Moments(left.mean + sign * right.mean, left.variance + right.variance)
    if operator == "*":
        mean = left.mean * right.mean
        squares = (left.variance + left.mean**2) * (right.variance + right.mean**2)
        return Moments(mean, squares - mean**2)
    return None


ENDLESS: frozenset[type] = frozenset({Beyond, Below})


def compared(operator: str, left: Law, right: Law, up_to: int) -> Distribution[Any]:
    """Return the odds of a comparison of two independent values."""
    if isinstance(left, Endless) and isinstance(right, Endless):
        return compared_endless(operator, left, right)
    if _goes_on(right):
        if _goes_on(left):
            raise Illegal("Two values without end are compared, and one of them is only listed up to a bound; "
                          "compare sums of exploding dice, or explode a number of times, as in !o.")  # fmt: skip
        turned = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}.get(operator, operator)
        return compared(turned, right, left, up_to)
    assert isinstance(right, Distribution)
    if isinstance(left, Endless):
        left = left.listed(max([up_to, *(int(abs(value)) + 1 for value in numbers_of(right))]))
    return _compared(operator, left, right)


def _goes_on(law: Law) -> bool:
    return isinstance(law, Endless) or not ENDLESS.isdisjoint(map(type, law.weights))


def numbers_of(odds: Distribution[Any]) -> list[Any]:
    """Return the values that are listed; words are refused."""
    kinds = set(map(type, odds.weights))
    if str in kinds:
        raise Illegal(WORDS)
    return list(odds.weights) if kinds.isdisjoint(ENDLESS) else [v for v in odds.weights if type(v) not in ENDLESS]


def _compared(operator: str, left: Distribution[Any], right: Distribution[Any]) -> Distribution[Any]:
    """From cumulated weights of the right side."""
    numbers_of(left)
    values = sorted(numbers_of(right))
    whole = left.total * right.total
    if len(values) == 1 and not _goes_on(left):
        holds, limit = COMPARE[operator], values[0]
        ways = right.total * sum([weight for value, weight in left.weights.items() if holds(value, limit)])
        return Distribution({True: ways, False: whole - ways}, whole)
    below = [0, *accumulate(right.weights[value] for value in values)]
    ways = 0
    for value, weight in left.weights.items():
        ways += weight * _holding(operator, value, values, below)
    return Distribution({True: ways, False: whole - ways}, whole)


def _holding(operator: str, value: Any, values: list[Any], below: list[int]) -> int:
    """The weight of the right side for which ``value operator right`` holds."""
    if isinstance(value, Beyond):
        if values[-1] > value.last:
            raise Illegal(f"Values are told apart up to {value.last} only; raise up-to.")
        return below[-1] if operator in (">", ">=", "!=") else 0
    if isinstance(value, Below):
        if values[0] < value.first:
            raise Illegal(f"Values are told apart down to {value.first} only; raise up-to.")
        return below[-1] if operator in ("<", "<=", "!=") else 0
    under, upto = below[bisect_left(values, value)], below[bisect_right(values, value)]
    return {
        ">=": upto,
        ">": under,
        "<=": below[-1] - under,
        "<": below[-1] - upto,
        "==": upto - under,
        "!=": below[-1] - (upto - under),
    }[operator]


# Two values without end: which is greater, how far they are apart; and what is left of one after division.


def compared_endless(operator: str, left: Endless, right: Endless) -> Distribution[bool]:
    """Return the odds of a comparison of two endless values."""
    if left.sign != right.sign:
        # X + a > b - Y means X + Y > b - a: a single value without end on one side.
        both = Endless(left.series * right.series, left.shift - right.shift, left.sign)
        return compared_endless(operator, both, Endless(Series(()), 0, left.sign))
    won = _met(left, right)
    ways = sum(won.weights[who] for who in HELD[operator])
    return Distribution({True: ways, False: won.total - ways}, won.total)


def _met(left: Endless, right: Endless) -> Distribution[str]:
    """Which of two values that go on in the same direction is greater; the shift goes to the side that it raises."""
    ours, theirs, ahead = left.series, right.series, left.shift - right.shift
    if left.sign < 0:
        ours, theirs = theirs, ours
    return comparison_odds(ours.shifted(max(ahead, 0)), theirs.shifted(max(-ahead, 0)))


def difference(left: Endless, right: Endless, up_to: int) -> Distribution[Any]:
    """Return the odds of the difference of two values that go on in the same direction, listed on both sides of 0."""
    above = {d: _met(left.plus(-d), right)["ours"] for d in range(-up_to - 1, up_to + 1)}
    chances: dict[Any, Fraction] = {d: above[d - 1] - above[d] for d in range(-up_to, up_to + 1)}
    chances[Beyond(up_to)] = above[up_to]
    chances[Below(-up_to)] = 1 - above[-up_to - 1]
    return of_chances(chances, Moments(left.mean - right.mean, left.variance + right.variance))


def remainder(value: Endless, by: int) -> Distribution[int]:
    """Return the odds of what is left of an endless value after division: its series modulo x^by − 1."""
    whole = [Fraction(int(k == 0)) for k in range(by)]
    for polynomial, exponent in value.series.factors:
        factor = [Fraction(sum(polynomial[k::by])) for k in range(by)]
        if exponent < 0:  # its inverse: no denominator has a root on the unit circle
            factor = solved([[*(factor[(k - j) % by] for j in range(by)), int(k == 0)] for k in range(by)])
        for _ in range(abs(exponent)):
            whole = [sum([whole[j] * factor[(k - j) % by] for j in range(by)], Fraction(0)) for k in range(by)]
    return of_chances(dict(sorted(((value.sign * k + value.shift) % by, chance) for k, chance in enumerate(whole))))
