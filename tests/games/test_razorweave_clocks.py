"""Razorweave: Clocks are named, ticked and raced (RW-10, RW-11)."""

from __future__ import annotations

import pytest

from astragal import Illegal, Refusal, odds, play
from astragal.games.razorweave import Race
from astragal.games.razorweave.table import TABLE_RULES
from astragal.rule.inputs.total import total
from tests.games.razorweave_faces import CRITICAL, DISASTER, FAILURE, FULL, PARTIAL
from tests.games.razorweave_trial import CLOCKS, DEX, after, holder, moved, notes, offers, participants, rolled


def test_rw11_clocks_may_be_named_by_their_kind() -> None:
    clocks = {**CLOCKS, "Thug": {"kind": "resolve"}}
    found = {offer.label: (offer.input, offer.gives) for offer in offers("check", participants(clocks=clocks)).values()}
    assert found["Goal: Over the wall"] == ("goal", "Over the wall")
    assert found["Threat: Patrol"] == ("threat", "Patrol")
    assert found["Resolve: Thug"] == ("resolve", "Thug")
    assert "table/clocks/Thug" not in offers("check", participants(against=DEX, clocks=clocks))


@pytest.mark.parametrize(
    ("faces", "goal", "threat"), [(CRITICAL, 3, 0), (FULL, 2, 0), (PARTIAL, 1, 1), (FAILURE, 0, 1), (DISASTER, 0, 2)]
)
def test_rw11_a_check_ticks_the_clocks_that_it_names(faces: str, goal: int, threat: int) -> None:
    given = participants()
    written = rolled("check", given, faces, dc=14, goal="over the wall", threat="Patrol")
    clocks = after(given, written)["table"]["clocks"]
    assert (clocks["Over the wall"]["filled"], clocks["Patrol"]["filled"]) == (goal, threat)


def test_rw11_a_check_that_names_no_clock_ticks_none() -> None:
    assert rolled("check", participants(), FULL, dc=14) == []


def test_rw10_ticks_never_pass_the_end_of_a_clock() -> None:
    given = participants(clocks={"Wall": {"filled": 3, "segments": 4, "kind": "goal"}})
    assert after(given, rolled("check", given, CRITICAL, dc=14, goal="Wall"))["table"]["clocks"]["Wall"]["filled"] == 4


def test_rw11_a_clock_that_is_not_there_is_told() -> None:
    [note] = notes(rolled("check", participants(), FULL, dc=14, goal="Nowhere"))
    assert "Nowhere" in note
    assert "2 ticks" in note


def test_rw11_two_racing_clocks_full_at_once_decide_nothing() -> None:
    near = {name: {**clock, "filled": 3} for name, clock in CLOCKS.items()}
    given = participants(clocks=near)
    assert "at once" in notes(rolled("check", given, PARTIAL, dc=14, goal="Over the wall", threat="Patrol"))[0]
    assert notes(rolled("check", given, FULL, dc=14, goal="Over the wall", threat="Patrol")) == []


def test_rw11_a_race_is_rolled_between_the_two_clocks_that_race() -> None:
    given = participants(clocks={**CLOCKS, "Patrol": {"filled": 1, "segments": 4, "kind": "threat"}})
    assert TABLE_RULES.reads("race", given) == {"goal": 4, "threat": 3}
    clocks = after(given, rolled("race", given, f"{PARTIAL} | {FULL} | {FULL}", dc=14))["table"]["clocks"]
    assert (clocks["Over the wall"]["filled"], clocks["Patrol"]["filled"]) == (4, 2)


def test_rw11_a_race_of_other_clocks_writes_nothing() -> None:
    assert rolled("race", participants(clocks={}), FULL, dc=14, goal=1, threat=1) == []
    assert rolled("race", participants(), FULL, dc=14, goal=1, threat=4) == []
    hidden = {name: {**clock, "seen": "gm"} for name, clock in CLOCKS.items()}
    assert TABLE_RULES.reads("race", participants(clocks=hidden)) == {}
    assert Race(**TABLE_RULES.reads("race", participants()), dc=14).goal == 4


def test_rw11_two_clocks_are_set_to_race() -> None:
    given = participants(clocks={"One": {}, "Two": {"kind": "threat"}})
    clocks = after(given, moved("race", given, goal="one", threat="Two"))["table"]["clocks"]
    assert (clocks["One"]["against"], clocks["Two"]["against"]) == ("Two", "One")
    for threat in ("One", "Three"):
        with pytest.raises(Refusal):
            moved("race", given, goal="One", threat=threat)


def test_rw11_every_one_of_several_rolls_ticks() -> None:
    given = participants()
    written = rolled(
        "split", given, f"{FULL} | {FAILURE}", dc=14, members=total({"Kira": 0, "Dex": 0}), threat="Patrol"
    )
    assert after(given, written)["table"]["clocks"]["Patrol"]["filled"] == 1


def test_rw10_a_resolve_clock_starts_anew() -> None:
    given = participants(who=holder("c1", "Kira", resolve={"Resolve": {"filled": 4}}), options={"resolve": 8})
    assert after(given, moved("steady", given))["c1"]["resolve"]["Resolve"] == {"filled": 0, "segments": 8}
    with pytest.raises(Illegal):
        moved("steady", participants(who=None))


def test_rw11_a_race_that_hardly_ever_ticks_has_odds_but_is_not_rolled() -> None:
    """Whatever the dice are: only four 1s tick, and there are 24 segments."""

    def race(goal: int, threat: int) -> Race:
        return Race(
            dc=1, modifier=50, goal=goal, threat=threat, goal_ticks=(0, 0, 0, 0, 1), threat_ticks=(0, 0, 0, 0, 0)
        )

    assert odds(race(24, 4), "first")["goal"] == 1
    with pytest.raises(Illegal, match=r"may take more than 2,000 rounds; .* \(RW-11\)"):
        play(race(24, 4))
    assert play(race(1, 1)).result is not None
