"""Percentiles: the exact place of the sum of a member's throws among all sums that they could have given.

Each throw has a number of good things (the game says what) and an exact distribution of it: a generating
function. That of the sum is their product, a ``Series``, whose first coefficients are all that is needed.
What those take is estimated, and throws that would take more than is allowed are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import comb, gcd, log2
from typing import Any, NamedTuple

from astragal.dice.estimates import LUCK_FACES
from astragal.dice.reading import Tally
from astragal.dice.solver.cards import has_cards
from astragal.dice.solver.series import Polynomial, Series, ratio_of
from astragal.errors import Refusal, Unavailable
from astragal.rule.chances.solve import reading_odds
from astragal.rule.tree.play import ThrowStep
from astragal.table.ruleset import ruleset_of
from astragal.table.state import State

DIGIT = 30
"""Bits of a digit of Python's whole numbers."""
PRODUCTS_PER_STEP = 40
"""Products of two digits that count as one step."""
OVERHEAD = 5
"""The work on each digit of a coefficient besides its products, in products: sums and a division."""


class Luck(NamedTuple):
    """How many throws, what they gave, what they give on average, and the percentile of it."""

    who: str
    throws: int
    total: int
    mean: Fraction
    percentile: Fraction
    typed: int = 0
    """All throws with typed faces, also those that luck does not count."""
    again: int = 0
    """All that were taken up again after an undo."""


class LuckThrow(NamedTuple):
    """One throw: who made it, what it gave, the dice and reading, and the kind of its roll."""

    who: str
    value: int
    thrown: ThrowStep
    kind: str


class Chances(NamedTuple):
    """The possible values of a throw: at least ``lowest``, and more by these powers of polynomials."""

    lowest: int
    factors: tuple[tuple[Polynomial, int], ...]


def luck_of_throws(who: str, throws: list[LuckThrow], state: State, steps: int) -> tuple[Luck, list[LuckThrow]]:
    """A member's luck in the latest throws that take no more than these steps; and the other throws."""
    counted = _fitting(throws, state, steps)
    mean, percentile = mean_and_percentile(counted.chances, counted.total)
    return Luck(who, counted.n, counted.total, mean, percentile), counted.others


def mean_and_percentile(chances: Counter[Chances], total: int) -> tuple[Fraction, Fraction]:
    """The mean of the sum of such throws; and the chance of less than this total, with half the chance of just this."""
    series = Series(tuple(_factors(chances).items()))
    lowest = sum(each.lowest * n for each, n in chances.items())
    weights, whole = series.weights(total - lowest)
    return lowest + series.mean, Fraction(2 * sum(weights[:-1]) + weights[-1], 2 * whole)


def _factors(chances: Counter[Chances]) -> Counter[Polynomial]:
    """The exponent of each polynomial in the product of all of them."""
    found: Counter[Polynomial] = Counter()
    for each, n in chances.items():
        for polynomial, exponent in each.factors:
            found[polynomial] += exponent * n
    return found


class _Counted:
    """The throws that are counted, and what their percentile takes."""

    def __init__(self) -> None:
        self.n = 0
        self.total = 0
        self.chances: Counter[Chances] = Counter()
        self.others: list[LuckThrow] = []
        self._size = _Size()
        self._polynomials: set[Polynomial] = set()

    def add(self, throw: LuckThrow, chances: Chances | None, most: float) -> None:
        """Count a throw, if the percentile then takes at most this number of steps; without chances it is too large."""
        size = self._size.plus(chances, self._polynomials) if chances else self._size
        if chances is None or size.steps(self.total + throw.value) > most:
            self.others.append(throw)
        else:
            self._size = size
            self._polynomials.update(polynomial for polynomial, _ in chances.factors)
            self.n += 1
            self.total += throw.value
            self.chances[chances] += 1


