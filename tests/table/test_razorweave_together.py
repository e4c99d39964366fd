"""Razorweave as several people play it: helpers, set-ups, split risks, retries and those who are down."""

from __future__ import annotations

import pytest

from astragal.errors import Forbidden, Illegal
from astragal.table import action as a
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    party = Party("razorweave")
    party.do("Mira", a.SceneAction(title="The wall"))
    return party


def test_rw12_helpers_offer_themselves_and_the_gm_says_edge_or_a_bonus(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"dc": 14}))
    party.do("Ada", a.AssistAction(who="Kit"))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.BuildAction(inputs={"assist_as": ["Kit=bonus"]}))
    party.do("Mira", a.BuildAction(inputs={"assist_as": ["Kit=bonus"]}))
    party.do("Jonas", a.ThrowAction(faces="3 3 3 4"))
    assert (party.roll.result["net"], party.roll.result["result"]) == (0, 14)


def test_rw12_a_set_up_is_edge_on_the_next_action_of_the_one_who_is_named_and_then_gone(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12, "set_up": "Kit"}, faces="3 3 3 3"))
    assert "Kit has Edge on their next action" in " ".join(party.lines("Olaf"))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12}, faces="3 3 3 3"))
    assert party.roll.result["net"] == 0
    party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 12}, faces="3 3 3 3 3"))
    assert party.roll.result["net"] == 1
    party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 12}, faces="3 3 3 3"))
    assert party.roll.result["net"] == 0


def test_rw12_positions_are_entered_by_name(party: Party) -> None:
    place = {"whose": "wren", "size": 2}
    party.do("Mira", a.EditAction(holder="scene", section="positions", item="On the ladder", to=place))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12}, use={"On the ladder": 1}, faces="3 3 3 3 3 3"))
    assert party.roll.result["net"] == 2
    assert party.holder("scene").sheet["positions"] == {}


def test_rw12_those_who_split_the_risk_put_in_what_is_their_own_and_throw_their_own_dice(party: Party) -> None:
    party.do("Ada", a.EditAction(holder="Kit", section="conditions", item="Lame", to={"size": 2}))
    party.do("Jonas", a.OpenAction(kind="split", who="Wren", inputs={"dc": 14}))
    party.do("Ada", a.AssistAction(who="Kit"))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.BuildAction(use={"Kit: Lame": 1}))
    party.do("Ada", a.BuildAction(use={"Kit: Lame": 1, "Kit: Agility": 1}))
    party.do("Jonas", a.BuildAction(use={"Wren: Agility": 1}))
    party.do("Jonas", a.ThrowAction(faces="3 3 3 3"))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.ThrowAction())
    party.do("Ada", a.ThrowAction(faces="6 6 3 3 3 3"))
    members = party.roll.result["members"]
    assert [(member["name"], member["net"]) for member in members] == [("Wren", 0), ("Kit", -2)]
    kit = party.item("Kit", "attributes", "Agility")["rating"]
    assert members[1]["result"] == 12 + kit


def test_rw13_a_retry_of_the_same_intent_asks_what_has_changed(party: Party) -> None:
    climb = {"dc": 20, "intent": "Climb the wall"}
    party.do("Jonas", a.RollAction(who="Wren", inputs=climb, faces="1 2 3 4"))
    with pytest.raises(Illegal, match="RW-13"):
        party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 20, "intent": " climb  THE wall"}))
    party.do("Ada", a.RollAction(who="Kit", inputs=climb, faces="1 2 3 4"))
    changed = {"dc": 20, "intent": "climb the wall", "retry": "Kit holds the rope"}
    party.do("Jonas", a.RollAction(who="Wren", inputs=changed, faces="6 6 6 6"))
    party.do("Jonas", a.RollAction(who="Wren", inputs=climb, faces="6 6 6 6"))
    assert party.roll.over


def test_rw9_who_is_down_is_told_by_name_and_a_further_strike_asks_first(party: Party) -> None:
    strike = {"dc": 14, "strike": True}
    party.do("Ada", a.EditAction(holder="Kit", section="resolve", item="Resolve", to={"filled": 4, "segments": 6}))
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs=strike, faces="4 4 4 4"))
    assert "Kit is down" in " ".join(party.lines("Olaf"))
    with pytest.raises(Illegal, match=r"Kit is down.*RW-9"):
        party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs=strike, faces="4 4 4 4"))
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs={**strike, "anyway": "mercy"}, faces="4 4 4 4"))
    assert party.roll.over


def test_rw4_the_table_is_told_what_the_cap_cut_off(party: Party) -> None:
    tag = {"counts": "edge", "size": 2}
    party.do("Mira", a.EditAction(holder="scene", section="tags", item="High ground", to=tag))
    inputs = {"dc": 14, "edge": "1 rope"}
    party.do("Jonas", a.RollAction(who="Wren", inputs=inputs, use={"High ground": 1}, faces="3 3 3 3 3 3"))
    told = " ".join(party.lines("Olaf"))
    assert "+3, capped at +2" in told
    assert party.roll.result["cut"] == 1


def test_rw3_a_tag_can_move_the_dc(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="scene", section="tags", item="Storm", to={"counts": "harder", "size": 2}))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 14}, use={"Storm": 1}, faces="3 3 3 3"))
    assert party.roll.result["dc"] == 18
