"""Whose an input is: who may set it in a roll that is being built, and what the log says of it."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Forbidden, Illegal
from astragal.games.registry import game
from astragal.table import action as a
from tests.table.tables import Party

EVERYBODY = ("Mira", "Jonas", "Ada", "Olaf", "nobody")
ROOK = {
    "stats": {"Might": {"now": 2, "full": 3}},
    "specialties": {"Ropes": {"level": "expert", "dice": 1}},
    "gear": {"Hook": {"dice": 2}},
}


def seen(party: Party, name: str) -> dict[str, Any]:
    return dict(party.see(name)[f"rolls/{party.roll.id}"])


@pytest.fixture
def check() -> Party:
    """Jonas's Wren makes a Check in Razorweave."""
    party = Party("razorweave")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"dc": 10}))
    return party


def test_what_a_gm_has_set_only_a_gm_changes(check: Party) -> None:
    check.do("Mira", a.BuildAction(inputs={"dc": 18}))
    for change in ({"dc": 10}, {"dc": None}):
        with pytest.raises(Forbidden) as refused:
            check.do("Jonas", a.BuildAction(inputs=change))
        assert str(refused.value) == "A GM has set dc; only a GM changes it."
    assert {name: "dc" in seen(check, name)["locked"] for name in EVERYBODY} == {
        "Mira": False,
        "Jonas": True,
        "Ada": True,
        "Olaf": True,
        "nobody": True,
    }
    check.do("Mira", a.BuildAction(inputs={"dc": None}))
    check.do("Jonas", a.BuildAction(inputs={"dc": 12}))
    assert check.roll.inputs == {"dc": 12}


def test_what_a_gm_opens_a_roll_with_is_the_gms_too() -> None:
    party = Party("razorweave")
    party.do("Mira", a.OpenAction(who="Wren", against="Kit", inputs={"dc": 18}))
    with pytest.raises(Forbidden, match="A GM has set dc; only a GM changes it"):
        party.do("Jonas", a.BuildAction(inputs={"dc": 10}))
    with pytest.raises(Forbidden, match="A GM has set the opponent; only a GM changes it"):
        party.do("Jonas", a.BuildAction(against=""))


def test_what_a_gm_put_in_only_a_gm_takes_out() -> None:
    party = Party()
    party.do("Jonas", a.CreateAction(name="Rook", sheet=ROOK))
    party.do("Mira", a.EditAction(holder="scene", section="obstacles", item="Wall", to={"difficulty": 4}))
    party.do("Jonas", a.OpenAction(who="Rook"))
    party.do("Mira", a.BuildAction(use={"Wall": 1}))
    for put in ({"use": {"Wall": 0}}, {"inputs": {"difficulty": 1}}):
        with pytest.raises(Forbidden, match="A GM has set Wall; only a GM changes it"):
            party.do("Jonas", a.BuildAction(**put))  # type: ignore[arg-type]
    assert party.roll.use == {"scene/obstacles/Wall": 1}


@pytest.fixture
def contest(monkeypatch: pytest.MonkeyPatch) -> Party:
    """Jonas's Wren against Ada's Kit, whose pool is theirs to say, with a Storyteller's word and one of the sheets."""
    party = Party("chronicles")
    inputs = game("chronicles").kind("contested").ask.inputs
    monkeypatch.setattr(inputs["theirs"], "whose", "target")
    monkeypatch.setattr(inputs["rote"], "whose", "gm")
    party.do("Jonas", a.OpenAction(kind="contested", who="Wren", against="Kit", inputs={"ours": 4}))
    return party


def test_what_belongs_to_the_other_side_only_that_side_or_a_gm_sets(contest: Party) -> None:
    with pytest.raises(Forbidden, match=r"theirs belongs to the other side; only they or a GM set it \(CD-13\)"):
        contest.do("Jonas", a.BuildAction(inputs={"theirs": 0}))
    contest.do("Ada", a.BuildAction(inputs={"theirs": 5}))
    with pytest.raises(Forbidden, match="This roll is not yours"):
        contest.do("Ada", a.BuildAction(inputs={"ours": 0}))
    contest.do("Mira", a.BuildAction(inputs={"theirs": 3}))
    contest.do("Ada", a.BuildAction(inputs={"theirs": 9}))
    assert seen(contest, "Jonas")["ask"]["theirs"]["total"] == 12


def test_a_new_opponent_says_their_own_things(contest: Party) -> None:
    contest.do("Ada", a.BuildAction(inputs={"theirs": 5}, use={"Kit's Wits": 1}))
    contest.do("Jonas", a.BuildAction(against=""))
    assert (contest.roll.inputs, contest.roll.use) == ({"ours": 4}, {})
    assert contest.lines("Olaf") == [
        "The roll has no opponent now.",
        "Jonas takes Ada's theirs out.",
        "Kit's Wits is out of the roll: Kit no longer takes part.",
    ]
    contest.do("Jonas", a.BuildAction(inputs={"theirs": 2}))


def test_what_is_a_gms_word_only_a_gm_says(contest: Party) -> None:
    with pytest.raises(Forbidden, match=r"rote is the GM's to say \(CD-7\)"):
        contest.do("Jonas", a.BuildAction(inputs={"rote": True}))
    contest.do("Mira", a.BuildAction(inputs={"rote": True}))
    assert "rote" in seen(contest, "Jonas")["locked"]


