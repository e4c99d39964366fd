"""Bands are counted throw by throw: each word's odds are the throws that have it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.dice.dice import Dice
from astragal.dice.reach import Bands
from astragal.dice.reading import Keep
from astragal.dice.solver.reached import Reached
from tests.referee import every_throw

BANDS = Bands(((5, "great"), (0, "good"), (-2, "so-so")), "bad")
ONES = Keep(2, True, frozenset({1}))


@pytest.mark.parametrize("needed", [-60, -3, 0, 2, 5, 8, 12, 14, 60])
@pytest.mark.parametrize("sides", [2, 6])
def test_the_odds_of_words_are_those_of_every_throw(needed: int, sides: int) -> None:
    pool = (Dice(sides, 3),)
    wanted: dict[str, Fraction] = {}
    for faces, chance in every_throw(pool, 1):
        assert faces
        kept = ONES.read(faces)
        word = BANDS.last if kept.every else BANDS.word(kept.total - needed)
        wanted[word] = wanted.get(word, Fraction(0)) + chance
    found = Reached.kept(ONES, pool[0]).odds(BANDS, needed)
    assert {word: chance for word, chance in found.items() if chance} == wanted
    assert found.order == BANDS.words == ("great", "good", "so-so", "bad")


@pytest.mark.parametrize(
    ("number", "word"), [(9, "great"), (5, "great"), (4, "good"), (0, "good"), (-1, "so-so"), (-3, "bad")]
)
def test_a_number_has_the_word_of_the_highest_step_that_it_reaches(number: int, word: str) -> None:
    assert BANDS.word(number) == word
