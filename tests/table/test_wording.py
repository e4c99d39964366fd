"""Sentences of the log that people read most: who did what, once, in the words of the game."""

from __future__ import annotations

import re

import pytest

from astragal.errors import Illegal
from astragal.explain.translation import speaker
from astragal.games.registry import game
from astragal.table import action as a
from tests.table.tables import Party

ENGLISH = re.compile(r"\b(the|and|gains|surroundings|position|reaction)\b", re.IGNORECASE)


def clocks(party: Party, **seen: str) -> None:
    for name, mark in seen.items():
        to = {"segments": 4, "filled": 1, "seen": mark}
        party.do("Mira", a.EditAction(holder="table", section="clocks", item=name, to=to))


def race(goal: str, threat: str) -> a.MoveAction:
    return a.MoveAction(name="race", inputs={"goal": goal, "threat": threat})


def test_a_complication_is_told_once_with_its_words() -> None:
    party = Party()
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 1, "difficulty": 1}, faces="5 | 1", answers=["settle"]))
    party.do("Mira", a.MoveAction(name="complicate", inputs={"note": "The lantern falls."}))
    assert party.lines("Olaf") == ["Mira uses a complication: The lantern falls (NJ-12)."]


def test_a_race_is_told_once() -> None:
    party = Party("razorweave")
    clocks(party, Evacuation="all", Flood="all")
    party.do("Mira", race("Evacuation", "Flood"))
    told = "Mira starts a race: Evacuation races Flood; the first to fill decides (RW-11)."
    assert party.lines("Olaf") == [told]


@pytest.mark.parametrize(("goal", "threat"), [("Flood", "Duke"), ("Duke", "Flood")])
def test_no_race_names_a_hidden_clock_to_those_who_see_the_other(goal: str, threat: str) -> None:
    party = Party("razorweave")
    clocks(party, Flood="all", Duke="gm", Spy="gm")
    with pytest.raises(Illegal, match="Duke is hidden, and the race would tell of it"):
        party.do("Mira", race(goal, threat))
    party.do("Mira", race("Duke", "Spy"))
    assert party.lines("Olaf") == []
    assert "Duke races Spy" in party.lines("Mira")[0]


def test_a_strike_is_told_as_one() -> None:
    party = Party("razorweave")
    party.do("Mira", a.CreateAction(name="Thug"))
    party.do("Mira", a.OpenAction(who="Wren", against="Thug", inputs={"strike": True}))
    assert party.lines("Olaf")[0] == "Wren strikes at Thug."
    party.do("Mira", a.OpenAction(who="Kit", inputs={"dc": 14}))
    assert party.lines("Olaf")[0] == "Kit makes a Check."


def test_ticks_that_are_not_there_are_refused_in_the_clocks_words() -> None:
    party = Party("razorweave")
    clocks(party, Alarm="all")
    with pytest.raises(Illegal, match="Alarm has 1 tick; 9 cannot be taken back"):
        party.do("Mira", a.ChangeAction(holder="table", section="clocks", item="Alarm", by=-9))


def test_rw10_ticking_a_full_clock_by_hand_says_that_it_is_full() -> None:
    """It said "That changes nothing, so nothing was written."."""
    party = Party("razorweave")
    clock = a.ChangeAction(holder="table", section="clocks", item="Alarm", by=4)
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Alarm", to={"segments": 4, "kind": "threat"}))
    party.do("Mira", clock)
    assert "The Clock Alarm is full!" in party.lines("Olaf")
    with pytest.raises(Illegal, match="Alarm is full already") as refused:
        party.do("Mira", clock)
    assert refused.value.rule == "RW-10"
    party = Party("tgimh")
    party.do("Jonas", a.ChangeAction(holder="Wren", section="will", item="Will", by=1))
    assert party.holder("Wren").sheet["will"]["Will"] == {"now": 10, "start": 9}, "Will may rise above its start"


def test_trying_again_under_pressure_is_told_as_that() -> None:
    party = Party("chronicles")
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 3, "task": "the hatch"}, faces="1 2 3"))
    party.do("Jonas", a.AnswerAction(answer="keep"))
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"pool": 3, "task": "something else"}))
    party.do("Jonas", a.BuildAction(use={"Again under pressure: the hatch": 1}))
    assert party.lines("Olaf") == ["Jonas tries again under pressure: the hatch, 1 die fewer."]
    party.do("Jonas", a.ThrowAction(faces="9 2"))
    assert "Wren has done it: the hatch; earlier tries are forgotten (CD-11)." in party.lines("Olaf")


