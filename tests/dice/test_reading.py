"""Readings: the value that each makes of a throw."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from astragal.dice.reading import Face, Keep, Kept, Scored, Tally, Walk

WAVES = st.lists(st.lists(st.integers(1, 10), max_size=8).map(tuple), min_size=1, max_size=3).map(tuple)


@given(WAVES)
def test_a_tally_counts_every_die_of_every_wave(waves: tuple[tuple[int, ...], ...]) -> None:
    assert Tally(frozenset({8, 9, 10})).read((waves,)) == sum(face >= 8 for wave in waves for face in wave)


def test_a_single_die_shows_its_last_face() -> None:
    assert Face().read((((4,),),)) == 4
    assert Face().read((((4,), (9,)),)) == 9


def test_keep_adds_up_the_best_or_the_worst() -> None:
    faces = (((2, 6, 3, 5, 4),),)
    assert Keep(4).read(faces) == Kept(18, False)
    assert Keep(4, best=False).read(faces) == Kept(14, False)


def test_keep_tells_throws_of_nothing_but_certain_faces_apart() -> None:
    ones = (((1, 1, 1, 1, 1),),)
    keep = Keep(4, every=frozenset({1}))
    assert keep.read(ones) == Kept(4, True)
    assert keep.read((((1, 1, 1, 1, 2),),)) == Kept(5, False)
    assert Keep(4).read(ones) == Kept(4, False)


def test_a_walk_goes_from_die_to_die_in_order() -> None:
    walk = Walk("", lambda state, place, face: f"{state}{place}:{face} ")
    assert walk.read((((3, 1),),)) == "0:3 1:1 "


def test_handfuls_are_compared_from_the_highest_face_down() -> None:
    start: tuple[tuple[int, ...], ...] = ()
    scored = Scored(start, lambda state, counts: ((*state, counts), 1), lambda state, points: (state, points))
    assert scored.read((((3, 5, 3),), ((5,),))) == (((1, 1), (2, 0)), 2)
