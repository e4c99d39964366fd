"""Keeping: every part has a default, so that a game with nothing but rolls has a table too."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.rule.sheets.sheet import read_sheet
from astragal.rule.sheets.table_rules import (
    PLAIN,
    Participants,
    TableRules,
    clocks_section,
    counter,
    decider,
    named_dice,
    table_rules_of,
)
from astragal.rule.tree.effect import Effect
from tests.someone import Someone

WREN = Someone("c1", "Wren", {"stats": {"Might": {"now": 2}}})


def test_a_holder_gives_what_it_has_and_defaults_for_the_rest() -> None:
    assert WREN.items("stats") == {"Might": {"now": 2}}
    assert WREN.items("gear") == {}
    assert WREN.item("stats", "Wits") == {}
    assert WREN.value("stats", "Might", "now") == 2
    assert WREN.value("stats", "Wits", "now") == 0
    assert WREN.value("stats", "Wits", "now", None) is None


def test_a_plain_game_keeps_traits_conditions_tags_and_clocks() -> None:
    names = {kind: [part.name for part in PLAIN.sections(kind)] for kind in ("character", "player", "table", "scene")}
    assert names == {"character": ["traits", "conditions"], "player": [], "table": ["clocks"], "scene": ["tags"]}
    for kind, there in names.items():
        assert read_sheet(PLAIN.sections(kind), {}) == {name: {} for name in there}


def test_a_plain_game_offers_reads_and_writes_nothing() -> None:
    table = Someone("table", "", {})
    participants = Participants(WREN, None, None, (), table, table, {})
    assert list(PLAIN.offers("roll", participants)) == []
    assert PLAIN.reads("roll", participants) == {}
    assert list(PLAIN.apply("roll", None, [Effect("luck", "player", -1)], participants)) == []
    told = PLAIN.apply("roll", None, [Effect("luck", "player", 1)], participants)
    assert list(map(str, told)) == ["The roller's player has no sheet here: luck +1 for the GM to remember."]
    assert list(PLAIN.joins(WREN, table, {})) == []
    assert list(PLAIN.closes((WREN,), {})) == []


@pytest.mark.parametrize(("value", "luck"), [(3, 3), (True, None), ("3", None), (None, None), ((1, 2), None)])
def test_a_plain_games_luck_is_a_number_of_things(value: Any, luck: int | None) -> None:
    assert PLAIN.luck("roll", value) == luck


@pytest.mark.parametrize(("by", "role"), [("player", "roller"), ("gm", "gm"), ("storyteller", "roller")])
def test_a_choice_is_the_gms_or_the_rollers(by: str, role: str) -> None:
    assert decider("roll", by, None) == role


def test_ready_made_sections_read_what_they_start_with() -> None:
    clock = clocks_section(kinds=("goal", "threat"))
    assert clock.read({}, "Doom") == {"filled": 0, "segments": 6, "kind": "goal", "against": None}
    assert counter("beats", "Beats", 9, "Beats held").read({}, "Beats") == {"now": 0}
    assert named_dice("traits", "Traits").read({"dice": -2}, "Slow") == {"dice": -2}


def test_table_rules_are_found_by_its_module_and_plain_without_one() -> None:
    assert table_rules_of("") is PLAIN
    found = table_rules_of("astragal.games.narraject.table")
    assert isinstance(found, TableRules)
    assert found is not PLAIN
