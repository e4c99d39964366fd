"""Points that are counted when they are spent: what a sheet holds while a roll is open decides what may be chosen."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Illegal
from astragal.games.registry import game
from astragal.table import action as a
from astragal.table.log.luck import luck_of
from astragal.table.rolls.chances import advice
from astragal.table.table import folded
from tests.table.tables import Party, all_show


@pytest.fixture
def party(monkeypatch: pytest.MonkeyPatch) -> Party:
    """IP is live, and Jonas has none left."""
    monkeypatch.setattr(game("narraject").main.ask.inputs["ip"], "live", "ip")
    party = Party()
    party.do("Jonas", a.ChangeAction(holder="Jonas", section="ip", item="IP", by=-2))
    return party


def rolled(party: Party) -> str:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 2}), all_show(3))
    return party.roll.id


def give(party: Party, n: int) -> None:
    party.do("Mira", a.ChangeAction(holder="Jonas", section="ip", item="IP", by=n))


def options(party: Party, roll: str, name: str = "Jonas") -> list[str]:
    return [option["name"] for option in party.see(name)[f"rolls/{roll}"]["open"]["options"]]


def test_points_given_while_a_roll_is_open_can_be_spent_on_it(party: Party) -> None:
    roll = rolled(party)
    assert "add" not in options(party, roll)
    give(party, 3)
    for name in ("Mira", "Jonas", "Ada", "Olaf"):
        assert "add" in options(party, roll, name)
    party.do("Jonas", a.AnswerAction(roll=roll, answer="add"), all_show(6))
    assert party.item("Jonas", "ip", "IP")["now"] == 1
    assert "reroll" in options(party, roll)
    party.do("Jonas", a.AnswerAction(roll=roll, answer="reroll"), all_show(6))
    party.do("Jonas", a.AnswerAction(roll=roll, answer="settle"))
    result: Any = party.roll.told.result
    assert (result["ip_spent"], result["ip_left"]) == (3, 0)


def test_two_open_rolls_do_not_both_offer_the_same_points(party: Party) -> None:
    give(party, 2)
    first, second = rolled(party), rolled(party)
    assert "add" in options(party, first)
    assert "add" in options(party, second)
    party.do("Jonas", a.AnswerAction(roll=first, answer="add"))
    assert "add" not in options(party, second)
    with pytest.raises(Illegal, match=r"2 IP, and 0 are held; nothing is spent \(NJ-14\)"):
        party.do("Jonas", a.AnswerAction(roll=second, answer="add"))
    member = party.member("Jonas")
    assert member
    assert {option.name for option in advice(party.state, party.state.world.rolls[second], member).options} == {
        "settle"
    }


def test_what_was_spent_stays_valid_and_is_played_back_from_the_log(party: Party) -> None:
    roll = rolled(party)
    give(party, 3)
    party.do("Jonas", a.AnswerAction(roll=roll, answer="add"))
    party.do("Mira", a.ChangeAction(holder="Jonas", section="ip", item="IP", by=-1))
    assert not {"reroll", "add", "partial"} & set(options(party, roll))
    assert folded(party.entries) == party.state
    assert luck_of(party.entries, party.state, party.member("Jonas")).left_out == 0
