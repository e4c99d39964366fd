"""Duels: exact chances that one count is the greater, with and without an end."""

from __future__ import annotations

from fractions import Fraction

from astragal.dice.solver.duel import Duellist, duel
from astragal.dice.solver.series import Ratio


def test_a_duel_of_coins() -> None:
    """Two fair coins against one: won 1/2, drawn 3/8, lost 1/8."""
    coin = Ratio((1, 1), (2,))
    found = duel(Duellist(coin, 2), Duellist(coin, 1))
    assert (found["ours"], found["draw"], found["theirs"]) == (Fraction(1, 2), Fraction(3, 8), Fraction(1, 8))


def test_a_duel_of_endless_counts() -> None:
    """Heads until the first tail, on both sides: 1/3 each."""
    endless = Ratio((1,), (2, -1))
    found = duel(Duellist(endless, 1), Duellist(endless, 1))
    assert (found["ours"], found["draw"], found["theirs"]) == (Fraction(1, 3),) * 3


def test_a_duel_of_an_endless_count_with_one_that_ends() -> None:
    endless, coin = Ratio((1,), (2, -1)), Ratio((1, 1), (2,))
    found = duel(Duellist(endless, 1), Duellist(coin, 1))
    assert (found["ours"], found["draw"]) == (Fraction(3, 8), Fraction(3, 8))
    mirrored = duel(Duellist(coin, 1), Duellist(endless, 1))
    assert (mirrored["theirs"], mirrored["draw"]) == (Fraction(3, 8), Fraction(3, 8))
