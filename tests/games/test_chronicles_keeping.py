"""Chronicles at the table: what rolls read from sheets, what they cost, and what they leave behind."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from astragal import Illegal, Malformed, Refusal, Typed, Unknown, play
from astragal.games.chronicles import GAME, Attempt, Contested, Extended
from astragal.games.chronicles.count import Count
from astragal.games.chronicles.keeping import KEEPING
from astragal.games.chronicles.sheet import ATTRIBUTES, SKILLS, item_name
from astragal.rule.ask import Ask
from astragal.rule.keeping import Cast, Change, Deed, Holder, Offer, keeping_of
from astragal.rule.node import Outcome, Throw
from astragal.rule.note import Note
from astragal.rule.number import Summed
from astragal.rule.sheet import read_sheet, section_of
from astragal.rule.total import Source, Total, sources_of
from tests.someone import Someone

KINDS = {"c1": "character", "c2": "character", "table": "table", "scene": "scene"}
TEO = {
    "physical": {"Dexterity": {"dots": 4}, "Strength": {"dots": 2}},
    "mental": {"Wits": {"dots": 3}},
    "social": {"Composure": {"dots": 2}},
    "physical_skills": {"Larceny": {"dots": 3}, "Stealth": {"dots": 1}},
    "specialties": {"Locks": {"skill": "Larceny"}, "Runes": {"skill": "Occult"}},
    "equipment": {"Picks": {"dice": 2}},
    "conditions": {"Shaken": {"dice": -2, "note": "Since the cellar."}, "Inspired": {}},
    "willpower": {"Willpower": {"now": 2, "full": 5}},
    "tries": {"the dome's lock": {"tries": 2}},
}
DEXTERITY, WITS, COMPOSURE = "c1/physical/Dexterity", "c1/mental/Wits", "c1/social/Composure"
LARCENY, LOCKS, STEALTH = "c1/physical_skills/Larceny", "c1/specialties/Locks", "c1/physical_skills/Stealth"
WILLPOWER = "c1/willpower/Willpower"
NO_TRIES: dict[str, Any] = {**TEO, "tries": {}}


def character(id: str, name: str, sheet: Mapping[str, Any]) -> Holder:
    return Someone(id, name, read_sheet(KEEPING.character, sheet))


def cast(**given: Any) -> Cast:
    """Teodor by himself, in an empty scene."""
    scene = Someone("scene", "", read_sheet(KEEPING.scene, given.pop("scene", {})))
    usual: dict[str, Any] = {
        "who": character("c1", "Teodor", TEO),
        "player": None,
        "against": None,
        "helpers": (),
        "table": Someone("table", "", read_sheet(KEEPING.table, {})),
        "options": KEEPING.options().values(),
    }
    return Cast(**{**usual, **given}, scene=scene)


def offers(kind: str, at: Cast) -> dict[str, Offer]:
    found = list(KEEPING.offers(kind, at))
    assert len({offer.id for offer in found}) == len(found)
    return {offer.id: offer for offer in found}


def asked(kind: str, at: Cast, use: Iterable[str], **typed: Any) -> Any:
    """The ask that comes of what is read, typed and put in."""
    ask: type[Ask] = GAME.kind(kind).ask
    values: dict[str, Any] = {**KEEPING.reads(kind, at), **typed}
    for id in use:
        offer = offers(kind, at)[id]
        for name, gives in ((offer.input, offer.gives), *offer.also):
            source = Source(offer.label, gives, offer.held)
            summed = isinstance(ask.inputs[name], Summed)
            values[name] = Total((*sources_of(values.get(name, 0)), source)) if summed else gives
    return ask(**values)


def settled(at: Cast, ask: Attempt, faces: str, answer: str = "") -> list[Deed]:
    """What the outcome of these dice writes."""
    node = play(GAME.main.rule(ask), Typed(faces, {"beat": [answer]} if answer else {})).node
    assert isinstance(node, Outcome)
    return checked(KEEPING.writes("attempt", at, ask, node))


def checked(deeds: Iterable[Deed]) -> list[Deed]:
    """Every change names something that there is, and a rule that there is."""
    found = list(deeds)
    for deed in found:
        assert deed.rule in GAME.rules
        if isinstance(deed, Change):
            assert deed.cause
            section = section_of(KEEPING.sections(KINDS[deed.holder]), deed.section)
            section.check_name(deed.item)
            if deed.field:
                section.field(deed.field)
            elif deed.to is not None:
                assert section.read(deed.to, deed.item) == deed.to
    return found


def moved(name: str, at: Cast, **inputs: Any) -> list[Deed]:
    move = next(move for move in KEEPING.moves if move.name == name)
    return checked(move.does(move.ask.read(inputs), at))


def changes(deeds: Iterable[Deed]) -> list[tuple[str, str, int | None]]:
    return [(deed.section, deed.item, deed.by) for deed in deeds if isinstance(deed, Change)]


def test_the_game_names_what_it_keeps() -> None:
    assert keeping_of(GAME.keeps) is KEEPING


def test_every_rule_that_is_cited_there_is() -> None:
    sections = (*KEEPING.character, *KEEPING.player, *KEEPING.table, *KEEPING.scene)
    inputs = [input for section in sections for input in section.fields.values()]
    inputs += [input for move in KEEPING.moves for input in move.ask.inputs.values()]
    inputs += KEEPING.options.inputs.values()
    cited = {input.rule for input in inputs} | {section.rule for section in sections}
    cited |= {move.rule for move in KEEPING.moves}
    cited |= {offer.rule for kind in GAME.kinds for offer in offers(kind, cast()).values()}
    assert cited - {""} <= set(GAME.rules)


def test_templates_can_be_read() -> None:
    made = tomllib.loads(Path(KEEPING.templates).read_text("utf-8"))["character"]
    assert len(made) >= 2
    for template in made:
        assert template["blurb"].endswith(".")
        assert read_sheet(KEEPING.character, template["sheet"])["mental"]["Wits"]


# The sheet.


def test_cd14_nine_attributes_and_twenty_four_skills_in_three_groups() -> None:
    blank = read_sheet(KEEPING.character, {})
    assert [tuple(blank[group]) for group in ATTRIBUTES] == list(ATTRIBUTES.values())
    assert [len(names) for names in ATTRIBUTES.values()] == [3, 3, 3]
    assert [len(blank[f"{group}_skills"]) for group in SKILLS] == [8, 8, 8]
    assert {"beats", "willpower", "conditions", "specialties"} <= set(blank)


def test_cd14_a_skill_has_at_most_five_dots_and_a_specialty_belongs_to_a_skill() -> None:
    with pytest.raises(Illegal, match="from 0 to 5"):
        read_sheet(KEEPING.character, {"mental_skills": {"Occult": {"dots": 6}}})
    with pytest.raises(Illegal, match="Larceny"):
        read_sheet(KEEPING.character, {"specialties": {"Locks": {"skill": "Lockpicking"}}})
    with pytest.raises(Malformed, match="no skill"):
        read_sheet(KEEPING.character, {"specialties": {"Locks": {}}})
    written = read_sheet(KEEPING.character, {"specialties": {"Dogs": {"skill": "animal ken"}}})
    assert written["specialties"]["Dogs"]["skill"] == "Animal Ken"


# The pool.


def test_cd1_attribute_and_skill_are_named_sources() -> None:
    ask = asked("attempt", cast(), [DEXTERITY, LARCENY])
    assert list(map(str, ask.sources)) == ["4 Dexterity", "3 Larceny"]
    assert ask.dice == 7


def test_cd1_a_specialty_comes_with_its_skill_and_adds_one_die() -> None:
    ask = asked("attempt", cast(), [DEXTERITY, LOCKS])
    assert list(map(str, ask.sources)) == ["4 Dexterity", "3 Larceny: Locks", "1 Specialty"]
    with pytest.raises(Illegal, match="CD-1"):
        asked("attempt", cast(), [DEXTERITY, STEALTH, LOCKS])


def test_cd1_two_attributes_need_no_skill_and_take_none() -> None:
    assert asked("attempt", cast(), [WITS, COMPOSURE]).dice == 5
    with pytest.raises(Illegal, match="not all three"):
        asked("attempt", cast(), [WITS, COMPOSURE, LARCENY])
    with pytest.raises(Illegal, match="CD-3"):
        asked("attempt", cast(), [WITS])


@pytest.mark.parametrize(("skill", "dice"), [("mental_skills/Occult", 0), ("social_skills/Empathy", 2)])
def test_cd3_a_skill_without_dots_is_a_penalty(skill: str, dice: int) -> None:
    assert asked("attempt", cast(), [WITS, f"c1/{skill}"]).dice == dice
    contest = asked("contested", cast(), [WITS, f"c1/{skill}"], theirs=1)
    assert int(contest.ours) == dice


def test_cd3_a_specialty_of_a_skill_without_dots_is_not_offered() -> None:
    assert "c1/specialties/Runes" not in offers("attempt", cast())


def test_cd2_equipment_conditions_and_circumstances_are_modifiers() -> None:
    at = cast(scene={"circumstances": {"Rain": {"dice": -1}}})
    use = [DEXTERITY, LARCENY, "c1/equipment/Picks", "c1/conditions/Shaken", "scene/circumstances/Rain"]
    assert list(map(str, sources_of(asked("attempt", at, use).modifier))) == ["2 Picks", "-2 Shaken", "-1 Rain"]
    assert "c1/conditions/Inspired" not in offers("attempt", at)


def test_cd2_a_circumstance_beyond_5_needs_the_storytellers_word() -> None:
    at = cast(scene={"circumstances": {"Landslide": {"dice": -7}}})
    use = [DEXTERITY, LARCENY, "scene/circumstances/Landslide"]
    with pytest.raises(Illegal, match="CD-2"):
        asked("attempt", at, use)
    assert asked("attempt", at, use, any_modifier=True).dice == 0


def test_cd14_a_point_of_willpower_is_three_dice_before_the_roll() -> None:
    offer = offers("attempt", cast())[WILLPOWER]
    assert (offer.input, offer.gives, offer.most) == ("modifier", 3, 1)
    assert changes(offer.price) == [("willpower", "Willpower", -1)]
    assert asked("attempt", cast(), [DEXTERITY, LARCENY, WILLPOWER]).dice == 10


def test_cd14_without_willpower_there_is_none_to_give() -> None:
    tired = character("c1", "Teodor", {"willpower": {"Willpower": {"now": 0, "full": 5}}})
    assert offers("attempt", cast(who=tired))[WILLPOWER].most == 0


# Trying again.


def test_cd11_a_try_under_pressure_sets_the_task_and_takes_a_die_for_each_try_before() -> None:
    ask = asked("attempt", cast(), [DEXTERITY, LARCENY, "c1/tries/the dome's lock"])
    assert (ask.task, ask.tries, ask.dice) == ("the dome's lock", 2, 5)


def test_cd11_with_time_and_no_pressure_the_full_pool_stands() -> None:
    assert asked("attempt", cast(), [DEXTERITY, LARCENY], task="the dome's lock").dice == 7


def test_cd11_tries_are_counted_when_they_come_to_nothing_and_forgotten_after_a_success() -> None:
    at, ask = cast(), Attempt(pool=2, task="the dome's lock")
    assert changes(settled(at, ask, "1 2", "keep")) == [("tries", "the dome's lock", 1)]
    (done,) = settled(at, ask, "8 2")
    assert isinstance(done, Change)
    assert (done.item, done.field, done.to, done.by) == ("the dome's lock", "", None, None)


def test_cd11_the_first_try_starts_the_count_and_a_first_success_needs_none() -> None:
    fresh = cast(who=character("c1", "Teodor", NO_TRIES))
    (first,) = settled(fresh, Attempt(pool=2, task="the safe"), "1 2", "keep")
    assert isinstance(first, Change)
    assert (first.item, first.to) == ("the safe", {"tries": 1})
    assert settled(fresh, Attempt(pool=2, task="the safe"), "8 2") == []


def test_cd11_a_try_without_a_task_is_not_counted() -> None:
    assert settled(cast(), Attempt(pool=2), "1 2", "keep") == []


def test_cd11_a_task_in_many_words_or_with_a_stroke_can_be_counted_too() -> None:
    task = "either/or " + "and so on " * 30
    (first,) = settled(cast(), Attempt(pool=2, task=task), "1 2", "keep")
    assert isinstance(first, Change)
    assert first.item == item_name(first.item)
    assert item_name(" / ") == "something"


def test_cd11_extended_and_contested_actions_know_no_earlier_tries() -> None:
    for kind in ("extended", "contested"):
        assert not [id for id in offers(kind, cast()) if "/tries/" in id]


# Helpers, long tasks, contests.


def test_cd12_every_helper_rolls_first_with_the_pool_of_the_action() -> None:
    helper = character("c2", "Inez", {})
    ask = asked("attempt", cast(helpers=(helper,)), [DEXTERITY, LARCENY])
    assert (ask.helpers, ask.helpers_dice) == (1, 7)
    first = GAME.main.rule(ask)
    assert isinstance(first, Throw)
    assert (first.title, first.pool[0].n) == ("Helper 1", 7)
    assert "helpers" not in KEEPING.reads("extended", cast(helpers=(helper,)))


def test_cd13_the_number_of_rolls_is_attribute_skill_and_specialty_whatever_modifies_the_pool() -> None:
    ask: Extended = asked("extended", cast(), [DEXTERITY, LOCKS, "c1/equipment/Picks"], target=5)
    assert (ask.most_rolls, ask.dice) == (8, 10)
    unskilled: Extended = asked("extended", cast(), [WITS, "c1/mental_skills/Occult"], target=5)
    assert (unskilled.most_rolls, unskilled.dice) == (3, 0)


def test_cd14_willpower_is_for_one_roll_so_an_extended_action_takes_none() -> None:
    assert WILLPOWER not in offers("extended", cast())


def test_cd13_in_a_contest_each_side_fills_its_own_pool() -> None:
    guard = character("c2", "Halloran", {"mental": {"Wits": {"dots": 3}}, "willpower": {"Willpower": {"now": 1}}})
    at = cast(against=guard, scene={"circumstances": {"Dark": {"dice": 1}}})
    theirs = ["c2/mental/Wits!theirs", "c2/willpower/Willpower!theirs", "scene/circumstances/Dark!theirs"]
    assert {offers("contested", at)[id].by for id in theirs} == {"c2"}
    ask: Contested = asked("contested", at, [DEXTERITY, LOCKS, "scene/circumstances/Dark", *theirs])
    assert list(map(str, sources_of(ask.ours))) == ["4 Dexterity", "4 Larceny: Locks", "1 Dark"]
    assert list(map(str, sources_of(ask.theirs))) == [
        "3 Halloran's Wits",
        "3 Halloran's Willpower",
        "1 Dark (their side)",
    ]


def test_cd13_a_quick_opponent_without_a_sheet_has_a_pool_that_is_typed() -> None:
    assert asked("contested", cast(), [DEXTERITY, LARCENY], theirs=4).theirs == 4
    assert not list(KEEPING.offers("attempt", cast(who=None)))


def test_extended_and_contested_actions_change_no_sheet() -> None:
    for ask, faces in ((Extended(pool=1, target=1), "8"), (Contested(ours=1, theirs=1), "8 | 2")):
        kind = "extended" if isinstance(ask, Extended) else "contested"
        node = play(GAME.kind(kind).rule(ask), Typed(faces)).node
        assert isinstance(node, Outcome)
        assert not list(KEEPING.writes(kind, cast(), ask, node))


# The outcome.


def test_cd10_a_failure_made_dramatic_is_a_beat() -> None:
    assert changes(settled(cast(), Attempt(pool=2), "1 2", "take")) == [("beats", "Beats", 1)]
    assert settled(cast(), Attempt(pool=2), "1 2", "keep") == []


def test_cd10_an_exceptional_success_gives_a_condition_once() -> None:
    fresh = cast(who=character("c1", "Teodor", {}), options={"boon": "Charmed"})
    assert KEEPING.reads("attempt", fresh) == {"boon": "Charmed", "helpers": 0}
    ask = asked("attempt", fresh, [], pool=5)
    assert changes(settled(fresh, ask, "8 8 8 8 8")) == [("conditions", "Charmed", None)]
    again = settled(cast(), Attempt(pool=5), "8 8 8 8 8")
    assert [str(deed) for deed in again] == ["Teodor has the Condition Inspired already (CD-10)."]


def test_without_a_character_nothing_is_written_and_the_log_says_what_would_have_been() -> None:
    nobody = cast(who=None)
    deeds = settled(nobody, Attempt(pool=2, task="the safe"), "1 2", "take")
    deeds += settled(nobody, Attempt(pool=5, task="the safe"), "8 8 8 8 8")
    assert {type(deed) for deed in deeds} == {Note}
    assert [deed.rule for deed in deeds] == ["CD-10", "CD-11", "CD-10"]


# Moves.


def test_cd14_a_condition_ends() -> None:
    (gone,) = moved("resolve", cast(), condition="Shaken")
    assert isinstance(gone, Change)
    assert (gone.item, gone.field, gone.to) == ("Shaken", "", None)
    with pytest.raises(Unknown, match="there are Shaken, Inspired"):
        moved("resolve", cast(), condition="Blind")


def test_cd14_willpower_comes_back_and_never_beyond_what_is_full() -> None:
    assert changes(moved("regain", cast())) == [("willpower", "Willpower", 3)]
    assert changes(moved("regain", cast(), points=9)) == [("willpower", "Willpower", 3)]
    assert changes(moved("regain", cast(), points=1)) == [("willpower", "Willpower", 1)]
    with pytest.raises(Illegal, match="full Willpower; nothing changes"):
        moved("regain", cast(who=character("c1", "Teodor", {})))


def test_cd11_with_time_tries_are_forgotten() -> None:
    assert changes(moved("afresh", cast())) == [("tries", "the dome's lock", None)]
    assert changes(moved("afresh", cast(), task="the dome's lock")) == [("tries", "the dome's lock", None)]
    for wrong in ({"task": "the safe"}, {}):
        with pytest.raises(Unknown, match="no such tries"):
            moved("afresh", cast(who=character("c1", "Teodor", NO_TRIES)), **wrong)


@pytest.mark.parametrize(("name", "inputs"), [("resolve", {"condition": "Shaken"}), ("regain", {}), ("afresh", {})])
def test_what_concerns_a_character_needs_one(name: str, inputs: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match="Name a character"):
        moved(name, cast(who=None), **inputs)


def test_luck_is_successes_rolled_and_a_chance_die_has_one_or_none() -> None:
    assert KEEPING.luck("attempt", 4) == 4
    for face, successes in ((10, 1), (9, 0), (1, 0)):
        throw = GAME.main.rule(Attempt(pool=0))
        assert isinstance(throw, Throw)
        seen = throw.reading.read((((face,),),))
        assert seen == Count(successes, face == 1)
        assert KEEPING.luck("attempt", seen) == successes
    assert KEEPING.luck("attempt", "dramatic") is None
