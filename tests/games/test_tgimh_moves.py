"""TGIMH: a refreshment between scenes restores and gives an opening (TG-15), and how a character begins."""

from __future__ import annotations

from tests.games.tgimh_trial import ODO, holder, moved, participants, refused

WORN = holder(
    "c1",
    "Ilse",
    will={"Will": {"now": 2}},
    power={"Power": {"crossed": [1, 3]}},
    conditions={
        "Injury": {"dice": 2, "injury": True},
        "Angry": {"dice": 1},
        "Cursed": {"dice": 1, "transient": False},
    },
)


def test_tg15_a_refreshment_clears_restores_and_gives_an_opening() -> None:
    sheets = moved("refresh", participants(who=WORN, against=ODO), how="Soup")
    assert sheets["c1"]["power"]["Power"]["crossed"] == []
    assert set(sheets["c1"]["conditions"]) == {"Cursed"}
    assert sheets["c1"]["will"]["Will"]["now"] == 9
    assert sheets["table"]["openings"] == {"Ilse and Odo": {"used": False, "note": "Soup"}}
    assert sheets["c2"] == ODO.sheet


def test_tg15_boxes_are_ticked_beforehand_unless_a_condition_is_lasting_and_can_be_changed() -> None:
    given = participants(who=WORN, against=ODO, conditions={"Smoke": {"dice": 2}, "Rain": {"dice": 1}})
    sheets = moved("refresh", given, ends=[["angry", "stays"], ["Smoke", "ends"], ["Cursed", "ends"]])
    assert set(sheets["c1"]["conditions"]) == {"Angry"}
    assert set(sheets["scene"]["conditions"]) == {"Rain"}
    refusal = refused("refresh", given, ends=[["Thirst", "ends"]])
    assert refusal.rule == "TG-15"
    assert "but Smoke, Rain, " in refusal.sentence


def test_tg15_a_lasting_injury_stays_unless_its_box_is_ticked() -> None:
    lasting = holder("c1", "Ilse", conditions={"Old wound": {"dice": 2, "injury": True, "transient": False}})
    assert set(moved("refresh", participants(who=lasting, against=ODO))["c1"]["conditions"]) == {"Old wound"}


def test_tg15_the_other_may_be_somebody_without_a_sheet() -> None:
    sheets = moved("refresh", participants(who=WORN), company="the ferryman")
    assert set(sheets["table"]["openings"]) == {"Ilse and the ferryman"}
    assert refused("refresh", participants(who=WORN), company="ilse").rule == "TG-15"


def test_tg15_it_never_lowers_will() -> None:
    eager = holder("c1", "Ilse", will={"Will": {"now": 12}})
    assert moved("refresh", participants(who=eager, against=ODO))["c1"]["will"]["Will"]["now"] == 12


def test_tg15_never_inside_a_scene_and_never_alone() -> None:
    refusal = refused("refresh", participants(who=WORN, against=ODO, in_scene=True))
    assert (refusal.rule, "a scene is open" in refusal.sentence) == ("TG-15", True)
    for given in (participants(who=WORN), participants(who=WORN, against=WORN)):
        refusal = refused("refresh", given)
        assert (refusal.rule, "needs another character" in refusal.sentence) == ("TG-15", True)


def test_tg15_an_opening_is_used_once() -> None:
    given = participants(openings={"Ilse and Odo": {}})
    assert moved("use_opening", given, opening="ilse and odo")["table"]["openings"]["Ilse and Odo"]["used"]
    assert refused("use_opening", participants(openings={"Old": {"used": True}}), opening="Old").rule == "TG-15"
    assert refused("use_opening", given, opening="Another").kind == "unknown"


def test_tg8_and_tg12_a_character_begins_with_what_the_table_says() -> None:
    sheets = moved("begin", participants(who=WORN, options={"start_will": 7, "track": 4}))
    assert sheets["c1"]["will"]["Will"] == {"now": 7, "start": 7}
    assert sheets["c1"]["power"]["Power"] == {"crossed": [], "length": 4}
