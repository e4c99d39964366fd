"""Beside every chance stands what it is of, and it is the chance of that: for every kind of roll of every game."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.games.registry import BUILT_IN, game
from astragal.rule.chances.odds import odds
from astragal.serve.workers.roll_answers import roll_chances
from astragal.table import action as a
from tests.games.hopes import HOPES, chance_of, kind_named
from tests.table.tables import Party


def shown(party: Party, name: str = "Mira") -> Fraction:
    """The chance that a seat's page shows beside the dice."""
    member = party.member(name)
    assert member is not None
    now = roll_chances(party.state, party.roll, member, "").now
    assert now is not None
    return Fraction(now.success.exact)


def test_every_kind_of_every_game_is_walked() -> None:
    assert set(HOPES) == {(name, kind) for name in BUILT_IN for kind in game(name).kinds}


@pytest.mark.parametrize(("name", "kind"), HOPES, ids=map(" ".join, HOPES))
def test_the_chance_is_that_of_what_the_label_says(name: str, kind: str) -> None:
    party = Party(name)
    hope, declared = HOPES[name, kind], kind_named(name, kind)
    against = "Two guards" if declared.opposed and not declared.helps_target else ""
    party.do("Mira", a.OpenAction(kind=kind, name="Guard", against_name=against, inputs=hope.inputs))
    assert shown(party) == chance_of(name, kind)
    assert hope.label == (declared.hopes or ("Guard wins" if declared.opposed else "to succeed"))


OF_A_FOE = [("razorweave", "check"), ("tgimh", "contest"), ("chronicles", "attempt"), ("chronicles", "contested")]


@pytest.mark.parametrize(("name", "kind"), OF_A_FOE, ids=map(" ".join, OF_A_FOE))
def test_what_a_foe_tries_against_a_player_has_the_foes_chance(name: str, kind: str) -> None:
    """Tones are the players', so the bar is red; the figure is that of whoever the label names."""
    party = Party(name)
    party.do("Mira", a.CreateAction(name="Guard"))
    inputs = HOPES[name, kind].inputs
    party.do("Mira", a.OpenAction(kind=kind, who="Guard", against="Wren", inputs=inputs))
    assert shown(party, "Jonas") == shown(party) == chance_of(name, kind)


def test_a_gms_character_who_tends_a_players_has_the_chance_to_ease_it() -> None:
    """TG-14: whoever is tended is on the same side, so a good roll is good news."""
    party = Party("tgimh")
    party.do("Mira", a.CreateAction(name="Surgeon"))
    party.do("Mira", a.EditAction(holder="Wren", section="conditions", item="Cut", to={"dice": 3, "injury": True}))
    party.do("Mira", a.OpenAction(kind="recovery", who="Surgeon", against="Wren", inputs={"ours": 4}))
    party.do("Mira", a.BuildAction(use={"Wren's Cut": 1}))
    ask = kind_named("tgimh", "recovery").ask(ours=4, dice=3)
    assert shown(party, "Jonas") == odds(ask, "winner")["ours"]
    member = party.member("Jonas")
    assert member is not None
    now = roll_chances(party.state, party.roll, member, "").now
    assert now is not None
    assert Fraction(now.tones["triumph"].exact) == odds(ask, "gone")[True]
    party.do("Mira", a.ThrowAction(faces="9 8 7 6 | 3 2 1"))
    assert party.see("Jonas")[f"rolls/{party.roll.id}"]["tone"] == "triumph"
