"""Razorweave: what goes into a Check, alone or together, and what is kept of one that failed (RW-12, RW-13, RW-15)."""

from __future__ import annotations

import pytest

from astragal import Illegal
from astragal.games.razorweave import Check, Split
from astragal.games.razorweave.table import TABLE_RULES
from astragal.rule.total import total
from tests.games.razorweave_faces import FAILURE, FULL
from tests.games.razorweave_trial import DEX, after, offers, participants, rolled, struck


def test_rw5_an_attribute_and_a_skill() -> None:
    found = offers("check", participants())
    assert (found["c1/attributes/Agility"].input, found["c1/attributes/Agility"].gives) == ("attribute", 3)
    assert (found["c1/skills/Stealth"].input, found["c1/skills/Stealth"].gives) == ("skill", True)


@pytest.mark.parametrize("id", ["scene/tags/Fog", "c1/proficiencies/Roofs", "c1/conditions/Bleeding"])
def test_rw15_tags_conditions_and_proficiencies_are_edge_or_burden(id: str) -> None:
    found = offers("check", participants(tags={"Fog": {}}))
    assert [(found[way].input, found[way].gives, found[way].by) for way in (id, f"{id}!burden")] == [
        ("edge", 1, "c1"),
        ("burden", 1, "c1"),
    ]


def test_rw15_what_the_opponent_suffers_may_be_edge() -> None:
    found = offers("check", participants(against=DEX))["c2/conditions/Staggered"]
    assert (found.input, found.label, found.by) == ("edge", "Dex's Staggered", "c1")


def test_rw12_every_helper_is_one_more_source_of_edge() -> None:
    read = Check(**{**TABLE_RULES.reads("check", participants(helpers=(DEX,))), "dc": 14})
    assert (read.assist, read.net) == (1, 1)
    assert "assist" not in TABLE_RULES.reads("check", participants())


def test_rw2_the_tables_dc_is_read_where_there_is_one() -> None:
    assert TABLE_RULES.reads("check", participants(options={"dc": 16})) == {"dc": 16}
    assert TABLE_RULES.reads("check", participants()) == {}


def test_a_roll_without_a_character_is_the_gms() -> None:
    assert {offer.by for offer in offers("check", participants(who=None, tags={"Fog": {}})).values()} == {"table"}


def test_rw12_those_who_split_the_risk_roll_with_their_own_numbers() -> None:
    found = offers("split", participants(helpers=(DEX,)))
    members = {offer.label: (offer.gives, offer.by) for offer in found.values() if offer.input == "members"}
    assert members["Kira: Agility"] == (3, "c1")
    assert members["Kira: Skill"] == (1, "c1")
    assert members["Dex: Agility"] == (-1, "c2")
    assert "Dex: Skill" not in members
    ask = Split(dc=14, members=total({"Kira: Agility": 3, "Kira: Skill": 1, "Dex: Agility": -1}))
    assert [(member.label, member.n) for member in ask.rollers] == [("Kira", 4), ("Dex", -1)]


def test_rw12_tags_count_for_everybody_who_rolls() -> None:
    found = offers("split", participants(tags={"Fog": {}}))
    assert (found["scene/tags/Fog"].gives, found["scene/tags/Fog!burden"].gives) == (1, -1)


def test_rw13_what_fails_is_kept_and_a_retry_has_to_say_what_has_changed() -> None:
    given = participants()
    sheets = after(given, rolled("check", given, FAILURE, dc=14, intent="open the lock"))
    assert sheets["scene"]["tried"] == {"Kira, open the lock": {"whose": "c1", "intent": "open the lock"}}
    again = participants(tried=sheets["scene"]["tried"])
    offer = offers("check", again)["scene/tried/Kira, open the lock"]
    inputs = dict([(offer.input, offer.gives), *offer.also])
    with pytest.raises(Illegal, match="RW-13"):
        Check(dc=14, **inputs)
    written = rolled("check", again, FULL, dc=14, retry="with the porter's key", **inputs)
    assert after(again, written)["scene"]["tried"] == {}


def test_rw13_only_the_one_who_failed_is_asked_and_a_strike_goes_on() -> None:
    tried = {"Kira, open the lock": {"whose": "c1", "intent": "open the lock"}}
    assert not [id for id in offers("check", participants(who=DEX, tried=tried)) if "/tried/" in id]
    given = participants(against=DEX)
    assert after(given, struck(given, FAILURE, "position", intent="hit him"))["scene"]["tried"] == {}


def test_rw1_without_a_roll_nothing_is_written() -> None:
    assert (
        rolled("check", participants(), "", {"answer": ["yes"]}, dc=14, uncertain="no", intent="walk", goal="Patrol")
        == []
    )