class _Size(NamedTuple):
    """The size of a product of powers.

    Besides its lowest value and degree: the bits of its denominator, those that each further coefficient adds
    to it, and the terms of the recurrence with the bits of each.
    """

    lowest: int = 0
    degree: int = 0
    bits: float = 0
    bits_each: float = 0
    terms: int = 0
    term_bits: float = 0

    def plus(self, chances: Chances, known: set[Polynomial]) -> _Size:
        """The size with another throw; polynomials that are known make no more terms."""
        above = [(p, exponent) for p, exponent in chances.factors if exponent > 0]
        below = [(p, -exponent) for p, exponent in chances.factors if exponent < 0]
        new = [p for p, _ in chances.factors if len(p) > 1 and p not in known]
        return _Size(
            self.lowest + chances.lowest,
            self.degree + sum((len(p) - 1) * n for p, n in above),
            self.bits + sum(log2(p[0]) * n for p, n in below),
            self.bits_each + sum(log2(p[0]) for p, _ in below if p in new),
            self.terms + sum(len(p) - 1 for p in new),
            self.term_bits + sum(log2(sum(map(abs, p))) for p in new),
        )

    def steps(self, total: int) -> float:
        """About how many steps the percentile of a total takes, and at least what it takes for most totals."""
        last = max(total - self.lowest, self.degree)
        digits = (self.bits + self.bits_each * last) / DIGIT + 1
        term_digits = self.term_bits / DIGIT + 1
        each = 1 + digits * (term_digits + OVERHEAD) / PRODUCTS_PER_STEP
        lowest_terms = digits * digits / PRODUCTS_PER_STEP
        return last * self.terms * each + self.terms**2 * term_digits + lowest_terms


def _fitting(throws: Iterable[LuckThrow], state: State, most: float) -> _Counted:
    """The latest throws that fit; a large one is passed over for smaller ones before it."""
    counted = _Counted()
    known: dict[Any, Chances | None] = {}
    for throw in reversed(list(throws)):
        like = (throw.kind, throw.thrown.throw.pool, throw.thrown.throw.reading)
        if like not in known:
            known[like] = chances_of(throw, state)
        counted.add(throw, known[like], most)
    return counted


def chances_of(throw: LuckThrow, state: State) -> Chances | None:
    """The possible values of a throw; None if there are too many to compute."""
    luck, thrown = ruleset_of(state.game).table_rules.luck, throw.thrown.throw
    if isinstance(thrown.reading, Tally) and luck(throw.kind, 1) == 1 and not has_cards(thrown.pool):
        ratios = ((ratio_of(dice, thrown.reading.counting), dice.n) for dice in thrown.pool)
        return Chances(0, tuple(part for (above, below), n in ratios for part in ((above, n), (below, -n))))
    if sum(dice.n * dice.sides for dice in thrown.pool) > LUCK_FACES:
        return None
    try:
        odds = reading_odds(thrown, 0)
    except Unavailable:
        raise
    except Refusal:
        return None
    weights: Counter[int] = Counter()
    for value, weight in odds.weights.items():
        weights[luck(throw.kind, value) or 0] += weight
    lowest = min(value for value, weight in weights.items() if weight)
    common = gcd(*weights.values(), odds.total)
    polynomial = tuple(weights[value] // common for value in range(lowest, max(weights) + 1))
    return Chances(lowest, (_as_power(polynomial), ((odds.total // common,), -1)))


def _as_power(polynomial: Polynomial) -> tuple[Polynomial, int]:
    """The polynomial as a power of a linear one, if it is: dice that are counted one by one, whatever their number."""
    n, first = len(polynomial) - 1, polynomial[0]
    common = gcd(n * first, polynomial[1]) if n else 0
    if not common:
        return polynomial, 1
    a, b = n * first // common, polynomial[1] // common
    alike = all(p == comb(n, k) * a ** (n - k) * b**k for k, p in enumerate(polynomial))
    return ((a, b), n) if alike else (polynomial, 1)
