"""Sums of independent dice.

The generating function of a sum is the product of the dice's. Few coefficients are
found as one packed power, many by the short recurrence; dice of too many different
kinds for one recurrence are found kind by kind and multiplied. If every die reads the
same from both ends, so does the sum, and half of it is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import gcd, prod
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from astragal.dice.distribution import Distribution, chained
from astragal.dice.estimates import refuse_bytes
from astragal.dice.solver.packed import pack, slot_bytes, unpack

if TYPE_CHECKING:
    from astragal.dice.solver.series import Polynomial

Die: TypeAlias = Mapping[int, int]
"""The values of one die with their weights, which are above 0."""
Group: TypeAlias = tuple[int, Die]
"""A number of equal dice."""

MANY_BITS = 10_000
"""Bits of all weights together, up to which a packed power is fastest."""
FEW_TERMS = 16
"""Terms of the dice, multiplied, up to which the recurrence is faster than packed powers."""
EMPTY = 8
"""Slots for each value of a die, from which on most of a polynomial would be empty."""


class Powers(NamedTuple):
    """Dice as polynomials from x^0 up, in units of ``step``, each with the number of its dice."""

    dice: list[tuple[Polynomial, int]]
    least: int
    step: int

    @property
    def degree(self) -> int:
        return sum((len(die) - 1) * n for die, n in self.dice)

    @property
    def total(self) -> int:
        return prod(sum(die) ** n for die, n in self.dice)


def sum_odds(groups: Sequence[Group]) -> Distribution[int]:
    """Return the odds of the sum of all dice."""
    groups = [group for group in groups if group[0]]
    if len(groups) == 1 and is_fair(groups[0][1]):
        ((n, die),) = groups
        weights = fair_power(len(die), n)
        return Distribution(dict(enumerate(weights, n * min(die))), len(die) ** n)
    spans = [(min(die), max(die)) for _, die in groups]
    step = 1
    if any(high - low >= len(die) for (low, high), (_, die) in zip(spans, groups, strict=True)):
        step = _step(groups)
        if any(
            high - low > step * (EMPTY * len(die) + 1000) for (low, high), (_, die) in zip(spans, groups, strict=True)
        ):
            return one_by_one(groups)
    powers = _powers(groups, spans, step)
    total = powers.total
    weights = _coefficients(powers, total)
    values = range(powers.least, powers.least + step * len(weights), step)
    found = dict(zip(values, weights, strict=True))
    if 0 in weights:
        found = {value: ways for value, ways in found.items() if ways}
    return Distribution(found, total)


def is_fair(die: Die) -> bool:
    """Return True if a die's values follow each other and weigh the same."""
    return max(die) - min(die) == len(die) - 1 and len(set(die.values())) == 1


def _step(groups: Sequence[Group]) -> int:
    """The greatest common divisor of all differences between a die's values."""
    step = 0
    for _, die in groups:
        values = iter(die)
        first = next(values)
        for value in values:
            step = gcd(step, value - first)
    return step or 1


def one_by_one(groups: Iterable[tuple[int, Mapping[Any, int]]]) -> Distribution[Any]:
    """Return the same for values far apart, or of any kind that can be added: sums are joined die by die."""
    return chained([Distribution(die) for n, die in groups for _ in range(n)], 0, add)


def _powers(groups: Sequence[Group], spans: Sequence[tuple[int, int]], step: int) -> Powers:
    """The dice as polynomials; equal ones are put together."""
    dice: dict[Polynomial, int] = {}
    least = 0
    for (n, die), (low, high) in zip(groups, spans, strict=True):
        least += n * low
        if high > low:
            polynomial = tuple([die.get(value, 0) for value in range(low, high + 1, step)])
            common = gcd(*polynomial)
            if common > 1:
                polynomial = tuple([weight // common for weight in polynomial])
            dice[polynomial] = dice.get(polynomial, 0) + n
    return Powers(list(dice.items()), least, step)


def _coefficients(powers: Powers, total: int) -> list[int]:
    """The coefficients of the product of all powers: many by the recurrence, if its dice have few terms."""
    dice = powers.dice
    if len(dice) == 1 and dice[0][1] == 1:
        return list(dice[0][0])
    degree = powers.degree
    bits = degree * total.bit_length()
    refuse_bytes(bits // 8)
    if bits <= MANY_BITS:
        return _packed(powers, degree, total)
    from astragal.dice.solver.recurrence import recurrence_of, thinned_factors

    thin = thinned_factors(dice)
    if prod([len(terms) for terms, _ in thin]) <= FEW_TERMS:
        last = degree // 2 if all(die == die[::-1] for die, _ in dice) else degree
        found = recurrence_of(thin).run(prod(die[0] ** n for die, n in dice), last)
        return found if last == degree else found + found[-1 - (degree % 2 == 0) :: -1]
    return _multiplied(powers, degree, total) if len(dice) > 1 else _packed(powers, degree, total)


def fair_power(sides: int, n: int) -> list[int]:
    """Return the coefficients of (1 + x + … + x^(sides − 1))^n."""
    degree, total = n * (sides - 1), sides**n
    if degree * total.bit_length() > MANY_BITS:
        return _coefficients(Powers([((1,) * sides, n)], 0, 1), total)
    width = slot_bytes(total)
    ones = ((1 << (8 * width * sides)) - 1) // ((1 << (8 * width)) - 1)
    return unpack(ones**n, width, degree + 1)


def _packed(powers: Powers, degree: int, total: int) -> list[int]:
    width = slot_bytes(total)
    product = 1
    for die, n in powers.dice:
        product *= pack(die, width) ** n
    return unpack(product, width, degree + 1)


def _multiplied(powers: Powers, degree: int, total: int) -> list[int]:
    """Each kind of dice by itself, then their product."""
    width = slot_bytes(total)
    product = 1
    for die, n in sorted(powers.dice, key=lambda power: len(power[0]) * power[1]):
        alone = _coefficients(Powers([(die, n)], 0, 1), sum(die) ** n)
        product *= pack(alone, width)
    return unpack(product, width, degree + 1)
