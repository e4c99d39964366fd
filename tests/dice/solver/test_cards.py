"""Cards that are not put back: exact odds of every reading, against every draw there is."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.dice import Cards, Dice, Faces, Pool
from astragal.dice.reading import Added, Face, Keep, Reading, Scored, Symbols, Tally, Walk
from astragal.dice.rng import roll, seeded
from astragal.errors import Illegal
from astragal.rule.chances.odds import odds
from astragal.rule.tree.node import Outcome, Throw
from astragal.rule.tree.note import Telling
from tests.referee import tally


def cards(*left: int, n: int = 1, name: str = "cards") -> Dice:
    return Dice(len(left), n, name, cards=Cards(left, name))


@st.composite
def decks(draw: st.DrawFn, most: int = 6) -> Dice:
    left = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(lambda left: 0 < sum(left) <= most))
    return cards(*left, n=draw(st.integers(0, min(4, sum(left)))))


class Distinct:
    """How many different faces lie there; a reading that knows nothing of odds."""

    def read(self, faces: Faces) -> int:
        return len({face for waves in faces for wave in waves for face in wave})


def tree(pool: Pool, reading: Reading[Any]) -> Throw[Any, Any]:
    return Throw(pool, reading, Outcome, lambda faces: Telling(()))


def check(pool: Pool, reading: Reading[Any]) -> None:
    found = odds(tree(pool, reading))
    assert found.to_dict() == {value: chance for value, chance in tally(tree(pool, reading)).items() if chance}


def readings(pool: Pool) -> list[Reading[Any]]:
    worth = tuple(tuple((face % 3, int(face > 1)) for face in range(1, dice.sides + 1)) for dice in pool)
    added = tuple(tuple(vector[0] - vector[1] for vector in faces) for faces in worth)
    step = lambda state, counts: ((state * 5 + 3 * sum(counts) + counts[0]) % 11, counts[0])  # noqa: E731
    scored = Scored(0, step, lambda state, points: (state, points))
    return [Tally(frozenset({1, 3})), Symbols(worth), Added(added), scored, Distinct()]


def single(dice: Dice) -> list[Reading[Any]]:
    walk = lambda state, place, face: (state * 3 + face * (place + 1)) % 7  # noqa: E731
    some = (frozenset[int](), frozenset({1, 2}))
    return [Walk(0, walk), *(Keep(n, best, every) for n in (1, 2, 9) for best in (True, False) for every in some)]


@given(decks())
@settings(deadline=None, max_examples=60)
def test_odds_of_every_reading_are_those_of_every_draw(dice: Dice) -> None:
    for reading in (*readings((dice,)), *single(dice)):
        check((dice,), reading)
    if dice.n == 1:
        check((dice,), Face())


@given(decks(5), st.integers(0, 2), st.integers(1, 4))
@settings(deadline=None, max_examples=40)
def test_cards_and_dice_are_thrown_together(dice: Dice, n: int, sides: int) -> None:
    pool = (dice, Dice(sides, n, "dice"), cards(1, 2, n=1, name="other"))
    for reading in readings(pool):
        check(pool, reading)


def test_a_poker_hand_is_answered_at_once() -> None:
    deck = cards(*(4,) * 13, n=5)
    none: tuple[int, ...] = ()
    pairs = Scored(none, lambda state, counts: (tuple(sorted((*state, counts[0]))), 0), lambda state, points: state)
    found = odds(tree((deck,), pairs))
    assert found[(1, 4)] == Fraction(13 * 48, comb(52, 5))
    assert found[(2, 3)] == Fraction(3744, comb(52, 5))


def test_suits_of_many_cards_are_answered() -> None:
    worth = tuple((int(card % 4 == 0), int(card % 13 == 0)) for card in range(52))
    found = odds(tree((cards(*(1,) * 52, n=13),), Symbols((worth,))))
    assert found.chance(lambda value: value[0] == 13) == Fraction(1, comb(52, 13))


def test_no_card_comes_twice() -> None:
    deck = cards(1, 1, 2, 0, n=4)
    for seed in range(50):
        assert sorted(roll((deck,), seeded(seed))[0][0]) == [1, 2, 3, 3]


def test_every_card_is_as_likely_as_any_other() -> None:
    drawn = [roll((cards(1, 1, 1, n=2),), seeded(seed))[0][0] for seed in range(600)]
    assert len(set(drawn)) == 6
    assert all(60 < drawn.count(each) < 140 for each in set(drawn))


@pytest.mark.parametrize(
    ("pool", "sentence"),
    [
        ((cards(1, 1, n=3, name="Omens"),), "Omens has 2 cards left, and 3 are drawn; shuffle first."),
        ((cards(0, 0, n=1, name="Omens"),), "Omens has no card left, and 1 is drawn; shuffle first."),
        ((cards(2, n=1), cards(2, n=1)), "Cards of one deck are drawn twice at once"),
    ],
)
def test_more_cards_than_are_left_are_refused(pool: Pool, sentence: str) -> None:
    with pytest.raises(Illegal, match=sentence):
        odds(tree(pool, Tally(frozenset({1}))))
    with pytest.raises(Illegal, match=sentence):
        roll(pool)
