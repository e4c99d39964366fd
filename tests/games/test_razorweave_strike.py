"""Razorweave: what a Strike does to its target, and what follows it (RW-8, RW-9)."""

from __future__ import annotations

from typing import Any

import pytest

from astragal import Illegal
from astragal.games.razorweave import Check
from astragal.games.razorweave.table import TABLE_RULES
from tests.games.razorweave_faces import CRITICAL, DISASTER, FAILURE, FULL, PARTIAL
from tests.games.razorweave_trial import DEX, after, holder, notes, offers, participants, rolled, struck


@pytest.mark.parametrize(
    ("faces", "answer", "ticks"),
    [
        (CRITICAL, "deny", 3),
        (FULL, "", 2),
        (PARTIAL, "position", 1),
        (FAILURE, "position", 0),
        (DISASTER, "major: Rout", 0),
    ],
)
def test_rw8_the_tier_ticks_the_targets_resolve(faces: str, answer: str, ticks: int) -> None:
    given = participants(against=DEX)
    written = rolled("check", given, faces, {"consequence": [answer]} if answer else {}, dc=14, strike=True)
    assert after(given, written)["c2"]["resolve"]["Resolve"]["filled"] == ticks


def test_rw8_a_target_without_a_sheet_has_a_resolve_clock_on_the_table() -> None:
    given = participants(clocks={"Thug": {"kind": "resolve"}, "Ogre": {"kind": "resolve"}})
    clocks = after(given, rolled("check", given, FULL, dc=14, strike=True, resolve="ogre"))["table"]["clocks"]
    assert (clocks["Thug"]["filled"], clocks["Ogre"]["filled"]) == (0, 2)
    alone = participants(clocks={"Thug": {"kind": "resolve"}})
    assert after(alone, rolled("check", alone, FULL, dc=14, strike=True))["table"]["clocks"]["Thug"]["filled"] == 2
    assert "2 ticks" in notes(rolled("check", given, FULL, dc=14, strike=True))[0]


@pytest.mark.parametrize(
    ("answer", "name"), [("bleeding", "Bleeding"), ("condition: Blinded by ash", "Blinded by ash")]
)
def test_rw9_a_devastating_strike_may_leave_a_condition(answer: str, name: str) -> None:
    given = participants(against=DEX)
    assert set(after(given, struck(given, CRITICAL, answer))["c2"]["conditions"]) == {"Staggered", name}


def test_rw9_a_condition_that_is_there_or_has_no_sheet_is_told() -> None:
    assert notes(struck(participants(against=DEX), CRITICAL, "staggered")) == ["Dex is Staggered already."]
    assert len(notes(struck(participants(), CRITICAL, "staggered"))) == 2


@pytest.mark.parametrize(
    ("faces", "answer", "item"),
    [
        (CRITICAL, "advance", {"kind": "position", "whose": "Kira", "size": 1, "note": None}),
        (CRITICAL, "deny", {"kind": "denied", "whose": "Dex", "size": 1, "note": None}),
        (PARTIAL, "position: on the stairs", {"kind": "position", "whose": "Dex", "size": 1, "note": "on the stairs"}),
    ],
)
def test_rw9_position_and_denial_are_kept(faces: str, answer: str, item: dict[str, Any]) -> None:
    given = participants(against=DEX)
    assert list(after(given, struck(given, faces, answer))["scene"]["positions"].values()) == [item]


def test_rw9_position_is_edge_for_its_holder_once() -> None:
    given = participants(
        positions={"Kira, position": {"whose": "c1"}, "Dex, no reaction": {"whose": "c2", "kind": "denied"}}
    )
    offer = offers("check", given)["scene/positions/Kira, position"]
    assert (offer.input, offer.gives, offer.by) == ("edge", 1, "c1")
    assert set(after(given, offer.changes)["scene"]["positions"]) == {"Dex, no reaction"}
    assert not [id for id in offers("check", given) if "no reaction" in id]


