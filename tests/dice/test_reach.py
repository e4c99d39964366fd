"""Words by how far dice reach, of several throws and round after round: compared with every throw there is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from astragal.dice.dice import Cards, Dice, Pool
from astragal.dice.distribution import Beyond
from astragal.dice.parts import Unread, looked_at
from astragal.dice.reach import Bands, Climbed, Climbing, Independent, Reach, Reaches, Several
from astragal.dice.reading import Keep
from astragal.errors import Illegal
from astragal.rule.chances.odds import odds
from astragal.rule.tree.node import Node, Outcome, Throw, lazy
from tests.referee import every_throw, tally

BANDS = Bands(((2, "great"), (0, "good"), (-2, "so-so")), "bad")
ONES = frozenset({1})
POOLS: list[tuple[Keep, Pool]] = [
    (Keep(2, True, ONES), (Dice(6, 3),)),
    (Keep(2, False, ONES), (Dice(4, 3),)),
    (Keep(3, True), (Dice(2, 3),)),
    (Keep(1, True, frozenset({1, 2})), (Dice(3, 2),)),
    (Keep(2, True, ONES), (Dice(4, 3, cards=Cards((2, 1, 0, 2))),)),
]
ASKED = [(), ("word",), ("total",), ("every", "word"), ("word", "total"), Reach.names]


def by_every_throw(reading: Any, pool: Pool, parts: tuple[str, ...]) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for faces, chance in every_throw(pool, 1):
        value = reading.read(faces)
        told = looked_at(parts)(value)
        found[told] = found.get(told, Fraction(0)) + chance
    return found


def possible(distribution: Any) -> dict[Any, Fraction]:
    return {value: chance for value, chance in distribution.items() if chance}


@pytest.mark.parametrize("parts", ASKED, ids=repr)
@pytest.mark.parametrize(("keep", "pool"), POOLS, ids=repr)
@pytest.mark.parametrize("needed", [-9, 3, 5, 40])
def test_parts_of_a_reach_have_the_odds_of_every_throw(
    keep: Keep, pool: Pool, needed: int, parts: tuple[str, ...]
) -> None:
    reading = Reaches(keep, BANDS, needed)
    assert possible(reading.odds_of(parts, pool, 20)) == by_every_throw(reading, pool, parts)


def test_a_word_has_its_odds_in_order() -> None:
    assert Reaches(Keep(2), BANDS, 7).odds_of(("word",), (Dice(6, 3),), 20).order == BANDS.words


THREE = (Dice(2, 2), Dice(4, 1), Dice(3, 3))
INDEPENDENT = Independent(
    (Reaches(Keep(1, True, ONES), BANDS, 2), Reaches(Keep(1), BANDS, 3), Reaches(Keep(2, False, ONES), BANDS, 4))
)


@pytest.mark.parametrize("parts", [(), ("words",), ("each",), Several.names], ids=repr)
def test_throws_that_do_not_depend_on_each_other_have_the_odds_of_every_throw(parts: tuple[str, ...]) -> None:
    assert possible(INDEPENDENT.odds_of(parts, THREE, 20)) == by_every_throw(INDEPENDENT, THREE, parts)


def test_words_of_many_throws_need_no_list_of_what_each_came_to() -> None:
    """Twelve throws with four words each: 455 ways to have them, of 16,777,216."""
    pool, twelve = (Dice(6, 3),) * 12, Independent((Reaches(Keep(2), BANDS, 8),) * 12)
    words = twelve.odds_of(("words",), pool, 20)
    assert (len(words), sum(words.weights.values())) == (455, words.total)
    once = twelve.readings[0].odds_of(("word",), pool[:1], 20)
    assert words[("great",) * 12] == once["great"] ** 12
    with pytest.raises(Illegal, match="different results one by one"):
        twelve.odds(pool, 20)


COIN = (Dice(2, 2),)
"""Two coins: 2 is bad, 3 so-so, 4 good if 4 are needed."""


def climbing(*adds: tuple[int, int], sizes: tuple[int, int] = (3, 2)) -> Climbing:
    return Climbing(Reaches(Keep(2, True, ONES), BANDS, 4), tuple(zip("AB", sizes, strict=True)), adds, "both")


def rounds(reading: Climbing, so_far: Climbed | None = None, together: Any = None) -> Node[Climbed]:
    """The rounds one by one, as a game plays them."""
    so_far = so_far or reading.start
    if so_far.first:
        return Outcome(so_far)
    return Throw(
        COIN, reading.reading, lambda reach: lazy(rounds, reading, reading.after(so_far, reach)), together=together
    )


TICKS = [climbing((0, 0), (2, 0), (1, 1), (0, 1)), climbing((0, 0), (1, 2), (1, 0), (0, 1), sizes=(2, 4))]


@pytest.mark.parametrize("reading", TICKS, ids=repr)
@pytest.mark.parametrize(
    "parts", [("first",), ("ends",), ("rounds",), ("rounds", "first"), ("ends", "first"), Climbed.names], ids=str
)
def test_counters_have_the_odds_of_all_rounds_that_can_be_played(reading: Climbing, parts: tuple[str, ...]) -> None:
    wanted: dict[Any, Fraction] = {}
    for climbed, chance in tally(rounds(reading)).items():
        told = looked_at(parts)(climbed)
        wanted[told] = wanted.get(told, Fraction(0)) + chance
    assert possible(reading.odds_of(parts, COIN, 20)) == wanted


@pytest.mark.parametrize("reading", TICKS, ids=repr)
def test_a_tree_says_that_its_rounds_are_one_throw_and_only_what_is_asked_is_read(reading: Climbing) -> None:
    at_once = Throw(COIN, reading, Outcome)
    node = rounds(reading, together=at_once)
    for asked in (lambda climbed: climbed.first, lambda climbed: (climbed.rounds, climbed.ends)):
        found: dict[Any, Fraction] = {}
        for climbed, chance in tally(rounds(reading)).items():
            found[asked(climbed)] = found.get(asked(climbed), Fraction(0)) + chance
        assert possible(odds(node, asked)) == found


def test_rounds_of_a_typed_series_are_its_waves() -> None:
    climbed = TICKS[0].read((((1, 2), (2, 2)),))
    assert (climbed.ends, climbed.first, climbed.rounds) == ((3, 1), "A", 2)


def test_rounds_that_add_nothing_are_waited_out() -> None:
    """Two coins show two 1s in a quarter of the rounds."""
    waits = climbing((0, 0), (0, 0), (0, 0), (1, 0), sizes=(1, 1))
    assert waits.moving(COIN) == Fraction(1, 4)
    assert possible(waits.odds_of(("first",), COIN, 2)) == {"A": 1}
    found = waits.odds_of(("rounds",), COIN, 2)
    assert possible(found) == {1: Fraction(1, 4), 2: Fraction(3, 16), Beyond(2): Fraction(9, 16)}
    with pytest.raises(Illegal, match="results have no end"):
        waits.odds_of(("first", "rounds"), COIN, 2)


def test_what_was_not_read_is_missing() -> None:
    with pytest.raises(Unread, match="total"):
        _ = Reach.made(("word",), ("good",)).total
