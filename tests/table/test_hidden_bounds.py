"""No bound of a table tells a player how much is hidden from them."""

from __future__ import annotations

import pytest

from astragal.errors import Refusal
from astragal.table import action as a
from tests.table.test_ticket import TicketParty


def test_no_bound_tells_a_player_how_many_characters_a_gm_hides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.table.decide.sheets.MAX_CHARACTERS", 4)
    party = TicketParty()
    for n in range(2):
        party.do("Mira", a.CreateAction(name=f"Lurker {n}", seen="gm"))
    with pytest.raises(Refusal, match="at most 4 characters"):
        party.do("Mira", a.CreateAction(name="Lurker 3", seen="gm"))
    for name in ("Rook", "Owl"):
        party.do("Jonas", a.CreateAction(name=name))
    with pytest.raises(Refusal, match="at most 4 characters"):
        party.do("Jonas", a.CreateAction(name="Crow"))


def test_no_bound_tells_a_player_how_many_items_a_gm_hides_on_a_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.table.decide.sheets.MAX_ITEMS", 2)
    party = TicketParty()

    def edit(by: str, item: str, **seen: str) -> None:
        party.do(by, a.EditAction(holder="Wren", section="conditions", item=item, to=dict(seen)))

    there = len(party.holder("Wren").sheet.get("conditions", {}))
    assert not there
    edit("Mira", "Cursed", seen="gm")
    edit("Jonas", "Tired")
    edit("Jonas", "Cold")
    with pytest.raises(Refusal, match="at most 2 items"):
        edit("Jonas", "Hungry")
    with pytest.raises(Refusal, match="at most 2 items"):
        edit("Mira", "Watched", seen="gm")
