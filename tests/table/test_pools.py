"""Pools: saved ones, the last of each kind, and sides without a sheet."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Forbidden, Illegal, Refusal, Unknown
from astragal.table import action as a
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    return Party("razorweave")


def pools(party: Party, name: str, holder: str) -> Any:
    id = holder if holder == "table" else party.holder(holder).id
    return party.see(name).get(f"pools/{id}")


def test_the_last_pool_of_each_kind_is_remembered_for_owner_and_gm(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 14}, use={"Agility": 1}))
    last = pools(party, "Jonas", "Wren")["last"]["check"]
    assert last["inputs"] == {"dc": 14} and list(last["labels"].values()) == ["Agility"]
    assert pools(party, "Mira", "Wren") == pools(party, "Jonas", "Wren")
    assert pools(party, "Ada", "Wren") is None and pools(party, "Olaf", "Wren") is None
    before = party.roll
    party.do("Jonas", a.RollAction(who="Wren", again=True))
    assert party.roll.id != before.id and (party.roll.inputs, party.roll.use) == (before.inputs, before.use)
    party.do("Jonas", a.OpenAction(who="Wren", again=True, inputs={"dc": 18}))
    assert party.roll.inputs == {"dc": 18} and party.roll.use == before.use


def test_how_hard_a_gm_said_it_was_is_not_carried_into_the_next_roll(party: Party) -> None:
    """By her own word in an open roll, in a request, or in a roll that she makes for a player; what players said is."""
    party.do("Jonas", a.OpenAction(who="Wren", use={"Agility": 1}))
    party.do("Mira", a.BuildAction(roll=party.roll.id, inputs={"dc": 18}))
    party.do("Jonas", a.ThrowAction(roll=party.roll.id))
    assert pools(party, "Jonas", "Wren")["last"]["check"]["inputs"] == {}
    party.do("Jonas", a.OpenAction(who="Wren", again=True))
    assert "dc" not in party.roll.inputs and len(party.roll.use) == 1
    party.do("Jonas", a.BuildAction(roll=party.roll.id, inputs={"dc": 14}))
    party.do("Jonas", a.ThrowAction(roll=party.roll.id))
    assert pools(party, "Jonas", "Wren")["last"]["check"]["inputs"] == {"dc": 14}
    party.do("Mira", a.AskAction(who=["Wren"], inputs={"dc": 20}))
    party.do("Jonas", a.RollAction(who="Wren", request=next(iter(party.state.world.requests))))
    assert pools(party, "Jonas", "Wren")["last"]["check"]["inputs"] == {}
    party.do("Mira", a.RollAction(who="Wren", inputs={"dc": 22}))
    assert pools(party, "Jonas", "Wren")["last"]["check"]["inputs"] == {}


def test_undoing_a_roll_forgets_it(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 14}))
    party.do("Mira", a.UndoAction())
    assert pools(party, "Jonas", "Wren") is None
    with pytest.raises(Illegal, match="no roll of this kind"):
        party.do("Jonas", a.RollAction(who="Wren", again=True))


def test_what_is_no_longer_there_is_left_out(party: Party) -> None:
    party.do("Jonas", a.EditAction(holder="Wren", section="proficiencies", item="Rope", to={}))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 14}, use={"Agility": 1, "Rope": 1}))
    assert len(party.roll.use) == 2
    party.do("Jonas", a.EditAction(holder="Wren", section="proficiencies", item="Rope", remove=True))
    party.do("Jonas", a.RollAction(who="Wren", again=True))
    assert len(party.roll.use) == 1 and party.roll.over


def test_a_roll_that_the_owner_does_not_see_is_not_remembered_for_them(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 11}))
    before = party.see("Jonas")
    party.do("Mira", a.OpenAction(who="Kit", inputs={"dc": 12}, seen="gm"))
    party.do("Mira", a.RollAction(who="Kit", inputs={"dc": 17}, seen="gm"))
    assert party.see("Jonas") == before and pools(party, "Ada", "Kit") is None
    assert pools(party, "Mira", "Kit")["last"]["check"]["inputs"] == {"dc": 17}
    with pytest.raises(Illegal):
        party.do("Ada", a.RollAction(who="Kit", again=True))


def test_pools_of_somebody_who_is_hidden_from_their_owner_are_hidden_too(party: Party) -> None:
    party.do("Ada", a.SaveAction(name="Sneak", who="Kit", inputs={"dc": 14}))
    party.do("Mira", a.HoldAction(holder="Kit", seen="gm"))
    before = party.see("Ada")
    entry = party.do("Mira", a.SaveAction(name="Lurk", who="Kit", inputs={"dc": 15}))
    assert pools(party, "Ada", "Kit") is None and party.see("Ada") == before and party.lines("Ada", entry) == []
    assert [pool["name"] for pool in pools(party, "Mira", "Kit")["saved"]] == ["Sneak", "Lurk"]


def test_a_hidden_input_and_a_hidden_thing_are_not_remembered(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Wren", section="proficiencies", item="Cursed", to={"seen": "gm"}))
    party.do("Jonas", a.OpenAction(who="Wren"))
    party.do("Mira", a.BuildAction(use={"Cursed": 1}, inputs={"dc": 17}, hide=["dc"]))
    party.do("Jonas", a.ThrowAction())
    assert "17" not in repr(pools(party, "Jonas", "Wren")) and "Cursed" not in repr(pools(party, "Jonas", "Wren"))
    party.do("Mira", a.RevealAction())
    assert "Cursed" not in repr(pools(party, "Jonas", "Wren"))


def test_a_pool_is_saved_used_and_removed(party: Party) -> None:
    party.do("Jonas", a.SaveAction(name="Sneak", who="Wren", use={"Agility": 1}))
    assert party.lines("Jonas") == ["Jonas saves the pool Sneak for Wren."] and party.lines("Ada") == []
    assert [pool["name"] for pool in pools(party, "Mira", "Wren")["saved"]] == ["Sneak"]
    assert pools(party, "Ada", "Wren") is None
    party.do("Jonas", a.OpenAction(who="Wren", pool="sneak", inputs={"dc": 12}))
    assert len(party.roll.use) == 1
    party.do("Jonas", a.ThrowAction())
    party.do("Jonas", a.SaveAction(name="As then", roll=party.roll.id))
    assert pools(party, "Jonas", "Wren")["saved"][1]["inputs"] == {"dc": 12}
    party.do("Jonas", a.SaveAction(name="Sneak", who="Wren", remove=True))
    assert [pool["name"] for pool in pools(party, "Jonas", "Wren")["saved"]] == ["As then"]
    party.do("Jonas", a.UndoAction())
    assert len(pools(party, "Jonas", "Wren")["saved"]) == 2


def test_a_gm_rolls_for_a_nameless_opponent_and_keeps_the_pool() -> None:
    party = Party("chronicles")
    party.do("Mira", a.SaveAction(name="Guard", inputs={"pool": 5}))
    assert pools(party, "Mira", "table")["saved"][0]["inputs"] == {"pool": 5}
    assert pools(party, "Jonas", "table") is None
    party.do("Mira", a.RollAction(pool="guard"))
    assert party.lines("Olaf")[0].startswith("Guard: ")
    assert party.see("Olaf")[f"rolls/{party.roll.id}"]["name"] == "Guard"
    party.do("Mira", a.RollAction(again=True))
    assert party.roll.name == "Guard" and party.roll.inputs == {"pool": 5}


def test_a_nameless_other_side_has_a_name() -> None:
    party = Party("chronicles")
    party.do("Jonas", a.OpenAction(who="Wren", kind="contested"))
    party.do("Mira", a.BuildAction(against_name="Guard", inputs={"theirs": 4}))
    assert party.lines("Jonas")[0] == "The roll is against Guard now."
    assert party.see("Ada")[f"rolls/{party.roll.id}"]["against_name"] == "Guard"
    party.do("Mira", a.BuildAction(against="Kit"))
    assert party.roll.against_name == ""


@pytest.mark.parametrize(
    ("by", "action", "kind"),
    [
        ("Jonas", a.RollAction(name="Guard", inputs={"dc": 14}), Forbidden),
        ("Mira", a.RollAction(name="Guard", who="Wren", inputs={"dc": 14}), Illegal),
        ("Jonas", a.SaveAction(name="x"), Forbidden),
        ("Jonas", a.SaveAction(name="x", who="Kit"), Forbidden),
        ("Jonas", a.SaveAction(name="x", who="Wren", inputs={"nonsense": 1}), Refusal),
        ("Jonas", a.SaveAction(name="x", who="Wren", remove=True), Unknown),
        ("Jonas", a.RollAction(who="Wren", pool="x"), Unknown),
        ("Jonas", a.RollAction(pool="x"), Forbidden),
    ],
)
def test_refusals(party: Party, by: str, action: a.Action, kind: type[Refusal]) -> None:
    with pytest.raises(kind):
        party.do(by, action)


def test_a_free_character_is_taken_over(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Rook", owner="", free=True))
    assert party.see("Ada")[f"holders/{party.holder('Rook').id}"]["free"] is True
    with pytest.raises(Forbidden, match="not free"):
        party.do("Ada", a.TakeAction(holder="Wren"))
    party.do("Ada", a.TakeAction(holder="Rook"))
    assert party.lines("Olaf") == ["Rook belongs to Ada and is seen by everybody."]
    assert party.holder("Rook").owner == party.ids["Ada"] and not party.holder("Rook").free
    with pytest.raises(Forbidden, match="not free"):
        party.do("Jonas", a.TakeAction(holder="Rook"))
    with pytest.raises(Forbidden):
        party.do("Olaf", a.TakeAction(holder="Rook"))
    party.do("Ada", a.HoldAction(holder="Rook", free=True))
    assert party.lines("Olaf") == ["Rook is free: any player may take over."]
    party.do("Mira", a.HoldAction(holder="Rook", name="Old Rook"))
    assert party.holder("Old Rook").free
