"""Narraject: IP at the start, and what the GM does besides rolling (NJ-12, NJ-14, NJ-15)."""

from __future__ import annotations

import pytest

from astragal import Illegal, Refusal, Unknown
from astragal.games.narraject import Attempt
from astragal.games.narraject.table import TABLE_RULES
from astragal.rule.sheets.table_rules import Change
from astragal.rule.tree.note import Note
from tests.games.narraject_trial import (
    TRIAL,
    changes,
    holder,
    moved,
    participants,
    player,
    settled,
    table_of,
)
from tests.table.tables import Party


def test_nj15_a_player_starts_with_2_ip_and_the_gm_gets_2_for_each_player() -> None:
    new, options = holder("p1", "Ada"), TRIAL.options
    assert changes(TRIAL.checked(TABLE_RULES.joins(new, table_of(ip=2), options))) == [
        ("p1", "IP", 2),
        ("table", "IP", 2),
    ]


def test_nj15_the_table_may_start_otherwise_and_set_a_cap() -> None:
    options = {"player_ip": 5, "gm_ip": 0, "ip_cap": 3}
    party = Party(options=options)
    assert (party.item("Jonas", "ip", "IP"), party.item("table", "ip", "IP")) == ({"now": 3}, {"now": 0})
    capped = settled(participants(player=player(3), options=options), Attempt(d6=2, step=8), "5 4 | 7")
    assert [type(each) for each in capped] == [Note]


def test_nj15_a_reserve_fills_again_and_never_beyond_its_full_value() -> None:
    at = participants()
    assert changes(moved("refill", at)) == [("c1", "Agility", 2), ("c1", "Wits", 2)]
    assert changes(moved("refill", at, stat="Agility", points=9)) == [("c1", "Agility", 2)]
    assert changes(moved("refill", at, stat="Agility", points=1)) == [("c1", "Agility", 1)]
    with pytest.raises(Unknown, match='no stat "Luck"'):
        moved("refill", at, stat="Luck")
    with pytest.raises(Illegal, match="full"):
        moved("refill", participants(who=holder("c1", "Kira", stats={"Agility": {"now": 2, "full": 2}})))


def test_nj12_the_gm_uses_the_oldest_complication_or_the_one_that_is_named() -> None:
    owed = table_of({"Complication 1": {"used": True}, "Complication 2": {}, "Complication 3": {}})
    first = moved("complicate", participants(who=None, table=owed), note="The door slams.")
    assert [(each.item, each.field, each.to) for each in first if isinstance(each, Change)] == [
        ("Complication 2", "used", True),
        ("Complication 2", "note", "The door slams."),
    ]
    named = moved("complicate", participants(table=owed), complication="Complication 3")
    assert [each.item for each in named if isinstance(each, Change)] == ["Complication 3"]


def test_nj12_a_complication_is_used_once() -> None:
    with pytest.raises(Illegal, match="owed no complication"):
        moved("complicate", participants(table=table_of({"Complication 1": {"used": True}})))
    with pytest.raises(Illegal, match="not owed"):
        owed = table_of({"Complication 1": {"used": True}, "Complication 2": {}})
        moved("complicate", participants(table=owed), complication="Complication 1")


def test_nj15_the_gm_gives_ip_to_a_player() -> None:
    assert changes(moved("give_ip", participants(), ip=2, why="a fine speech")) == [("p1", "IP", 2)]
    with pytest.raises(Illegal, match="one purse"):
        moved("give_ip", participants(player=None))


def test_nj14_the_gm_spends_only_ip_that_are_there() -> None:
    assert changes(moved("spend_gm_ip", participants(who=None), ip=4)) == [("table", "IP", -4)]
    with pytest.raises(Illegal, match=r"holds 4 IP and would spend 5 \(NJ-14\)"):
        moved("spend_gm_ip", participants(who=None), ip=5)


@pytest.mark.parametrize("name", ["refill", "give_ip"])
def test_nj15_what_concerns_a_character_needs_one(name: str) -> None:
    with pytest.raises(Refusal, match="Choose the character"):
        moved(name, participants(who=None, player=None))


def test_every_move_is_the_gms() -> None:
    assert {move.by for move in TABLE_RULES.moves} == {"gm"}
