"""Chronicles: what sheets put into a pool, and what it costs (CD-1 to CD-3, CD-12 to CD-14)."""

from __future__ import annotations

import pytest

from astragal import Illegal
from astragal.games.chronicles import GAME, Contested, Extended
from astragal.games.chronicles.table import TABLE_RULES
from astragal.rule.inputs.total import Source, Total, sources_of
from astragal.rule.tree.node import Throw
from tests.games.chronicles_trial import (
    COMPOSURE,
    DEXTERITY,
    LARCENY,
    LOCKS,
    STEALTH,
    TEO,
    WILLPOWER,
    WITS,
    asked,
    changes,
    holder,
    offers,
    participants,
)


def test_cd1_attribute_and_skill_are_named_sources() -> None:
    ask = asked("attempt", participants(), [DEXTERITY, LARCENY])
    assert list(map(str, ask.sources)) == ["4 Dexterity", "3 Larceny"]
    assert ask.dice == 7


def test_cd1_a_specialty_comes_with_its_skill_and_adds_one_die() -> None:
    ask = asked("attempt", participants(), [DEXTERITY, LOCKS])
    assert list(map(str, ask.sources)) == ["4 Dexterity", "3 Larceny: Locks", "1 Specialty"]
    with pytest.raises(Illegal, match="CD-1"):
        asked("attempt", participants(), [DEXTERITY, STEALTH, LOCKS])


@pytest.mark.parametrize("both", [[LARCENY, LOCKS], [LOCKS, LARCENY]])
def test_cd1_a_skill_counts_once_with_its_specialty_in_whatever_order(both: list[str]) -> None:
    ask = asked("attempt", participants(), [DEXTERITY, *both])
    assert list(map(str, ask.sources)) == ["4 Dexterity", "3 Larceny: Locks", "1 Specialty"]


def test_cd1_two_attributes_need_no_skill_and_take_none() -> None:
    assert asked("attempt", participants(), [WITS, COMPOSURE]).dice == 5
    with pytest.raises(Illegal, match="not all three"):
        asked("attempt", participants(), [WITS, COMPOSURE, LARCENY])
    with pytest.raises(Illegal, match="CD-3"):
        asked("attempt", participants(), [WITS])


@pytest.mark.parametrize(("skill", "dice"), [("mental_skills/Occult", 0), ("social_skills/Empathy", 2)])
def test_cd3_a_skill_without_dots_is_a_penalty(skill: str, dice: int) -> None:
    assert asked("attempt", participants(), [WITS, f"c1/{skill}"]).dice == dice
    contest = asked("contested", participants(), [WITS, f"c1/{skill}"], theirs=1)
    assert contest.our_side.dice == dice


def test_cd3_a_specialty_of_a_skill_without_dots_is_not_offered() -> None:
    assert "c1/specialties/Runes" not in offers("attempt", participants())


def test_cd2_equipment_conditions_and_circumstances_are_modifiers() -> None:
    at = participants(scene={"circumstances": {"Rain": {"dice": -1}}})
    use = [DEXTERITY, LARCENY, "c1/equipment/Picks", "c1/conditions/Shaken", "scene/circumstances/Rain"]
    ask = asked("attempt", at, use)
    assert list(map(str, sources_of(ask.equipment))) == ["2 Picks"]
    assert list(map(str, sources_of(ask.modifier))) == ["-2 Shaken", "-1 Rain"]


def test_cd14_a_condition_without_dice_can_be_put_into_a_roll() -> None:
    ask = asked("attempt", participants(), [DEXTERITY, LARCENY, "c1/conditions/Inspired"])
    assert [(source.label, source.n) for source in sources_of(ask.modifier)] == [("Inspired", 0)]
    assert ask.dice == 7


def test_cd9_a_weapon_gives_its_successes_beside_or_instead_of_dice() -> None:
    armed = holder(
        "c1", "Teodor", **{**TEO, "equipment": {"Rifle": {"dice": 1, "extra": 3}, "Axe": {"dice": 0, "extra": 2}}}
    )
    ask = asked("attempt", participants(who=armed), [DEXTERITY, LARCENY, "c1/equipment/Rifle", "c1/equipment/Axe"])
    assert (ask.dice, ask.extra) == (8, 5)
    assert list(map(str, sources_of(ask.extra))) == ["3 Rifle", "2 Axe"]


def test_cd2_a_modifier_beyond_5_needs_the_storytellers_word() -> None:
    use = [DEXTERITY, LARCENY]
    with pytest.raises(Illegal, match="CD-2"):
        asked("attempt", participants(), use, modifier=-7)
    assert asked("attempt", participants(), use, modifier=-7, any_modifier=True).dice == 0


