"""What Razorweave keeps: its sheets, its rules, its ready-made characters and its sample campaign."""

from __future__ import annotations

from astragal.dice.reach import Reach
from astragal.games.razorweave import GAME
from astragal.games.razorweave.table import TABLE_RULES
from astragal.rule.sheets.table_rules import table_rules_of
from tests.games.razorweave_trial import TRIAL, holder


def test_the_game_names_its_keeping_and_every_part_cites_a_rule_that_there_is() -> None:
    assert table_rules_of(GAME.table_rules) is TABLE_RULES
    assert TRIAL.rules_of_sections() <= {*GAME.rules, ""}
    assert TRIAL.rules_of_moves() <= set(GAME.rules)


def test_rw15_a_blank_character_has_four_attributes_and_a_resolve_clock() -> None:
    blank = holder("c9").sheet
    assert blank["attributes"] == {name: {"rating": 0} for name in ("Might", "Agility", "Presence", "Reason")}
    assert blank["resolve"] == {"Resolve": {"filled": 0, "segments": 6}}
    assert blank["about"] == {"About": {"text": None}}


def test_templates_are_characters() -> None:
    assert all(TRIAL.templates())


def test_luck_is_what_the_kept_dice_come_to() -> None:
    assert TABLE_RULES.luck("check", Reach({"total": 17, "every": False, "word": "failure"})) == 17
    assert TABLE_RULES.luck("oracle", 14) is None


def test_the_sample_campaign_plays_through() -> None:
    assert {"RW-8", "RW-9", "RW-11", "RW-13", "RW-14"} <= TRIAL.rules_of_sample()
