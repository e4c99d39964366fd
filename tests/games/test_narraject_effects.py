"""Narraject: what answers cost and what an outcome leaves behind (NJ-10 to NJ-13)."""

from __future__ import annotations

import pytest

from astragal import Choice, Typed, play
from astragal.games.narraject import Attempt, attempt
from astragal.games.narraject.effects import MAX_COMPLICATIONS
from astragal.games.narraject.table import TABLE_RULES
from astragal.rule.sheets.table_rules import Change, Participants
from astragal.rule.tree.note import Note
from tests.games.narraject_trial import (
    TRIAL,
    asked,
    changes,
    participants,
    settled,
    table_of,
)


@pytest.mark.parametrize(("option", "price"), [("reroll", 1), ("add", 2), ("partial", 3)])
def test_nj13_what_is_bought_after_the_roll_is_paid_at_once(option: str, price: int) -> None:
    assert changes(bought(participants(), option)) == [("p1", "IP", -price)]


def test_nj13_settling_costs_nothing_and_somebody_without_a_player_pays_nothing() -> None:
    assert not bought(participants(), "settle")
    assert not bought(participants(player=None), "reroll")


def bought(at: Participants, option: str) -> list[Change | Note]:
    """What is paid with this answer to the choice after a failure."""
    ask = Attempt(d6=2, step=8, difficulty=3, ip=3)
    open_choice = play(attempt(ask), Typed("5 4 | 3")).node
    assert isinstance(open_choice, Choice)
    return TRIAL.checked(TABLE_RULES.apply("attempt", ask, open_choice.options[option].effects, at))


def test_nj10_a_highest_step_die_gives_the_player_1_ip_and_a_lowest_the_gm() -> None:
    at = participants()
    assert changes(settled(at, Attempt(d6=2, step=8), "5 4 | 7")) == [("p1", "IP", 1)]
    assert changes(settled(at, Attempt(d6=2, step=8), "5 4 | 3")) == [("table", "IP", 1)]
    assert settled(at, Attempt(d6=2, step=8), "5 4 | 5") == []


def test_nj13_points_and_ip_that_were_paid_are_not_paid_again() -> None:
    at = participants()
    ask = asked(at, {"c1/stats/Agility": 2}, difficulty=3)
    assert settled(at, ask, "5 4 | 3 / 4", "reroll", "settle") == []


def test_nj12_a_catastrophe_with_a_step_die_of_1_is_two_complications_each_with_where_it_came_from() -> None:
    written = settled(participants(), Attempt(d6=2, step=8), "3 1 | 1")
    assert changes(written) == [("table", "Complication 1", None), ("table", "Complication 2", None)]
    assert [each.rule for each in written] == ["NJ-9", "NJ-11"]
    first, second = (each.to for each in written if isinstance(each, Change))
    assert first == {"came_from": "Kira: nothing counted at all", "note": None, "used": False}
    assert second["came_from"] == "Kira: the Step Die showed 1 or 2"


def test_nj13_a_partial_success_is_one_complication_and_the_step_dies_another() -> None:
    ask = Attempt(d6=2, step=8, difficulty=3, ip=3)
    assert [each.rule for each in settled(participants(), ask, "5 2 | 3", "partial")] == ["NJ-13"]
    assert [each.rule for each in settled(participants(), ask, "5 2 | 2", "partial")] == ["NJ-13", "NJ-11"]


def test_nj12_complications_never_share_a_name() -> None:
    there = {"Complication 7": {"used": True}, "The flood": {}}
    written = settled(participants(table=table_of(there)), Attempt(d6=2, step=8), "3 1 | 1")
    assert [each.item for each in written if isinstance(each, Change)] == ["Complication 8", "Complication 9"]


def test_nj12_used_complications_make_room_when_there_are_many_and_owed_ones_stay() -> None:
    there = {f"Complication {n}": {"used": n != 1} for n in range(1, MAX_COMPLICATIONS + 1)}
    written = settled(participants(table=table_of(there)), Attempt(d6=2, step=8), "3 1 | 1")
    gone = [each.item for each in written if isinstance(each, Change) and each.to is None]
    assert gone == ["Complication 2", "Complication 3"]


def test_nj10_without_a_player_the_log_says_what_would_have_been() -> None:
    written = settled(participants(who=None, player=None), Attempt(d6=2, step=8), "5 4 | 7")
    assert [type(each) for each in written] == [Note]
    assert str(written[0]) == "The roller's player has no sheet here: IP +1 for the GM to remember (NJ-10)."
