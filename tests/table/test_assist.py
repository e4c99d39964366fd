"""Helpers at a roll: each from their own seat, with their own dice and answers."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.dice.dice import Dice
from astragal.dice.reading import Face
from astragal.errors import Forbidden, Illegal
from astragal.games.registry import game
from astragal.rule.tree.node import Choice, Lazy, Option, Outcome, Throw, lazy
from astragal.rule.tree.note import Telling
from astragal.table import action as a
from tests.table.tables import Party

FINCH = {"stats": {"Wits": {"now": 2, "full": 3}}}


@pytest.fixture
def party() -> Party:
    """Jonas's Wren rolls; Ada has Kit, Finch and Rook, who could help, and Mira the nameless Ghoul."""
    party = Party()
    for name in ("Finch", "Rook"):
        party.do("Ada", a.CreateAction(name=name, sheet=FINCH))
    party.do("Mira", a.CreateAction(name="Ghoul", owner="", sheet=FINCH))
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 2}))
    return party


def seen(party: Party, name: str) -> dict[str, Any]:
    return dict(party.see(name)[f"rolls/{party.roll.id}"])


def test_a_member_helps_with_a_character_of_their_own(party: Party) -> None:
    party.do("Ada", a.AssistAction(who="Finch"))
    party.do("Ada", a.BuildAction(use={"Finch's Wits": 1}))
    assert party.lines("Olaf", party.entries[-2]) == ["Finch offers to help."]
    for name in ("Mira", "Jonas", "Ada", "Olaf", "nobody"):
        assert seen(party, name)["helpers"] == [party.holder("Finch").id]
        assert seen(party, name)["takes"] == [1, 0]
    party.do("Jonas", a.ThrowAction())
    assert party.item("Finch", "stats", "Wits")["now"] == 1


def test_nobody_offers_the_help_of_others_but_a_gm_may(party: Party) -> None:
    for action in (
        a.AssistAction(who="Finch"),
        a.BuildAction(helpers=["Finch"]),
        a.OpenAction(who="Wren", helpers=["Finch"]),
    ):
        with pytest.raises(Forbidden, match="Finch is not yours; whoever plays Finch offers help from their own seat"):
            party.do("Jonas", action)
    party.do("Mira", a.AssistAction(who="Finch"))
    assert party.roll.helpers == (party.holder("Finch").id,)


def test_a_third_helper_is_refused_when_they_offer(party: Party) -> None:
    party.do("Ada", a.AssistAction(who="Finch"))
    party.do("Ada", a.AssistAction(who="Rook"))
    party.do("Ada", a.BuildAction(use={"Finch's Wits": 1, "Rook's Wits": 1}))
    with pytest.raises(Illegal) as refused:
        party.do("Ada", a.AssistAction(who="Kit"))
    assert str(refused.value) == "Finch and Rook help already, and this roll takes 2 helpers; nothing is spent (NJ-5)."
    party.do("Jonas", a.ThrowAction())
    assert party.roll.thrown, "the refused offer does not stand in the way of the roll"


def test_a_helper_who_has_put_nothing_in_holds_no_place(party: Party) -> None:
    """NJ-5: helpers add two d6s at the most, however many offer."""
    for name in ("Finch", "Rook", "Kit"):
        party.do("Ada", a.AssistAction(who=name))
        assert seen(party, "Jonas")["takes"] == [2, 0]
    party.do("Ada", a.BuildAction(use={"Rook's Wits": 1}))
    assert seen(party, "Jonas")["takes"] == [1, 0]
    stat = next(name for name, stat in party.holder("Kit").sheet["stats"].items() if stat["now"])
    party.do("Ada", a.BuildAction(use={f"Kit's {stat}": 1}))
    with pytest.raises(Illegal, match="NJ-5"):
        party.do("Ada", a.BuildAction(use={"Finch's Wits": 1}))
    entry = party.do("Jonas", a.ThrowAction())
    assert "Finch puts nothing in and does not help." in party.lines("Olaf", entry)
    assert party.roll.helpers == (party.holder("Rook").id, party.holder("Kit").id)
    assert party.item("Finch", "stats", "Wits")["now"] == 2


def test_a_roll_that_takes_no_help_says_so() -> None:
    party = Party("tgimh")
    party.do("Jonas", a.OpenAction(kind="recovery", who="Wren"))
    with pytest.raises(Illegal, match=r"Nobody can help this roll \(Recover from a Condition\)"):
        party.do("Ada", a.AssistAction(who="Kit"))


@pytest.mark.parametrize("by", ["Ada", "Jonas", "Mira"])
def test_the_helper_the_leader_and_a_gm_take_a_helper_out_with_all_they_gave(party: Party, by: str) -> None:
    party.do("Ada", a.AssistAction(who="Finch"))
    party.do("Ada", a.BuildAction(use={"Finch's Wits": 1}))
    party.do(by, a.AssistAction(who="Finch", leave=True))
    assert (party.roll.helpers, party.roll.use) == ((), {})
    assert party.lines("Olaf")[-1] == "Finch no longer helps."


