"""The card of a roll: tone, tier and sum, dice in waves and sides, the ladder, what it gave, and who decides."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from astragal.table import action as a
from astragal.table.state import RollChange
from astragal.table.view.card import gains_of
from tests.table.tables import Party


def card(party: Party, name: str = "Olaf") -> dict[str, Any]:
    found: dict[str, Any] = party.see(name)[f"rolls/{party.roll.id}"]
    return found


def test_what_stands_while_somebody_decides_is_a_verdict_for_everybody() -> None:
    party = Party()
    inputs = {"d6": 2, "step": 10, "difficulty": 2, "about": "forces the hatch"}
    party.do("Jonas", a.RollAction(who="Wren", inputs=inputs, faces="5 1 | 2"))
    seen = card(party)
    assert (seen["name"], seen["about"], seen["does"]) == ("Wren", "forces the hatch", "tries it")
    assert (seen["tone"], seen["tier"], seen["sum"]) == ("bad", "Near miss", "1 Mark, 2 needed")
    assert (seen["waits_for"], seen["waits_name"]) == (party.ids["Jonas"], "Jonas")
    assert [die.get("role") for die in seen["dice"]] == [None, None, "special"], "what is usual is not sent"


def test_options_say_what_they_cost_and_where_they_lead_for_certain() -> None:
    party = Party()
    party.do("Mira", a.EditAction(holder="Jonas", section="ip", item="IP", to={"now": 3}))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "step": 10, "difficulty": 2}, faces="5 1 | 2"))
    open = card(party)["open"]
    options = {option["name"]: option for option in open["options"]}
    assert (open["rest"], options["settle"]["label"]) == ("settle", "Leave it")
    assert options["reroll"]["price"] == [{"item": "IP", "by": -1, "whose": ""}]
    assert (options["reroll"]["detail"], options["reroll"]["leads"]) == ("the Step Die shows 2", None)
    assert [(dice["n"], dice["sides"]) for dice in options["reroll"]["dice"]] == [(1, 10)]
    assert not options["partial"]["dice"]
    assert options["partial"]["leads"] == {"tone": "mixed", "tier": "Partial success"}


def test_what_cannot_be_taken_says_what_it_needs() -> None:
    party = Party()
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 2}, faces="5 1 | 2"))
    barred = card(party)["open"]["barred"]
    assert [(each["label"], each["needs"]) for each in barred] == [("Succeed at a cost", "Needs 3 IP")]


def test_a_die_that_goes_again_lies_beside_the_one_that_earned_it() -> None:
    party = Party("chronicles")
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 3}, faces="10 3 10 / 10 2 / 1"))
    dice = card(party)["dice"]
    assert [(die["face"], die.get("wave", 0), die.get("earned_by", -1)) for die in dice] == [
        (10, 0, -1), (3, 0, -1), (10, 0, -1), (10, 1, 0), (2, 1, 2), (1, 2, 3),
    ]  # fmt: skip


def test_two_pools_make_a_ladder_down_to_the_first_pair_that_differs() -> None:
    party = Party("tgimh")
    inputs = {"ours": 3, "theirs": 2}
    party.do("Mira", a.RollAction(who="Wren", against_name="Tollmaster", inputs=inputs, faces="9 7 7 | 9 6"))
    seen = card(party)
    assert [die["side"] for die in seen["dice"]] == ["ours"] * 3 + ["theirs"] * 2
    rungs = [
        (seen["dice"][pair["ours"]]["face"], pair["sign"], seen["dice"][pair["theirs"]]["face"])
        for pair in seen["pairs"]
    ]
    assert rungs == [(9, "=", 9), (7, ">", 6)]
    assert (seen["tier"], seen["tone"]) == ("Wren wins", "good")


def test_the_card_speaks_for_the_players_side() -> None:
    party = Party("tgimh")
    party.do("Mira", a.CreateAction(name="Tollmaster"))
    party.do("Mira", a.OpenAction(who="Tollmaster", against="Wren", inputs={"ours": 2, "theirs": 1}))
    party.do("Jonas", a.ReadyAction())
    party.do("Mira", a.ThrowAction(faces="9 8 | 3"))
    for name in ("Mira", "Jonas", "Olaf"):
        assert (card(party, name)["tier"], card(party, name)["tone"]) == ("Wren loses", "bad")


def test_r27_of_two_players_the_loser_has_a_card_of_their_own() -> None:
    """Everybody else reads it as whoever began does."""
    party = Party("tgimh")
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 2}))
    party.do("Ada", a.BuildAction(inputs={"theirs": 1}))
    party.do("Ada", a.ReadyAction())
    party.do("Jonas", a.ThrowAction(faces="9 8 | 3"))
    for name in ("Mira", "Jonas", "Olaf"):
        assert (card(party, name)["tier"], card(party, name)["tone"]) == ("Wren wins", "good")
    assert (card(party, "Ada")["tier"], card(party, "Ada")["tone"]) == ("Kit loses", "bad")
    party.do("Jonas", a.AnswerAction(answer="none"))
    leads = {name: card(party, name)["open"]["options"][0]["leads"] for name in ("Mira", "Ada")}
    assert leads == {"Mira": {"tone": "good", "tier": "Wren wins"}, "Ada": {"tone": "bad", "tier": "Kit loses"}}


def test_a_change_that_came_of_the_roll_is_a_gain_for_those_who_may_see_it() -> None:
    party = Party("razorweave")
    clock = {"filled": 0, "segments": 6, "kind": "goal"}
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Into the granary", to=clock))
    inputs = {"dc": 16, "goal": "Into the granary"}
    party.do("Mira", a.RollAction(kind="check", who="Wren", inputs=inputs, faces="4 4 4 3"))
    assert (card(party)["tier"], card(party)["tone"]) == ("Partial success", "mixed")
    assert [gain["text"] for gain in card(party)["gains"]] == ["+1 Into the granary"]
    secret = RollChange("gm", "table", "clocks", "The watch", "filled", 1)
    roll = replace(party.roll, changes=(*party.roll.changes, secret))
    told = {name: len(gains_of(party.state, roll, party.member(name))) for name in ("Mira", "Jonas", "Olaf")}
    assert told == {"Mira": 2, "Jonas": 1, "Olaf": 1}


def test_a_price_is_marked_as_paid_and_is_gone_with_the_undo() -> None:
    party = Party()
    stat = next(name for name, item in party.holder("Wren").sheet["stats"].items() if item["now"])
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 3, "difficulty": 1}, use={stat: 1}, faces="5 1 4 4 | 3"))
    assert {"text": f"−1 {stat}", "whose": "", "paid": True} in card(party)["gains"]
    party.do("Mira", a.UndoAction())
    assert not any(path.startswith("rolls/") and part.get("gains") for path, part in party.see("Olaf").items())


def test_where_the_outcome_is_hidden_there_is_no_verdict_and_no_gain() -> None:
    party = Party()
    party.do("Mira", a.OpenAction(who="Wren", inputs={"d6": 2, "difficulty": 2}, hide=["difficulty"]))
    party.do("Jonas", a.ThrowAction(faces="5 1 | 2"))
    seen = card(party, "Jonas")
    assert not {"tone", "tier", "verdict", "about"} & seen.keys()
    assert (seen["sum"], seen["gains"][0]["text"]) == ("1 Mark", "1 complication for the GM")  # NJ-13
    assert card(party, "Mira")["tier"] == "Near miss"


def test_a_long_task_tells_how_far_it_has_come() -> None:
    party = Party("chronicles")
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", inputs={"pool": 5, "target": 6}, faces="9 8 1 1 1"))
    assert card(party)["series"] == {"total": 2, "target": 6, "left": 4}


def test_what_the_gms_purse_gains_is_not_told_as_the_rollers() -> None:
    party = Party("narraject")
    inputs = {"d6": 1, "difficulty": 1}
    party.do("Jonas", a.RollAction(who="Wren", inputs=inputs, faces="5 | 1", answers=["settle"]))
    assert {"text": "The GM's IP +1", "whose": "", "paid": False} in card(party)["gains"]
