"""Readings: which facts of a throw matter."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from astragal.dice.reading import Face, Keep, Kept, Scan, Tally, Walk

WAVES = st.lists(st.lists(st.integers(1, 10), max_size=8).map(tuple), min_size=1, max_size=3).map(tuple)


@given(WAVES)
def test_a_tally_counts_every_die_of_every_wave(waves: tuple[tuple[int, ...], ...]) -> None:
    assert Tally(frozenset({8, 9, 10})).read((waves,)) == sum(face >= 8 for wave in waves for face in wave)


def test_a_single_die_shows_its_last_face() -> None:
    assert Face().read((((4,),),)) == 4
    assert Face().read((((4,), (9,)),)) == 9


def test_keep_takes_the_best_or_the_worst_and_tells_when_all_are_ones() -> None:
    faces = (((2, 6, 3, 5, 4),),)
    assert Keep(4).read(faces) == Kept(18, False)
    assert Keep(4, best=False).read(faces) == Kept(14, False)
    assert Keep(4).read((((1, 1, 1, 1, 1),),)) == Kept(4, True)


def test_a_walk_goes_from_die_to_die_in_order() -> None:
    walk = Walk("", lambda state, place, face: f"{state}{place}:{face} ")
    assert walk.read((((3, 1),),)) == "0:3 1:1 "


def test_a_scan_goes_down_the_faces_with_the_counts_of_every_kind() -> None:
    start: tuple[tuple[int, tuple[int, ...]], ...] = ()
    scan = Scan(start, lambda state, face, counts: (*state, (face, counts)))
    assert scan.read((((3, 5, 3),), ((5,),))) == ((5, (1, 1)), (3, (2, 0)))