def test_cd2_only_equipment_of_its_name_is_what_a_task_needs() -> None:
    """R-32: a Rifle is no picks."""
    armed = holder("c1", "Teodor", **{**TEO, "equipment": {"Rifle": {"dice": 3}, "lock  Picks": {"dice": 0}}})
    at, traits = participants(who=armed), [DEXTERITY, LARCENY]
    with pytest.raises(Illegal, match=r"The task needs Lock picks; put in equipment of that name.* \(CD-2\)"):
        asked("attempt", at, [*traits, "c1/equipment/Rifle"], needs="Lock picks")
    assert asked("attempt", at, [*traits, "c1/equipment/lock  Picks"], needs="Lock picks").dice == 7


def test_cd3_a_table_may_want_dots_in_the_skill_for_everything() -> None:
    at = participants(options={"trained_only": True})
    with pytest.raises(Illegal, match="CD-3"):
        asked("attempt", at, [DEXTERITY, "c1/physical_skills/Brawl"])
    assert asked("attempt", at, [DEXTERITY, "c1/physical_skills/Brawl"], trained_only=False).dice == 3


def test_cd14_a_point_of_willpower_is_three_dice_before_the_roll() -> None:
    offer = offers("attempt", participants())[WILLPOWER]
    assert (offer.input, offer.gives, offer.most) == ("modifier", 3, 1)
    assert changes(offer.changes) == [("willpower", "Willpower", -1)]
    assert asked("attempt", participants(), [DEXTERITY, LARCENY, WILLPOWER]).dice == 10


def test_cd14_without_willpower_there_is_none_to_give() -> None:
    tired = holder("c1", "Teodor", willpower={"Willpower": {"now": 0, "full": 5}})
    assert offers("attempt", participants(who=tired))[WILLPOWER].most == 0


INEZ = holder(
    "c2",
    "Inez",
    physical={"Dexterity": {"dots": 2}},
    physical_skills={"Larceny": {"dots": 1}},
    specialties={"Safes": {"skill": "Larceny"}, "Wounds": {"skill": "Medicine"}},
    mental_skills={"Medicine": {"dots": 3}},
    equipment={"Torch": {"dice": 1}},
    willpower={"Willpower": {"now": 1}},
)
CLUMSY = holder("c3", "Noor", physical={"Dexterity": {"dots": 1}})
OWN = ["c2/specialties/Safes", "c2/equipment/Torch", "c2/willpower/Willpower"]


@pytest.mark.parametrize("kind", ["attempt", "extended", "contested"])
def test_cd12_helpers_roll_the_traits_of_the_action_from_their_own_sheets(kind: str) -> None:
    more = {"attempt": {}, "extended": {"target": 5}, "contested": {"theirs": 4}}[kind]
    scene = {"circumstances": {"Rain": {"dice": -1}}}
    at = participants(helpers=(INEZ, CLUMSY), scene=scene)
    ask = asked(kind, at, [DEXTERITY, LOCKS, "c1/equipment/Picks", "scene/circumstances/Rain"], **more)
    assert list(map(str, sources_of(ask.helper_pool))) == [
        "2 Inez: Dexterity",
        "1 Inez: Larceny",
        "-1 Inez: Rain",
        "1 Noor: Dexterity",
        "-1 Noor: Larceny (no dots)",
        "-1 Noor: Rain",
    ]
    first = GAME.kinds[kind].rule(ask)
    assert isinstance(first, Throw)
    assert (first.by, first.pool[0].n) == ("helper 1", 2)


def test_cd12_a_helper_puts_in_what_is_their_own_and_pays_for_it() -> None:
    at = participants(helpers=(INEZ,))
    found = offers("attempt", at)
    assert {found[id].by for id in OWN} == {"c2"}
    assert [(change.holder, change.by) for change in found["c2/willpower/Willpower"].changes] == [("c2", -1)]
    ask = asked("attempt", at, [DEXTERITY, LARCENY, *OWN])
    (inez,) = ask.team
    assert (inez.name, inez.dice, inez.role) == ("Inez", 2 + 1 + 1 + 1 + 3, "helper 1")


def test_cd12_a_helpers_specialty_must_belong_to_the_skill_of_the_action() -> None:
    with pytest.raises(Illegal, match=r"Medicine.*CD-12"):
        asked("attempt", participants(helpers=(INEZ,)), [DEXTERITY, LARCENY, "c2/specialties/Wounds"])


def test_cd12_without_traits_a_number_stands_for_all_and_a_name_for_one() -> None:
    at = participants(helpers=(INEZ, CLUMSY))
    assert [helper.dice for helper in asked("attempt", at, [], pool=6).team] == [6, 6]
    assert [helper.dice for helper in asked("attempt", at, [], pool=6, helper_pool=4).team] == [4, 4]
    typed = Total([Source("Inez", 5), Source("a dog", 1)])
    team = asked("attempt", at, [DEXTERITY, LARCENY], helper_pool=typed).team
    assert [(helper.name, helper.dice) for helper in team] == [("Inez", 5), ("Noor", 0), ("a dog", 1)]


