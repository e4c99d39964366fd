"""Revealing: what was hidden is shown to everybody, and then it is as if it had never been hidden."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Illegal
from astragal.table import action as a
from tests.table.tables import Party


@pytest.mark.parametrize("seen", ["gm", "owner", "blind"])
def test_a_hidden_roll_is_revealed_with_its_dice(seen: a.RollSeen) -> None:
    party = Party()
    roll = a.RollAction(who="Wren", inputs={"d6": 2}, faces="6 1 | 3", answers=["settle"], seen=seen)
    party.do("Mira", roll)
    path = f"rolls/{party.roll.id}"
    assert path not in party.see("Olaf")
    party.do("Mira", a.RevealAction())
    seen_now = party.see("Olaf")[path]
    assert [die["face"] for die in seen_now["dice"]] == [6, 1, 3]
    assert seen_now["verdict"] == party.see("Mira")[path]["verdict"] != ""
    assert party.lines("Olaf")[0].startswith("Revealed: Narraject")


def test_a_hidden_difficulty_is_revealed_before_and_after_the_dice() -> None:
    party = Party()
    party.do("Mira", a.OpenAction(who="Wren", inputs={"d6": 2, "difficulty": 4}, hide=["difficulty"]))
    path = f"rolls/{party.roll.id}"
    party.do("Jonas", a.ThrowAction(faces="6 5 | 5"))
    party.do("Mira", a.AnswerAction(answer="settle"))
    hidden = party.see("Jonas")[path]
    assert (hidden["waits"], "verdict" in hidden) == ("gm", False)
    party.do("Mira", a.RevealAction())
    assert party.see("Jonas")[path]["ask"]["difficulty"] == 4
    party.do("Mira", a.OpenAction(inputs={"d6": 1, "difficulty": 9}, hide=["difficulty"]))
    party.do("Mira", a.RevealAction())
    assert party.see("Jonas")[f"rolls/{party.roll.id}"]["inputs"]["difficulty"] == 9


def test_what_everybody_sees_is_not_revealed() -> None:
    party = Party()
    party.do("Jonas", a.RollAction(inputs={"d6": 1}))
    with pytest.raises(Illegal, match="Everybody can see this roll already"):
        party.do("Mira", a.RevealAction(roll=party.roll.id))


def test_a_character_an_item_and_a_clock_are_revealed_by_changing_who_sees_them() -> None:
    party = Party()
    party.do("Mira", a.CreateAction(name="Shade", owner="", seen="gm"))
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Plot", to={"seen": "gm", "filled": 2}))
    assert "Shade" not in str(party.see("Olaf"))
    assert "Plot" not in str(party.see("Olaf"))
    party.do("Mira", a.HoldAction(holder="Shade", seen="all"))
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Plot", to={"seen": "all"}))
    assert "Shade" in str(party.see("Olaf"))
    assert party.see("Olaf")["holders/table"]["sheet"]["clocks"]["Plot"]["filled"] == 2


@pytest.mark.parametrize("place", [{"helpers": ["Shade"]}, {"against": "Shade"}, {"who": "Shade"}])
def test_a_roll_is_not_revealed_while_it_would_name_somebody_hidden(place: dict[str, Any]) -> None:
    party = Party("chronicles")
    party.do("Mira", a.CreateAction(name="Shade", owner="", seen="gm"))
    opening = {"kind": "contested", "who": "Wren", "inputs": {"ours": "3 Wits", "theirs": 2}, "seen": "gm", **place}
    party.do("Mira", a.OpenAction(**opening))
    party.do("Mira", a.ThrowAction())
    before = party.state
    with pytest.raises(Illegal, match="Shade takes part in this roll and is hidden; show the character first"):
        party.do("Mira", a.RevealAction())
    assert party.state is before
    party.do("Mira", a.HoldAction(holder="Shade", seen="all"))
    party.do("Mira", a.RevealAction())
    assert "Shade" in str(party.see("Jonas")[f"rolls/{party.roll.id}"])


def test_hidden_dice_of_somebody_hidden_are_revealed_without_their_name() -> None:
    party = Party("tgimh")
    party.do("Mira", a.CreateAction(name="Shade", owner="", seen="gm"))
    inputs = {"ours": 2, "theirs": 4}
    party.do("Mira", a.OpenAction(who="Wren", against="Shade", inputs=inputs, hide=["theirs"]))
    party.do("Mira", a.ThrowAction())
    party.do("Mira", a.RevealAction())
    assert "4d10" in " ".join(party.lines("Jonas"))
    assert "Shade" not in " ".join((*party.lines("Jonas"), str(party.see("Jonas"))))
