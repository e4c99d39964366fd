"""Narraject at a table: its rules, its ready-made characters, and luck."""

from __future__ import annotations

from astragal.games.narraject import GAME
from astragal.games.narraject.pool import READINGS
from astragal.games.narraject.table import TABLE_RULES
from astragal.rule.sheets.table_rules import table_rules_of
from tests.games.narraject_trial import (
    TRIAL,
    offers,
    participants,
)


def test_the_game_names_what_it_keeps() -> None:
    assert table_rules_of(GAME.table_rules) is TABLE_RULES


def test_every_rule_that_is_cited_there_is() -> None:
    offered = {offer.rule for offer in offers(participants()).values()}
    assert TRIAL.rules_of_sections() | TRIAL.rules_of_moves() | offered <= {*GAME.rules, ""}


def test_templates_can_be_read() -> None:
    assert all(sheet["stats"] for sheet in TRIAL.templates())


def test_luck_is_the_d6s_marks_and_a_lone_die_is_no_matter_of_luck() -> None:
    assert TABLE_RULES.luck("attempt", READINGS["marks", "player"].read((((5, 6, 5, 1),), ((12,),)))) == 3
    assert TABLE_RULES.luck("attempt", 5) is None
