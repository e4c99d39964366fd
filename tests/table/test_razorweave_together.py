"""Razorweave as several people play it: helpers, set-ups, split risks, retries and those who are down."""

from __future__ import annotations

from itertools import permutations

import pytest

from astragal.errors import Forbidden, Illegal, Unknown
from astragal.table import action as a
from astragal.table.log.story import story
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    party = Party("razorweave")
    party.do("Mira", a.SceneAction(title="The wall"))
    return party


def test_rw12_helpers_offer_themselves_and_the_gm_says_edge_or_a_bonus(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"dc": 14}))
    party.do("Ada", a.AssistAction(who="Kit"))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.BuildAction(inputs={"assist_as": ["Kit=bonus"]}))
    party.do("Mira", a.BuildAction(inputs={"assist_as": ["Kit=bonus"]}))
    party.do("Jonas", a.ThrowAction(faces="3 3 3 4"))
    assert (party.roll.told.result["net"], party.roll.told.result["result"]) == (0, 14)


def test_rw12_a_set_up_is_edge_on_the_next_action_of_the_one_who_is_named_and_then_gone(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12, "set_up": "Kit"}, faces="3 3 3 3"))
    assert "Kit has Edge on their next action" in " ".join(party.lines("Olaf"))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12}, faces="3 3 3 3"))
    assert party.roll.told.result["net"] == 0
    party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 12}, faces="3 3 3 3 3"))
    assert party.roll.told.result["net"] == 1
    party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 12}, faces="3 3 3 3"))
    assert party.roll.told.result["net"] == 0


def test_rw12_positions_are_entered_by_name(party: Party) -> None:
    place = {"whose": "wren", "size": 2}
    party.do("Mira", a.EditAction(holder="scene", section="positions", item="On the ladder", to=place))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12}, use={"On the ladder": 1}, faces="3 3 3 3 3 3"))
    assert party.roll.told.result["net"] == 2
    assert party.holder("scene").sheet["positions"] == {}


def test_rw12_those_who_split_the_risk_put_in_what_is_their_own_and_throw_their_own_dice(party: Party) -> None:
    party.do("Ada", a.EditAction(holder="Kit", section="conditions", item="Lame", to={"size": 2}))
    party.do("Jonas", a.OpenAction(kind="split", who="Wren", inputs={"dc": 14}))
    party.do("Ada", a.AssistAction(who="Kit"))
    assert party.lines("Olaf") == ["Kit rolls too."]
    with pytest.raises(Forbidden):
        party.do("Jonas", a.BuildAction(use={"Kit: Lame": 1}))
    party.do("Ada", a.BuildAction(use={"Kit: Lame": 1, "Kit: Agility": 1}))
    party.do("Jonas", a.BuildAction(use={"Wren: Agility": 1}))
    party.do("Jonas", a.ThrowAction(faces="3 3 3 3"))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.ThrowAction())
    party.do("Ada", a.ThrowAction(faces="6 6 3 3 3 3"))
    members = party.roll.told.result["members"]
    assert [(member["name"], member["net"]) for member in members] == [("Wren", 0), ("Kit", -2)]
    kit = party.item("Kit", "attributes", "Agility")["rating"]
    assert members[1]["result"] == 12 + kit
    prose = "".join(story(party.entries, party.state, party.member("Olaf")))
    assert "**Wren** shares the risk with Kit." in prose and "helped" not in prose


@pytest.mark.parametrize("typed", [{}, {"members": 0}])
def test_rw12_whoever_puts_in_nothing_rolls_with_nothing_added(party: Party, typed: dict[str, int]) -> None:
    """A 0 that was typed is nobody's modifier."""
    party.do("Jonas", a.OpenAction(kind="split", who="Wren", inputs={"dc": 14, **typed}))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Ada", a.BuildAction(use={"Kit: Agility": 1}))
    party.do("Jonas", a.ThrowAction(faces="3 3 3 3"))
    party.do("Ada", a.ThrowAction(faces="3 3 3 3"))
    members = party.roll.told.result["members"]
    agility = party.item("Kit", "attributes", "Agility")["rating"]
    assert [(one["name"], one["result"]) for one in members] == [("Wren", 12), ("Kit", 12 + agility)]


