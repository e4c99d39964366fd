"""The scores of values without end: a few scores, each with a finite fraction as its chance.

Comparisons tell values apart up to the highest number in them. Beyond it, only whether a value is even or odd can
matter, and the remainder modulo 2 has a finite fraction.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from astragal.dice.distribution import Below, Beyond, Distribution, added_up, of_chances
from astragal.dice.solver.series import Polynomial, Ratio, Series, plus, times, trimmed
from astragal.notation.condition import Parity, Test
from astragal.notation.endless import Endless
from astragal.notation.odds.law import Law, remainder
from astragal.notation.term import Pick


def is_scored(pick: Pick) -> bool:
    """Return True if a pick gives every value a score by itself: it keeps by conditions only, and counts."""
    return bool(pick.scores) and all(keep.test is not None for keep in pick.keeps)


def is_kept_by_parity(pick: Pick) -> bool:
    """Return True if what is kept is added up, and kept by whether a value is even or odd."""
    tests = [keep.test for keep in pick.keeps]
    return pick.adds and None not in tests and any(isinstance(test, Parity) for test in tests)


def scored(value: Law, pick: Pick) -> Distribution[int]:
    """Return the odds of what a value counts."""
    if isinstance(value, Distribution):
        return value.map(lambda each: _score(pick, each, each % 2 if isinstance(each, int) else 0))
    listed = value.listed(_told_apart(pick))
    left = dict(remainder(value, 2).items())
    beyond, scores = None, []
    for each, weight in listed.weights.items():
        if isinstance(each, (Beyond, Below)):
            beyond = each
            continue
        chance = Fraction(weight, listed.total)
        left[each % 2] -= chance
        scores.append((_score(pick, each, each % 2), chance))
    scores += [(_score(pick, beyond, parity), chance) for parity, chance in left.items() if chance]
    return of_chances(added_up(scores))


def _told_apart(pick: Pick) -> int:
    """The distance from 0 beyond which no condition tells values apart."""
    return max([0, *[abs(number) + 1 for test in pick.tests for number in test.numbers]])


def _score(pick: Pick, value: Any, parity: int) -> int:
    """The score of a value; an endless one is known only by its bound and by whether it is odd."""
    if not _keeps(pick, value, parity):
        return 0
    return sum([score.by * _weight(score.test, value, parity) for score in pick.scores])


def _weight(test: Test, value: Any, parity: int) -> int:
    if isinstance(test, Parity) and isinstance(value, (Beyond, Below)):
        return int(parity == test.odd)
    return test.weight(value)


def kept_endless(value: Endless, pick: Pick) -> Endless | None:
    """Return a value without end that counts 0 unless conditions keep it; None if it could be below 0.

    Its generating function is that of the values that are told apart and kept, then that of the even or odd ones
    beyond them, (T(x) ± T(−x)) / 2, and what is left of the chance as a constant.
    """
    if value.sign < 0 or value.shift < 0 or len(value.series.factors) != 2:
        return None
    last = max(_told_apart(pick), value.shift)
    listed = value.listed(last)
    tail = value.beyond(listed)
    kept = [parity for parity in (0, 1) if _keeps(pick, Beyond(last), parity)]
    if len(kept) < 2:
        tail = _of_parity(tail, kept[0]) if kept else Ratio((0,), (1,))
    first = [listed.weights.get(each, 0) if _keeps(pick, each, each % 2) else 0 for each in range(last + 1)]
    both = plus(times(first, tail.below), times((listed.total,), tail.above))
    under = times((listed.total,), tail.below)
    lost = sum(under) - sum(both)
    ratio = trimmed(plus(times(both, (sum(under),)), times(under, (lost,))), times(under, (sum(under),)))
    return Endless(Series.of(ratio, 1))


def _keeps(pick: Pick, value: Any, parity: int) -> bool:
    tests = [(keep.test, keep.kind == "keep") for keep in pick.keeps if keep.test is not None]
    return all(bool(_weight(test, value, parity)) == wanted for test, wanted in tests)


def _of_parity(ratio: Ratio, odd: int) -> Ratio:
    """The even or the odd powers of a ratio."""
    above, below = _mirrored(ratio.above), _mirrored(ratio.below)
    found = plus(times(ratio.above, below), times(above, ratio.below), -1 if odd else 1)
    return Ratio(found, times((2,), times(ratio.below, below)))


def _mirrored(polynomial: Polynomial) -> Polynomial:
    """The polynomial in −x."""
    return tuple([-a if k % 2 else a for k, a in enumerate(polynomial)])
