"""TGIMH: what sheets put into a pool, what it costs, and whom it pays (TG-2, TG-6 to TG-9)."""

from __future__ import annotations

import pytest

from astragal import Illegal
from astragal.games.tgimh import Contest
from astragal.rule.inputs.total import total
from tests.games.tgimh_trial import ODO, TRIAL, after, holder, offers, participants


def test_tg6_an_own_aspect_or_condition_costs_its_user_1_will() -> None:
    found = offers("contest", participants())
    for id, dice in (("c1/aspects/Duelist", 3), ("c1/conditions/Angry", 2)):
        assert (found[id].input, found[id].gives, found[id].by) == ("ours", dice, "c1")
        assert [(price.holder, price.field, price.by) for price in found[id].changes] == [("c1", "now", -1)]


def test_tg2_gear_and_abilities_are_free_and_gear_may_hinder() -> None:
    found = offers("contest", participants())
    assert {found[f"c1/{id}"].gives for id in ("gear/Sabre", "gear/Wet boots", "abilities/River-born")} == {2, -1, 1}
    for id in ("gear/Sabre", "gear/Wet boots", "abilities/River-born"):
        assert (found[f"c1/{id}"].input, found[f"c1/{id}"].changes) == ("gear", ())


def test_tg2_gear_that_is_turned_says_what_it_gives_then() -> None:
    found = offers("contest", participants())
    hinders, helps = found["c1/gear/Sabre!turned"], found["c1/gear/Wet boots!turned"]
    assert (hinders.label, hinders.gives, hinders.dice, hinders.adds) == ("Sabre (hinders)", -2, (), "−2 dice")
    assert (helps.label, helps.gives, helps.dice[0].n, helps.adds) == ("Wet boots (helps)", 1, 1, "")


def test_tg2_the_other_side_gathers_its_own_pool() -> None:
    found = offers("contest", participants(against=ODO))
    assert (found["c2/aspects/Stubborn"].input, found["c2/aspects/Stubborn"].by) == ("theirs", "c2")
    assert (found["c2/gear/Staff"].input, found["c2/gear/Staff"].by) == ("their_gear", "c2")


def test_tg7_a_used_aspect_gives_will_to_the_one_whose_it_is() -> None:
    found = offers("contest", participants(against=ODO))
    used = found["c2/aspects/Stubborn!against"]
    assert (used.input, used.gives, used.by, used.label) == ("against_them", 2, "c1", "Odo's Stubborn")
    assert [(price.holder, price.by, price.rule) for price in used.changes] == [("c1", -1, "TG-6"), ("c2", 1, "TG-7")]


def test_tg7_a_used_condition_gives_no_will() -> None:
    used = offers("contest", participants(against=ODO))["c1/conditions/Angry!against"]
    assert (used.input, used.by) == ("theirs", "c2")
    assert [(price.holder, price.by) for price in used.changes] == [("c2", -1)]


def test_tg9_anyone_may_use_a_condition_of_the_scene_for_1_will() -> None:
    found = offers("contest", participants(against=ODO, conditions={"Smoke": {"dice": 2}}))
    ours, theirs = found["scene/conditions/Smoke"], found["scene/conditions/Smoke!theirs"]
    assert (ours.input, ours.by, ours.changes[0].holder) == ("ours", "c1", "c1")
    assert (theirs.input, theirs.by, theirs.changes[0].holder) == ("theirs", "c2", "c2")


def test_tg7_a_quick_pool_of_the_gms_pays_nothing_and_still_gives_will() -> None:
    used = offers("contest", participants(against=None))["c1/aspects/Proud!against"]
    assert (used.input, used.by) == ("against_us", "table")
    assert [(price.holder, price.by) for price in used.changes] == [("c1", 1)]


@pytest.mark.parametrize(("cap", "now"), [("none", 10), ("start", 9)])
def test_tg8_the_table_says_whether_will_rises_above_its_start(cap: str, now: int) -> None:
    given = participants(against=ODO, options={"will_cap": cap})
    price = offers("contest", given)["c2/aspects/Stubborn!against"].changes
    assert after(given, price)["c2"]["will"]["Will"]["now"] == now


def test_a_roll_reads_will_tracks_and_the_tables_die() -> None:
    hurt = holder("c2", "Odo", power={"Power": {"crossed": [1, 2], "length": 6}}, will={"Will": {"now": 3}})
    read = Contest(**TRIAL.reads("contest", participants(against=hurt, options={"die": 8})))
    assert (read.die, read.us.will, read.them.will) == (8, 9, 3)
    assert (read.us.track, read.us.crossed, read.them.track, read.them.crossed) == (5, (), 6, (1, 2))


def test_a_side_without_a_sheet_has_to_say_its_dice() -> None:
    read = TRIAL.reads("contest", participants(options={"track": 4}))
    assert "theirs" not in read
    assert "their_will" not in read
    assert read["their_track"] == 4
    assert "ours" not in TRIAL.reads("contest", participants(who=None))


def test_tg6_too_little_will_is_refused_before_anything_is_spent() -> None:
    weary = holder("c1", "Ilse", will={"Will": {"now": 1}})
    read = TRIAL.reads("contest", participants(who=weary))
    with pytest.raises(Illegal, match="That costs 2 Will, and Ilse has 1"):
        Contest(**{**read, "ours": total({"Duelist": 3, "Proud": 1}), "theirs": 2})
