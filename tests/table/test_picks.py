"""A threat is chosen from the Clocks that the chooser sees, and a hidden one stays hidden (RW-9, RW-10)."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Illegal, Unknown
from astragal.table import action as a
from tests.table.tables import Party

DUKE = "The Duke betrays us"
MISS = "2 2 3 3"


def clock(party: Party, name: str, **to: Any) -> None:
    party.do(
        "Mira", a.EditAction(holder="table", section="clocks", item=name, to={"segments": 4, "kind": "threat", **to})
    )


def filled(party: Party, name: str) -> int:
    found: int = party.item("table", "clocks", name)["filled"]
    return found


@pytest.fixture(params=["gm", "veiled"])
def party(request: pytest.FixtureRequest) -> Party:
    """An open threat and one that is hidden or veiled; Wren's Strike at Kit has missed."""
    party = Party("razorweave")
    party.do("Mira", a.SceneAction(title="The yard"))
    clock(party, "Alarm")
    clock(party, DUKE, seen=request.param)
    return party


def missed(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs={"dc": 16, "strike": True}, faces=MISS))


def told(party: Party) -> str:
    """All that a player and an onlooker get since the roll, but for the list of Clocks, where a veiled one is named."""
    after = next(place for place, entry in enumerate(party.entries) if entry.do in ("open", "ask"))
    lines = [line for entry in party.entries[after:] for name in ("Jonas", "Olaf") for line in party.lines(name, entry)]
    views = [
        {path: part for path, part in party.see(name).items() if path != "holders/table"} for name in ("Jonas", "Olaf")
    ]
    return f"{lines} {views}"


def test_r39_the_hidden_clock_is_ticked_and_players_learn_only_that_a_threat_grows(party: Party) -> None:
    missed(party)
    party.do("Mira", a.AnswerAction(answer=f"threat: {DUKE}"))
    assert (filled(party, DUKE), filled(party, "Alarm")) == (1, 0)
    assert "A threat grows (RW-9)." in party.lines("Jonas")
    assert [gain["text"] for gain in party.see("Jonas")[f"rolls/{party.roll.id}"]["gains"]] == [
        "A miss",
        "A threat grows.",
    ]
    assert any(DUKE in line for line in party.lines("Mira"))
    assert not any(DUKE in line for line in party.lines("Jonas"))
    assert DUKE not in str(party.see("Jonas")[f"rolls/{party.roll.id}"])


def test_a_gm_is_shown_the_list_and_players_are_not(party: Party) -> None:
    missed(party)
    options = {name: party.see(name)[f"rolls/{party.roll.id}"]["open"]["options"] for name in ("Mira", "Jonas")}
    picks = {name: [option["picks"] for option in each if option["name"] == "threat"] for name, each in options.items()}
    assert picks == {"Mira": [["Alarm", DUKE]], "Jonas": [[]]}


def test_an_unknown_name_is_refused_with_the_list(party: Party) -> None:
    missed(party)
    with pytest.raises(
        Unknown, match=f'There is no "the mob outside" among the threat clocks; there are Alarm, {DUKE}'
    ):
        party.do("Mira", a.AnswerAction(answer="threat: the mob outside"))
    assert (filled(party, DUKE), filled(party, "Alarm")) == (0, 0)


def test_r46_with_several_threats_somebody_says_which(party: Party) -> None:
    missed(party)
    with pytest.raises(Illegal, match=f"Say which one: Alarm or {DUKE}"):
        party.do("Mira", a.AnswerAction(answer="threat"))
    party.do("Mira", a.AnswerAction(answer="threat: alarm"))
    assert (filled(party, DUKE), filled(party, "Alarm")) == (0, 1)


def test_the_only_threat_is_ticked_although_it_is_hidden(party: Party) -> None:
    clock(party, "Alarm", kind="goal")
    missed(party)
    party.do("Mira", a.AnswerAction(answer="threat"))
    assert filled(party, DUKE) == 1
    assert not any(DUKE in line for line in party.lines("Jonas"))


