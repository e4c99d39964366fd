"""What TGIMH keeps, rule by rule: sheets go into rolls, and rolls and moves go back onto sheets."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from astragal import Illegal, Refusal, Typed, play
from astragal.games.tgimh import GAME, Contest, Recovery
from astragal.games.tgimh.keeping import KEEPING
from astragal.games.tgimh.lead import Lead
from astragal.games.tgimh.words import KEPT
from astragal.rule.keeping import Cast, Change, Deed, Holder, Offer, keeping_of
from astragal.rule.note import Note
from astragal.rule.sheet import read_sheet, section_of
from astragal.rule.total import total
from tests.someone import Someone

OPTIONS = KEEPING.options().values()
KIND_OF = {"table": KEEPING.table, "scene": KEEPING.scene}
ALL_RULES = {*GAME.rules, *KEPT}
Answers: TypeAlias = dict[str, list[str]] | None


def holder(id: str, name: str = "", **sheet: Any) -> Holder:
    return Someone(id, name, read_sheet(KIND_OF.get(id, KEEPING.character), sheet))


ILSE = holder(
    "c1",
    "Ilse",
    aspects={"Duelist": {"dice": 3}, "Proud": {"dice": 1}},
    abilities={"River-born": {"dice": 1}},
    gear={"Sabre": {"dice": 2}, "Wet boots": {"dice": -1}},
    conditions={"Angry": {"dice": 2}},
    keys={"The quarrel": {"kind": "dramatic"}, "Protect": {"kind": "motivation"}},
    backgrounds={"A lost title": {}},
)
ODO = holder("c2", "Odo", aspects={"Stubborn": {"dice": 2}}, gear={"Staff": {"dice": 1}})


def cast(who: Holder | None = ILSE, against: Holder | None = None, **more: Any) -> Cast:
    scene = holder("scene", conditions=more.pop("conditions", {}))
    table = holder("table", openings=more.pop("openings", {}))
    options = {**OPTIONS, **more.pop("options", {})}
    return Cast(who, None, against, (), table, scene, options, more.pop("in_scene", False))


def after(given: Cast, deeds: Iterable[Deed]) -> dict[str, dict[str, Any]]:
    """The sheets after these deeds; every change must be of something that there is, within its bounds."""
    holders = [found for found in (given.who, given.against, given.scene, given.table) if found]
    sheets: dict[str, Any] = {
        found.id: {name: {item: dict(fields) for item, fields in items.items()} for name, items in found.sheet.items()}
        for found in holders
    }
    for deed in deeds:
        assert deed.rule in ALL_RULES
        if isinstance(deed, Change):
            _change(sheets[deed.holder][deed.section], deed, given)
    return sheets


def _change(items: dict[str, Any], change: Change, given: Cast) -> None:
    section = section_of(KIND_OF.get(change.holder, KEEPING.character), change.section)
    section.check_name(change.item)
    if not change.field and change.to is None:
        del items[change.item]
    elif not change.field:
        assert section.read(change.to, change.item) == change.to
        items[change.item] = change.to
    elif change.by is not None:
        items[change.item][change.field] = section.moved(items[change.item], change.field, change.by, given.options)
    else:
        section.field(change.field).read(change.to)
        items[change.item][change.field] = change.to


def offers(kind: str, given: Cast) -> dict[str, Offer]:
    found = list(KEEPING.offers(kind, given))
    assert len({offer.id for offer in found}) == len(found)
    assert {offer.rule for offer in found} <= ALL_RULES
    assert {offer.input for offer in found} <= set(GAME.kinds[kind].ask.inputs)
    return {offer.id: offer for offer in found}


def rolled(kind: str, given: Cast, faces: str, answers: Answers = None, /, **inputs: Any) -> list[Deed]:
    """What is written when these dice fall, with what the roll reads by itself."""
    ask = GAME.kinds[kind].ask(**{**KEEPING.reads(kind, given), **inputs})
    outcome = play(GAME.kinds[kind].rule(ask), Typed(faces, answers)).outcome
    assert outcome is not None
    return list(KEEPING.writes(kind, given, ask, outcome))


def moved(name: str, given: Cast, /, **inputs: Any) -> dict[str, dict[str, Any]]:
    move = next(move for move in KEEPING.moves if move.name == name)
    return after(given, move.does(move.ask.read(inputs), given))


def refused(name: str, given: Cast, /, **inputs: Any) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        moved(name, given, **inputs)
    return refusal.value


def with_advances(n: int, xp: int = 0, **more: Any) -> Holder:
    sheet = {**ILSE.sheet, "advances": {"Advances": {"now": n}}, "xp": {"XP": {"now": xp}}, **more}
    return holder("c1", "Ilse", **sheet)


# The sheets.


def test_the_game_names_its_keeping_and_every_part_cites_a_rule_that_there_is() -> None:
    assert keeping_of(GAME.keeps) is KEEPING
    for section in (*KEEPING.character, *KEEPING.table, *KEEPING.scene):
        assert {section.rule, *(input.rule for input in section.fields.values())} <= {*ALL_RULES, ""}
    for move in KEEPING.moves:
        assert {move.rule, *(input.rule for input in move.ask.inputs.values())} <= ALL_RULES
    assert {input.rule for input in KEEPING.options.inputs.values()} <= ALL_RULES


def test_tg8_and_tg12_a_blank_character_has_9_will_and_5_free_boxes() -> None:
    blank = holder("c9").sheet
    assert blank["will"] == {"Will": {"now": 9, "start": 9}}
    assert blank["power"] == {"Power": {"crossed": [], "length": 5}}
    assert blank["about"] == {"About": {"text": None}}


def test_templates_are_characters() -> None:
    made = tomllib.loads(Path(KEEPING.templates).read_text("utf-8"))["character"]
    assert len({character["name"] for character in made}) == len(made) >= 2
    for character in made:
        assert character["blurb"].endswith(".")
        read_sheet(KEEPING.character, character["sheet"])


# Gathering a pool (TG-2, TG-6, TG-7).


def test_tg6_an_own_aspect_or_condition_costs_its_user_1_will() -> None:
    found = offers("contest", cast())
    for id, dice in (("c1/aspects/Duelist", 3), ("c1/conditions/Angry", 2)):
        assert (found[id].input, found[id].gives, found[id].by) == ("ours", dice, "c1")
        assert [(price.holder, price.field, price.by) for price in found[id].price] == [("c1", "now", -1)]


def test_tg2_gear_and_abilities_are_free_and_gear_may_hinder() -> None:
    found = offers("contest", cast())
    assert {found[f"c1/{id}"].gives for id in ("gear/Sabre", "gear/Wet boots", "abilities/River-born")} == {2, -1, 1}
    for id in ("gear/Sabre", "gear/Wet boots", "abilities/River-born"):
        assert (found[f"c1/{id}"].input, found[f"c1/{id}"].price) == ("gear", ())


def test_tg2_the_other_side_gathers_its_own_pool() -> None:
    found = offers("contest", cast(against=ODO))
    assert (found["c2/aspects/Stubborn"].input, found["c2/aspects/Stubborn"].by) == ("theirs", "c2")
    assert (found["c2/gear/Staff"].input, found["c2/gear/Staff"].by) == ("their_gear", "c2")


def test_tg7_a_used_aspect_gives_will_to_the_one_whose_it_is() -> None:
    found = offers("contest", cast(against=ODO))
    used = found["c2/aspects/Stubborn!against"]
    assert (used.input, used.gives, used.by, used.label) == ("ours", 2, "c1", "Odo's Stubborn")
    assert [(price.holder, price.by, price.rule) for price in used.price] == [("c1", -1, "TG-6"), ("c2", 1, "TG-7")]


def test_tg7_a_used_condition_gives_no_will() -> None:
    used = offers("contest", cast(against=ODO))["c1/conditions/Angry!against"]
    assert (used.input, used.by) == ("theirs", "c2")
    assert [(price.holder, price.by) for price in used.price] == [("c2", -1)]


def test_tg9_anyone_may_use_a_condition_of_the_scene_for_1_will() -> None:
    found = offers("contest", cast(against=ODO, conditions={"Smoke": {"dice": 2}}))
    ours, theirs = found["scene/conditions/Smoke"], found["scene/conditions/Smoke!theirs"]
    assert (ours.input, ours.by, ours.price[0].holder) == ("ours", "c1", "c1")
    assert (theirs.input, theirs.by, theirs.price[0].holder) == ("theirs", "c2", "c2")


def test_tg7_a_quick_pool_of_the_gms_pays_nothing_and_still_gives_will() -> None:
    used = offers("contest", cast(against=None))["c1/aspects/Proud!against"]
    assert (used.input, used.by) == ("theirs", "table")
    assert [(price.holder, price.by) for price in used.price] == [("c1", 1)]


@pytest.mark.parametrize(("cap", "now"), [("none", 10), ("start", 9)])
def test_tg8_the_table_says_whether_will_rises_above_its_start(cap: str, now: int) -> None:
    given = cast(against=ODO, options={"will_cap": cap})
    price = offers("contest", given)["c2/aspects/Stubborn!against"].price
    assert after(given, price)["c2"]["will"]["Will"]["now"] == now


def test_a_roll_reads_will_tracks_and_the_tables_die() -> None:
    hurt = holder("c2", "Odo", power={"Power": {"crossed": [1, 2], "length": 6}}, will={"Will": {"now": 3}})
    read = Contest(**KEEPING.reads("contest", cast(against=hurt, options={"die": 8})))
    assert (read.die, read.will, read.their_will) == (8, 9, 3)
    assert (read.track, read.crossed, read.their_track, read.their_crossed) == (5, (), 6, (1, 2))


def test_a_side_without_a_sheet_has_to_say_its_dice() -> None:
    read = KEEPING.reads("contest", cast(options={"track": 4}))
    assert "theirs" not in read
    assert "their_will" not in read
    assert read["their_track"] == 4
    assert "ours" not in KEEPING.reads("contest", cast(who=None))


def test_tg6_too_little_will_is_refused_before_anything_is_spent() -> None:
    weary = holder("c1", "Ilse", will={"Will": {"now": 1}})
    read = KEEPING.reads("contest", cast(who=weary))
    with pytest.raises(Illegal, match="nothing is spent"):
        Contest(**{**read, "ours": total({"Duelist": 3, "Proud": 1}), "theirs": 2})


# After a roll (TG-9 to TG-12).

LOST = {"condition": ["none"], "loss": ["box"]}


def test_tg9_the_winners_condition_belongs_to_the_scene() -> None:
    given = cast(against=ODO)
    deeds = rolled("contest", given, "9 8 | 5", {**LOST, "condition": ["make: Off/balance"]}, ours=2, theirs=1)
    assert after(given, deeds)["scene"]["conditions"] == {"Off-balance": {"dice": 2, "note": None}}


def test_tg9_a_second_condition_of_that_name_gets_a_number() -> None:
    given = cast(against=ODO, conditions={"Smoke": {"dice": 1}})
    deeds = rolled("contest", given, "9 | 5", {**LOST, "condition": ["make: Smoke"]}, ours=1, theirs=1)
    assert set(after(given, deeds)["scene"]["conditions"]) == {"Smoke", "Smoke 2"}


def test_tg10_the_loser_crosses_the_box_of_that_number() -> None:
    given = cast(against=ODO)
    sheets = after(given, rolled("contest", given, "9 8 | 5", LOST, ours=2, theirs=1))
    assert sheets["c2"]["power"]["Power"]["crossed"] == [2]
    assert sheets["c1"] == ILSE.sheet


def test_tg10_an_injury_instead_and_each_has_a_name_of_its_own() -> None:
    hurt = holder("c2", "Odo", conditions={"Injury": {"dice": 1, "injury": True}})
    given = cast(against=hurt)
    deeds = rolled("contest", given, "9 8 | 5", {**LOST, "loss": ["injury"]}, ours=2, theirs=1)
    conditions = after(given, deeds)["c2"]["conditions"]
    assert conditions["Injury 2"] == {"dice": 2, "injury": True, "transient": True, "note": None}
    assert conditions["Injury"]["dice"] == 1


def test_tg11_a_crossed_box_means_the_next_one_and_an_injury_besides() -> None:
    hurt = holder("c2", "Odo", power={"Power": {"crossed": [2]}})
    given = cast(against=hurt)
    sheets = after(given, rolled("contest", given, "9 8 | 5", LOST, ours=2, theirs=1))
    assert sheets["c2"]["power"]["Power"]["crossed"] == [2, 3]
    assert sheets["c2"]["conditions"]["Injury"]["dice"] == 3


def test_tg12_the_last_box_puts_the_loser_out_until_the_scene_closes() -> None:
    given = cast(who=ILSE, against=ODO)
    deeds = rolled("contest", given, "1 | 9 9 9 9 9", LOST, ours=1, theirs=5)
    sheets = after(given, deeds)
    assert sheets["c1"]["out"] == {"Out of the scene": {"out": True}}
    out = Someone("c1", "Ilse", sheets["c1"])
    back = after(cast(who=out, against=ODO), KEEPING.closes((out, ODO), OPTIONS))
    assert back["c1"]["out"] == {"Out of the scene": {"out": False}}


def test_tg5_a_stalemate_changes_no_sheet() -> None:
    assert rolled("contest", cast(against=ODO), "7 | 7", ours=1, theirs=1) == []


def test_a_loser_without_a_sheet_is_told_and_not_written() -> None:
    deeds = rolled("contest", cast(), "9 8 | 5", LOST, ours=2, theirs=1)
    assert [type(deed) for deed in deeds] == [Note]
    assert "box 2" in str(deeds[0])


def test_tg6_what_came_from_sheets_is_paid_at_the_throw_and_not_again() -> None:
    deeds = rolled("contest", cast(), "9 8 7 | 5", LOST, ours=total({"Duelist": 3}), theirs=1)
    assert not [deed for deed in deeds if isinstance(deed, Change)]


def test_tg6_what_somebody_named_by_hand_is_paid_afterwards() -> None:
    given = cast()
    deeds = rolled("contest", given, "9 8 7 | 5", LOST, ours=total({"A grudge": 3}), theirs=1)
    assert after(given, deeds)["c1"]["will"]["Will"]["now"] == 8


def test_luck_is_the_rollers_successes_with_a_sign() -> None:
    assert KEEPING.luck("contest", Lead(1, 3, True)) == 3
    assert KEEPING.luck("contest", Lead(-1, 2, True)) == -2
    assert KEEPING.luck("contest", Lead()) == 0


# Recovery (TG-14).


def test_tg14_every_condition_at_hand_may_be_worked_on() -> None:
    hurt = holder("c2", "Odo", conditions={"Injury": {"dice": 3, "injury": True}})
    found = offers("recovery", cast(against=hurt, conditions={"Smoke": {"dice": 2}}))
    targets = {id: offer for id, offer in found.items() if offer.input == "dice"}
    assert {offer.label: offer.gives for offer in targets.values()} == {
        "Angry": 2,
        "Odo's Injury": 3,
        "Smoke (scene)": 2,
    }
    assert targets["c2/conditions/Injury!recovery"].also == (("name", "Odo's Injury"),)


def test_tg14_the_pool_is_gathered_as_ever_and_nobody_stands_against_it() -> None:
    found = offers("recovery", cast(against=ODO))
    assert {offer.input for offer in found.values()} == {"ours", "gear", "dice"}
    assert found["c1/aspects/Duelist"].price[0].by == -1
    assert not [id for id in found if id.endswith("!against")]


@pytest.mark.parametrize(("name", "id"), [("Angry", "c1"), ("Odo's Injury", "c2"), ("smoke (scene)", "scene")])
def test_tg14_each_success_takes_a_die_off_it(name: str, id: str) -> None:
    hurt = holder("c2", "Odo", conditions={"Injury": {"dice": 2, "injury": True}})
    given = cast(against=hurt, conditions={"Smoke": {"dice": 2}})
    sheets = after(given, rolled("recovery", given, "9 | 5 4", ours=1, dice=2, name=name))
    left = {item["dice"] for item in sheets[id]["conditions"].values()}
    assert left == {1}


def test_tg14_at_0_it_is_gone_and_a_lost_roll_changes_nothing() -> None:
    given = cast()
    assert after(given, rolled("recovery", given, "9 8 | 5 4", ours=2, dice=2, name="Angry"))["c1"]["conditions"] == {}
    assert rolled("recovery", given, "3 | 5 4", ours=1, dice=2, name="Angry") == []


def test_tg14_a_condition_on_no_sheet_is_told() -> None:
    [note] = rolled("recovery", cast(), "9 | 5", ours=1, dice=1, name="Cold feet")
    assert isinstance(note, Note)


def test_tg6_a_recovery_costs_will_too() -> None:
    assert KEEPING.reads("recovery", cast()) == {"die": 10, "ours": 0, "will": 9}
    with pytest.raises(Illegal, match="nothing is spent"):
        Recovery(ours=total({"Duelist": 3, "Proud": 1}), dice=1, will=1)


# Refreshment (TG-15).

WORN = holder(
    "c1",
    "Ilse",
    will={"Will": {"now": 2}},
    power={"Power": {"crossed": [1, 3]}},
    conditions={
        "Injury": {"dice": 2, "injury": True, "transient": False},
        "Angry": {"dice": 1},
        "Cursed": {"dice": 1, "transient": False},
    },
)


def test_tg15_a_refreshment_clears_restores_and_gives_an_opening() -> None:
    sheets = moved("refresh", cast(who=WORN, against=ODO), how="Soup")
    assert sheets["c1"]["power"]["Power"]["crossed"] == []
    assert set(sheets["c1"]["conditions"]) == {"Cursed"}
    assert sheets["c1"]["will"]["Will"]["now"] == 9
    assert sheets["table"]["openings"] == {"Ilse and Odo": {"used": False, "note": "Soup"}}
    assert sheets["c2"] == ODO.sheet


def test_tg15_it_never_lowers_will() -> None:
    eager = holder("c1", "Ilse", will={"Will": {"now": 12}})
    assert moved("refresh", cast(who=eager, against=ODO))["c1"]["will"]["Will"]["now"] == 12


def test_tg15_never_inside_a_scene_and_never_alone() -> None:
    for given in (cast(who=WORN, against=ODO, in_scene=True), cast(who=WORN), cast(who=WORN, against=WORN)):
        refusal = refused("refresh", given)
        assert refusal.rule == "TG-15"
        assert "nothing is changed" in refusal.sentence


def test_tg15_an_opening_is_used_once() -> None:
    given = cast(openings={"Ilse and Odo": {}})
    assert moved("use_opening", given, opening="ilse and odo")["table"]["openings"]["Ilse and Odo"]["used"]
    assert refused("use_opening", cast(openings={"Old": {"used": True}}), opening="Old").rule == "TG-15"
    assert refused("use_opening", given, opening="Another").kind == "unknown"


def test_tg8_and_tg12_a_character_begins_with_what_the_table_says() -> None:
    sheets = moved("begin", cast(who=WORN, options={"start_will": 7, "track": 4}))
    assert sheets["c1"]["will"]["Will"] == {"now": 7, "start": 7}
    assert sheets["c1"]["power"]["Power"] == {"crossed": [], "length": 4}


# Growth (TG-16 to TG-20).


@pytest.mark.parametrize(
    ("key", "level", "xp"),
    [
        ("The quarrel", "scene", 1),
        ("The quarrel", "challenge", 2),
        ("The quarrel", "progress", 5),
        ("Protect", "expressed", 1),
        ("protect", "risk", 3),
    ],
)
def test_tg17_a_key_scores_by_how_far_it_went(key: str, level: str, xp: int) -> None:
    sheets = moved("score", cast(), key=key, level=level)
    assert sheets["c1"]["xp"]["XP"]["now"] + 5 * sheets["c1"]["advances"]["Advances"]["now"] == xp


def test_tg17_a_key_scores_only_by_its_own_levels() -> None:
    assert refused("score", cast(), key="Protect", level="progress").rule == "TG-17"
    assert refused("score", cast(), key="No such Key", level="scene").kind == "unknown"


def test_tg18_every_5_xp_is_an_advance() -> None:
    sheets = moved("score", cast(who=with_advances(1, xp=4)), key="Protect", level="risk")
    assert sheets["c1"]["xp"]["XP"]["now"] == 2
    assert sheets["c1"]["advances"]["Advances"]["now"] == 2


def test_tg18_xp_written_by_hand_become_advances() -> None:
    sheets = moved("advance", cast(who=with_advances(0, xp=13)))
    assert (sheets["c1"]["xp"]["XP"]["now"], sheets["c1"]["advances"]["Advances"]["now"]) == (3, 2)
    assert refused("advance", cast(who=with_advances(0, xp=4))).rule == "TG-18"


def test_tg17_a_key_that_is_bought_off_gives_10_xp_and_is_gone() -> None:
    sheets = moved("buy_off", cast(), key="The quarrel")
    assert set(sheets["c1"]["keys"]) == {"Protect"}
    assert sheets["c1"]["advances"]["Advances"]["now"] == 2


@pytest.mark.parametrize(("way", "dice"), [("raise", 4), ("lower", 2)])
def test_tg19_a_die_up_or_down_costs_as_many_advances_as_there_are_dice(way: str, dice: int) -> None:
    sheets = moved("step", cast(who=with_advances(4)), name="Duelist", way=way)
    assert sheets["c1"]["aspects"]["Duelist"]["dice"] == dice
    assert sheets["c1"]["advances"]["Advances"]["now"] == 1


def test_tg19_an_ability_is_raised_likewise_and_nothing_goes_below_1_die() -> None:
    assert moved("step", cast(who=with_advances(1)), name="River-born")["c1"]["abilities"]["River-born"]["dice"] == 2
    assert refused("step", cast(who=with_advances(9)), name="Proud", way="lower").rule == "TG-19"


def test_tg19_a_new_aspect_and_a_new_key_cost_1_each() -> None:
    sheets = moved("new_aspect", cast(who=with_advances(1)), name="Patient")
    assert sheets["c1"]["aspects"]["Patient"]["dice"] == 1
    assert sheets["c1"]["advances"]["Advances"]["now"] == 0
    sheets = moved("new_key", cast(who=with_advances(1)), name="Home", kind="motivation")
    assert sheets["c1"]["keys"]["Home"]["kind"] == "motivation"


def test_tg19_a_name_is_taken_once() -> None:
    assert refused("new_aspect", cast(who=with_advances(5)), name="duelist").rule == "TG-19"
    assert refused("new_key", cast(who=with_advances(5)), name="a/b", kind="dramatic").rule == "TG-19"


def test_tg19_a_1d_aspect_moves_to_the_backgrounds_and_back() -> None:
    sheets = moved("shift", cast(who=with_advances(1)), name="Proud")
    assert "Proud" not in sheets["c1"]["aspects"]
    assert "Proud" in sheets["c1"]["backgrounds"]
    sheets = moved("shift", cast(who=with_advances(1)), name="A lost title")
    assert sheets["c1"]["aspects"]["A lost title"]["dice"] == 1
    assert sheets["c1"]["backgrounds"] == {}
    assert refused("shift", cast(who=with_advances(9)), name="Duelist").rule == "TG-19"


def test_tg20_what_has_no_price_of_its_own_costs_1_for_each_die() -> None:
    sheets = moved("buy", cast(who=with_advances(3)), name="Lantern", kind="gear", dice=2)
    assert sheets["c1"]["gear"]["Lantern"]["dice"] == 2
    assert sheets["c1"]["advances"]["Advances"]["now"] == 1


def test_tg16_a_condition_becomes_an_aspect_for_as_many_advances_as_dice() -> None:
    sheets = moved("keep", cast(who=with_advances(2)), condition="Angry")
    assert sheets["c1"]["aspects"]["Angry"]["dice"] == 2
    assert (sheets["c1"]["conditions"], sheets["c1"]["advances"]["Advances"]["now"]) == ({}, 0)
    sheets = moved("keep", cast(who=with_advances(1), conditions={"In love": {"dice": 1}}), condition="in love")
    assert (sheets["scene"]["conditions"], sheets["c1"]["aspects"]["In love"]["dice"]) == ({}, 1)


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("step", {"name": "Duelist"}),
        ("new_aspect", {"name": "Patient"}),
        ("new_key", {"name": "Home", "kind": "dramatic"}),
        ("shift", {"name": "Proud"}),
        ("buy", {"name": "Lantern"}),
        ("keep", {"condition": "Angry"}),
    ],
)
def test_tg20_with_too_few_advances_nothing_is_spent(name: str, inputs: dict[str, str]) -> None:
    refusal = refused(name, cast(), **inputs)
    assert refusal.rule == "TG-20"
    assert "nothing is spent" in refusal.sentence


def test_a_move_of_nobodys_is_refused() -> None:
    for name, inputs in (("score", {"key": "Protect", "level": "risk"}), ("refresh", {})):
        assert refused(name, cast(who=None), **inputs).kind == "illegal"


def test_the_sample_campaign_plays_through_and_shows_the_kept_rules() -> None:
    from astragal.table.sample import play_sample

    table, entries = play_sample(GAME.name, 0)
    told = {getattr(event, "rule", "") for entry in entries for event in entry.events}
    assert {"TG-6", "TG-9", "TG-10", "TG-11", "TG-12", "TG-14", "TG-15", "TG-17", "TG-18", "TG-19"} <= told
    assert all(roll.over for roll in table.state.world.rolls.values())
