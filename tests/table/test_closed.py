"""A foe's sheet is closed to players unless the GM opens it (P-12): they see its name, and how it stands."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Refusal
from astragal.table import action as a
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    party = Party("razorweave")
    party.do("Mira", a.SceneAction(title="The yard"))
    party.do("Mira", a.CreateAction(name="Thug", owner="", sheet={"conditions": {"Sworn to the Duke": {}}}))
    return party


def sheet(party: Party, name: str) -> dict[str, Any]:
    found: dict[str, Any] = party.see(name)[f"holders/{party.holder('Thug').id}"]
    return found


def test_players_see_the_name_and_resolve_of_a_foe_and_nothing_else(party: Party) -> None:
    assert sheet(party, "Jonas")["name"] == "Thug"
    assert {name for name, items in sheet(party, "Jonas")["sheet"].items() if items} == {"resolve"}
    assert "Sworn to the Duke" in str(sheet(party, "Mira"))
    for name in ("Jonas", "Olaf"):
        assert "Sworn to the Duke" not in f"{party.see(name)} {[party.lines(name, each) for each in party.entries]}"
    public = [event for event in party.entries[-1].events if not event.audience]
    assert "Sworn to the Duke" not in str(public)


def test_a_players_own_character_is_open() -> None:
    party = Party("razorweave")
    assert party.holder("Wren").seen == "all"
    party.do("Mira", a.CreateAction(name="Ally", owner="Jonas"))
    assert party.holder("Ally").seen == "all"


def test_a_player_strikes_a_foe_without_seeing_the_sheet(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", against="Thug", inputs={"dc": 12, "strike": True}))
    assert "Sworn" not in str(party.see("Jonas"))
    with pytest.raises(Refusal):
        party.do("Jonas", a.BuildAction(use={"Thug's Sworn to the Duke": 1}))
    party.do("Jonas", a.ThrowAction(faces="6 6 6 6"))
    assert sheet(party, "Jonas")["sheet"]["resolve"]["Resolve"]["filled"] == 3
    party.do("Jonas", a.AnswerAction(answer="bleeding"))
    assert "Bleeding" in sheet(party, "Jonas")["sheet"]["conditions"]  # everybody saw it happen
    assert "Sworn" not in str(party.see("Jonas"))


def test_what_a_gm_uses_of_a_foe_is_seen_in_the_roll(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", against="Thug", inputs={"dc": 12}))
    party.do("Mira", a.BuildAction(use={"Thug's Sworn to the Duke": 1}))
    assert not party.roll.hidden
    assert "Sworn to the Duke" in " ".join(party.lines("Jonas"))


def test_the_gm_opens_and_closes_the_sheet(party: Party) -> None:
    party.do("Mira", a.HoldAction(holder="Thug", seen="all"))
    assert "Sworn to the Duke" in str(sheet(party, "Jonas"))
    party.do("Mira", a.HoldAction(holder="Thug", seen="name"))
    assert "Sworn to the Duke" not in str(sheet(party, "Jonas"))
    party.do("Mira", a.EditAction(holder="Thug", section="conditions", item="Angry"))
    assert "Angry" not in f"{sheet(party, 'Jonas')} {party.lines('Jonas')}"
