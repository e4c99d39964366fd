"""What values without end count: every chance is a finite fraction, also of even and odd values."""

from __future__ import annotations

from fractions import Fraction

from astragal.dice.distribution import Beyond, Distribution
from astragal.dice.solver.series import Ratio, Series
from astragal.notation.condition import Limit, Parity
from astragal.notation.endless import Endless
from astragal.notation.odds.endless_score import (
    is_kept_by_parity,
    is_scored,
    kept_endless,
    scored,
)
from astragal.notation.term import Keep, Pick, Score

D4 = Endless(Series.of(Ratio((0, 1, 1, 1), (4, 0, 0, 0, -1)), 1))
"""A d4 that goes on with 4, added up: it is even with 1/4 and, after a 4, again, which is 1/3 in all."""
EVEN = Pick((), (Score(1, Parity(False)),))


def test_an_exploding_d4_is_even_once_in_three() -> None:
    assert scored(D4, EVEN) == Distribution({0: 2, 1: 1}, 3)


def test_even_values_from_a_number_on() -> None:
    """2 is left out of the even values: 1/3 − 1/4."""
    assert scored(D4, Pick((Keep("keep", 0, Limit(">=", 3)),), EVEN.scores))[1] == Fraction(1, 12)


def test_failures_are_subtracted() -> None:
    found = scored(D4, Pick((), (Score(1, Limit(">=", 5)), Score(-1, Limit("==", 1)))))
    assert found.to_dict() == {-1: Fraction(1, 4), 0: Fraction(1, 2), 1: Fraction(1, 4)}


def test_values_with_an_end_count_in_the_same_way() -> None:
    assert scored(Distribution({1: 1, 2: 1, 4: 3}), EVEN) == Distribution({0: 1, 1: 4})


def test_what_is_kept_by_parity_counts_its_value_and_the_rest_0() -> None:
    kept = kept_endless(D4, Pick((Keep("keep", 0, Parity(True)),)))
    assert kept
    odds, whole = kept.listed(11), D4.listed(11)
    assert odds[0] == Fraction(1, 3)
    assert [odds[value] for value in range(1, 12)] == [whole[value] if value % 2 else 0 for value in range(1, 12)]
    assert odds[Beyond(11)] == 1 - sum(odds[value] for value in range(12))
    # E[X; X odd]: 1/4 + 3/4 for the first throw, and after a 4 the same, 4 higher.
    assert kept.mean == (1 + Fraction(2, 3)) / (1 - Fraction(1, 4))


def test_values_that_may_be_below_0_are_not_kept_by_parity() -> None:
    assert kept_endless(-D4, Pick((Keep("keep", 0, Parity(True)),))) is None
    assert kept_endless(D4.plus(-2), Pick((Keep("keep", 0, Parity(True)),))) is None


def test_which_picks_these_are() -> None:
    by_test, by_rank = Keep("keep", 0, Parity(True)), Keep("kh", 1)
    assert is_scored(EVEN)
    assert not is_scored(Pick((by_rank,), EVEN.scores))
    assert is_kept_by_parity(Pick((by_test,)))
    assert not is_kept_by_parity(Pick((by_test, by_rank)))
    assert not is_kept_by_parity(Pick((Keep("keep", 0, Limit(">=", 2)),)))