def test_rw12_whoever_shares_the_risk_from_the_beginning_is_told_as_that_too(party: Party) -> None:
    party.do("Mira", a.OpenAction(kind="split", who="Wren", helpers=["Kit"], inputs={"dc": 14}))
    assert party.lines("Olaf")[0] == "Wren: Split the risk: several roll, with Kit."
    party.do("Ada", a.AssistAction(who="Kit", leave=True))
    assert party.lines("Olaf") == ["Kit rolls no longer."]


def test_rw13_a_retry_of_the_same_intent_asks_what_has_changed(party: Party) -> None:
    climb = {"dc": 20, "intent": "Climb the wall"}
    party.do("Jonas", a.RollAction(who="Wren", inputs=climb, faces="1 2 3 4"))
    with pytest.raises(Illegal, match="RW-13"):
        party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 20, "intent": " climb  THE wall"}))
    party.do("Ada", a.RollAction(who="Kit", inputs=climb, faces="1 2 3 4"))
    changed = {"dc": 20, "intent": "climb the wall", "retry": "Kit holds the rope"}
    party.do("Jonas", a.RollAction(who="Wren", inputs=changed, faces="6 6 6 6"))
    party.do("Jonas", a.RollAction(who="Wren", inputs=climb, faces="6 6 6 6"))
    assert party.roll.over


def test_rw9_who_is_down_is_told_by_name_and_a_further_strike_asks_first(party: Party) -> None:
    strike = {"dc": 14, "strike": True}
    party.do("Ada", a.EditAction(holder="Kit", section="resolve", item="Resolve", to={"filled": 4, "segments": 6}))
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs=strike, faces="4 4 4 4"))
    assert "Kit is down" in " ".join(party.lines("Olaf"))
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", inputs={"dc": 14, "strike": True}))
    asked = party.see("Jonas")[f"rolls/{party.roll.id}"]
    assert (asked["wants"], asked["needs"]) == ("anyway", "Say why, although somebody is down")
    with pytest.raises(Illegal, match=r"Kit is down.*RW-9"):
        party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs=strike, faces="4 4 4 4"))
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs={**strike, "anyway": "mercy"}, faces="4 4 4 4"))
    assert party.roll.over


def test_rw4_the_table_is_told_what_the_cap_cut_off(party: Party) -> None:
    tag = {"counts": "edge", "size": 2}
    party.do("Mira", a.EditAction(holder="scene", section="tags", item="High ground", to=tag))
    inputs = {"dc": 14, "edge": "1 rope"}
    party.do("Jonas", a.RollAction(who="Wren", inputs=inputs, use={"High ground": 1}, faces="3 3 3 3 3 3"))
    told = " ".join(party.lines("Olaf"))
    assert "+3, capped at +2" in told
    assert party.roll.told.result["cut"] == 1


def test_rw3_a_tag_can_move_the_dc(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="scene", section="tags", item="Storm", to={"counts": "harder", "size": 2}))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 14}, use={"Storm": 1}, faces="3 3 3 3"))
    assert party.roll.told.result["dc"] == 18


def test_rw12_a_set_up_names_another_character_as_the_sheet_writes_it(party: Party) -> None:
    for name in ("Kitt", "wren"):
        with pytest.raises(
            Illegal, match=r"is nobody who could be set up; there are Kit\. \(RW-12\)|are Kit \(RW-12\)"
        ):
            party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12, "set_up": name}, faces="3 3 3 3"))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12, "set_up": "kit"}, faces="3 3 3 3"))
    assert party.holder("scene").sheet["positions"]["Wren's set-up for Kit"]["whose"] == "Kit"


def test_rw12_a_hidden_character_is_nobody_to_a_set_up(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Shade", seen="gm"))
    with pytest.raises(Illegal, match=r"there are Kit") as refused:
        party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12, "set_up": "Shade"}, faces="3 3 3 3"))
    assert str(refused.value).count("Shade") == 1  # as it was written


def test_rw12_a_set_up_counts_for_a_split_risk_too_and_is_used_up_by_it(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12, "set_up": "Kit"}, faces="3 3 3 3"))
    party.do("Jonas", a.OpenAction(kind="split", who="Wren", inputs={"dc": 14}))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Jonas", a.ThrowAction(faces="3 3 3 3"))
    party.do("Ada", a.ThrowAction(faces="3 3 3 3 3"))
    assert [(each["name"], each["net"]) for each in party.roll.told.result["members"]] == [("Wren", 0), ("Kit", 1)]
    assert party.holder("scene").sheet["positions"] == {}


