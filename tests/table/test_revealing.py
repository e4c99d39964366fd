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


def hidden_task(party: Party, faces: str) -> str:
    inputs = {"pool": 5, "target": 6, "task": "The codex"}
    party.do("Mira", a.OpenAction(kind="extended", who="Wren", inputs=inputs, hide=["target"]))
    party.do("Jonas", a.ThrowAction(faces=faces))
    return party.roll.id


def test_one_reveal_of_a_long_task_shows_how_far_it_has_come() -> None:
    party = Party("chronicles")
    roll = hidden_task(party, "9 8 1 1 1")
    assert "The codex" not in str(party.see("Jonas")[f"holders/{party.holder('Wren').id}"])
    party.do("Mira", a.RevealAction(roll=roll))
    assert party.item("Wren", "tasks", "The codex")["successes"] == 2
    assert list(party.holder("Wren").sheet["tasks"]) == ["The codex"]
    party.do("Jonas", a.OpenAction(kind="extended", who="Wren", use={"The codex": 1}, inputs={"pool": 5}))
    party.do("Jonas", a.ThrowAction(faces="9 8 8 8 1"))
    assert "6 of 6" in party.roll.told.verdict


def test_a_reveal_shows_nothing_that_another_hidden_roll_has_changed() -> None:
    party = Party("chronicles")
    first = hidden_task(party, "9 8 1 1 1")
    party.do("Mira", a.OpenAction(kind="extended", who="Wren", use={"The codex (hidden)": 1}, inputs={"pool": 5}))
    party.do("Jonas", a.ThrowAction())
    second = party.roll.id
    party.do("Mira", a.RevealAction(roll=first))
    assert list(party.holder("Wren").sheet["tasks"]) in ([], ["The codex (hidden)"])
    party.do("Mira", a.RevealAction(roll=second))
    assert not any("(hidden)" in name for name in party.holder("Wren").sheet["tasks"])


def asked_again(party: Party, faces: str, hide: list[str]) -> None:
    inputs = {"pool": 5, "target": 6, "rolls": 4, "task": "The codex"}
    party.do("Mira", a.AskAction(who=["Wren"], kind="extended", inputs=inputs, hide=hide))
    request = list(party.state.world.requests)[-1]
    party.do("Jonas", a.RollAction(request=request, who="Wren", faces=faces))


@pytest.mark.parametrize("hide", [["target"], ["target", "rolls"]])
def test_cd13_a_hidden_task_goes_on_when_a_gm_asks_for_it_by_its_name(hide: list[str]) -> None:
    """Each request began another task, "The codex (hidden 2)"."""
    party = Party("chronicles")
    for faces, roll, done in (("9 8 1 1 1", "roll 1 of 4, 0 of 6", 2), ("9 2 1 1 1", "roll 2 of 4, 2 of 6", 3)):
        asked_again(party, faces, hide)
        assert roll in str(party.lines("Mira"))
        assert "codex" not in str(party.see("Jonas")[f"holders/{party.holder('Wren').id}"])
        kept = party.holder("Wren").sheet["tasks"]
        assert [(name, task["successes"]) for name, task in kept.items()] == [("The codex (hidden)", done)]
    asked_again(party, "9 9 9 1 1", hide)
    assert "6 of 6" in party.roll.told.verdict
    assert not party.holder("Wren").sheet["tasks"]


@pytest.mark.parametrize("hide", [["target"], ["target", "rolls"]])
def test_t11_a_hidden_task_that_is_under_way_looks_like_one_that_is_done(hide: list[str]) -> None:
    """The same actions at two tables, where the task ended at one of them; ids of entries are the same."""
    seen = []
    for target in (2, 9):
        party = Party("chronicles")
        for faces in ("9 8 1 1 1", "9 2 1 1 1"):
            inputs = {"pool": 5, "target": target, "rolls": 4, "task": "The codex"}
            party.do("Mira", a.AskAction(who=["Wren"], kind="extended", inputs=inputs, hide=hide))
            party.do("Jonas", a.RollAction(request=list(party.state.world.requests)[-1], who="Wren", faces=faces))
        seen.append((party.see("Jonas"), [party.lines("Jonas", entry) for entry in party.entries]))
    assert seen[0] == seen[1]
    assert "successes" in str(seen[0][1][-1]) or "success" in str(seen[0][1][-1])
