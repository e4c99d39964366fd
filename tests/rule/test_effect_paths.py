"""Effects by path: one function finds what an effect names on a sheet, for every game."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.rule.inputs.input import Flag, Whole
from astragal.rule.sheets.sheet import Section, read_sheet
from astragal.rule.sheets.table_rules import Change, Participants, TableRules, clocks_section, counter
from astragal.rule.tree.effect import Effect
from tests.someone import Someone

RULES = TableRules(
    character=(
        counter("stress", "Stress", 3, "how much", rule="X-1"),
        Section(
            "conditions", "Conditions", "list", {"dice": Whole(0, 9, "dice", default=0), "old": Flag("an old one")}
        ),
        Section("gear", "Gear", "list", {"uses": Whole(0, 9, "uses", default=1)}, counts="uses"),
        Section("out", "Out", "list", {"out": Flag("whether")}, ("Out",)),
    ),
    table=(clocks_section(),),
    scene=(),
)


def around(**sheet: Any) -> Participants:
    """Wren rolls, against nobody; the table has one Clock."""
    wren = Someone("c1", "Wren", read_sheet(RULES.character, sheet))
    table = Someone("table", "", read_sheet(RULES.table, {"clocks": {"The Hull": {"filled": 1, "segments": 4}}}))
    scene = Someone("scene", "", {})
    return Participants(wren, None, None, (), table, scene, {}, sections=RULES.every_section())


def done(effect: Effect, **sheet: Any) -> list[Any]:
    return list(RULES.apply("roll", None, [effect], around(**sheet)))


def test_a_count_moves_and_says_why_by_name() -> None:
    effect = Effect("stress", "roller", 2, rule="X-2", cause="{who} pushes {roller}'s luck")
    assert done(effect) == [Change("c1", "stress", "Stress", "now", by=2, cause="Wren pushes Wren's luck", rule="X-2")]
    assert done(Effect("gear", "roller", -1, "rope"), gear={"Rope": {}}) == [
        Change("c1", "gear", "Rope", "uses", by=-1)
    ]


def test_a_gain_without_room_is_told_and_a_price_is_the_tables_to_refuse() -> None:
    full = {"Stress": {"now": 3}}
    assert list(map(str, done(Effect("stress", "roller", 1), stress=full))) == [
        "Wren already holds 3 Stress, so none is gained (X-1)."
    ]
    assert [each.whole for each in done(Effect("stress", "roller", 1, when="throw"), stress=full)] == [True]
    assert [each.by for each in done(Effect("stress", "roller", 1, price=True), stress=full)] == [1]


def test_one_of_a_fixed_list_changes_where_it_is_hidden_too() -> None:
    at = around()
    hidden = at._replace(roller=Someone("c1", "Wren", {"stress": {}}))
    assert list(RULES.apply("roll", None, [Effect("stress", "roller", 1)], hidden)) == [
        Change("c1", "stress", "Stress", "now", by=1)
    ]


def test_an_item_is_put_in_under_a_free_name_with_what_else_it_has() -> None:
    dazed = Effect("conditions", "roller", name="Dazed/blind", to={"dice": 2})
    assert [(each.item, each.to) for each in done(dazed)] == [("Dazed-blind", {"dice": 2, "old": False})]
    assert [each.item for each in done(dazed, conditions={"Dazed-blind": {}})] == ["Dazed-blind 2"]


def test_an_item_is_taken_out_of_what_counts_nothing() -> None:
    off = Effect("conditions", "roller", -1, "Dazed", cause="{who} wakes up")
    assert done(off, conditions={"Dazed": {}}) == [Change("c1", "conditions", "Dazed", cause="Wren wakes up")]


def test_a_value_is_set() -> None:
    assert done(Effect("out", "roller", to=True)) == [Change("c1", "out", "Out", "out", to=True)]


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        (Effect("clocks", "table", 2, "Fire"), 'The table has no Clock "Fire": 2 ticks for the GM to remember.'),
        (Effect("gear", "roller", 1, "Rope"), 'Wren has no item of Gear "Rope": Rope +1 for the GM to remember.'),
        (Effect("stress", "target", 1), "The target has no sheet here: Stress +1 for the GM to remember."),
        (Effect("out", "target", to=True), "The target has no sheet here: Out for the GM to remember."),
        (Effect("luck", "roller", 1), "Wren has no luck here: luck +1 for the GM to remember."),
    ],
)
def test_a_gain_that_no_sheet_can_take_is_told(effect: Effect, told: str) -> None:
    assert list(map(str, done(effect))) == [told]


def test_a_price_that_no_sheet_can_pay_is_nobodys() -> None:
    assert done(Effect("stress", "target", -1)) == []
    assert done(Effect("stress", "target", 1, when="throw")) == []


def test_a_clock_is_ticked_however_it_is_written_until_it_is_full() -> None:
    assert done(Effect("clocks", "table", 2, "the hull")) == [Change("table", "clocks", "The Hull", "filled", by=2)]
    at = around()
    full = at._replace(table=Someone("table", "", read_sheet(RULES.table, {"clocks": {"The Hull": {"filled": 6}}})))
    told = RULES.apply("roll", None, [Effect("clocks", "table", 2, "the hull")], full)
    assert list(map(str, told)) == ["The Hull was full already."]
