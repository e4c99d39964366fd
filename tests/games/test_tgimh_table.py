"""What TGIMH keeps: its sheets, its rules, its ready-made characters and its sample campaign."""

from __future__ import annotations

import pytest

from astragal.games.tgimh import GAME, Result
from astragal.games.tgimh.opposed import Lead, Winner
from astragal.games.tgimh.table import TABLE_RULES
from astragal.rule.sheets.table_rules import table_rules_of
from tests.games.tgimh_trial import TRIAL, holder, participants, refused


def test_the_game_names_its_keeping_and_every_part_cites_a_rule_that_there_is() -> None:
    assert table_rules_of(GAME.table_rules) is TABLE_RULES
    assert TRIAL.rules_of_sections() <= {*GAME.rules, ""}
    assert TRIAL.rules_of_moves() <= set(GAME.rules)


def test_tg8_and_tg12_a_blank_character_has_9_will_and_5_free_boxes() -> None:
    blank = holder("c9").sheet
    assert blank["will"] == {"Will": {"now": 9, "start": 9}}
    assert blank["power"] == {"Power": {"crossed": [], "length": 5}}
    assert blank["about"] == {"About": {"text": None}}


def test_templates_are_characters() -> None:
    assert all(TRIAL.templates())


def test_luck_is_the_rollers_successes_with_a_sign() -> None:
    assert TABLE_RULES.luck("contest", Lead("ours won", 3)) == 3
    assert TABLE_RULES.luck("contest", Lead("theirs won", 2)) == -2
    assert TABLE_RULES.luck("contest", Lead()) == 0


def test_a_move_of_nobodys_is_refused() -> None:
    for name, inputs in (("score", {"key": "Protect", "level": "risk"}), ("refresh", {})):
        assert refused(name, participants(who=None), **inputs).kind == "illegal"


def test_the_sample_campaign_plays_through_and_shows_the_kept_rules() -> None:
    kept = {"TG-6", "TG-9", "TG-10", "TG-11", "TG-12", "TG-14", "TG-15", "TG-17", "TG-18", "TG-19"}
    assert kept <= TRIAL.rules_of_sample()


@pytest.mark.parametrize(
    ("by", "winner", "role"),
    [
        ("winner", "ours", "roller"),
        ("winner", "theirs", "target"),
        ("loser", "ours", "target"),
        ("loser", "theirs", "roller"),
    ],
)
def test_tg9_tg10_winner_and_loser_answer_whichever_side_they_are(by: str, winner: Winner, role: str) -> None:
    assert TABLE_RULES.decides("contest", by, Result(winner, 1, False)) == role
