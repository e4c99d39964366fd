"""Handfuls of dice compared with points: every throw is read, and the odds must be the same fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from astragal.dice.dice import Dice, Pool
from astragal.dice.reading import Scored
from astragal.errors import Illegal
from tests.referee import every_throw

Counts = tuple[int, ...]


def lead(state: str, counts: Counts) -> tuple[str, int]:
    """Who shows more of the highest face on which the sides differ, then one point a die until the others show one."""
    ours, theirs = counts
    if state == "tie":
        return (state, 0) if ours == theirs else ("ours", ours - theirs) if ours > theirs else ("theirs", theirs - ours)
    mine, other = (ours, theirs) if state == "ours" else (theirs, ours)
    return (state + "!", 0) if other else (state, mine)


def pairs(state: int, counts: Counts) -> tuple[int, int]:
    """A point for each face that all handfuls show; after a face that only one of them shows, two points."""
    some = sum(map(bool, counts))
    return int(some == 1), (1 + state) * (some == len(counts))


def ranks(state: bool, counts: Counts) -> tuple[bool, int]:
    """Settled by a face that two dice show, with a point for each face before it."""
    return any(n > 1 for n in counts), 1


LEAD = Scored("tie", lead, lambda state, points: (state, points), frozenset({"ours!", "theirs!"}))
PAIRS = Scored(0, pairs, lambda state, points: (state, points))
RANKS = Scored(False, ranks, lambda state, points: points, frozenset({True}))


def by_every_throw(scored: Scored[Any, Any], pool: Pool) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for faces, chance in every_throw(pool, 1):
        assert faces is not None
        value = scored.read(faces)
        found[value] = found.get(value, Fraction(0)) + chance
    return found


TWO = [(Dice(sides, n), Dice(sides, m)) for n, m, sides in ((0, 2, 3), (1, 1, 4), (2, 3, 3), (3, 1, 5), (3, 3, 2))]
UNLIKE = [(Dice(3, 2), Dice(5, 1)), (Dice(2, 3), Dice(4, 2))]


@pytest.mark.parametrize("scored", [LEAD, PAIRS, RANKS], ids=["lead", "pairs", "ranks"])
@pytest.mark.parametrize("pool", [*TWO, *UNLIKE], ids=str)
def test_two_handfuls(scored: Scored[Any, Any], pool: Pool) -> None:
    assert scored.odds(pool, 0).to_dict() == by_every_throw(scored, pool)


@pytest.mark.parametrize("scored", [PAIRS, RANKS], ids=["pairs", "ranks"])
def test_one_and_three_handfuls(scored: Scored[Any, Any]) -> None:
    for pool in ((Dice(4, 3),), (Dice(3, 2), Dice(3, 1), Dice(3, 2))):
        assert scored.odds(pool, 0).to_dict() == by_every_throw(scored, pool)


@pytest.mark.parametrize("known", [(), (2,), (3, 3), (6, 5, 1)])
def test_a_handful_that_lies_there(known: tuple[int, ...]) -> None:
    """Faces that the other dice do not have count too."""
    pool = (Dice(3, 3),)
    given = LEAD.given(known, lambda state, points: [state, points][1])
    assert given.odds(pool, 0).to_dict() == by_every_throw(given, pool)
    for faces, _ in every_throw(pool, 1):
        assert faces and LEAD.given(known).read(faces) == LEAD.read(((known,), *faces))


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(Illegal, match="thrown again"):
        LEAD.odds((Dice(6, 2), Dice(6, 2, again=frozenset({6}))), 0)
    with pytest.raises(Illegal, match="of memory; ask for fewer dice"):
        LEAD.odds((Dice(10, 500), Dice(10, 500)), 0)
