"""What Chronicles keeps: its sheets, its rules and its ready-made characters."""

from __future__ import annotations

import pytest

from astragal import Illegal, Malformed
from astragal.games.chronicles import GAME, Attempt
from astragal.games.chronicles.dice import Count
from astragal.games.chronicles.sheet import ATTRIBUTES, SKILLS
from astragal.games.chronicles.table import TABLE_RULES
from astragal.rule.sheets.sheet import read_sheet
from astragal.rule.sheets.table_rules import table_rules_of
from astragal.rule.tree.node import Throw
from tests.games.chronicles_trial import TRIAL, offers, participants


def test_the_game_names_what_it_keeps() -> None:
    assert table_rules_of(GAME.table_rules) is TABLE_RULES


def test_every_rule_that_is_cited_there_is() -> None:
    offered = {offer.rule for kind in GAME.kinds for offer in offers(kind, participants()).values()}
    assert TRIAL.rules_of_sections() | TRIAL.rules_of_moves() | offered <= {*GAME.rules, ""}


def test_templates_can_be_read() -> None:
    assert all(sheet["mental"]["Wits"] for sheet in TRIAL.templates())


def test_cd14_nine_attributes_and_twenty_four_skills_in_three_groups() -> None:
    blank = read_sheet(TABLE_RULES.character, {})
    assert [tuple(blank[group]) for group in ATTRIBUTES] == list(ATTRIBUTES.values())
    assert [len(names) for names in ATTRIBUTES.values()] == [3, 3, 3]
    assert [len(blank[f"{group}_skills"]) for group in SKILLS] == [8, 8, 8]
    assert {"beats", "willpower", "conditions", "specialties"} <= set(blank)


def test_cd14_a_skill_has_at_most_five_dots_and_a_specialty_belongs_to_a_skill() -> None:
    with pytest.raises(Illegal, match="from 0 to 5"):
        read_sheet(TABLE_RULES.character, {"mental_skills": {"Occult": {"dots": 6}}})
    with pytest.raises(Illegal, match="Larceny"):
        read_sheet(TABLE_RULES.character, {"specialties": {"Locks": {"skill": "Lockpicking"}}})
    with pytest.raises(Malformed, match="no skill"):
        read_sheet(TABLE_RULES.character, {"specialties": {"Locks": {}}})
    written = read_sheet(TABLE_RULES.character, {"specialties": {"Dogs": {"skill": "animal ken"}}})
    assert written["specialties"]["Dogs"]["skill"] == "Animal Ken"


def test_luck_is_successes_rolled_and_a_chance_die_has_one_or_none() -> None:
    assert TABLE_RULES.luck("attempt", 4) == 4
    for face, successes in ((10, 1), (9, 0), (1, 0)):
        throw = GAME.main.rule(Attempt(pool=0))
        assert isinstance(throw, Throw)
        seen = throw.reading.read((((face,),),))
        assert seen == Count(successes, face == 1)
        assert TABLE_RULES.luck("attempt", seen) == successes
    assert TABLE_RULES.luck("attempt", "dramatic") is None