def test_rw8_a_strike_is_told_as_damage_with_what_is_broken_now(party: Party) -> None:
    """On the card, in the log and in the story; what is taken back mends (P-14)."""
    strike = {"dc": 14, "strike": True}
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs=strike, faces="6 6 6 2", answers=["staggered"]))
    gains = party.see("Olaf")[f"rolls/{party.roll.id}"]["gains"]
    assert {"text": "Kit's Resolve breaks: 3 of 4", "whose": "", "paid": False, "stands": [3, 4]} in gains
    party.do("Mira", a.ChangeAction(holder="Kit", section="resolve", item="Resolve", by=-1))
    assert party.lines("Olaf")[-1] == "Kit's Resolve mends: 2 of 4 (RW-10)."
    told = "\n".join(story(party.entries, party.state, party.member("Olaf")))
    assert "Resolve breaks: 3 of 4" in told and "Resolve +" not in told


def test_rw9_whose_clock_is_full_is_said_with_the_clock(party: Party) -> None:
    party.do("Mira", a.ChangeAction(holder="Kit", section="resolve", item="Resolve", by=20))
    assert "Kit's Clock Resolve is full!" in party.lines("Olaf")


def test_rw5_the_log_names_the_attribute_and_the_skill(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12}, use={"Agility": 1, "Climbing": 1}, faces="3 3 3 3"))
    assert "With Agility and Climbing." in party.lines("Olaf")


def test_rw12_a_set_up_is_used_up_by_the_first_roll_that_uses_it_though_another_is_open(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12, "set_up": "Kit"}, faces="3 3 3 3"))
    party.do("Jonas", a.OpenAction(kind="split", who="Wren", inputs={"dc": 14}))
    party.do("Ada", a.AssistAction(who="Kit"))
    split = party.roll.id
    party.do("Jonas", a.ThrowAction(roll=split, faces="3 3 3 3"))
    assert "Wren's set-up for Kit is gone (What was set up is used)" in " ".join(party.lines("Olaf"))
    party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 12}, faces="3 3 3 3"))
    assert party.roll.told.result["net"] == 0
    party.do("Ada", a.ThrowAction(roll=split, faces="3 3 3 3 3"))
    assert party.state.world.rolls[split].told.result["members"][1]["net"] == 1


def test_rw12_a_set_up_comes_back_with_the_throw_that_is_undone(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12, "set_up": "Kit"}, faces="3 3 3 3"))
    used = party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 12}, faces="3 3 3 3 3"))
    assert party.holder("scene").sheet["positions"] == {}
    party.do("Mira", a.UndoAction(entry=used.id))
    assert list(party.holder("scene").sheet["positions"]) == ["Wren's set-up for Kit"]


def test_rw12_what_needs_no_dice_uses_up_no_set_up(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12, "set_up": "Kit"}, faces="3 3 3 3"))
    party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 12, "matters": "no"}))
    assert list(party.holder("scene").sheet["positions"]) == ["Wren's set-up for Kit"]


def test_rw12_the_gm_says_what_help_is_of_those_who_help_and_of_nobody_else(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"dc": 14}))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Mira", a.BuildAction(inputs={"assist_as": ["Kti=bonus"]}))
    with pytest.raises(Illegal, match=r'"Kti" does not help here; there are Kit'):
        party.do("Jonas", a.ThrowAction(faces="3 3 3 4"))
    party.do("Mira", a.BuildAction(inputs={"assist_as": ["Kit=bonus"]}))
    party.do("Ada", a.AssistAction(who="Kit", leave=True))
    party.do("Jonas", a.ThrowAction(faces="3 3 3 4"))
    assert (party.roll.told.result["net"], party.roll.told.result["result"]) == (0, 13)


