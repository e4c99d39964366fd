"""What Razorweave keeps, rule by rule: sheets go into rolls, and rolls and moves go back onto sheets."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from astragal import Hand, Illegal, Refusal, Typed, play
from astragal.dice.reading import Kept
from astragal.games.razorweave import GAME, Check, Race, Split
from astragal.games.razorweave.keeping import KEEPING
from astragal.rule.keeping import Cast, Change, Deed, Holder, Offer, keeping_of
from astragal.rule.note import Note
from astragal.rule.sheet import read_sheet, section_of
from astragal.rule.total import total
from tests.someone import Someone

OPTIONS = KEEPING.options().values()
KIND_OF = {"table": KEEPING.table, "scene": KEEPING.scene}
Answers: TypeAlias = dict[str, list[str]] | None


def holder(id: str, name: str = "", **sheet: Any) -> Holder:
    return Someone(id, name, read_sheet(KIND_OF.get(id, KEEPING.character), sheet))


KIRA = holder(
    "c1",
    "Kira",
    attributes={"Agility": {"rating": 3}},
    skills={"Stealth": {}, "Knives": {}},
    proficiencies={"Roofs": {}},
    conditions={"Bleeding": {}},
)
DEX = holder("c2", "Dex", attributes={"Agility": {"rating": -1}}, conditions={"Staggered": {}})
CLOCKS = {
    "Over the wall": {"segments": 4, "kind": "goal", "against": "Patrol"},
    "Patrol": {"segments": 4, "kind": "threat"},
}


def cast(who: Holder | None = KIRA, against: Holder | None = None, **more: Any) -> Cast:
    scene = holder("scene", **{name: more.pop(name, {}) for name in ("tags", "positions", "tried")})
    table = holder("table", clocks=more.pop("clocks", CLOCKS), oracle=more.pop("oracle", {}))
    options = {**OPTIONS, **more.pop("options", {})}
    return Cast(who, None, against, more.pop("helpers", ()), table, scene, options, True)


def after(given: Cast, deeds: Iterable[Deed]) -> dict[str, dict[str, Any]]:
    """The sheets after these deeds; every change must be of something that there is, within its bounds."""
    holders = [found for found in (given.who, given.against, given.scene, given.table) if found]
    sheets: dict[str, Any] = {
        found.id: {name: {item: dict(fields) for item, fields in items.items()} for name, items in found.sheet.items()}
        for found in holders
    }
    for deed in deeds:
        assert deed.rule in GAME.rules
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
    assert {offer.rule for offer in found} <= set(GAME.rules)
    assert {offer.input for offer in found} <= set(GAME.kinds[kind].ask.inputs)
    return {offer.id: offer for offer in found}


def rolled(kind: str, given: Cast, faces: str, answers: Answers = None, /, **inputs: Any) -> list[Deed]:
    """What is written when these dice fall, with what the roll reads by itself."""
    ask = GAME.kinds[kind].ask(**{**KEEPING.reads(kind, given), **inputs})
    outcome = play(GAME.kinds[kind].rule(ask), Typed(faces, answers) if faces else Hand(answers)).outcome
    assert outcome is not None
    return list(KEEPING.writes(kind, given, ask, outcome))


def notes(deeds: Iterable[Deed]) -> list[str]:
    return [deed.text for deed in deeds if isinstance(deed, Note)]


# Faces against DC 14, without Attribute: one of each tier.
CRITICAL, FULL, PARTIAL, FAILURE, DISASTER = "6 6 6 6", "4 4 4 4", "3 3 3 3", "3 3 2 2", "1 1 2 2"


# The sheets (RW-15).


def test_the_game_names_its_keeping_and_every_part_cites_a_rule_that_there_is() -> None:
    assert keeping_of(GAME.keeps) is KEEPING
    for section in (*KEEPING.character, *KEEPING.table, *KEEPING.scene):
        assert {section.rule, *(input.rule for input in section.fields.values())} <= {*GAME.rules, ""}
    for move in KEEPING.moves:
        assert {move.rule, *(input.rule for input in move.ask.inputs.values())} <= set(GAME.rules)
    assert {input.rule for input in KEEPING.options.inputs.values()} <= set(GAME.rules)


def test_rw15_a_blank_character_has_four_attributes_and_a_resolve_clock() -> None:
    blank = holder("c9").sheet
    assert blank["attributes"] == {name: {"rating": 0} for name in ("Might", "Agility", "Presence", "Reason")}
    assert blank["resolve"] == {"Resolve": {"filled": 0, "segments": 6}}
    assert blank["about"] == {"About": {"text": None}}


def test_templates_are_characters() -> None:
    made = tomllib.loads(Path(KEEPING.templates).read_text("utf-8"))["character"]
    assert len({character["name"] for character in made}) == len(made) >= 2
    for character in made:
        assert character["blurb"].endswith(".")
        read_sheet(KEEPING.character, character["sheet"])


# What goes into a Check.


def test_rw5_an_attribute_and_a_skill() -> None:
    found = offers("check", cast())
    assert (found["c1/attributes/Agility"].input, found["c1/attributes/Agility"].gives) == ("attribute", 3)
    assert (found["c1/skills/Stealth"].input, found["c1/skills/Stealth"].gives) == ("skill", True)


@pytest.mark.parametrize("id", ["scene/tags/Fog", "c1/proficiencies/Roofs", "c1/conditions/Bleeding"])
def test_rw15_tags_conditions_and_proficiencies_are_edge_or_burden(id: str) -> None:
    found = offers("check", cast(tags={"Fog": {}}))
    assert [(found[way].input, found[way].gives, found[way].by) for way in (id, f"{id}!burden")] == [
        ("edge", 1, "c1"),
        ("burden", 1, "c1"),
    ]


def test_rw15_what_the_opponent_suffers_may_be_edge() -> None:
    found = offers("check", cast(against=DEX))["c2/conditions/Staggered"]
    assert (found.input, found.label, found.by) == ("edge", "Dex's Staggered", "c1")


def test_rw12_every_helper_is_one_more_source_of_edge() -> None:
    read = Check(**{**KEEPING.reads("check", cast(helpers=(DEX,))), "dc": 14})
    assert (read.assist, read.net) == (1, 1)
    assert "assist" not in KEEPING.reads("check", cast())


def test_rw2_the_tables_dc_is_read_where_there_is_one() -> None:
    assert KEEPING.reads("check", cast(options={"dc": 16})) == {"dc": 16}
    assert KEEPING.reads("check", cast()) == {}


def test_rw11_clocks_may_be_named_by_their_kind() -> None:
    clocks = {**CLOCKS, "Thug": {"kind": "resolve"}}
    found = {offer.label: (offer.input, offer.gives) for offer in offers("check", cast(clocks=clocks)).values()}
    assert found["Goal: Over the wall"] == ("goal", "Over the wall")
    assert found["Threat: Patrol"] == ("threat", "Patrol")
    assert found["Resolve: Thug"] == ("resolve", "Thug")
    assert "table/clocks/Thug" not in offers("check", cast(against=DEX, clocks=clocks))


def test_a_roll_without_a_character_is_the_gms() -> None:
    assert {offer.by for offer in offers("check", cast(who=None, tags={"Fog": {}})).values()} == {"table"}


# Clocks (RW-10, RW-11).


@pytest.mark.parametrize(
    ("faces", "goal", "threat"), [(CRITICAL, 3, 0), (FULL, 2, 0), (PARTIAL, 1, 1), (FAILURE, 0, 1), (DISASTER, 0, 2)]
)
def test_rw11_a_check_ticks_the_clocks_that_it_names(faces: str, goal: int, threat: int) -> None:
    given = cast()
    deeds = rolled("check", given, faces, dc=14, goal="over the wall", threat="Patrol")
    clocks = after(given, deeds)["table"]["clocks"]
    assert (clocks["Over the wall"]["filled"], clocks["Patrol"]["filled"]) == (goal, threat)


def test_rw11_a_check_that_names_no_clock_ticks_none() -> None:
    assert rolled("check", cast(), FULL, dc=14) == []


def test_rw10_ticks_never_pass_the_end_of_a_clock() -> None:
    given = cast(clocks={"Wall": {"filled": 3, "segments": 4, "kind": "goal"}})
    assert after(given, rolled("check", given, CRITICAL, dc=14, goal="Wall"))["table"]["clocks"]["Wall"]["filled"] == 4


def test_rw11_a_clock_that_is_not_there_is_told() -> None:
    [note] = notes(rolled("check", cast(), FULL, dc=14, goal="Nowhere"))
    assert "Nowhere" in note
    assert "2 ticks" in note


def test_rw11_two_racing_clocks_full_at_once_decide_nothing() -> None:
    near = {name: {**clock, "filled": 3} for name, clock in CLOCKS.items()}
    given = cast(clocks=near)
    assert "at once" in notes(rolled("check", given, PARTIAL, dc=14, goal="Over the wall", threat="Patrol"))[0]
    assert notes(rolled("check", given, FULL, dc=14, goal="Over the wall", threat="Patrol")) == []


def test_rw11_a_race_is_rolled_between_the_two_clocks_that_race() -> None:
    given = cast(clocks={**CLOCKS, "Patrol": {"filled": 1, "segments": 4, "kind": "threat"}})
    assert KEEPING.reads("race", given) == {"goal": 4, "threat": 3}
    clocks = after(given, rolled("race", given, f"{PARTIAL} | {FULL} | {FULL}", dc=14))["table"]["clocks"]
    assert (clocks["Over the wall"]["filled"], clocks["Patrol"]["filled"]) == (4, 2)


def test_rw11_a_race_of_other_clocks_writes_nothing() -> None:
    assert rolled("race", cast(clocks={}), FULL, dc=14, goal=1, threat=1) == []
    assert rolled("race", cast(), FULL, dc=14, goal=1, threat=4) == []
    hidden = {name: {**clock, "seen": "gm"} for name, clock in CLOCKS.items()}
    assert KEEPING.reads("race", cast(clocks=hidden)) == {}
    assert Race(**KEEPING.reads("race", cast()), dc=14).goal == 4


def test_rw11_two_clocks_are_set_to_race() -> None:
    race = next(move for move in KEEPING.moves if move.name == "race")
    given = cast(clocks={"One": {}, "Two": {"kind": "threat"}})
    clocks = after(given, race.does(race.ask.read({"goal": "one", "threat": "Two"}), given))["table"]["clocks"]
    assert (clocks["One"]["against"], clocks["Two"]["against"]) == ("Two", "One")
    for threat in ("One", "Three"):
        with pytest.raises(Refusal):
            list(race.does(race.ask.read({"goal": "One", "threat": threat}), given))


# Strikes (RW-8, RW-9).


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
    given = cast(against=DEX)
    deeds = rolled("check", given, faces, {"consequence": [answer]} if answer else {}, dc=14, strike=True)
    assert after(given, deeds)["c2"]["resolve"]["Resolve"]["filled"] == ticks


def struck(given: Cast, faces: str, answer: str, **inputs: Any) -> list[Deed]:
    return rolled("check", given, faces, {"consequence": [answer]}, dc=14, strike=True, **inputs)


def test_rw8_a_target_without_a_sheet_has_a_resolve_clock_on_the_table() -> None:
    given = cast(clocks={"Thug": {"kind": "resolve"}, "Ogre": {"kind": "resolve"}})
    clocks = after(given, rolled("check", given, FULL, dc=14, strike=True, resolve="ogre"))["table"]["clocks"]
    assert (clocks["Thug"]["filled"], clocks["Ogre"]["filled"]) == (0, 2)
    alone = cast(clocks={"Thug": {"kind": "resolve"}})
    assert after(alone, rolled("check", alone, FULL, dc=14, strike=True))["table"]["clocks"]["Thug"]["filled"] == 2
    assert "2 ticks" in notes(rolled("check", given, FULL, dc=14, strike=True))[0]


@pytest.mark.parametrize(
    ("answer", "name"), [("bleeding", "Bleeding"), ("condition: Blinded by ash", "Blinded by ash")]
)
def test_rw9_a_devastating_strike_may_leave_a_condition(answer: str, name: str) -> None:
    given = cast(against=DEX)
    assert set(after(given, struck(given, CRITICAL, answer))["c2"]["conditions"]) == {"Staggered", name}


def test_rw9_a_condition_that_is_there_or_has_no_sheet_is_told() -> None:
    assert notes(struck(cast(against=DEX), CRITICAL, "staggered")) == ["Dex is Staggered already."]
    assert len(notes(struck(cast(), CRITICAL, "staggered"))) == 2


@pytest.mark.parametrize(
    ("faces", "answer", "item"),
    [
        (CRITICAL, "advance", {"kind": "position", "whose": "c1", "note": None}),
        (CRITICAL, "deny", {"kind": "denied", "whose": "c2", "note": None}),
        (PARTIAL, "position: on the stairs", {"kind": "position", "whose": "c2", "note": "on the stairs"}),
    ],
)
def test_rw9_position_and_denial_are_kept(faces: str, answer: str, item: dict[str, Any]) -> None:
    given = cast(against=DEX)
    assert list(after(given, struck(given, faces, answer))["scene"]["positions"].values()) == [item]


def test_rw9_position_is_edge_for_its_holder_once() -> None:
    given = cast(positions={"Kira, position": {"whose": "c1"}, "Dex, no reaction": {"whose": "c2", "kind": "denied"}})
    offer = offers("check", given)["scene/positions/Kira, position"]
    assert (offer.input, offer.gives, offer.by) == ("edge", 1, "c1")
    assert set(after(given, offer.price)["scene"]["positions"]) == {"Dex, no reaction"}
    assert not [id for id in offers("check", given) if "no reaction" in id]


def test_rw9_position_is_burden_for_whoever_acts_against_its_holder() -> None:
    given = cast(against=DEX, positions={"Dex, position": {"whose": "c2"}})
    offer = offers("check", given)["scene/positions/Dex, position!burden"]
    assert (offer.input, offer.by) == ("burden", "c2")
    unnamed = cast(positions={"The target, position": {}, "Dex, position": {"whose": "c2"}})
    found = [offer for offer in offers("check", unnamed).values() if "/positions/" in offer.id]
    assert [(offer.label, offer.by) for offer in found] == [("The target, position", "table")]


def test_rw9_the_threat_that_is_named_grows_or_the_only_one() -> None:
    two = {"Patrol": {"kind": "threat"}, "Fire": {"kind": "threat"}}
    for inputs, answer in (({}, "threat: fire"), ({"threat": "Fire"}, "threat")):
        given = cast(against=DEX, clocks=two)
        clocks = after(given, struck(given, PARTIAL, answer, **inputs))["table"]["clocks"]
        assert (clocks["Patrol"]["filled"], clocks["Fire"]["filled"]) == (0, 1)
    only = cast(against=DEX)
    assert after(only, struck(only, FAILURE, "threat"))["table"]["clocks"]["Patrol"]["filled"] == 1
    assert "GM ticks one" in notes(struck(cast(against=DEX, clocks=two), FAILURE, "threat"))[0]


def test_rw11_a_strike_ticks_the_goal_that_it_names_and_leaves_the_threat_to_rw9() -> None:
    given = cast(against=DEX)
    deeds = struck(given, PARTIAL, "position", goal="Over the wall", threat="Patrol")
    clocks = after(given, deeds)["table"]["clocks"]
    assert (clocks["Over the wall"]["filled"], clocks["Patrol"]["filled"]) == (1, 0)


def test_rw9_trouble_is_told_and_stays_as_a_tag() -> None:
    given = cast(against=DEX, tags={"Falling crates": {}})
    deeds = struck(given, FAILURE, "surroundings: Falling crates")
    assert set(after(given, deeds)["scene"]["tags"]) == {"Falling crates", "Falling crates 2"}
    assert notes(deeds) == ["The surroundings make trouble: Falling crates."]
    assert set(after(given, struck(given, DISASTER, "major: The bridge/gate"))["scene"]["tags"]) == {
        "Falling crates",
        "The bridge-gate",
    }


def test_rw9_two_things_follow_a_disastrous_miss() -> None:
    given = cast(against=DEX)
    sheets = after(given, struck(given, DISASTER, "threat+position"))
    assert sheets["table"]["clocks"]["Patrol"]["filled"] == 1
    assert set(sheets["scene"]["positions"]) == {"Dex, position"}


def test_rw10_a_resolve_clock_starts_anew() -> None:
    steady = next(move for move in KEEPING.moves if move.name == "steady")
    given = cast(who=holder("c1", "Kira", resolve={"Resolve": {"filled": 4}}), options={"resolve": 8})
    assert after(given, steady.does(steady.ask(), given))["c1"]["resolve"]["Resolve"] == {"filled": 0, "segments": 8}
    with pytest.raises(Illegal):
        list(steady.does(steady.ask(), cast(who=None)))


# Together and again (RW-12, RW-13).


def test_rw12_those_who_split_the_risk_roll_with_their_own_numbers() -> None:
    found = offers("split", cast(helpers=(DEX,)))
    members = {offer.label: (offer.gives, offer.by) for offer in found.values() if offer.input == "members"}
    assert members["Kira: Agility"] == (3, "c1")
    assert members["Kira: Skill"] == (1, "c1")
    assert members["Dex: Agility"] == (-1, "c2")
    assert "Dex: Skill" not in members
    ask = Split(dc=14, members=total({"Kira: Agility": 3, "Kira: Skill": 1, "Dex: Agility": -1}))
    assert [(member.label, member.n) for member in ask.rollers] == [("Kira", 4), ("Dex", -1)]


def test_rw12_tags_count_for_everybody_who_rolls() -> None:
    found = offers("split", cast(tags={"Fog": {}}))
    assert (found["scene/tags/Fog"].gives, found["scene/tags/Fog!burden"].gives) == (1, -1)


def test_rw11_every_one_of_several_rolls_ticks() -> None:
    given = cast()
    deeds = rolled("split", given, f"{FULL} | {FAILURE}", dc=14, members=total({"Kira": 0, "Dex": 0}), threat="Patrol")
    assert after(given, deeds)["table"]["clocks"]["Patrol"]["filled"] == 1


def test_rw13_what_fails_is_kept_and_a_retry_has_to_say_what_has_changed() -> None:
    given = cast()
    sheets = after(given, rolled("check", given, FAILURE, dc=14, intent="open the lock"))
    assert sheets["scene"]["tried"] == {"Kira, open the lock": {"whose": "c1", "intent": "open the lock"}}
    again = cast(tried=sheets["scene"]["tried"])
    offer = offers("check", again)["scene/tried/Kira, open the lock"]
    inputs = dict([(offer.input, offer.gives), *offer.also])
    with pytest.raises(Illegal, match="RW-13"):
        Check(dc=14, **inputs)
    deeds = rolled("check", again, FULL, dc=14, retry="with the porter's key", **inputs)
    assert after(again, deeds)["scene"]["tried"] == {}


def test_rw13_only_the_one_who_failed_is_asked_and_a_strike_goes_on() -> None:
    tried = {"Kira, open the lock": {"whose": "c1", "intent": "open the lock"}}
    assert not [id for id in offers("check", cast(who=DEX, tried=tried)) if "/tried/" in id]
    given = cast(against=DEX)
    assert after(given, struck(given, FAILURE, "position", intent="hit him"))["scene"]["tried"] == {}


def test_rw1_without_a_roll_nothing_is_written() -> None:
    assert rolled("check", cast(), "", {"answer": ["yes"]}, dc=14, uncertain="no", intent="walk", goal="Patrol") == []


# The oracle (RW-14).


def test_rw14_every_answer_is_kept_with_the_dc_that_they_came_to() -> None:
    given = cast(oracle={"Is it old?": {"answer": "no", "dc": 12, "turn": 4}})
    question = (("Is it old?", "helps"), ("Anyone near/by?", "hinders"))
    kept = after(given, rolled("oracle", given, "5 3", question=question))["table"]["oracle"]
    assert kept == {
        "Is it old?": {"answer": "yes", "yes": "helps", "dc": 12, "turn": 5},
        "Anyone near-by?": {"answer": "mixed", "yes": "hinders", "dc": 12, "turn": 5},
    }


def test_rw14_the_last_dc_may_be_put_into_a_check() -> None:
    oracle = {"Old?": {"answer": "no", "dc": 16, "turn": 2}, "Near?": {"answer": "yes", "dc": 12, "turn": 1}}
    for kind in ("check", "split"):
        assert offers(kind, cast(oracle=oracle))["table/oracle/!dc"].gives == 16
    assert "table/oracle/!dc" not in offers("check", cast())


def test_rw14_the_usual_questions_and_those_asked_before_may_be_asked() -> None:
    found = offers("oracle", cast(oracle={"Old?": {"answer": "no", "yes": "hinders", "dc": 16}}))
    given = [offer.gives for offer in found.values()]
    assert ("Old?", "hinders") in given
    assert len(given) == 4


def test_luck_is_what_the_kept_dice_come_to() -> None:
    assert KEEPING.luck("check", Kept(17, False)) == 17
    assert KEEPING.luck("oracle", 14) is None


def test_the_sample_campaign_plays_through() -> None:
    from astragal.table.sample import play_sample

    table, entries = play_sample(GAME.name, 0)
    told = {getattr(event, "rule", "") for entry in entries for event in entry.events}
    assert {"RW-8", "RW-9", "RW-11", "RW-13", "RW-14"} <= told
    assert all(roll.over for roll in table.state.world.rolls.values())