def test_others_take_nobody_out(party: Party) -> None:
    party.do("Mira", a.AssistAction(who="Ghoul"))
    with pytest.raises(Forbidden, match="Ghoul is not yours; only its owner, the one who rolls or a GM takes it out"):
        party.do("Ada", a.AssistAction(who="Ghoul", leave=True))
    with pytest.raises(Illegal, match="Finch does not help in this roll"):
        party.do("Ada", a.AssistAction(who="Finch", leave=True))


def test_nobody_takes_part_twice(party: Party) -> None:
    party.do("Ada", a.AssistAction(who="Finch"))
    for name in ("Wren", "Finch"):
        with pytest.raises(Illegal, match=f"{name} takes part in this roll already"):
            party.do("Mira", a.AssistAction(who=name))
    party.do("Jonas", a.ThrowAction())
    with pytest.raises(Illegal, match="The dice of this roll are thrown"):
        party.do("Ada", a.AssistAction(who="Rook"))


def test_who_is_hidden_from_the_table_does_not_help_before_its_eyes(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Shade", owner="", seen="gm"))
    with pytest.raises(Illegal, match="Shade is hidden from some who see this roll"):
        party.do("Mira", a.AssistAction(who="Shade"))


def test_who_helps_before_the_eyes_of_others_is_not_hidden_from_them(party: Party) -> None:
    """Otherwise a third could offer help, and nobody could tell why the roll refuses its dice."""
    party.do("Ada", a.AssistAction(who="Kit"))
    with pytest.raises(Illegal, match="Kit helps in a roll that others see; take the helper out first"):
        party.do("Mira", a.HoldAction(holder="Kit", seen="gm"))
    with pytest.raises(Illegal, match="take the helper out first"):
        party.do("Ada", a.HoldAction(holder="Kit", seen="owner"))
    party.do("Mira", a.HoldAction(holder="Kit", name="Kitt"))
    party.do("Ada", a.AssistAction(who="Kitt", leave=True))
    party.do("Mira", a.HoldAction(holder="Kitt", seen="gm"))
    assert party.see("Jonas")[f"rolls/{party.roll.id}"]["helpers"] == []


def test_somebody_hidden_helps_where_only_gms_look_and_nobody_else_notices(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Shade", owner="", seen="gm"))
    before = {name: party.see(name) for name in ("Jonas", "Ada", "Olaf")}
    party.do("Mira", a.OpenAction(who="Wren", seen="gm", inputs={"d6": 2}))
    entry = party.do("Mira", a.AssistAction(who="Shade"))
    assert party.lines("Mira", entry) == ["Shade offers to help."]
    for name, seen in before.items():
        assert party.see(name) == seen
        assert party.lines(name, entry) == []


# Dice and answers of helpers and opponents.


@pytest.fixture
def team() -> Party:
    """Wren rolls in Chronicles, and Ada's Kit helps."""
    party = Party("chronicles")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"pool": 3}))
    party.do("Ada", a.AssistAction(who="Kit"))
    return party


def test_a_helper_throws_their_own_dice(team: Party) -> None:
    team.do("Jonas", a.ThrowAction())
    assert (team.roll.ask is not None, team.roll.steps) == (True, ()), "the leader fixes the roll, and it waits for Ada"
    for name in ("Mira", "Jonas", "Ada", "Olaf"):
        assert (seen(team, name)["waits"], seen(team, name)["waits_for"]) == ("dice", team.ids["Ada"])
    assert [seen(team, name)["yours"] for name in ("Mira", "Jonas", "Ada", "Olaf")] == [True, False, True, False]
    with pytest.raises(Forbidden, match=r"These dice are Ada's to throw \(Helper 1\)"):
        team.do("Jonas", a.ThrowAction())
    team.do("Ada", a.ThrowAction())
    assert seen(team, "Ada")["waits_for"] == team.ids["Jonas"]
    with pytest.raises(Forbidden, match=r"These dice are Jonas's to throw \(Leader\)"):
        team.do("Ada", a.ThrowAction())
    team.do("Jonas", a.ThrowAction())
    assert team.roll.throws[1].title == "Leader"


def test_a_gm_may_throw_for_anybody(team: Party) -> None:
    team.do("Jonas", a.ThrowAction())
    team.do("Mira", a.ThrowAction())
    team.do("Mira", a.ThrowAction())
    assert len(team.roll.throws) == 2


def test_a_gm_who_begins_leaves_the_players_dice_to_them(team: Party) -> None:
    team.do("Mira", a.ThrowAction())
    assert team.roll.steps == ()
    assert seen(team, "Ada")["waits_for"] == team.ids["Ada"]


EVEN = {"ours": 2, "theirs": 2}