def test_a_condition_of_a_check_is_told_as_the_question_that_it_answers() -> None:
    """The log said "Mira sets matters to no.", by the name of the input."""
    party = Party("razorweave")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"intent": "climb the wall"}))
    assert party.lines("Olaf")[-1] == 'Jonas answers "What is it about?" with "climb the wall".'
    party.do("Mira", a.BuildAction(inputs={"matters": "no", "assist_as": "Kit=bonus", "dc": 16}))
    assert party.lines("Olaf") == [
        'Mira answers "Would failing matter?" with no.',
        'Mira sets "What a helper gives" to Kit=bonus.',
        "Mira sets DC to 16.",
    ]
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="The mill"))
    party.do("Mira", a.BuildAction(inputs={"goal": "The mill", "edge": "1 rope"}))
    assert party.lines("Olaf") == ['Mira sets "Goal Clock" to "The mill".', 'Mira puts "1 rope" into edge.']
    party.do("Mira", a.BuildAction(inputs={"matters": None}))
    assert party.lines("Olaf") == ['Mira takes "Would failing matter?" out.']


def test_the_log_says_what_is_hidden_by_its_title_and_its_value_to_gms_alone() -> None:
    """It said "hides DC and matters", and "asks Wren to roll: …, d6 3", by the names of the inputs."""
    party = Party("razorweave")
    party.do("Mira", a.OpenAction(who="Wren", inputs={"dc": 12}, hide=["dc"]))
    party.do("Mira", a.BuildAction(inputs={"matters": "no"}, hide=["dc", "matters"]))
    hides = 'Mira hides DC and "Would failing matter?" in the roll.'
    assert party.lines("Olaf") == [hides]
    assert party.lines("Mira") == [hides, 'Mira answers "Would failing matter?" with no.']
    party = Party("narraject")
    party.do(
        "Mira", a.AskAction(who=["Wren"], inputs={"d6": 3, "step": 8, "difficulty": 3}, hide=["step", "difficulty"])
    )
    asks = 'Mira asks Wren to roll: Attempt something, "Dice (d6)" 3, "Step Die" hidden, difficulty hidden.'
    assert party.lines("Olaf") == [asks]
    assert party.lines("Mira") == [asks, 'Only GMs see: "Step Die" 8, difficulty 3.']
    german = speaker(game("razorweave"), "de")
    assert german(hides) == "Mira verbirgt SG und „Wäre Scheitern schlimm?“ im Wurf."
    assert german("Mira asks Wren for a Check, DC hidden.") == "Mira bittet Wren um eine Probe, SG verborgen."


@pytest.mark.parametrize("faces", ["6 6 6 6", "4 4 4 3", "2 2 3 3", "1 1 2 2"])
def test_what_may_follow_a_strike_is_said_in_one_language(faces: str) -> None:
    """A German card said "the target gewinnt position and the surroundings make trouble"."""
    german = speaker(game("razorweave"), "de")
    for n in range(4):
        party = Party("razorweave")
        party.do("Mira", a.EditAction(holder="table", section="clocks", item="Alarm", to={"kind": "threat"}))
        party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs={"dc": 16, "strike": True}, faces=faces))
        asked = party.see("Mira")[f"rolls/{party.roll.id}"].get("open", {"options": []})
        if n >= len(asked["options"]):
            break
        option = asked["options"][n]
        words = ": Alarm" if option["picks"] else ": Mud" if option["words"] else ""
        party.do("Mira", a.AnswerAction(answer=f"{option['name']}{words}"))
        said = [option["label"], option["detail"], *(line.replace(" (RW-9)", "") for line in party.lines("Mira"))]
        assert [text for text in said if ENGLISH.search(german(text))] == []


@pytest.mark.parametrize(
    ("game", "roll", "answer"),
    [
        ("chronicles", a.RollAction(who="Wren", inputs={"pool": 2}, faces="2 3"), "keep"),
        ("razorweave", a.RollAction(who="Wren", inputs={"dc": 14}, faces="6 6 6 6"), ""),
    ],
)
def test_no_sentence_of_a_roll_stands_beside_a_verdict_that_says_the_same(
    game: str, roll: a.RollAction, answer: str
) -> None:
    party = Party(game)
    party.do("Jonas", roll)
    if answer:
        party.do("Jonas", a.AnswerAction(answer=answer))
    assert len(set(party.lines("Olaf"))) == len(party.lines("Olaf"))


def test_a_request_to_oppose_somebody_names_them_once() -> None:
    """It said "Oppose somebody against Toll"."""
    party = Party("tgimh")
    party.do("Mira", a.CreateAction(name="Toll"))
    party.do("Mira", a.AskAction(who=["Wren"], against="Toll", inputs={"theirs": 3}))
    assert party.lines("Olaf")[0].startswith("Mira asks Wren to roll: Oppose Toll,")


def test_a_gms_words_to_an_answer_begin_a_sentence() -> None:
    party = Party("razorweave")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"intent": "open the door"}))
    party.do("Mira", a.BuildAction(inputs={"matters": "no"}))
    party.do("Mira", a.AnswerAction(answer="yes: it swings open"))
    assert "It works. It swings open (RW-1)." in party.lines("Olaf")