def test_rw9_position_is_burden_for_whoever_acts_against_its_holder() -> None:
    given = participants(against=DEX, positions={"Dex, position": {"whose": "c2"}})
    offer = offers("check", given)["scene/positions/Dex, position"]
    assert (offer.input, offer.by) == ("burden", "c2")
    unnamed = participants(positions={"The target, position": {}, "Dex, position": {"whose": "c2"}})
    found = [offer for offer in offers("check", unnamed).values() if "/positions/" in offer.id]
    assert [(offer.label, offer.by) for offer in found] == [("The target, position", "table")]


def test_rw9_the_threat_that_is_named_grows_or_the_only_one() -> None:
    two = {"Patrol": {"kind": "threat"}, "Fire": {"kind": "threat"}}
    for inputs, answer in (({}, "threat: fire"), ({"threat": "Fire"}, "threat")):
        given = participants(against=DEX, clocks=two)
        clocks = after(given, struck(given, PARTIAL, answer, **inputs))["table"]["clocks"]
        assert (clocks["Patrol"]["filled"], clocks["Fire"]["filled"]) == (0, 1)
    audience = participants(against=DEX)
    assert after(audience, struck(audience, FAILURE, "threat"))["table"]["clocks"]["Patrol"]["filled"] == 1
    assert "GM ticks one" in notes(struck(participants(against=DEX, clocks=two), FAILURE, "threat"))[0]


def test_rw11_a_strike_ticks_the_goal_that_it_names_and_leaves_the_threat_to_rw9() -> None:
    given = participants(against=DEX)
    written = struck(given, PARTIAL, "position", goal="Over the wall", threat="Patrol")
    clocks = after(given, written)["table"]["clocks"]
    assert (clocks["Over the wall"]["filled"], clocks["Patrol"]["filled"]) == (1, 0)


def test_rw9_trouble_is_told_and_stays_as_a_tag() -> None:
    given = participants(against=DEX, tags={"Falling crates": {}})
    written = struck(given, FAILURE, "surroundings: Falling crates")
    assert set(after(given, written)["scene"]["tags"]) == {"Falling crates", "Falling crates 2"}
    assert notes(written) == ["The surroundings make trouble: Falling crates."]
    assert set(after(given, struck(given, DISASTER, "major: The bridge/gate"))["scene"]["tags"]) == {
        "Falling crates",
        "The bridge-gate",
    }


def test_rw9_two_things_follow_a_disastrous_miss() -> None:
    given = participants(against=DEX)
    sheets = after(given, struck(given, DISASTER, "threat+position"))
    assert sheets["table"]["clocks"]["Patrol"]["filled"] == 1
    assert set(sheets["scene"]["positions"]) == {"Dex, position"}


def test_rw9_who_is_down_is_told_by_name_and_a_further_strike_asks_first() -> None:
    tired = holder("c2", "Dex", resolve={"Resolve": {"filled": 5, "segments": 6}})
    given = participants(against=tired)
    assert notes(rolled("check", given, FULL, dc=14, strike=True)) == ["Dex is down: the Resolve Clock is full."]
    down = participants(against=holder("c2", "Dex", resolve={"Resolve": {"filled": 6, "segments": 6}}))
    assert TABLE_RULES.reads("check", down) == {"down": "Dex"}
    with pytest.raises(Illegal, match=r"Dex is down.*RW-9"):
        rolled("check", down, FULL, dc=14, strike=True)
    struck = rolled("check", down, FULL, dc=14, strike=True, anyway="to be sure")
    assert notes(struck) == ["Dex was down already: the Resolve Clock is full."]  # RW-10
    assert rolled("check", down, FULL, dc=14, intent="bind his wounds") == []


def test_rw9_a_full_resolve_clock_of_the_table_is_down_too() -> None:
    given = participants(clocks={"Thug": {"kind": "resolve", "filled": 6, "segments": 6}})
    values = {"dc": 14, "strike": True, "resolve": "thug"}
    with pytest.raises(Illegal, match="Thug is down"):
        Check(**{**values, **TABLE_RULES.completes("check", values, given)})
