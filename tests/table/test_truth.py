"""The log says what happened to a sheet, never what was intended."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Illegal, Unknown
from astragal.rule.sheets.table_rules import Change
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.decide.ledger import GAME_ERROR, Ledger
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    party = Party("razorweave")
    for name, rival in (("Loft", "Bell"), ("Bell", "Loft")):
        to = {"segments": 4, "against": rival}
        party.do("Mira", a.EditAction(holder="table", section="clocks", item=name, to=to))
    return party


def moved(ledger: Ledger) -> list[int | None]:
    return [event.by for event in ledger.events if isinstance(event, e.Changed)]


def test_a_change_is_told_as_far_as_it_went(party: Party) -> None:
    party.do("Mira", a.ChangeAction(holder="table", section="clocks", item="Loft", by=3))
    party.do("Mira", a.ChangeAction(holder="table", section="clocks", item="Loft", by=3))
    assert party.lines("Olaf")[0] == "The table: Loft +1 (RW-10)."
    with pytest.raises(Illegal, match="Loft is full already"):
        party.do("Mira", a.ChangeAction(holder="table", section="clocks", item="Loft", by=3))


@pytest.mark.parametrize("change", [{"by": 2}, {"to": 4, "field": "filled"}, {"to": 4, "field": "segments"}, {"by": 0}])
def test_where_nothing_changes_nothing_is_told(party: Party, change: dict[str, Any]) -> None:
    party.do("Mira", a.ChangeAction(holder="table", section="clocks", item="Loft", by=4))
    ledger = Ledger(party.state)
    ledger.do([Change("table", "clocks", "Loft", **{"field": "filled", **change})])
    assert ledger.events == []


def test_a_price_that_counts_up_needs_room_and_a_gain_does_not(party: Party) -> None:
    party.do("Mira", a.ChangeAction(holder="table", section="clocks", item="Loft", by=3))
    stress = Change("table", "clocks", "Loft", "filled", by=2, whole=True)
    with pytest.raises(Illegal, match="The table has room for 1 Loft and 2 were asked for; nothing is spent"):
        Ledger(party.state).do([stress], strict=True)
    ledger = Ledger(party.state)
    ledger.do([stress._replace(whole=False)], strict=True)
    assert moved(ledger) == [1]


def test_of_two_clocks_that_fill_together_none_was_before_the_other(party: Party) -> None:
    ledger = Ledger(party.state)
    ledger.do([Change("table", "clocks", name, "filled", by=4) for name in ("Loft", "Bell")])
    assert [event.beats for event in ledger.events if isinstance(event, e.Filled)] == ["", ""]
    alone = Ledger(party.state)
    alone.do([Change("table", "clocks", "Loft", "filled", by=4)])
    assert [event.beats for event in alone.events if isinstance(event, e.Filled)] == ["Bell"]


def test_a_field_that_there_is_not_is_an_error_of_the_game(party: Party) -> None:
    wrong = Change("table", "clocks", "Loft", "hp", by=1)
    with pytest.raises(Unknown, match=GAME_ERROR):
        Ledger(party.state).do([wrong], strict=True)
    ledger = Ledger(party.state)
    ledger.do([wrong])
    assert [GAME_ERROR in event.text for event in ledger.events if isinstance(event, e.Noted)] == [True]
