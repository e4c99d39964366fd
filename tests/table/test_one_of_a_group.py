"""Of the offers with the same slot one is in a roll: a later one replaces it, and only that one is paid."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.table import action as a
from tests.installed import installed
from tests.table.tables import Party
from tests.table.test_moves_with_dice import held, showing


@pytest.fixture
def party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Party:
    party = Party(installed("parlour", tmp_path, monkeypatch))
    party.do("Jonas", a.OpenAction(kind="toss", who="Wren", inputs={"dice": 1}))
    return party


def worn(party: Party, seat: str) -> list[str]:
    seen = party.see(seat)[f"rolls/{party.roll.id}"]
    return [id.rpartition("!")[2] for id, n in seen["use"].items() if n]


def test_a_later_one_replaces_an_earlier_one_for_every_seat(party: Party) -> None:
    party.do("Jonas", a.BuildAction(use={"Ring": 1}))
    party.do("Jonas", a.BuildAction(use={"Brooch": 1}))
    for seat in ("Mira", "Jonas", "Ada", "Olaf"):
        assert worn(party, seat) == ["Brooch"]
    assert party.lines("Ada") == ["Jonas takes Ring out.", "Jonas puts Brooch in."]


def test_only_the_one_that_is_in_is_paid_and_counts(party: Party) -> None:
    party.do("Jonas", a.BuildAction(use={"Ring": 1}))
    party.do("Jonas", a.BuildAction(use={"Brooch": 1}))
    party.do("Jonas", a.ThrowAction(), showing(6, 6))
    assert held(party, "coins", "Coins") == 1
    assert party.roll.told.result == {"sixes": 2}


def test_of_two_at_once_the_later_stays(party: Party) -> None:
    party.do("Jonas", a.RollAction(kind="toss", who="Wren", inputs={"dice": 1}, use={"Brooch": 1, "Ring": 1}))
    assert [id.rpartition("!")[2] for id in party.roll.use] == ["Ring"]
    assert held(party, "coins", "Coins") == 1


def test_undo_brings_back_the_one_that_was_replaced(party: Party) -> None:
    party.do("Jonas", a.BuildAction(use={"Ring": 1}))
    party.do("Jonas", a.BuildAction(use={"Brooch": 1}))
    party.do("Jonas", a.UndoAction())
    assert worn(party, "Ada") == ["Ring"]