def test_an_opponents_dice_are_theirs() -> None:
    party = Party("chronicles")
    party.do("Jonas", a.OpenAction(kind="contested", who="Wren", against="Kit", inputs={"ours": 2}))
    party.do("Ada", a.BuildAction(inputs={"theirs": 2}))
    party.do("Ada", a.ReadyAction())
    party.do("Jonas", a.ThrowAction(faces="8 1"))
    with pytest.raises(Forbidden, match=r"These dice are Ada's to throw \(Kit\)"):
        party.do("Jonas", a.ThrowAction())
    party.do("Ada", a.ThrowAction(faces="8 1"))
    assert party.roll.over


def test_an_opponent_without_a_seat_is_the_gms_and_without_a_character_the_rollers() -> None:
    party = Party("chronicles")
    party.do("Mira", a.CreateAction(name="Ghoul", owner=""))
    party.do("Jonas", a.OpenAction(kind="contested", who="Wren", against="Ghoul", inputs={"ours": 2}))
    party.do("Mira", a.BuildAction(inputs={"theirs": 2}))
    party.do("Jonas", a.ThrowAction())
    assert seen(party, "Jonas")["waits_for"] == "gm"
    with pytest.raises(Forbidden, match="These dice are the GM's to throw"):
        party.do("Jonas", a.ThrowAction())
    party.do("Mira", a.ThrowAction())
    party.do("Jonas", a.RollAction(kind="contested", who="Wren", inputs=EVEN, faces="8 1"))
    party.do("Jonas", a.ThrowAction(faces="8 1"))
    assert party.roll.over


def helped(by: str, option_by: str = "") -> Any:
    """A rule that asks once: a choice of one role, with an option of another."""

    def rule(ask: Any) -> Throw[int, str]:
        options = {name: Option(name, _end(name)) for name in ("yes", "no")}
        options["maybe"] = Option("maybe", _end("maybe"), by=option_by)
        choice = Choice("say", by, "Well?", options, "open")
        return Throw((Dice(6, 1, "d6"),), Face(), lambda face: choice, lambda faces: Telling(()))

    return rule


def _end(result: str) -> Lazy[str]:
    return lazy(Outcome, result)


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A Narraject roll by another rule."""

    def asking(by: str, option_by: str = "") -> Party:
        party = Party()
        kinds: Any = game("narraject").kinds
        kind = kinds["attempt"]._replace(rule=helped(by, option_by), verdict=str)
        monkeypatch.setitem(kinds, "attempt", kind)
        party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 1}))
        party.do("Ada", a.CreateAction(name="Finch", sheet=FINCH))
        party.do("Ada", a.AssistAction(who="Finch"))
        party.do("Ada", a.BuildAction(use={"Finch's Wits": 1}))
        party.do("Jonas", a.ThrowAction())
        return party

    return asking


@pytest.mark.parametrize(("role", "member"), [("helper 1", "Ada"), ("roller", "Jonas"), ("helper 2", "Jonas")])
def test_a_choice_is_answered_from_the_seat_whose_it_is(asking: Any, role: str, member: str) -> None:
    party = asking(role)
    assert seen(party, "Olaf")["waits_for"] == party.ids[member]
    other = {"Ada": "Jonas", "Jonas": "Ada"}[member]
    assert (seen(party, member)["yours"], seen(party, other)["yours"]) == (True, False)
    with pytest.raises(Forbidden, match=r"is \w+( GM)?'s to say"):
        party.do(other, a.AnswerAction(answer="yes"))
    party.do(member, a.AnswerAction(answer="yes"))
    assert party.roll.over


@pytest.mark.parametrize("role", ["gm", "target"])
def test_what_is_nobodys_at_the_table_is_the_gms_to_decide(asking: Any, role: str) -> None:
    party = asking(role)
    assert seen(party, "Olaf")["waits_for"] == "gm"
    for name in ("Jonas", "Ada"):
        with pytest.raises(Forbidden, match=r"is \w+( GM)?'s to say"):
            party.do(name, a.AnswerAction(answer="yes"))
    party.do("Mira", a.AnswerAction(answer="yes"))


def test_an_option_may_be_another_seats_than_its_choice(asking: Any) -> None:
    party = asking("roller", "helper 1")
    yours = {
        name: [option["name"] for option in seen(party, name)["open"]["options"] if option["yours"]]
        for name in ("Mira", "Jonas", "Ada", "Olaf")
    }
    assert yours == {"Mira": ["yes", "no", "maybe"], "Jonas": ["yes", "no"], "Ada": ["maybe"], "Olaf": []}
    with pytest.raises(Forbidden, match=r"is \w+( GM)?'s to say"):
        party.do("Jonas", a.AnswerAction(answer="maybe"))
    with pytest.raises(Forbidden, match=r"is \w+( GM)?'s to say"):
        party.do("Ada", a.AnswerAction(answer="yes"))
    party.do("Ada", a.AnswerAction(answer="maybe"))
    assert party.roll.told.verdict == "maybe"
