"""Razorweave's steps at a table: whether a Check is needed, what a Strike ticks, what the oracle answers."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Forbidden, Illegal
from astragal.table import action as a
from astragal.table.log.story import story
from astragal.table.rolls.chances import tone_chances
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    party = Party("razorweave")
    party.do("Mira", a.SceneAction(title="The wall"))
    return party


def seen(party: Party, name: str) -> dict[str, Any]:
    """The latest roll, as this seat sees it."""
    roll: dict[str, Any] = party.see(name)[f"rolls/{party.roll.id}"]
    return roll


def told(party: Party, name: str = "Olaf") -> str:
    return "".join(story(party.entries, party.state, party.member(name)))


# RW-1: is a Check needed?


def test_rw1_when_no_check_is_needed_nobody_is_asked_for_a_dc_and_the_gm_answers_at_once(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"intent": "cross the bridge"}))
    assert seen(party, "Jonas")["needs"] == "Choose a difficulty"
    party.do("Mira", a.BuildAction(inputs={"matters": "no"}))
    for name, mine in (("Jonas", False), ("Mira", True), ("Olaf", False)):
        roll = seen(party, name)
        assert (roll["missing"], roll["waits"], roll["waits_name"], roll["thrown"]) == ("", "choice", "Mira", False)
        assert [option["yours"] for option in roll["open"]["options"]] == [mine, mine]
        assert "tray" not in roll
    party.do("Mira", a.AnswerAction(answer="yes: The planks hold."))
    assert (party.roll.over, party.roll.told.result["answer"], party.roll.throws) == (True, "yes", ())
    assert "Yes, it works: The planks hold." in party.lines("Olaf")
    assert "**It works.** The GM says: The planks hold." in told(party)


def test_rw1_what_needs_no_check_has_no_chance_and_is_not_thrown(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"agency": "no"}))
    jonas = party.member("Jonas")
    assert jonas is not None
    chances = tone_chances(party.state, party.roll, jonas)
    assert (chances.now, chances.options, chances.best) == (None, {}, "")
    with pytest.raises(Illegal, match="No Check is needed, so nothing is thrown; the GM answers"):
        party.do("Jonas", a.ThrowAction())
    with pytest.raises(Forbidden, match="the GM's to say"):
        party.do("Jonas", a.AnswerAction(answer="yes"))


def test_rw1_a_gm_may_ask_for_a_check_after_all(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={}))
    party.do("Mira", a.BuildAction(inputs={"uncertain": "no"}))
    party.do("Mira", a.BuildAction(inputs={"uncertain": "yes", "dc": 14}))
    assert "waits" not in seen(party, "Jonas")
    party.do("Jonas", a.ThrowAction(faces="4 4 4 4"))
    assert party.roll.told.result["tier"] == "full_success"


# RW-8: a Strike's ticks.


def resolve(party: Party, name: str) -> int:
    return int(party.item(name, "resolve", "Resolve")["filled"])


@pytest.mark.parametrize(("faces", "ticks"), [("6 6 6 6", 3), ("4 4 4 4", 2), ("3 3 3 4", 1), ("2 2 2 2", 0)])
def test_rw8_the_ticks_are_there_when_the_dice_have_fallen(party: Party, faces: str, ticks: int) -> None:
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs={"dc": 14, "strike": True}, faces=faces))
    assert resolve(party, "Kit") == ticks
    said = [line for line in party.lines("Ada") if "A Strike on Kit" in line]
    assert len(said) == bool(ticks)


def test_rw8_two_strikes_that_wait_for_a_choice_tick_all_the_same_and_the_target_is_down(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Kit", section="resolve", item="Resolve", to={"filled": 0, "segments": 6}))
    strike = a.RollAction(who="Wren", against="Kit", inputs={"dc": 14, "strike": True}, faces="6 6 6 6")
    party.do("Jonas", strike)
    first = party.roll.id
    party.do("Jonas", strike)
    assert resolve(party, "Kit") == 6
    assert "Kit is down" in " ".join(party.lines("Olaf"))
    party.do("Jonas", a.AnswerAction(roll=first, answer="condition: Off balance"))
    assert resolve(party, "Kit") == 6
    assert "Off balance" in party.holder("Kit").sheet["conditions"]


def test_rw8_undoing_the_answer_leaves_the_ticks_and_undoing_the_throw_takes_them_back(party: Party) -> None:
    inputs = {"dc": 14, "strike": True}
    thrown = party.do("Mira", a.RollAction(who="Wren", against="Kit", inputs=inputs, faces="6 6 6 6"))
    answered = party.do("Mira", a.AnswerAction(answer="staggered"))
    party.do("Mira", a.UndoAction(entry=answered.id))
    assert (resolve(party, "Kit"), party.holder("Kit").sheet["conditions"].get("Staggered")) == (3, None)
    party.do("Mira", a.UndoAction(entry=thrown.id))
    assert resolve(party, "Kit") == 0


def test_rw11_the_goal_of_a_strike_is_ticked_with_the_dice_and_only_once(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Rout", to={"segments": 6, "kind": "goal"}))
    inputs = {"dc": 14, "strike": True, "goal": "Rout"}
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs=inputs, faces="6 6 6 6"))
    assert party.item("table", "clocks", "Rout")["filled"] == 3
    party.do("Jonas", a.AnswerAction(answer="deny"))
    assert party.item("table", "clocks", "Rout")["filled"] == 3


# RW-9 and RW-12.


def test_rw9_somebody_who_is_down_is_asked_why_they_strike(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Wren", section="resolve", item="Resolve", to={"filled": 6, "segments": 6}))
    strike = {"dc": 14, "strike": True}
    with pytest.raises(Illegal, match=r"Wren is down: the Resolve Clock is full.* If they strike all the same"):
        party.do("Mira", a.RollAction(who="Wren", against="Kit", inputs=strike, faces="4 4 4 4"))
    inputs = {**strike, "anyway": "one last breath"}
    party.do("Mira", a.RollAction(who="Wren", against="Kit", inputs=inputs, faces="4 4 4 4"))
    assert resolve(party, "Kit") == 2


def test_rw9_the_position_of_a_target_is_offered_in_the_next_roll_of_either_side(party: Party) -> None:
    strike = {"dc": 14, "strike": True}
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs=strike, faces="3 3 3 4"))
    party.do("Mira", a.AnswerAction(answer="position"))
    for who, by, against, adds in (("Kit", "Ada", "", "Edge"), ("Wren", "Jonas", "Kit", "Burden")):
        party.do(by, a.OpenAction(who=who, against=against, inputs={"dc": 14}))
        offers = {offer["label"]: offer["adds"] for offer in seen(party, by)["offers"]}
        assert offers["Kit, position"] == adds
        party.do(by, a.WithdrawAction())


def test_rw12_the_group_of_a_representative_check_stands_in_log_and_story(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 14, "group": "the whole crew"}, faces="4 4 4 4"))
    assert "One roll for the whole crew." in party.lines("Olaf")
    assert "One roll for the whole crew." in told(party)


# RW-13: the same again.


@pytest.mark.parametrize("again", ["Climb  this WALL", "climb a wall!", "climb wall"])
def test_rw13_a_retry_is_known_whatever_articles_it_is_written_with(party: Party, again: str) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 18, "intent": "climb the wall"}, faces="2 2 2 2"))
    with pytest.raises(Illegal, match="failed before"):
        party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12, "intent": again}, faces="4 4 4 4"))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 18, "intent": "climb the tower"}, faces="2 2 2 2"))


# RW-14: the oracle.

CASE = (
    ("Are conditions ideal?=helps", "2"),
    ("Is the lock sophisticated?=hinders", "5"),
    ("Do I have the right tools?=helps", "4"),
)


def ask_oracle(party: Party, questions: list[str], faces: str, **more: Any) -> None:
    action = a.RollAction(who="Wren", kind="oracle", inputs={"question": questions, **more}, faces=faces)
    party.do("Jonas", action)


def answers(party: Party) -> dict[str, dict[str, Any]]:
    return party.holder("table").sheet["oracle"]


def test_rw14_questions_one_after_the_other_come_to_16_as_in_the_worked_case(party: Party) -> None:
    found = []
    for place, (question, face) in enumerate(CASE):
        ask_oracle(party, [question], face)
        if place == 1:
            party.do("Jonas", a.AnswerAction(answer="counted-1"))
        found.append(party.roll.told.result["dc"])
    assert found == [16, 16, 16]
    party.do("Jonas", a.RollAction(who="Wren", use={"The oracle's DC 16": 1}, faces="4 4 4 4"))
    assert party.roll.told.result["dc"] == 16


def test_rw14_all_at_once_counted_may_be_said_after_the_dice(party: Party) -> None:
    ask_oracle(party, [question for question, _ in CASE], "2 5 4")
    assert party.roll.told.result["dc"] == 18
    party.do("Jonas", a.AnswerAction(answer="counted-2"))
    assert party.roll.told.result["dc"] == 16
    assert {name: item["shift"] for name, item in answers(party).items()} == {
        "Are conditions ideal?": 2,
        "Is the lock sophisticated?": 0,
        "Do I have the right tools?": 0,
    }
    assert answers(party)["Is the lock sophisticated?"]["counted"] is True


def test_rw14_a_check_that_uses_the_dc_and_starting_over_both_begin_another_oracle(party: Party) -> None:
    ask_oracle(party, ["Old?=helps"], "1")
    party.do("Jonas", a.RollAction(who="Wren", use={"The oracle's DC 16": 1}, faces="4 4 4 4"))
    ask_oracle(party, ["Near?=helps"], "1")
    assert party.roll.told.result["dc"] == 16
    ask_oracle(party, ["Dark?=helps"], "1", start_over=True)
    assert party.roll.told.result["dc"] == 16
    ask_oracle(party, ["Wet?=helps"], "1")
    assert party.roll.told.result["dc"] == 18


def test_rw14_undoing_the_check_gives_the_oracle_back(party: Party) -> None:
    ask_oracle(party, ["Old?=helps"], "1")
    checked = party.do("Mira", a.RollAction(who="Wren", use={"The oracle's DC 16": 1}, faces="4 4 4 4"))
    assert answers(party)["Old?"]["used"] is True
    party.do("Mira", a.UndoAction(entry=checked.id))
    assert answers(party)["Old?"]["used"] is False


def test_rw14_the_questions_are_in_sight_before_the_throw_and_with_their_answers_in_log_and_story(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", kind="oracle"))
    tray = seen(party, "Olaf")["tray"]
    assert tray["words"] == "3 questions from DC 14"
    assert tray["questions"][1] == "Is the opposition strong? (yes hinders)"
    party.do("Jonas", a.BuildAction(inputs={"question": ["Is it old?=helps", "Is it wet?=hinders"], "counted": [2]}))
    tray = seen(party, "Jonas")["tray"]
    assert tray["questions"] == ["Is it old? (yes helps)", "Is it wet? (yes hinders, already counted)"]
    party.do("Jonas", a.ThrowAction(faces="1 6"))
    assert "The oracle answers: Is it old? no, +2 (RW-14)." in party.lines("Olaf")
    assert "Is it old? no, +2. Is it wet? yes, already counted. **DC 16.**" in told(party)


def test_rw14_malformed_questions_are_refused_in_words(party: Party) -> None:
    with pytest.raises(Illegal, match=r"^question is an object;"):
        party.do("Jonas", a.OpenAction(who="Wren", kind="oracle", inputs={"question": {"q0": "helps", "q1": 2}}))


def test_rw14_the_dc_of_the_oracle_is_said_once_in_the_tray(party: Party) -> None:
    ask_oracle(party, ["Old?=helps"], "1")
    party.do("Jonas", a.OpenAction(who="Wren", use={"The oracle's DC 16": 1}))
    assert seen(party, "Jonas")["tray"]["sides"][0]["sources"] == ["The oracle's DC 16"]
