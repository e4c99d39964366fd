"""Count, lowest and highest, and a die beside others: every throw is read, and the odds must be the same fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.dice.dice import Dice, Pool
from astragal.dice.parts import Unread, by_need, looked_at
from astragal.dice.reading import Beside
from astragal.errors import Illegal
from tests.referee import every_throw

COUNTING = [frozenset({5, 6}), frozenset({1}), frozenset(range(1, 13)), frozenset[int](), frozenset({2, 7})]


ASKED = [
    (),
    ("count",),
    ("place",),
    ("count", "meaning"),
    ("meaning", "count", "place"),
    ("count", "others"),
    ("others", "lowest", "place"),
    ("highest", "single"),
    ("lowest", "highest", "meaning"),
]
"""Parts that a question may need together, in any order."""


def by_every_throw(reading: Any, pool: Pool) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for faces, chance in every_throw(pool, 1):
        value = reading.read(faces)
        found[value] = found.get(value, Fraction(0)) + chance
    return found


@pytest.mark.parametrize("counting", COUNTING, ids=str)
@pytest.mark.parametrize(("n", "sides", "single"), [(0, 6, 4), (1, 6, 6), (2, 6, 10), (3, 4, 3), (3, 6, 12), (4, 2, 1)])
def test_a_die_beside_others_stands_as_in_every_throw(
    n: int, sides: int, single: int, counting: frozenset[int]
) -> None:
    pool = (Dice(sides, n), Dice(single, 1))
    for means in (lambda face: face <= 2, lambda face: 0, lambda face: face):
        beside = Beside(counting, means)
        every = by_every_throw(beside, pool)
        assert beside.odds(pool, 0).to_dict() == every
        for parts in ASKED:
            wanted: dict[Any, Fraction] = {}
            for handful, chance in every.items():
                values = looked_at(parts)(handful)
                wanted[values] = wanted.get(values, Fraction(0)) + chance
            assert beside.odds_of(parts, pool, 0).to_dict() == wanted, parts


@pytest.mark.parametrize(
    ("faces", "value"),
    [
        (((6, 5, 1), (7,)), (3, "highest", 7)),
        (((6, 5, 1), (6,)), (3, "neither", 6)),
        (((6, 5, 2), (1,)), (2, "lowest", 1)),
        (((), (5,)), (1, "neither", 5)),
    ],
)
def test_a_tie_is_neither_and_so_is_a_die_alone(faces: Any, value: tuple[int, str, int]) -> None:
    handful = Beside(frozenset({5, 6, 7}), lambda face: face).read(tuple((wave,) for wave in faces))
    assert (handful.count, handful.place, handful.meaning) == value


@pytest.mark.parametrize("n", [0, 1, 2])
def test_one_more_die_and_another_face_of_the_single_one_are_as_if_thrown_so(n: int) -> None:
    beside = Beside(frozenset({5, 6}), lambda face: face <= 2)
    for dice in product(range(1, 7), repeat=n):
        for single, face in product(range(1, 9), range(1, 7)):
            handful = beside.read(((dice,), ((single,),)))
            assert handful.alone.beside(face) == beside.read(((dice,), ((face,),)))
            assert handful.joined(face) == beside.read((((*dice, face),), ((single,),)))


def test_a_part_that_was_not_read_says_so_and_is_no_exception() -> None:
    handful = Beside(frozenset({5, 6}), lambda face: 0).made(("count",), (2,))
    with pytest.raises(Unread) as found:
        _ = handful.joined(6).beside(3)
    assert (found.value.part, isinstance(found.value, Exception)) == ("others", False)
    with pytest.raises(AttributeError):
        _ = handful.colour


def test_a_question_starts_again_with_what_it_lacked() -> None:
    beside = Beside(frozenset({5, 6}), lambda face: 0)
    passes: list[frozenset[str]] = []

    def solve(parts: frozenset[str]) -> int:
        passes.append(parts)
        handful = beside.made(tuple(parts), (1,) * len(parts))
        return handful.count + handful.lowest

    assert by_need(solve) == (2, frozenset({"count", "lowest"}))
    assert passes == [set(), {"count"}, {"count", "lowest"}]
    assert by_need(solve, frozenset({"count", "lowest"}))[0] == 2
    assert len(passes) == 4


def test_dice_that_go_again_are_refused() -> None:
    with pytest.raises(Illegal, match="thrown once"):
        Beside(frozenset({6}), bool).odds((Dice(6, 2, again=frozenset({6})), Dice(6)), 0)
