"""Requests: a GM asks for rolls, and everybody sees of them what they may."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Forbidden, Illegal, Refusal, Unknown
from astragal.table import action as a
from astragal.table.log.story import story
from tests.table.tables import Party

DC = {"dc": 14}


def requests(party: Party, name: str) -> list[dict[str, Any]]:
    return [part for path, part in party.see(name).items() if path.startswith("requests/")]


def rows(party: Party, name: str) -> dict[str, str]:
    """How far everybody is whom this seat sees among those asked."""
    (seen,) = requests(party, name)
    return {party.state.world.holders[row["who"]].name: row["state"] for row in seen["asked"]}


@pytest.fixture
def party() -> Party:
    return Party("razorweave")


def ask(party: Party, **more: Any) -> str:
    given: dict[str, Any] = {"inputs": DC, "note": "Something moves in the hay.", **more}
    party.do("Mira", a.AskAction(**given))
    return next(reversed(party.state.world.requests))


def test_every_players_character_is_asked_and_all_see_it(party: Party) -> None:
    ask(party)
    for name in ("Mira", "Jonas", "Ada", "Olaf"):
        assert rows(party, name) == {"Wren": "waiting", "Kit": "waiting"}
    assert [requests(party, name)[0]["yours"] for name in ("Mira", "Jonas", "Olaf")] == [False, True, False]
    text = 'Mira asks Wren and Kit for a Check, DC 14: "Something moves in the hay."'
    assert party.lines("Olaf") == [text]
    assert text in "".join(story(party.entries, party.state, party.member("Ada")))


def test_one_tap_rolls_as_suggested_and_the_request_ends_with_the_last_answer(party: Party) -> None:
    id = ask(party, use={"Agility": 1})
    party.do("Jonas", a.RollAction(request=id))
    assert party.roll.request == id and party.roll.inputs == DC and list(party.roll.use)
    assert rows(party, "Olaf") == {"Wren": "rolled", "Kit": "waiting"}
    assert requests(party, "Jonas")[0]["yours"] is False
    party.do("Ada", a.OpenAction(request=id))
    assert rows(party, "Mira") == {"Wren": "rolled", "Kit": "gathering"}
    party.do("Ada", a.ThrowAction())
    assert not any(requests(party, name) for name in ("Mira", "Jonas", "Ada", "Olaf"))


def test_what_the_gm_says_only_a_gm_changes_and_what_is_suggested_the_player_may(party: Party) -> None:
    id = ask(party, use={"Agility": 1})
    party.do("Jonas", a.OpenAction(request=id))
    with pytest.raises(Forbidden, match="GM"):
        party.do("Jonas", a.BuildAction(inputs={"dc": 10}))
    party.do("Jonas", a.BuildAction(use={"Agility": 0}))
    assert party.roll.use == {} and party.roll.inputs == DC


def test_the_roll_says_what_was_asked_for_until_its_player_says_it_better(party: Party) -> None:
    id = ask(party)
    for name in ("Jonas", "Ada"):
        party.do(name, a.OpenAction(request=id))
    jonas, ada = (roll.id for roll in party.state.world.rolls.values() if roll.request == id)
    party.do("Ada", a.BuildAction(roll=ada, inputs={"intent": "lie flat and listen"}))
    abouts = {jonas: "Something moves in the hay.", ada: "lie flat and listen"}
    assert {roll: party.see("Olaf")[f"rolls/{roll}"]["about"] for roll in abouts} == abouts
    for name, roll in (("Jonas", jonas), ("Ada", ada)):
        party.do(name, a.ThrowAction(roll=roll))
    assert {roll: party.see("Olaf")[f"rolls/{roll}"]["about"] for roll in abouts} == abouts


def test_a_hidden_difficulty_reaches_nobody_but_gms(party: Party) -> None:
    id = ask(party, hide=["dc"], inputs={"dc": 17})
    assert requests(party, "Mira")[0]["inputs"] == {"dc": 17}
    for name in ("Jonas", "Ada", "Olaf"):
        assert requests(party, name)[0]["inputs"] == {} and requests(party, name)[0]["hidden"] == ["dc"]
        assert party.lines(name) == ['Mira asks Wren and Kit for a Check, DC hidden: "Something moves in the hay."']
    assert party.lines("Mira")[1] == "Only GMs see: DC 17."
    opened = party.do("Jonas", a.OpenAction(request=id))
    assert party.lines("Jonas") == ["Wren: Make a Check or a Strike."]
    party.do("Jonas", a.ThrowAction())
    for name in ("Jonas", "Ada", "Olaf"):
        seen = repr(party.see(name)) + repr([party.lines(name, entry) for entry in party.entries])
        assert "17" not in seen
    assert party.roll.ask is not None and party.roll.ask["dc"] == 17
    assert "17" in repr(party.lines("Mira", opened)) or "17" in repr(party.see("Mira"))


@pytest.mark.parametrize("seen", ["owner", "blind"])
def test_a_quiet_request_shows_each_player_their_own_row(party: Party, seen: Any) -> None:
    id = ask(party, seen=seen)
    assert rows(party, "Jonas") == {"Wren": "waiting"} and rows(party, "Ada") == {"Kit": "waiting"}
    assert rows(party, "Mira") == {"Wren": "waiting", "Kit": "waiting"}
    assert not requests(party, "Olaf") and not party.lines("Olaf")
    assert len([line for line in party.lines("Mira") if "asks Wren and Kit" in line]) == 1
    party.do("Jonas", a.RollAction(request=id))
    assert party.roll.seen == seen
    assert not requests(party, "Jonas")
    assert rows(party, "Ada") == {"Kit": "waiting"} and rows(party, "Mira")["Wren"] == "rolled"


def test_a_gm_rolls_for_somebody_who_is_away(party: Party) -> None:
    id = ask(party, who=["Kit"])
    with pytest.raises(Illegal, match="None of your characters"):
        party.do("Mira", a.RollAction(request=id))
    party.do("Mira", a.RollAction(request=id, who="Kit"))
    assert not requests(party, "Mira")


def test_a_player_answers_once_and_for_their_own(party: Party) -> None:
    id = ask(party)
    with pytest.raises(Forbidden, match="not yours"):
        party.do("Jonas", a.RollAction(request=id, who="Kit"))
    party.do("Jonas", a.OpenAction(request=id))
    with pytest.raises(Illegal, match="open already"):
        party.do("Jonas", a.RollAction(request=id))
    party.do("Jonas", a.ThrowAction())
    with pytest.raises(Illegal, match="rolled for this already"):
        party.do("Jonas", a.RollAction(request=id))
    with pytest.raises(Unknown):
        party.do("Jonas", a.RollAction(request="q0"))


def test_two_characters_of_one_player_answer_one_after_the_other(party: Party) -> None:
    party.do("Jonas", a.CreateAction(name="Rook"))
    id = ask(party, who=["Wren", "Rook"])
    with pytest.raises(Illegal, match="Wren, Rook"):
        party.do("Jonas", a.RollAction(request=id))
    party.do("Jonas", a.RollAction(request=id, who="Rook"))
    party.do("Jonas", a.RollAction(request=id))
    assert not requests(party, "Mira")


def test_a_withdrawn_roll_waits_again_and_a_withdrawn_request_is_gone(party: Party) -> None:
    id = ask(party)
    party.do("Jonas", a.OpenAction(request=id))
    party.do("Jonas", a.WithdrawAction())
    assert rows(party, "Ada")["Wren"] == "waiting"
    with pytest.raises(Forbidden):
        party.do("Jonas", a.WithdrawAction(request=id))
    party.do("Mira", a.WithdrawAction(request=id, who=["Kit"]))
    assert rows(party, "Ada") == {"Wren": "waiting"}
    assert party.lines("Ada") == ["Kit needs not roll any more."]
    party.do("Mira", a.WithdrawAction(request=id))
    assert not requests(party, "Ada")
    assert "asks" not in "".join(story(party.entries, party.state, party.member("Ada")))


def test_undoing_a_roll_asks_again_and_undoing_the_request_keeps_the_rolls(party: Party) -> None:
    id = ask(party)
    asked = party.entries[-1].id
    party.do("Jonas", a.RollAction(request=id))
    party.do("Mira", a.UndoAction())
    assert rows(party, "Ada")["Wren"] == "gathering"
    party.do("Mira", a.RedoAction())
    assert rows(party, "Ada")["Wren"] == "rolled"
    with pytest.raises(Forbidden):
        party.do("Jonas", a.UndoAction(entry=asked))
    party.do("Mira", a.UndoAction(entry=asked))
    assert not requests(party, "Mira") and party.roll.who == party.holder("Wren").id
    party.do("Mira", a.RedoAction())
    assert rows(party, "Ada") == {"Wren": "rolled", "Kit": "waiting"}


def test_a_character_that_leaves_is_asked_no_longer(party: Party) -> None:
    ask(party, who=["Wren"])
    party.do("Jonas", a.RetireAction(holder="Wren"))
    assert not requests(party, "Mira")


@pytest.mark.parametrize(
    ("by", "action", "words"),
    [
        ("Jonas", {}, "Only a GM may ask for a roll"),
        ("Mira", {"kind": "nonsense"}, "nonsense"),
        ("Mira", {"who": ["table"]}, "no character"),
        ("Mira", {"who": ["Nobody"]}, "nobody called"),
        ("Mira", {"inputs": {"dc": 1000}}, "dc is 1000"),
        ("Mira", {"inputs": {"nonsense": 1}}, "nonsense"),
        ("Mira", {"hide": ["dc"]}, "dc is hidden, so nobody else can say it"),
        ("Mira", {"use": {"Nonsense": 1}}, "cannot be put into this roll"),
    ],
)
def test_what_could_not_be_answered_is_refused(party: Party, by: str, action: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal, match=words):
        party.do(by, a.AskAction(**action))


def test_something_hidden_on_a_sheet_is_not_suggested(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Wren", section="proficiencies", item="Cursed", to={"seen": "gm"}))
    with pytest.raises(Unknown, match="Cursed"):
        party.do("Mira", a.AskAction(who=["Wren"], inputs=DC, use={"Cursed": 1}))
