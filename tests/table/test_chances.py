"""Chances at every step of a roll, exactly, for what a seat may know."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.errors import Illegal, Unknown
from astragal.games.narraject import Attempt
from astragal.rule.chances.odds import odds
from astragal.table import action as a
from astragal.table.rolls.chances import advice, chances
from astragal.table.state import Member
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    party = Party()
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 2, "difficulty": 2}))
    return party


def seat(party: Party, name: str) -> Member:
    return party.state.members[party.ids[name]]


def test_odds_are_there_at_every_step(party: Party) -> None:
    first = chances(party.state, party.roll, seat(party, "Olaf"))
    assert first["success"] == odds(Attempt(d6=2, difficulty=2, ip=2), "success")
    party.do("Jonas", a.BuildAction(inputs={"d6": 4}))
    second = chances(party.state, party.roll, seat(party, "Jonas"))
    assert second["success"] == odds(Attempt(d6=4, difficulty=2, ip=2), "success")
    party.do("Jonas", a.ThrowAction())
    assert chances(party.state, party.roll, seat(party, "Jonas")) == second


def test_with_something_hidden_only_what_it_has_no_bearing_on(party: Party) -> None:
    party.do("Mira", a.BuildAction(hide=["difficulty"]))
    party.do("Mira", a.BuildAction(inputs={"difficulty": 5}))
    known, guessed = (chances(party.state, party.roll, seat(party, name)) for name in ("Mira", "Jonas"))
    assert {*guessed} < {*known}
    assert "success" not in guessed
    assert all(guessed[name] == known[name] for name in guessed)
    assert guessed


def test_what_everybody_sees_put_in_counts_for_those_who_guess_too() -> None:
    party = Party()
    party.do("Mira", a.EditAction(holder="scene", section="circumstances", item="Fog", to={"dice": 2}))
    party.do("Mira", a.OpenAction(who="Wren", inputs={"d6": 1, "difficulty": 4}, hide=["difficulty"], use={"Fog": 1}))
    known, guessed = (chances(party.state, party.roll, seat(party, name)) for name in ("Mira", "Jonas"))
    assert guessed and all(guessed[name] == known[name] for name in guessed)
    assert guessed["marks"] == odds(Attempt(d6=3, difficulty=4, ip=2), "marks")  # 3d6, and not the 1d6 of the input


def test_whatever_is_hidden_the_others_chances_are_the_same() -> None:
    found = []
    for difficulty in (1, 4, 40):
        party = Party()
        party.do("Mira", a.OpenAction(who="Wren", inputs={"d6": 3, "difficulty": difficulty}, hide=["difficulty"]))
        found.append(chances(party.state, party.roll, seat(party, "Jonas")))
    assert found[0] == found[1] == found[2]


def test_something_hidden_that_was_put_in_makes_no_difference_either() -> None:
    found = []
    for dice in (1, 6):
        party = Party()
        party.do(
            "Mira", a.EditAction(holder="scene", section="circumstances", item="Omen", to={"dice": dice, "seen": "gm"})
        )
        party.do("Mira", a.OpenAction(who="Wren", inputs={"d6": 2}))
        party.do("Mira", a.BuildAction(use={"Omen": 1}))
        try:
            found.append(str(chances(party.state, party.roll, seat(party, "Jonas"))))
        except Unknown as refusal:
            found.append(str(refusal))
    assert found[0] == found[1]


def test_where_everything_depends_on_it_the_gm_has_to_be_asked(party: Party) -> None:
    party.do("Mira", a.BuildAction(hide=["trait"]))
    with pytest.raises(Unknown, match="What is hidden has a bearing on every chance; ask the GM"):
        chances(party.state, party.roll, seat(party, "Jonas"))


def test_advice_gives_every_answers_chances(party: Party) -> None:
    with pytest.raises(Illegal, match="Advice is about a choice, and no die is thrown yet"):
        advice(party.state, party.roll, seat(party, "Jonas"))
    party.do("Jonas", a.ThrowAction(faces="5 1 | 1"))
    found = advice(party.state, party.roll, seat(party, "Jonas"))
    assert {option.name for option in found.options} >= {"settle", "reroll", "add"}
    assert found.best in {option.name for option in found.options}
    assert all(option.worth >= 0 for option in found.options)
    assert max(option.worth for option in found.options) == found.worth > Fraction(0)


def test_there_is_no_advice_on_what_is_hidden(party: Party) -> None:
    party.do("Mira", a.BuildAction(hide=["difficulty"]))
    party.do("Jonas", a.ThrowAction(faces="5 1 | 1"))
    with pytest.raises(Unknown, match="What is hidden has a bearing on every answer; ask the GM"):
        advice(party.state, party.roll, seat(party, "Jonas"))
    assert advice(party.state, party.roll, seat(party, "Mira")).options
