"""Razorweave: what goes into a Check, alone or together, and what is kept of one that failed (RW-12, RW-13, RW-15)."""

from __future__ import annotations

import pytest

from astragal import Illegal
from astragal.games.razorweave import Check, Split
from astragal.games.razorweave.table import TABLE_RULES
from astragal.rule.inputs.total import total
from tests.games.razorweave_faces import CRITICAL, FAILURE, FULL
from tests.games.razorweave_trial import DEX, TRIAL, after, holder, offers, participants, rolled, struck


def test_rw5_an_attribute_and_a_skill() -> None:
    found = offers("check", participants())
    assert (found["c1/attributes/Agility"].input, found["c1/attributes/Agility"].gives) == ("attribute", 3)
    assert (found["c1/skills/Stealth"].input, found["c1/skills/Stealth"].gives) == ("skill", True)


def test_rw15_what_is_still_open_is_edge_or_burden_as_one_chooses() -> None:
    found = offers("check", participants(tags={"Fog": {}}))
    ways = [found[id] for id in ("scene/tags/Fog", "scene/tags/Fog!burden")]
    assert [(offer.label, offer.input, offer.gives) for offer in ways] == [
        ("Fog", "edge", 1),
        ("Fog (Burden)", "burden", 1),
    ]


def test_rw15_conditions_and_proficiencies_know_what_they_are_and_by_how_much() -> None:
    kira = holder(
        "c1", "Kira", conditions={"Bleeding": {"size": 2}, "Furious": {"counts": "edge"}}, proficiencies={"Roofs": {}}
    )
    found = offers("check", participants(who=kira))
    assert {
        id.rpartition("/")[2]: (offer.input, offer.gives) for id, offer in found.items() if offer.rule == "RW-15"
    } == {
        "Bleeding": ("burden", 2),
        "Furious": ("edge", 1),
        "Roofs": ("edge", 1),
    }
    dex = offers("check", participants(who=DEX, against=kira))
    assert (dex["c1/conditions/Bleeding"].input, dex["c1/conditions/Bleeding"].gives) == ("edge", 2)
    assert dex["c1/conditions/Furious"].input == "burden"


@pytest.mark.parametrize(
    ("counts", "input", "gives"),
    [("edge", "edge", 2), ("burden", "burden", 2), ("harder", "scene", 2), ("easier", "scene", -2)],
)
def test_rw3_a_tag_says_once_what_it_is(counts: str, input: str, gives: int) -> None:
    found = offers("check", participants(tags={"Storm": {"counts": counts, "size": 2}}))
    tags = [offer for id, offer in found.items() if "/tags/" in id]
    assert [(offer.label, offer.input, offer.gives) for offer in tags] == [("Storm", input, gives)]


def test_rw3_colour_is_no_source_at_all() -> None:
    assert not [id for id in offers("check", participants(tags={"Gulls": {"counts": "colour"}})) if "/tags/" in id]


def test_rw12_help_is_edge_or_a_bonus_as_the_gm_says() -> None:
    given = participants(helpers=(DEX, holder("c3", "Mira")))
    ask = Check(**{**TABLE_RULES.reads("check", given), "dc": 14, "assist_as": (("dex", "bonus"),)})
    assert (ask.net, ask.added) == (1, 1)


def test_rw12_a_set_up_gives_the_one_who_is_named_edge_on_the_next_action_and_is_used_up() -> None:
    given = participants()
    set_up = after(given, rolled("check", given, FULL, dc=14, set_up="Dex"))["scene"]["positions"]
    assert set_up == {"Kira's set-up for Dex": {"kind": "set-up", "whose": "Dex", "size": 1, "note": None}}
    nobody = participants(positions=set_up)
    assert "prepared" not in TABLE_RULES.reads("check", nobody)
    dex = participants(who=DEX, positions=set_up)
    read = Check(**{**TABLE_RULES.reads("check", dex), "dc": 14})
    assert (int(read.prepared), read.net) == (1, 1)
    assert after(dex, rolled("check", dex, "1 1 1 2 2", dc=14))["scene"]["positions"] == {}


