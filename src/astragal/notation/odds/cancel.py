"""What dice without end add up to after some of them were cancelled by dice with an end.

No die can be cancelled above the highest value of the others. Those that lie there, e of them, are independent of the
rest, with a generating function R each; with P(e) the sums of all others,

    G = Σ P(e) · R^e

which has one denominator, that of R to the power of the dice.
"""

from __future__ import annotations

from typing import Any

from astragal.dice.distribution import Beyond, Distribution
from astragal.dice.solver.series import Polynomial, Ratio, Series, plus, power, times
from astragal.notation.endless import Endless
from astragal.notation.odds.pools import Kind, scan


def cancelled_sum(left: tuple[Endless, int], right: tuple[Kind, ...]) -> Endless | None:
    """Return the sum of equal dice without end after cancelling; None if they may be below 0."""
    (one, n), split = left, 1
    if one.sign < 0 or one.shift < 0 or len(one.series.factors) != 2:
        return None
    last = max([one.shift, *[value for kind in right for value in kind.weights]])
    listed = one.listed(last)

    def step(state: Any, value: Any, counts: tuple[int, ...]) -> Any:
        total, beyond = state
        rest = max(sum(counts[:split]) - sum(counts[split:]), 0)
        return (total, beyond + rest) if isinstance(value, Beyond) else (total + rest * value, beyond)

    kinds = (Kind(n, listed.weights), *right)
    return _mixed(scan(kinds, (0, 0), step), _tail(one, listed), n)


def _tail(one: Endless, listed: Distribution[Any]) -> Ratio:
    """The generating function of a value that is known to lie beyond those that are listed."""
    (above, _), (below, _) = one.series.factors
    whole = [listed.weights.get(value, 0) for value in range(1 + max(v for v in listed.weights if isinstance(v, int)))]
    rest = plus(times((listed.total,), (0,) * one.shift + above), times(below, whole), -1)
    if not any(rest):
        return Ratio((1,), (1,))  # Dice that go on with 0 add nothing: there is no value beyond.
    return Ratio(times(rest, (sum(below),)), times(below, (sum(rest),))).reduced()


def _mixed(odds: Distribution[Any], tail: Ratio, n: int) -> Endless:
    found: Polynomial = (0,)
    for beyond in range(n + 1):
        sums = {total: ways for (total, e), ways in odds.weights.items() if e == beyond}
        if sums:
            polynomial = tuple([sums.get(total, 0) for total in range(max(sums) + 1)])
            factor = times(power(tail.above, beyond), power(tail.below, n - beyond))
            found = plus(found, times(polynomial, factor))
    return Endless(Series(((found, 1), (tail.below, -n), ((odds.total,), -1))))
