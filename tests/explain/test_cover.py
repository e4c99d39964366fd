"""Covers and layouts: what a game says about itself, and what is shown of one that says nothing."""

from __future__ import annotations

import pytest

from astragal import all_games
from astragal.explain.cover import MAX_MOOD, hue_of, mood_of
from astragal.questions.wire_games import declare_game
from astragal.rule.game import Game
from astragal.rule.sheets.sheet import coins_of, places_of
from astragal.rule.sheets.table_rules import PLAIN


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_game_has_a_cover(game: Game) -> None:
    shown = declare_game(game)
    assert 0 <= shown.hue < 360
    assert 0 < len(shown.mood) <= MAX_MOOD
    assert len(shown.pile) == 3
    assert all(1 <= die.face <= die.sides for die in shown.pile)
    assert [kind.usual for kind in shown.kinds].count(True) == 1
    assert all(kind.target in {"", *(input.name for input in kind.inputs)} for kind in shown.kinds)
    assert all(input.title for kind in shown.kinds for input in kind.inputs)


def test_a_game_that_declares_nothing_has_a_colour_that_stays_and_whole_words_of_its_blurb() -> None:
    bare = all_games()[0]._replace(texts=None, hue=None, mood="", pile=(), icon="", blurb="Throw dice " * 20)
    assert hue_of(bare) == hue_of(bare._replace(title="Another title"))
    assert len(mood_of(bare)) <= MAX_MOOD
    assert mood_of(bare).endswith(("Throw…", "dice…"))
    assert [die.sides for die in declare_game(bare).pile] == [6, 6, 6]


def test_the_sheet_of_a_game_without_table_rules_is_laid_out_by_its_looks() -> None:
    traits, conditions = PLAIN.character
    assert (traits.laid_out, conditions.laid_out) == ("things", "things")
    assert places_of(PLAIN.character) == {"traits": "primary", "conditions": "main"}
    assert coins_of(PLAIN.character) == ()
    assert PLAIN.table[0].laid_out == "clocks"
