"""Many kept fair dice: the threshold by a recurrence, whose cost is linear in the number kept.

For the threshold f of dice with faces 1 to s, let Q = x + … + x^(s − f) be what one better
die adds above f, and G = Σ_{j<k} C(n, j)·R(j)·Q^j the throws. Then

    (f + Q)·G′ = n·Q′·G − W′,   W = C(n, k)·(f^(n−k+1)·Q^k − (f − 1)^(n−k+1)·(1 + Q)^k)

and both powers are sums of fair dice. Multiplied by (1 − x)², Q and Q′ have few terms, so
each coefficient of G follows from four before it.
"""

from __future__ import annotations

from math import comb
from operator import add, sub

from astragal.dice.solver.recurrence import digits_of
from astragal.dice.solver.sums import fair_power
from astragal.dice.solver.threshold import closings
from astragal.dice.work import spend

STEP = 16
DIGIT_STEP = 0.6


def run_steps(n: int, k: int, sides: int) -> int:
    """Return the steps of ``kept_run``."""
    digits = digits_of(sides**n)
    return int(200 + sides * k * (6 + 0.05 * digits) + k * sides * (sides - 1) / 2 * (STEP + DIGIT_STEP * digits))


def kept_run(n: int, k: int, sides: int) -> list[int]:
    """Return the weights of the sums 0 to k·sides of the ``k`` best of ``n`` fair dice."""
    found = [0] * (sides * k + 1)
    low = [comb(n - j - 1, k - j - 1) for j in range(k - 1, -1, -1)]
    spend(200)
    each = run_steps(n, k, sides) // sides
    power = [1]
    for face in range(sides, 0, -1):
        spend(each)
        first = closings(n, k, face - 1, 1, low)[-1]
        at = face * k
        if face == sides:
            found[at] = first
            continue
        lower, power = power, fair_power(sides - face + 1, k)
        weights = _above(n, k, face, sides - face, first, lower, power)
        end = at + len(weights)
        found[at:end] = map(add, found[at:end], weights)
    return found


def _above(  # noqa: PLR0917
    n: int, k: int, face: int, better: int, first: int, lower: list[int], power: list[int]
) -> list[int]:
    """The coefficients of G for one threshold, with so many better faces."""
    source = _source(n, k, face, lower, power)
    found = [first]
    append = found.append
    last, before = first, 0
    twice, once = 2 * face - 1, face - 1
    slope = n - twice
    far = (n + 1) * (better + 1)
    farther = n * better + better + 2
    near = min(better, k * better - 1)
    for t in range(1, near + 1):
        last, before = ((twice * t + slope) * last - once * (t - 2) * before - source[t]) // (face * t), last
        append(last)
    previous = 0
    for t in range(near + 1, k * better):
        reached = found[t - better - 1]
        value = (
            (twice * t + slope) * last
            - once * (t - 2) * before
            - (far - t) * reached
            + (farther - t) * previous
            - source[t]
        ) // (face * t)
        last, before, previous = value, last, reached
        append(value)
    return found


def _source(n: int, k: int, face: int, lower: list[int], power: list[int]) -> list[int]:
    """The coefficients of x·(1 − x)²·W′."""
    ways = comb(n, k)
    plus, minus = ways * face ** (n - k + 1), ways * (face - 1) ** (n - k + 1)
    terms = [-minus * weight * t for t, weight in enumerate(power)] if minus else [0] * len(power)
    for t, weight in enumerate(lower, k):
        terms[t] += plus * weight * t
    differences = [terms[0], *map(sub, terms[1:], terms)]
    return [differences[0], *map(sub, differences[1:], differences)]
