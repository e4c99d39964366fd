"""TGIMH: what a contest leaves behind on sheets (TG-5, TG-6, TG-9 to TG-12)."""

from __future__ import annotations

from astragal.games.tgimh.table import TABLE_RULES
from astragal.rule.inputs.total import total
from astragal.rule.sheets.table_rules import Change
from astragal.rule.tree.note import Note
from tests.games.tgimh_trial import ILSE, ODO, TRIAL, after, holder, participants, rolled
from tests.someone import Someone

LOST = {"condition": ["none"], "loss": ["box"]}


def test_tg9_the_winners_condition_belongs_to_the_scene() -> None:
    given = participants(against=ODO)
    written = rolled("contest", given, "9 8 | 5", {**LOST, "condition": ["make: Off/balance"]}, ours=2, theirs=1)
    assert after(given, written)["scene"]["conditions"] == {"Off-balance": {"dice": 2, "whose": None, "note": None}}


def test_tg9_a_second_condition_of_that_name_gets_a_number() -> None:
    given = participants(against=ODO, conditions={"Smoke": {"dice": 1}})
    written = rolled("contest", given, "9 | 5", {**LOST, "condition": ["make: Smoke"]}, ours=1, theirs=1)
    assert set(after(given, written)["scene"]["conditions"]) == {"Smoke", "Smoke 2"}


def test_tg10_the_loser_crosses_the_box_of_that_number() -> None:
    given = participants(against=ODO)
    sheets = after(given, rolled("contest", given, "9 8 | 5", LOST, ours=2, theirs=1))
    assert sheets["c2"]["power"]["Power"]["crossed"] == [2]
    assert sheets["c1"] == ILSE.sheet


def test_tg10_an_injury_instead_and_each_has_a_name_of_its_own() -> None:
    hurt = holder("c2", "Odo", conditions={"Injury": {"dice": 1, "injury": True}})
    given = participants(against=hurt)
    written = rolled("contest", given, "9 8 | 5", {**LOST, "loss": ["injury"]}, ours=2, theirs=1)
    conditions = after(given, written)["c2"]["conditions"]
    assert conditions["Injury 2"] == {"dice": 2, "injury": True, "transient": True, "note": None}
    assert conditions["Injury"]["dice"] == 1


def test_tg11_a_crossed_box_means_the_next_one_and_an_injury_besides() -> None:
    hurt = holder("c2", "Odo", power={"Power": {"crossed": [2]}})
    given = participants(against=hurt)
    sheets = after(given, rolled("contest", given, "9 8 | 5", LOST, ours=2, theirs=1))
    assert sheets["c2"]["power"]["Power"]["crossed"] == [2, 3]
    assert sheets["c2"]["conditions"]["Injury"]["dice"] == 3


def test_tg12_the_last_box_puts_the_loser_out_until_the_scene_closes() -> None:
    given = participants(who=ILSE, against=ODO)
    written = rolled("contest", given, "1 | 9 9 9 9 9", LOST, ours=1, theirs=5)
    sheets = after(given, written)
    assert sheets["c1"]["out"] == {"Out of the scene": {"out": True}}
    out = Someone("c1", "Ilse", sheets["c1"])
    back = after(participants(who=out, against=ODO), TABLE_RULES.closes((out, ODO), TRIAL.options))
    assert back["c1"]["out"] == {"Out of the scene": {"out": False}}


def test_tg5_a_stalemate_changes_no_sheet() -> None:
    assert rolled("contest", participants(against=ODO), "7 | 7", ours=1, theirs=1) == []


def test_a_loser_without_a_sheet_is_told_and_not_written() -> None:
    written = rolled("contest", participants(), "9 8 | 5", LOST, ours=2, theirs=1)
    assert [type(each) for each in written] == [Note]
    assert "box 2" in str(written[0])


def test_tg6_what_came_from_sheets_is_paid_at_the_throw_and_not_again() -> None:
    given = participants()
    ask = TRIAL.asked("contest", given, {"c1/aspects/Duelist": 1}, theirs=1)
    written = TRIAL.written("contest", given, ask, "9 8 7 | 5", LOST)
    assert not [each for each in written if isinstance(each, Change)]


def test_tg6_what_is_named_by_hand_is_paid_afterwards_even_if_a_sheet_has_one_of_that_name() -> None:
    given = participants()
    written = rolled("contest", given, "9 8 7 | 5", LOST, ours=total({"Duelist": 3}), theirs=1)
    assert after(given, written)["c1"]["will"]["Will"]["now"] == 8


def test_tg6_what_somebody_named_by_hand_is_paid_afterwards() -> None:
    given = participants()
    written = rolled("contest", given, "9 8 7 | 5", LOST, ours=total({"A grudge": 3}), theirs=1)
    assert after(given, written)["c1"]["will"]["Will"]["now"] == 8