def test_a_disastrous_miss_names_the_clock_before_other_words(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs={"dc": 20, "strike": True}, faces="1 1 1 2"))
    party.do("Mira", a.AnswerAction(answer=f"threat+surroundings: {DUKE}; the lamp falls"))
    assert filled(party, DUKE) == 1
    assert "the lamp falls" in party.holder("scene").sheet["tags"]
    assert DUKE not in " ".join(party.lines("Jonas"))
    assert "the lamp falls" in " ".join(party.lines("Jonas"))


@pytest.mark.parametrize("name", ["goal", "threat"])
def test_r39_an_input_that_names_a_hidden_clock_tells_nobody(party: Party, name: str) -> None:
    party.do("Mira", a.OpenAction(who="Wren", inputs={"dc": 15}))
    party.do("Mira", a.BuildAction(inputs={name: DUKE}))
    assert party.see("Mira")[f"rolls/{party.roll.id}"]["inputs"][name] == DUKE
    assert DUKE not in told(party)
    party.do("Jonas", a.ThrowAction(faces="6 6 6 6" if name == "goal" else "1 1 2 2"))
    assert filled(party, DUKE) > 0 and filled(party, "Alarm") == 0
    assert DUKE not in told(party)
    assert "verdict" in party.see("Jonas")[f"rolls/{party.roll.id}"]


def test_a_request_that_names_a_hidden_clock_tells_nobody(party: Party) -> None:
    party.do("Mira", a.AskAction(who=["Wren"], inputs={"dc": 15, "threat": DUKE}))
    request = next(iter(party.state.world.requests))
    assert DUKE not in told(party)
    party.do("Jonas", a.RollAction(request=request, who="Wren", faces="1 1 2 2"))
    assert filled(party, DUKE) > 0
    assert DUKE not in told(party)


def test_a_hidden_clock_that_a_gm_taps_tells_nobody(party: Party) -> None:
    party.do("Mira", a.OpenAction(who="Wren", inputs={"dc": 15}))
    party.do("Mira", a.BuildAction(use={f"Threat: {DUKE}": 1}))
    party.do("Jonas", a.ThrowAction(faces="1 1 2 2"))
    assert filled(party, DUKE) > 0
    assert DUKE not in told(party)


def test_a_player_does_not_learn_by_a_name_whether_there_is_a_hidden_clock() -> None:
    refusals = []
    for hides in (True, False):
        party = Party("razorweave")
        clock(party, "Alarm")
        if hides:
            clock(party, DUKE, seen="gm")
        with pytest.raises(Unknown) as refused:
            party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 15, "goal": DUKE}))
        refusals.append(str(refused.value))
    assert refusals == [f'There is no "{DUKE}" among the clocks; there are Alarm (RW-11).'] * 2


def test_r45_a_full_clock_and_a_target_who_is_down_say_so() -> None:
    party = Party("razorweave")
    clock(party, "Alarm", filled=4)
    missed(party)
    party.do("Mira", a.AnswerAction(answer="threat"))
    assert "Alarm was full already (RW-10)." in party.lines("Jonas")


def test_undoing_the_answer_takes_the_tick_back(party: Party) -> None:
    missed(party)
    party.do("Mira", a.AnswerAction(answer=f"threat: {DUKE}"))
    party.do("Mira", a.UndoAction())
    assert filled(party, DUKE) == 0
    party.do("Mira", a.AnswerAction(answer="threat: Alarm"))
    assert (filled(party, DUKE), filled(party, "Alarm")) == (0, 1)


@pytest.mark.parametrize("to", [{"segments": 3, "filled": 9}, {"segments": 3}])
def test_r44_a_clock_is_not_edited_beyond_its_end(to: dict[str, int]) -> None:
    party = Party("razorweave")
    clock(party, "Alarm", segments=6, filled=4)
    with pytest.raises(Illegal, match=r"Alarm has 3 segments; \d cannot be filled"):
        party.do("Mira", a.EditAction(holder="table", section="clocks", item="Alarm", to=to))
