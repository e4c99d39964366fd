"""Penetrating dice one by one: later dice count one less, so a d4 goes on as 0, 1, 2 and, with one more die, 3."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.dice.distribution import Beyond
from astragal.errors import Illegal
from astragal.notation.odds.die import chain_odds
from astragal.notation.odds.earned import earned_odds
from astragal.notation.parser import parse
from astragal.notation.term import DiceTerm


def chances(text: str, up_to: int = 12) -> dict[object, Fraction]:
    term = parse(text)
    assert isinstance(term, DiceTerm)
    assert isinstance(term.n, int)
    return earned_odds(chain_odds(term), term.n, term.pick, up_to).to_dict()


def test_the_highest_die_is_the_first() -> None:
    assert chances("1d4!pkh1") == dict.fromkeys((1, 2, 3, 4), Fraction(1, 4))


def test_the_lowest_die_is_the_one_that_stays() -> None:
    """After a 4 the last die is 0, 1 or 2, and those between are 3."""
    assert chances("1d4!pkl1") == {0: Fraction(1, 12), 1: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(1, 4)}


def test_dice_that_go_on_once() -> None:
    assert chances("1d4!pokl1") == {0: Fraction(1, 16), **dict.fromkeys((1, 2, 3), Fraction(5, 16))}


def test_a_match_grows_without_end() -> None:
    """Twice the same: a second 3 with 1/16 of the chance to go on."""
    found = chances("1d4!p widest", up_to=4)
    assert sum(found.values()) == 1
    assert found[Beyond(4)] == Fraction(1, 4) ** 6
    assert found[2] == Fraction(1, 4) ** 3 * (1 - Fraction(1, 4))


def test_several_faces_that_go_on_are_refused() -> None:
    with pytest.raises(Illegal, match=r"on several faces .* with kh3"):
        chances("4d6!p>=5kh3")