def test_cd12_a_number_of_0_for_all_helpers_is_nothing_typed_where_their_sheets_say_more() -> None:
    at = participants(helpers=(INEZ, CLUMSY))
    team = asked("attempt", at, [DEXTERITY, LARCENY], helper_pool=0).team
    assert [(helper.name, helper.dice) for helper in team] == [("Inez", 3), ("Noor", 0)]
    assert [helper.dice for helper in asked("attempt", at, [DEXTERITY, LARCENY], helper_pool=2).team] == [2, 2]
    assert [helper.dice for helper in asked("attempt", at, [], pool=6, helper_pool=0).team] == [0, 0]


def test_cd12_the_other_side_of_a_contest_has_helpers_too() -> None:
    guard = holder("c9", "Halloran", physical={"Strength": {"dots": 3}}, physical_skills={"Brawl": {"dots": 2}})
    at = participants(against=guard)._replace(their_helpers=(INEZ,))
    theirs = ["c9/physical/Strength!theirs", "c9/physical_skills/Brawl!theirs", "c2/equipment/Torch!theirs"]
    ask = asked("contested", at, [DEXTERITY, LARCENY, *theirs])
    assert list(map(str, sources_of(ask.their_helper_pool))) == [
        "1 Inez: Strength",
        "-1 Inez: Brawl (no dots)",
        "1 Inez: Torch",
    ]


def test_cd13_the_number_of_rolls_is_attribute_skill_and_specialty_whatever_modifies_the_pool() -> None:
    ask: Extended = asked("extended", participants(), [DEXTERITY, LOCKS, "c1/equipment/Picks"], target=5)
    assert (ask.most_rolls, ask.dice) == (8, 10)
    unskilled: Extended = asked("extended", participants(), [WITS, "c1/mental_skills/Occult"], target=5)
    assert (unskilled.most_rolls, unskilled.dice) == (3, 0)


def test_cd14_each_roll_of_an_extended_action_takes_a_point_of_willpower() -> None:
    use = [DEXTERITY, LARCENY, WILLPOWER]
    assert asked("extended", participants(), use, target=5).dice == 10


def test_cd13_a_task_that_is_under_way_keeps_its_target_and_its_rolls() -> None:
    busy = holder(
        "c1", "Teodor", **{**TEO, "tasks": {"The codex": {"successes": 3, "target": 9, "left": 2, "made": 4}}}
    )
    at = participants(who=busy)
    by_tap = asked("extended", at, [DEXTERITY, LARCENY, "c1/tasks/The codex"])
    by_name = asked("extended", at, [DEXTERITY, LARCENY], task="the CODEX", target=1, rolls=50)
    for ask in (by_tap, by_name):
        assert (ask.task, ask.target, ask.gathered, ask.made, ask.rolls_left) == ("The codex", 9, 3, 4, 2)
    assert asked("extended", at, [DEXTERITY, LARCENY], task="Another", target=4).rolls_left == 7


def test_cd13_in_a_contest_each_side_fills_its_own_pool() -> None:
    guard = holder(
        "c2",
        "Halloran",
        mental={"Wits": {"dots": 3}},
        social={"Composure": {"dots": 2}},
        willpower={"Willpower": {"now": 1}},
    )
    at = participants(against=guard, scene={"circumstances": {"Dark": {"dice": 1}}})
    theirs = [
        "c2/mental/Wits!theirs",
        "c2/social/Composure!theirs",
        "c2/willpower/Willpower!theirs",
        "scene/circumstances/Dark!theirs",
    ]
    assert {offers("contested", at)[id].by for id in theirs} == {"c2"}
    ask: Contested = asked("contested", at, [DEXTERITY, LOCKS, "scene/circumstances/Dark", *theirs])
    assert (ask.our_side.name, ask.their_side.name) == ("Teodor", "Halloran")
    assert list(map(str, ask.our_side.sources)) == ["4 Dexterity", "3 Larceny: Locks", "1 Specialty", "1 Dark"]
    assert list(map(str, ask.their_side.sources)) == [
        "3 Halloran's Wits",
        "2 Halloran's Composure",
        "3 Halloran's Willpower",
        "1 Dark (their side)",
    ]


def test_cd13_a_quick_opponent_without_a_sheet_has_a_pool_that_is_typed() -> None:
    assert asked("contested", participants(), [DEXTERITY, LARCENY], theirs=4).theirs == 4
    assert not list(TABLE_RULES.offers("attempt", participants(who=None)))