def test_rw12_log_and_story_tell_of_each_who_shares_the_risk_what_is_theirs(party: Party) -> None:
    party.do("Ada", a.EditAction(holder="Kit", section="conditions", item="Lame", to={"counts": "burden"}))
    party.do("Jonas", a.OpenAction(kind="split", who="Wren", inputs={"dc": 14}))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Ada", a.BuildAction(use={"Lame": 1, "Might": 1}))
    party.do("Jonas", a.BuildAction(use={"Agility": 1, "Climbing": 1}))
    party.do("Jonas", a.ThrowAction(faces="3 3 3 3"))
    sentence = "Wren with Agility and Climbing; Kit with Might, despite Lame."
    assert sentence in party.lines("Olaf")
    assert "Wren's dice: 3, 3, 3, 3 (typed by Jonas)." in party.lines("Olaf")
    party.do("Ada", a.ThrowAction(faces="3 3 3 3 3"))
    assert "Kit's dice: 3, 3, 3, 3, 3 (typed by Ada)." in party.lines("Olaf")
    assert sentence in "".join(story(party.entries, party.state, party.member("Olaf")))


def test_rw12_numbers_that_were_typed_for_people_are_nothing_to_tell(party: Party) -> None:
    inputs = {"dc": 14, "members": "3 Wren, 1 Kit", "edges": "1 Wren"}
    party.do("Mira", a.RollAction(kind="split", inputs=inputs, faces="3 3 3 3 3 | 3 3 3 3"))
    assert not [line for line in party.lines("Olaf") if line.startswith("With")]


def test_rw3_what_a_tag_is_is_decided_once(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="scene", section="tags", item="Rain"))
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"dc": 14}, use={"Rain": 1}))
    party.do("Jonas", a.BuildAction(use={"Burden: Rain": 1}))
    assert party.lines("Ada") == ["Jonas takes Rain out.", "Jonas puts Rain (Burden) in."]
    party.do("Jonas", a.ThrowAction(faces="3 3 3 3 4"))
    assert party.roll.told.result["net"] == -1


def test_rw15_what_a_condition_is_helps_or_hinders_either_side_by_its_size(party: Party) -> None:
    party.do(
        "Ada", a.EditAction(holder="Kit", section="conditions", item="Blinded", to={"counts": "burden", "size": 2})
    )
    party.do(
        "Jonas", a.RollAction(who="Wren", against="Kit", inputs={"dc": 14}, use={"Blinded": 1}, faces="3 3 3 3 3 3")
    )
    assert party.roll.told.result["net"] == 2
    party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 14}, use={"Blinded": 1}, faces="3 3 3 3 3 3"))
    assert party.roll.told.result["net"] == -2
    party.do("Mira", a.EditAction(holder="scene", section="tags", item="Rye", to={"counts": "colour"}))
    with pytest.raises(Unknown, match="cannot be put into this roll"):
        party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 14}, use={"Rye": 1}))


def test_rw9_whoever_is_not_down_is_not_said_to_be(party: Party) -> None:
    strike = {"dc": 14, "strike": True, "anyway": "To be sure"}
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs=strike, faces="4 4 4 4"))
    assert "down" not in " ".join(party.lines("Olaf"))


def test_rw9_whoever_is_struck_down_by_hand_is_told_by_name_too(party: Party) -> None:
    party.do("Mira", a.ChangeAction(holder="Kit", section="resolve", item="Resolve", by=20))
    assert party.lines("Ada")[-1] == "Kit is down: the Resolve Clock is full (RW-9)."


@pytest.mark.parametrize("order", list(permutations(("A=helps", "B=helps", "C=hinders"))), ids=" ".join)
def test_rw14_at_a_table_three_yeses_give_the_same_dc_in_any_order(party: Party, order: tuple[str, ...]) -> None:
    party.do("Jonas", a.RollAction(kind="oracle", inputs={"question": list(order)}, faces="5 6 5"))
    assert party.roll.told.result["dc"] == 12
    party.do("Ada", a.RollAction(who="Kit", use={"The oracle's DC 12": 1}, faces="3 3 3 3"))
    assert party.roll.told.result["dc"] == 12


def test_rw14_what_the_oracle_answers_in_secret_stands_apart_from_what_everybody_was_told(party: Party) -> None:
    asked = {"question": ["Is it old?=helps"]}
    party.do("Jonas", a.RollAction(kind="oracle", inputs=asked, faces="5"))
    party.do("Mira", a.RollAction(kind="oracle", inputs=asked, faces="1", seen="gm"))
    assert "Is it old?" not in " ".join(party.lines("Ada"))
    told = " ".join(party.lines("Mira"))
    assert "Is it old? no" in told
    assert "(hidden" not in told
    assert party.holder("table").sheet["oracle"]["Is it old?"]["answer"] == "yes"
