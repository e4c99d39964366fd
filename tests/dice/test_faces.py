"""Typed faces: parsed, given out throw by throw, written back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice.dice import Dice, Waves, faces_below, faces_from
from astragal.dice.faces import MAX_TEXT, TypedFaces, format_faces, parse_faces
from astragal.dice.rng import roll, seeded
from astragal.errors import Illegal, Malformed, Refusal

D6S = Dice(6, 5)
STEP = Dice(10, 1, "Step Die")
ROTE = Dice(10, 3, again=faces_from(10, 10), retry=faces_below(8))


def thrown(text: str, *pools: tuple[Dice, ...]) -> list[tuple[Waves, ...] | None]:
    typed = TypedFaces(text)
    faces = [typed.throw(pool) for pool in pools]
    typed.finish()
    return faces


def test_groups_and_waves() -> None:
    assert parse_faces("6 5 | 7 / 2") == [[(6, 5)], [(7,), (2,)]]


def test_two_kinds_of_dice_stand_on_two_sides_of_a_bar() -> None:
    assert thrown("6 5 4 2 1 | 7", (D6S, STEP)) == [(((6, 5, 4, 2, 1),), ((7,),))]


def test_a_wave_lists_the_dice_that_are_thrown_again_in_order() -> None:
    assert thrown("10 3 8 / 6 10 / 4", (ROTE,)) == [(((10, 3, 8), (6, 10), (4,)),)]


def test_a_later_throw_takes_the_next_group_or_the_next_wave_of_the_same_dice() -> None:
    by_group = thrown("6 5 4 2 1 | 7 | 9", (D6S, STEP), (STEP,))
    by_wave = thrown("6 5 4 2 1 | 7 / 9", (D6S, STEP), (STEP,))
    assert by_group == by_wave


def test_dice_that_nobody_typed_are_not_answered() -> None:
    assert thrown("6 5 4 2 1 | 7", (D6S, STEP), (STEP,))[1] is None


def test_a_side_without_dice_may_be_left_blank_or_out() -> None:
    nobody = Dice(10, 0, "die (ours)")
    three = Dice(10, 3, "die (theirs)")
    wanted = [(((),), ((9, 7, 3),))]
    assert thrown("| 9 7 3", (nobody, three)) == wanted
    assert thrown("9 7 3", (nobody, three)) == wanted


def test_commas_and_spare_blanks_are_forgiven() -> None:
    assert thrown(" 6,5,  4 2 1|7 ", (D6S, STEP)) == [(((6, 5, 4, 2, 1),), ((7,),))]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("6 5 4 | 7", "Too few faces: 5 d6s were thrown and 3 were typed; the 4th d6 is missing."),
        ("6 5 4 2 1", "Too few faces: 1 Step Die was thrown and 0 were typed; the Step Die is missing."),
        ("6 5 4 2 1 1 | 7", "Too many faces: 5 d6s were thrown and 6 were typed; there is no die for the 1."),
        ("6 5 7 2 1 | 7", "The 3rd d6 cannot show 7; a d6 shows 1 to 6."),
        ("6 5 0 2 1 | 7", "The 3rd d6 cannot show 0; a d6 shows 1 to 6."),
        ("6 5 4 2 1 | 11", "The Step Die cannot show 11; a d10 shows 1 to 10."),
        ("6 5 4 2 1 | 7 | 3", "Too many faces: no dice were thrown for 3."),
        ("6 5 4 2 1 | 7 / 3", "Too many faces: no Step Die was thrown for 3."),
        ("6 5 4 2 1 | 7 /", "A wave of the Step Dice has no faces; a / stands between two waves."),
    ],
)
def test_a_wrong_throw_is_refused_with_the_die_that_is_missing_or_wrong(text: str, sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        thrown(text, (D6S, STEP))
    assert str(refused.value) == sentence


def test_a_wave_that_was_earned_and_not_typed_is_missed() -> None:
    with pytest.raises(Illegal, match="Too few faces in wave 2: 2 d10s were thrown and 0 were typed"):
        thrown("10 3 8", (ROTE,))


@pytest.mark.parametrize("text", ["", "   ", "6.5", "6x", "-1", "٣", "9" * 50, "1" * (MAX_TEXT + 1)])
def test_what_is_no_face_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse_faces(text)


@given(st.integers(0, 9999), st.integers(1, 20), st.integers(0, 3))
def test_what_is_written_back_reads_the_same(seed: int, n: int, more: int) -> None:
    pools = [(ROTE._replace(n=n), STEP), *[(ROTE._replace(n=2),)] * more]
    source = seeded(seed)
    faces = [roll(pool, source) for pool in pools]
    assert thrown(format_faces(faces), *pools) == faces


def test_a_word_is_no_face_of_a_die_with_numbers() -> None:
    with pytest.raises(Malformed, match='"six" is not a face; faces are whole numbers'):
        TypedFaces("six").throw((Dice(6),))