def test_what_the_sheets_say_nobody_types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game("narraject").main.ask.inputs["ip"], "whose", "sheet")
    party = Party()
    for name in ("Jonas", "Mira"):
        with pytest.raises(Forbidden, match=r"ip is what the sheets say; nobody types it at a table \(NJ-13\)"):
            party.do(name, a.RollAction(who="Wren", inputs={"d6": 2, "ip": 50}))
    party.do("Jonas", a.OpenAction(who="Wren"))
    assert all("ip" in seen(party, name)["locked"] for name in EVERYBODY)


# Two things that set the same input.


@pytest.fixture
def open_roll() -> Party:
    party = Party()
    party.do("Jonas", a.CreateAction(name="Rook", sheet=ROOK))
    for name, difficulty in (("Wall", 4), ("Ditch", 2)):
        party.do("Mira", a.EditAction(holder="scene", section="obstacles", item=name, to={"difficulty": difficulty}))
    party.do("Jonas", a.OpenAction(who="Rook", inputs={"d6": 1}))
    return party


def test_of_two_offers_that_set_the_same_input_the_later_replaces_the_other(open_roll: Party) -> None:
    open_roll.do("Jonas", a.BuildAction(use={"Wall": 1}))
    open_roll.do("Jonas", a.BuildAction(use={"Ditch": 1}))
    assert open_roll.roll.use == {"scene/obstacles/Ditch": 1}
    assert open_roll.lines("Olaf") == ["Jonas takes Wall out.", "Jonas puts Ditch in."]
    open_roll.do("Jonas", a.BuildAction(inputs={"difficulty": 7}))
    assert (open_roll.roll.use, open_roll.roll.inputs["difficulty"]) == ({}, 7)
    open_roll.do("Jonas", a.BuildAction(use={"Wall": 1, "Ditch": 1}))
    assert (open_roll.roll.use, open_roll.roll.inputs) == ({"scene/obstacles/Ditch": 1}, {"d6": 1})
    assert seen(open_roll, "Ada")["ask"]["difficulty"] == 2


def test_what_only_adds_up_stays(open_roll: Party) -> None:
    open_roll.do("Jonas", a.BuildAction(use={"Might": 1}))
    open_roll.do("Jonas", a.BuildAction(use={"Hook": 1}, inputs={"d6": 2}))
    assert list(open_roll.roll.use.values()) == [1, 1]
    assert open_roll.roll.inputs == {"d6": 2}


def test_of_two_offers_that_replace_each_other_one_is_paid(open_roll: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that says so with a slot: here, one stat or piece of gear a roll."""
    from astragal.table.ruleset import ruleset_of

    ruleset = ruleset_of("narraject")
    offers = ruleset.table_rules.offers

    def slotted(kind: str, participants: Any) -> Any:
        return (offer._replace(slot="one") for offer in offers(kind, participants) if offer.input == "d6")

    monkeypatch.setattr("astragal.table.rolls.basis.ruleset_of", lambda name: _with(ruleset, slotted))
    open_roll.do("Jonas", a.BuildAction(use={"Might": 2}))
    open_roll.do("Jonas", a.BuildAction(use={"Hook": 1}))
    open_roll.do("Jonas", a.ThrowAction())
    assert open_roll.item("Rook", "stats", "Might")["now"] == 2


def _with(ruleset: Any, offers: Any) -> Any:
    return ruleset._replace(table_rules=ruleset.table_rules._replace(offers=offers))


# The log.


def test_every_change_of_a_roll_is_a_line(open_roll: Party) -> None:
    assert open_roll.lines("Olaf") == ["Rook: Attempt something.", 'Jonas puts 1 into "Dice (d6)".']
    open_roll.do("Jonas", a.BuildAction(use={"Might": 2, "Hook": 1}, inputs={"d6": "2 luck, 1 rope"}))
    assert open_roll.lines("Ada") == [
        'Jonas puts "2 luck, 1 rope" into "Dice (d6)".',
        "Jonas puts Might in (2 times).",
        "Jonas puts Hook in.",
    ]
    open_roll.do("Jonas", a.BuildAction(use={"Might": 0}, inputs={"d6": None}))
    assert open_roll.lines("Olaf") == ['Jonas takes "Dice (d6)" out.', "Jonas takes Might out."]
    open_roll.do("Jonas", a.ThrowAction())
    assert not any("puts" in line for line in open_roll.lines("Olaf")), "a roll that is told needs no list"


def test_what_is_hidden_is_a_line_for_the_gm_alone(open_roll: Party) -> None:
    open_roll.do("Mira", a.BuildAction(hide=["difficulty"], inputs={"difficulty": 4}))
    for name in EVERYBODY[1:]:
        assert open_roll.lines(name) == ["Mira hides difficulty in the roll."]
    assert open_roll.lines("Mira") == ["Mira hides difficulty in the roll.", "Mira sets difficulty to 4."]
    with pytest.raises(Forbidden, match="Only a GM may set difficulty, which is hidden"):
        open_roll.do("Jonas", a.BuildAction(use={"Ditch": 1}))


def test_nothing_happens_twice(open_roll: Party) -> None:
    open_roll.do("Jonas", a.BuildAction(against="Kit"))
    with pytest.raises(Illegal, match="That changes nothing"):
        open_roll.do("Jonas", a.BuildAction(against="Kit"))
