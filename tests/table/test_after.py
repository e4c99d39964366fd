"""What a finished roll leaves open: the GM may still offer something, until the roller's next roll."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Forbidden, Illegal
from astragal.games.registry import game
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Choice, Option, Outcome, lazy
from astragal.table import action as a
from tests.table.tables import Party


def rule(ask: Any) -> Outcome[str]:
    """A miss, after which the GM may make an offer in words, and the player takes it or not."""
    return Outcome("miss", (Effect("ip", "player", 1, cause="dared it"),), after=lazy(gm_offers))


def gm_offers() -> Choice[str]:
    options = {"offer": Option("Offer", lazy(player_says), words="the cost", by="gm")}
    return Choice("offer", "gm", "An offer?", options, "miss")


def player_says(cost: str) -> Choice[str]:
    options = {
        "accept": Option("Accept", lazy(Outcome, "partial", (Effect("ip", "gm", 1, cause="got a price"),))),
        "decline": Option("Decline", lazy(Outcome, "miss")),
    }
    return Choice("price", "player", f"Accept {cost}?", options, "miss")


@pytest.fixture
def party(monkeypatch: pytest.MonkeyPatch) -> Party:
    kinds: Any = game("narraject").kinds
    monkeypatch.setitem(kinds, "attempt", kinds["attempt"]._replace(rule=rule, verdict=str))
    party = Party()
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 1}))
    return party


def seen(party: Party, name: str) -> dict[str, Any]:
    return dict(party.see(name)[f"rolls/{party.roll.id}"])


def test_the_gm_offers_and_the_player_accepts_after_the_end(party: Party) -> None:
    roll = party.roll.id
    before = party.item("Jonas", "ip", "IP")["now"], party.item("table", "ip", "IP")["now"]
    assert (party.roll.over, seen(party, "Mira")["open"]["choice"], seen(party, "Mira")["yours"]) == (
        True,
        "offer",
        True,
    )
    assert seen(party, "Jonas")["yours"] is False
    with pytest.raises(Forbidden, match=r"is \w+( GM)?'s to say"):
        party.do("Jonas", a.AnswerAction(answer="offer: nothing at all"))
    party.do("Mira", a.AnswerAction(answer="offer: you drop the lamp"))
    assert party.lines("Olaf") == ["Offer: you drop the lamp."]
    assert (party.roll.over, party.roll.told.verdict) == (True, "miss")
    assert seen(party, "Olaf")["waits_for"] == party.ids["Jonas"]
    party.do("Jonas", a.AnswerAction(roll=roll, answer="accept"))
    assert (party.roll.over, party.roll.told.verdict, party.roll.after) == (True, "partial", "")
    after = party.item("Jonas", "ip", "IP")["now"], party.item("table", "ip", "IP")["now"]
    assert after == (before[0], before[1] + 1), "what the roll itself changed is not done again"


def test_it_lapses_with_the_rollers_next_roll(party: Party) -> None:
    first = party.roll.id
    party.do("Ada", a.RollAction(who="Kit", inputs={"d6": 1}))
    assert party.see("Mira")[f"rolls/{first}"]["open"]
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 1}))
    assert party.see("Mira")[f"rolls/{first}"]["open"] is None
    with pytest.raises(Illegal, match="This roll is over"):
        party.do("Mira", a.AnswerAction(roll=first, answer="offer: too late"))
    party.do("Mira", a.UndoAction())
    assert party.see("Mira")[f"rolls/{first}"]["open"]


def test_a_hidden_roll_ends_nothing_that_others_see(party: Party) -> None:
    first = party.roll.id
    party.do("Mira", a.RollAction(who="Wren", inputs={"d6": 1}, seen="gm"))
    assert party.see("Jonas")[f"rolls/{first}"]["open"]
