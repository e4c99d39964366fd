"""Chronicles: what sheets put into a pool, and what it costs (CD-1 to CD-3, CD-12 to CD-14)."""

from __future__ import annotations

import pytest

from astragal import Illegal
from astragal.games.chronicles import GAME, Contested, Extended
from astragal.games.chronicles.table import TABLE_RULES
from astragal.rule.node import Throw
from astragal.rule.total import sources_of
from tests.games.chronicles_trial import (
    COMPOSURE,
    DEXTERITY,
    LARCENY,
    LOCKS,
    STEALTH,
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
    assert int(contest.ours) == dice


def test_cd3_a_specialty_of_a_skill_without_dots_is_not_offered() -> None:
    assert "c1/specialties/Runes" not in offers("attempt", participants())


def test_cd2_equipment_conditions_and_circumstances_are_modifiers() -> None:
    at = participants(scene={"circumstances": {"Rain": {"dice": -1}}})
    use = [DEXTERITY, LARCENY, "c1/equipment/Picks", "c1/conditions/Shaken", "scene/circumstances/Rain"]
    assert list(map(str, sources_of(asked("attempt", at, use).modifier))) == ["2 Picks", "-2 Shaken", "-1 Rain"]
    assert "c1/conditions/Inspired" not in offers("attempt", at)


def test_cd2_a_circumstance_beyond_5_needs_the_storytellers_word() -> None:
    at = participants(scene={"circumstances": {"Landslide": {"dice": -7}}})
    use = [DEXTERITY, LARCENY, "scene/circumstances/Landslide"]
    with pytest.raises(Illegal, match="CD-2"):
        asked("attempt", at, use)
    assert asked("attempt", at, use, any_modifier=True).dice == 0


def test_cd14_a_point_of_willpower_is_three_dice_before_the_roll() -> None:
    offer = offers("attempt", participants())[WILLPOWER]
    assert (offer.input, offer.gives, offer.most) == ("modifier", 3, 1)
    assert changes(offer.changes) == [("willpower", "Willpower", -1)]
    assert asked("attempt", participants(), [DEXTERITY, LARCENY, WILLPOWER]).dice == 10


def test_cd14_without_willpower_there_is_none_to_give() -> None:
    tired = holder("c1", "Teodor", willpower={"Willpower": {"now": 0, "full": 5}})
    assert offers("attempt", participants(who=tired))[WILLPOWER].most == 0


def test_cd12_every_helper_rolls_first_with_the_pool_of_the_action() -> None:
    helper = holder("c2", "Inez")
    ask = asked("attempt", participants(helpers=(helper,)), [DEXTERITY, LARCENY])
    assert (ask.helpers, ask.helpers_dice) == (1, 7)
    first = GAME.main.rule(ask)
    assert isinstance(first, Throw)
    assert (first.title, first.pool[0].n) == ("Helper 1", 7)
    assert "helpers" not in TABLE_RULES.reads("extended", participants(helpers=(helper,)))


def test_cd13_the_number_of_rolls_is_attribute_skill_and_specialty_whatever_modifies_the_pool() -> None:
    ask: Extended = asked("extended", participants(), [DEXTERITY, LOCKS, "c1/equipment/Picks"], target=5)
    assert (ask.most_rolls, ask.dice) == (8, 10)
    unskilled: Extended = asked("extended", participants(), [WITS, "c1/mental_skills/Occult"], target=5)
    assert (unskilled.most_rolls, unskilled.dice) == (3, 0)


def test_cd14_willpower_is_for_one_roll_so_an_extended_action_takes_none() -> None:
    assert WILLPOWER not in offers("extended", participants())


def test_cd13_in_a_contest_each_side_fills_its_own_pool() -> None:
    guard = holder("c2", "Halloran", mental={"Wits": {"dots": 3}}, willpower={"Willpower": {"now": 1}})
    at = participants(against=guard, scene={"circumstances": {"Dark": {"dice": 1}}})
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
    assert asked("contested", participants(), [DEXTERITY, LARCENY], theirs=4).theirs == 4
    assert not list(TABLE_RULES.offers("attempt", participants(who=None)))