def test_rw12_a_set_up_that_fails_gives_nothing_and_a_critical_one_is_great() -> None:
    given = participants()
    assert after(given, rolled("check", given, FAILURE, dc=14, set_up="Dex"))["scene"]["positions"] == {}
    (great,) = after(given, rolled("check", given, CRITICAL, dc=14, set_up="Dex"))["scene"]["positions"].values()
    assert great["size"] == 2


def test_rw12_positions_are_entered_by_name_and_old_ones_by_id_still_count() -> None:
    for whose in ("kira ", "c1"):
        found = offers("check", participants(positions={"High ground": {"whose": whose, "size": 2}}))
        assert (found["scene/positions/High ground"].input, found["scene/positions/High ground"].gives) == ("edge", 2)


@pytest.mark.parametrize("intent", ["open the lock", "  Open  THE lock "])
def test_rw13_the_same_intent_again_asks_what_has_changed_without_anybody_volunteering_it(intent: str) -> None:
    tried = {"Kira, open the lock": {"whose": "Kira", "intent": "open the lock"}}
    again = participants(tried=tried)
    values = {"dc": 14, "intent": intent}
    with pytest.raises(Illegal, match="RW-13"):
        Check(**{**values, **TABLE_RULES.completes("check", values, again)})
    dex = participants(who=DEX, tried=tried)
    assert not TABLE_RULES.completes("check", values, dex)
    changed = {**values, "retry": "with a key", "again": "open the lock"}
    assert after(again, rolled("check", again, FULL, **changed))["scene"]["tried"] == {}


def test_rw15_what_the_opponent_suffers_may_be_edge() -> None:
    found = offers("check", participants(against=DEX))["c2/conditions/Staggered"]
    assert (found.input, found.label, found.by) == ("edge", "Dex's Staggered", "c1")


def test_rw12_every_helper_is_one_more_source_of_edge() -> None:
    read = Check(**{**TABLE_RULES.reads("check", participants(helpers=(DEX,))), "dc": 14})
    assert (read.assist, read.net) == (1, 1)
    assert "assist" not in TABLE_RULES.reads("check", participants())


def test_rw2_the_tables_dc_is_read_where_there_is_one() -> None:
    assert TRIAL.reads("check", participants(options={"dc": 16})) == {"dc": 16}
    assert TRIAL.reads("check", participants()) == {}


def test_a_roll_without_a_character_is_the_gms() -> None:
    assert {offer.by for offer in offers("check", participants(who=None, tags={"Fog": {}})).values()} == {"table"}


def test_rw12_those_who_split_the_risk_roll_with_their_own_numbers() -> None:
    found = offers("split", participants(helpers=(DEX,)))
    members = {offer.label: (offer.gives, offer.by) for offer in found.values() if offer.input == "members"}
    assert members["Kira: Agility"] == (3, "c1")
    assert members["Kira: Stealth"] == (1, "c1")
    assert members["Dex: Agility"] == (-1, "c2")
    edges = {offer.label: (offer.gives, offer.by) for offer in found.values() if offer.input == "edges"}
    assert edges == {"Kira: Roofs": (1, "c1"), "Kira: Bleeding": (-1, "c1"), "Dex: Staggered": (-1, "c2")}
    own = total({"Kira: Agility": 3, "Kira: Stealth": 1, "Dex: Agility": -1})
    ask = Split(dc=14, members=own, edges=total({"Kira: Roofs": 1, "Dex: Staggered": -1}))
    assert [(member.name, member.added, member.net) for member in ask.rollers] == [("Kira", 4, 1), ("Dex", -1, -1)]


def test_rw12_tags_count_for_everybody_who_rolls() -> None:
    found = offers("split", participants(tags={"Fog": {}}))
    assert (found["scene/tags/Fog"].gives, found["scene/tags/Fog!burden"].gives) == (1, -1)


def test_rw13_what_fails_is_kept_and_a_retry_has_to_say_what_has_changed() -> None:
    given = participants()
    sheets = after(given, rolled("check", given, FAILURE, dc=14, intent="open the lock"))
    assert sheets["scene"]["tried"] == {"Kira, open the lock": {"whose": "Kira", "intent": "open the lock"}}
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
