"""Dice: which of them are rerolled."""

from __future__ import annotations

from astragal.dice.dice import Dice, every_face, faces_below, faces_from


def test_the_first_wave_has_every_die_and_plain_dice_have_no_other() -> None:
    assert Dice(6, 5).due(()) == 5
    assert Dice(6, 5).due(((6, 6, 6, 6, 6),)) == 0


def test_again_goes_on_in_every_wave_and_retry_only_in_the_first() -> None:
    dice = Dice(10, 3, again=faces_from(10, 10), retry=faces_below(8))
    assert dice.due(((10, 3, 8),)) == 2
    assert dice.due(((10, 3, 8), (6, 10))) == 1
    assert dice.due(((10, 3, 8), (6, 10), (4,))) == 0


def test_a_die_is_called_by_its_name_or_by_its_sides() -> None:
    assert (Dice(10).title, Dice(10, 1, "Step Die").title) == ("d10", "Step Die")


def test_sets_of_faces() -> None:
    assert faces_from(8, 10) == {8, 9, 10}
    assert faces_from(11, 10) == frozenset()
    assert faces_below(4) == {1, 2, 3}
    assert every_face(((1, 2), (3,))) == (1, 2, 3)
