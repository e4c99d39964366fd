"""TGIMH: a recovery takes dice off a condition (TG-14)."""

from __future__ import annotations

import pytest

from astragal import Illegal
from astragal.games.tgimh import Recovery
from astragal.rule.inputs.total import total
from astragal.rule.tree.note import Note
from tests.games.tgimh_trial import ODO, TRIAL, after, holder, offers, participants, rolled


def test_tg14_every_condition_at_hand_may_be_worked_on() -> None:
    hurt = holder("c2", "Odo", conditions={"Injury": {"dice": 3, "injury": True}})
    found = offers("recovery", participants(against=hurt, conditions={"Smoke": {"dice": 2}}))
    targets = {id: offer for id, offer in found.items() if offer.input == "dice"}
    assert {offer.label: offer.gives for offer in targets.values()} == {
        "Angry": 2,
        "Odo's Injury": 3,
        "Smoke (scene)": 2,
    }
    assert targets["c2/conditions/Injury!recovery"].also == (("name", "Odo's Injury"),)


def test_tg14_the_pool_is_gathered_as_ever_and_nobody_stands_against_it() -> None:
    found = offers("recovery", participants(against=ODO))
    assert {offer.input for offer in found.values()} == {"ours", "gear", "dice"}
    assert found["c1/aspects/Duelist"].price[0].by == -1
    assert not [id for id in found if id.endswith("!against")]


@pytest.mark.parametrize(("name", "id"), [("Angry", "c1"), ("Odo's Injury", "c2"), ("smoke (scene)", "scene")])
def test_tg14_each_success_takes_a_die_off_it(name: str, id: str) -> None:
    hurt = holder("c2", "Odo", conditions={"Injury": {"dice": 2, "injury": True}})
    given = participants(against=hurt, conditions={"Smoke": {"dice": 2}})
    sheets = after(given, rolled("recovery", given, "9 | 5 4", ours=1, dice=2, name=name))
    left = {item["dice"] for item in sheets[id]["conditions"].values()}
    assert left == {1}


def test_tg14_at_0_it_is_gone_and_a_lost_roll_changes_nothing() -> None:
    given = participants()
    assert after(given, rolled("recovery", given, "9 8 | 5 4", ours=2, dice=2, name="Angry"))["c1"]["conditions"] == {}
    assert rolled("recovery", given, "3 | 5 4", ours=1, dice=2, name="Angry") == []


def test_tg14_a_condition_on_no_sheet_is_told() -> None:
    [note] = rolled("recovery", participants(), "9 | 5", ours=1, dice=1, name="Cold feet")
    assert isinstance(note, Note)


def test_tg6_a_recovery_costs_will_too() -> None:
    assert TRIAL.reads("recovery", participants()) == {
        "die": 10,
        "ours": 0,
        "our_name": "Ilse",
        "will": 9,
        "out": False,
    }
    with pytest.raises(Illegal, match="That costs 2 Will, and our side has 1"):
        Recovery(ours=total({"Duelist": 3, "Proud": 1}), dice=1, will=1)
