"""The turn order: who is in it, whose turn it is, and what of it others know."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Forbidden, Illegal, Refusal
from astragal.table import action as a
from tests.table.tables import Party


def order(party: Party, name: str) -> tuple[list[str], str, int]:
    """The names as a seat sees them, whose turn it is, and the round."""
    turns: Any = party.see(name).get("turns") or {"order": [], "now": "", "round": 0}
    names = {place["id"]: place["name"] for place in turns["order"]}
    return list(names.values()), names.get(turns["now"], ""), turns["round"]


@pytest.fixture
def party() -> Party:
    found = Party("razorweave")
    found.do("Mira", a.TurnAction(add=["Wren", "Wolves", "kit"]))
    return found


def test_names_are_characters_or_free(party: Party) -> None:
    assert order(party, "Olaf") == (["Wren", "Wolves", "Kit"], "", 1)
    assert party.lines("Olaf") == ["Turn order: Wren, Wolves, Kit."]
    assert [bool(place["who"]) for place in party.see("Olaf")["turns"]["order"]] == [True, False, True]


def test_the_turn_goes_round_and_back(party: Party) -> None:
    for _ in range(4):
        party.do("Mira", a.TurnAction(next=True))
    assert order(party, "Jonas") == (["Wren", "Wolves", "Kit"], "Wren", 2)
    assert party.lines("Jonas") == ["Round 2: it is Wren's turn."]
    party.do("Mira", a.TurnAction(back=True))
    assert order(party, "Jonas")[1:] == ("Kit", 1)
    party.do("Mira", a.UndoAction())
    assert order(party, "Jonas")[1:] == ("Wren", 2)


def test_the_order_is_changed(party: Party) -> None:
    party.do("Mira", a.TurnAction(next=True, add=["Crow"], at=1))
    assert order(party, "Ada") == (["Wren", "Crow", "Wolves", "Kit"], "Wren", 1)
    party.do("Mira", a.TurnAction(order=["Kit", "Wolves"], now="Wolves"))
    assert order(party, "Ada") == (["Kit", "Wolves", "Wren", "Crow"], "Wolves", 1)
    party.do("Mira", a.TurnAction(remove=["Wolves"]))
    assert order(party, "Ada") == (["Kit", "Wren", "Crow"], "Kit", 1)
    party.do("Mira", a.TurnAction(end=True))
    assert "turns" not in party.see("Ada") and party.lines("Ada") == ["The turn order ends."]


def test_a_new_scene_ends_the_order_and_who_leaves_is_out_of_it(party: Party) -> None:
    party.do("Jonas", a.RetireAction(holder="Wren"))
    assert order(party, "Ada")[0] == ["Wolves", "Kit"]
    party.do("Mira", a.SceneAction(title="Later"))
    assert "turns" not in party.see("Ada")


def test_secret_ones_and_hidden_characters_are_for_gms(party: Party) -> None:
    before = party.see("Jonas")
    party.do("Mira", a.TurnAction(add=["Assassin"], at=1, secret=True))
    party.do("Mira", a.CreateAction(name="Lurker", seen="gm"))
    party.do("Mira", a.TurnAction(add=["Lurker"]))
    assert party.see("Jonas") == before and party.lines("Jonas") == []
    assert order(party, "Mira")[0] == ["Wren", "Assassin", "Wolves", "Kit", "Lurker"]
    party.do("Mira", a.TurnAction(next=True))
    assert order(party, "Jonas")[1] == "Wren" == order(party, "Mira")[1]
    party.do("Mira", a.TurnAction(next=True))
    assert order(party, "Mira")[1] == "Assassin" and order(party, "Jonas")[1] == "Wren"
    assert party.lines("Jonas") == [] and party.lines("Mira") == ["It is Assassin's turn."]
    party.do("Mira", a.TurnAction(next=True))
    assert party.lines("Jonas") == ["It is Wolves's turn."] == party.lines("Mira")
    party.do("Mira", a.HoldAction(holder="Lurker", seen="all"))
    assert order(party, "Jonas")[0] == ["Wren", "Wolves", "Kit", "Lurker"]


def test_whose_turn_it_is_passes_it_on_past_those_they_know_nothing_of(party: Party) -> None:
    with pytest.raises(Forbidden, match="Only a GM"):
        party.do("Jonas", a.TurnAction(next=True))
    party.do("Mira", a.TurnAction(next=True, add=["Assassin"], at=1, secret=True))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.TurnAction(add=["Crow"]))
    with pytest.raises(Forbidden):
        party.do("Ada", a.TurnAction(next=True))
    party.do("Jonas", a.TurnAction(next=True))
    assert order(party, "Jonas")[1] == "Wolves" == order(party, "Mira")[1]


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (a.TurnAction(), Illegal),
        (a.TurnAction(now="Nobody"), Refusal),
        (a.TurnAction(remove=["Nobody"]), Refusal),
        (a.TurnAction(order=["Nobody"]), Refusal),
        (a.TurnAction(back=True, now="Wren"), Illegal),
        (a.TurnAction(add=[f"Name {n}" for n in range(50)], next=True), None),
    ],
)
def test_refusals(party: Party, action: a.TurnAction, kind: type[Refusal] | None) -> None:
    if kind:
        with pytest.raises(kind):
            party.do("Mira", action)
    else:
        party.do("Mira", action)
        with pytest.raises(Illegal, match="at most 60"):
            party.do("Mira", action)


def test_the_turn_of_somebody_whose_coming_was_undone_is_nobodys() -> None:
    party = Party("razorweave")
    entry = party.do("Mira", a.TurnAction(add=["Lurker"], secret=True))
    party.do("Mira", a.TurnAction(next=True))
    party.do("Mira", a.UndoAction(entry=entry.id))
    party.do("Mira", a.TurnAction(add=["Wren"]))
    assert party.lines("Olaf") == ["Turn order: Wren."]
    assert party.see("Olaf")["turns"]["now"] == ""
    assert order(party, "Mira") == (["Wren"], "", 1)


def test_undoing_who_came_into_the_order_undoes_what_was_made_of_it_later_and_no_other_scenes(party: Party) -> None:
    first = party.entries[-1]
    party.do("Mira", a.TurnAction(add=["Lurker"], secret=True))
    party.do("Mira", a.TurnAction(add=["Rats"]))
    assert order(party, "Olaf")[0] == ["Wren", "Wolves", "Kit", "Rats"]
    party.do("Mira", a.UndoAction(entry=first.id))
    assert order(party, "Olaf")[0] == [] and order(party, "Mira")[0] == ["Lurker"]
    party.do("Mira", a.RedoAction())
    assert order(party, "Mira")[0] == ["Wren", "Wolves", "Kit", "Lurker", "Rats"]
    party.do("Mira", a.SceneAction(title="Later"))
    party.do("Mira", a.TurnAction(add=["Kit"]))
    party.do("Mira", a.UndoAction(entry=first.id))
    assert order(party, "Olaf")[0] == ["Kit"]


def test_who_was_in_the_order_is_in_it_again_when_their_leaving_is_undone_whatever_was_done_in_secret(
    party: Party,
) -> None:
    gone = party.do("Ada", a.RetireAction(holder="Kit"))
    party.do("Mira", a.TurnAction(add=["Lurker"], at=1, secret=True))
    assert order(party, "Mira")[0] == ["Wren", "Lurker", "Wolves"]
    party.do("Ada", a.UndoAction(entry=gone.id))
    assert order(party, "Olaf")[0] == ["Wren", "Wolves", "Kit"]
    assert order(party, "Mira")[0] == ["Wren", "Lurker", "Wolves", "Kit"]


def test_what_was_done_in_secret_keeps_nobody_in_the_order_and_nobody_out_of_it(party: Party) -> None:
    """A GM's order is the whole one; of the others it says nothing that undoing and doing again would not."""
    first = party.entries[-1]
    party.do("Mira", a.UndoAction(entry=first.id))
    party.do("Mira", a.TurnAction(add=["Lurker"], secret=True))
    party.do("Mira", a.RedoAction(entry=first.id))
    assert order(party, "Olaf")[0] == ["Wren", "Wolves", "Kit"]
    party.do("Mira", a.TurnAction(end=True))
    assert order(party, "Mira") == ([], "", 0)
