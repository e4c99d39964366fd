"""Exact odds of an expression's dice.

Rerolls change the odds of a single die. Sums, counts and kept dice are computed with
packed polynomials. Explosions are generating functions, so they are exact without an
end.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, isqrt
from typing import Any, NamedTuple

from astragal.dice.distribution import Distribution
from astragal.dice.notation.expression import DiceTerm
from astragal.dice.notation.throw import check, dice_of, shift_of
from astragal.dice.solver.readings import coefficient_bytes, kept_sums
from astragal.dice.solver.series import Polynomial, Series, trimmed
from astragal.dice.solver.sums import series_odds
from astragal.errors import Illegal

MAX_TERMS = 1_500_000
"""Multiplications for a sum of all dice: about a second's work."""
MAX_BITS = 8_000_000
"""Size of a packed polynomial: its largest power takes about a second."""
MAX_WORK = 6_000_000_000
"""Bits that a sweep over kept dice touches: about a second's work."""
REACH_DEVIATIONS = 6
"""Standard deviations above the mean up to which endless values are listed."""


class DieOdds(NamedTuple):
    """The odds of one die after rerolls: a weight for each value, and their total."""

    weights: dict[int, int]
    total: int


def term_odds(term: DiceTerm, up_to: int) -> Distribution[Any]:
    """Return the distribution of the dice's value; endless values are listed up to ``up_to``."""
    check(term)
    die = die_of(term)
    if term.doubles:
        return _doubles(term, die)
    if term.explode:
        return _exploding(term, die, up_to)
    return _kept(term, die)


def die_of(term: DiceTerm) -> DieOdds:
    """Return the odds of a single die; a value rerolled only once may come up again."""
    values = [face + shift_of(term) for face in range(1, term.sides + 1)]
    again = [value for value in values if term.reroll and term.reroll.holds(value)]
    if len(again) == len(values) and not term.once:
        raise Illegal(f"{term} never comes to rest: every face is rerolled.")
    if not again:
        return DieOdds(dict.fromkeys(values, 1), len(values))
    if not term.once:
        left = [value for value in values if value not in again]
        return DieOdds(dict.fromkeys(left, 1), len(left))
    stay = len(values)
    return DieOdds({v: len(again) + (0 if v in again else stay) for v in values}, stay * stay)


def score(term: DiceTerm, value: int) -> int:
    """Return what a kept die adds: its value, or 1 if it counts and −1 if it fails."""
    if not term.counting:
        return value
    return int(term.counting.holds(value)) - int(bool(term.fail and term.fail.holds(value)))


def _kept(term: DiceTerm, die: DieOdds) -> Distribution[int]:
    """The sum of the kept dice; scores are shifted so that none is negative."""
    n = term.number_kept(term.n)
    scores = {value: score(term, value) for value in die.weights}
    least = min(scores.values())
    ordered = sorted(die.weights, reverse=term.keeps_best)
    values = [(scores[value] - least, die.weights[value]) for value in ordered]
    most = max(add for add, _ in values)
    if n == term.n and (most * n + 1) * (most + 1) <= MAX_TERMS:
        counts = _sums(values, most, n)
    else:
        _check_size(term, values, most * n + 1)
        counts = kept_sums(values, term.n, n)
    return Distribution({k + least * n: ways for k, ways in enumerate(counts) if ways}, die.total**term.n)


def _sums(values: list[tuple[int, int]], most: int, n: int) -> list[int]:
    """All dice are kept: the coefficients of one die's polynomial to the n-th power."""
    one = [0] * (most + 1)
    for add, weight in values:
        one[add] += weight
    return Series(((tuple(one), n),)).weights(most * n)[0]


def _check_size(term: DiceTerm, values: list[tuple[int, int]], sums: int) -> None:
    """Refuse what would take much longer than a second."""
    bits = 8 * coefficient_bytes(values, term.n) * sums
    sweeps = len(values) * term.n**2 if term.number_kept(term.n) < term.n else 1
    if bits > MAX_BITS or sweeps * bits > MAX_WORK:
        raise Illegal(f"{term} has too many dice or sides for exact odds; use fewer.")


def _exploding(term: DiceTerm, die: DieOdds, up_to: int) -> Distribution[Any]:
    """An exploding die is a ratio of polynomials, so any number of them is a series."""
    if term.keep or term.fail or term.fate or term.once:
        raise Illegal(f"{term} can be rolled, but exact odds of explosions with this modifier are not supported.")
    if term.compound and term.counting:
        raise Illegal(f"{term} can be rolled, but exact odds of a count of compounding dice are not supported.")
    dice_of(term)
    series = exploding_series(term, die)
    solved = series_odds(series, up_to if series.degree is None else series.degree)
    return Distribution({value: ways for value, ways in solved.weights.items() if ways}, solved.total, series)


def exploding_series(term: DiceTerm, die: DieOdds) -> Series:
    """Return the generating function of exploding dice."""
    stay, go = _polynomial(term, die, False), _polynomial(term, die, True)
    below = (die.total - go[0], *(-a for a in go[1:]))
    return Series.of(trimmed(stay, below), term.n)


def usual_reach(term: DiceTerm) -> int:
    """Return a value that endless dice hardly ever exceed; 0 for dice with an end."""
    if not term.explode or term.keep or term.fail or term.fate or term.once or len(dice_of(term).again) == term.sides:
        return 0
    series = exploding_series(term, die_of(term))
    return ceil(series.mean + REACH_DEVIATIONS * Fraction(isqrt(ceil(series.variance)) + 1))


def _polynomial(term: DiceTerm, die: DieOdds, explodes: bool) -> Polynomial:
    found = [0] * (max(score(term, value) for value in die.weights) + 1)
    for value, weight in die.weights.items():
        if bool(term.explode and term.explode.holds(value)) == explodes:
            found[score(term, value)] += weight
    return tuple(found)


def _doubles(term: DiceTerm, die: DieOdds) -> Distribution[bool]:
    """The chance that all dice differ is an elementary symmetric sum of the weights, times their orders."""
    sums = [1] + [0] * term.n
    for weight in die.weights.values():
        for k in range(term.n, 0, -1):
            sums[k] += sums[k - 1] * weight
    different = sums[term.n]
    for k in range(1, term.n + 1):
        different *= k
    total = die.total**term.n
    return Distribution({True: total - different, False: different}, total)
