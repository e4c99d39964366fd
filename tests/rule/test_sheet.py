"""Sheets: what is written is checked against what was declared, and counts never leave their bounds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import Illegal, Malformed, Refusal, Unknown
from astragal.rule.inputs.input import Numbers, OneOf, Whole
from astragal.rule.inputs.word import Words
from astragal.rule.sheets.sheet import MAX_ITEMS, MAX_NAME, Section, read_sheet, section_of

STATS = Section(
    "stats",
    "Stats",
    "pips",
    {"now": Whole(0, 99, "points left", default=3), "full": Whole(0, 99, "points when full", default=3)},
    counts="now",
    top="full",
    rule="X-1",
)
LOOSE = STATS._replace(capped=lambda options: not options.get("loose"))
BOXES = Section(
    "track",
    "Track",
    "boxes",
    {"crossed": Numbers(1, 20, "boxes crossed"), "length": Whole(1, 20, "boxes in all", default=5)},
    ("Power",),
    counts="crossed",
    top="length",
)
GEAR = Section("gear", "Gear", "list", {"dice": Whole(1, 9, "dice"), "note": Words("what it is", default=None)})
LEVEL = Section("level", "Level", "words", {"level": OneOf(("low", "high"), "how high", default="low")}, ("Level",))
SHEET = (STATS, BOXES, GEAR, LEVEL)


def test_an_item_is_read_with_what_it_starts_with() -> None:
    assert STATS.read({"now": 2}, "Might") == {"now": 2, "full": 3}
    assert STATS.read({}, "Might") == STATS.start() == {"now": 3, "full": 3}
    assert STATS.read({"full": "7"}, "Might", {"now": 1, "full": 2}) == {"now": 1, "full": 7}


def test_who_sees_it_is_a_field_of_every_item() -> None:
    assert GEAR.read({"dice": 1, "seen": "gm"}, "Rope") == {"dice": 1, "note": None, "seen": "gm"}
    with pytest.raises(Illegal, match="seen"):
        GEAR.read({"dice": 1, "seen": "me"}, "Rope")


@pytest.mark.parametrize(
    ("section", "written", "name", "kind", "words"),
    [
        (STATS, {"now": 100}, "Might", Illegal, "from 0 to 99"),
        (STATS, {"now": "many"}, "Might", Malformed, "many"),
        (STATS, {"more": 1}, "Might", Unknown, 'Stats has no field "more"; there are now, full (X-1)'),
        (STATS, 5, "Might", Malformed, '"Might" in Stats must be an object with now, full'),
        (GEAR, {}, "Rope", Malformed, '"Rope" in Gear has no dice (dice)'),
        (BOXES, {}, "Might", Unknown, 'Track has no "Might"; there are Power'),
        (BOXES, {"crossed": [6]}, "Power", Illegal, '"Power" has a box crossed beyond its 5'),
        (BOXES, {"crossed": [1, 1]}, "Power", Illegal, "crossed"),
        (GEAR, {"dice": 1}, "", Malformed, "1 to 80 characters"),
        (GEAR, {"dice": 1}, " Rope", Malformed, "1 to 80 characters"),
        (GEAR, {"dice": 1}, "a/b", Malformed, "no slash"),
        (GEAR, {"dice": 1}, "x" * (MAX_NAME + 1), Malformed, "1 to 80 characters"),
        (LEVEL, {"level": "middle"}, "Level", Illegal, "low or high"),
    ],
)
def test_what_was_not_declared_is_refused(
    section: Section, written: Any, name: str, kind: type[Refusal], words: str
) -> None:
    with pytest.raises(kind) as refused:
        section.read(written, name)
    assert words in str(refused.value)


def test_a_sheet_is_read_whole() -> None:
    sheet = read_sheet(SHEET, {"stats": {"Might": {"now": 1}}, "gear": {"Rope": {"dice": 2}}})
    assert sheet == {
        "stats": {"Might": {"now": 1, "full": 3}},
        "track": {"Power": {"crossed": [], "length": 5}},
        "gear": {"Rope": {"dice": 2, "note": None}},
        "level": {"Level": {"level": "low"}},
    }
    assert read_sheet(SHEET, sheet) == sheet


NO_SHEETS: dict[str, Any] = {
    "a list": [],
    "nothing": None,
    "text": "x",
    "an unknown section": {"spells": {}},
    "a section as a list": {"stats": []},
    "an item as a number": {"stats": {"x": 1}},
    "too many items": {"gear": {f"g{n}": {"dice": 1} for n in range(MAX_ITEMS + 1)}},
}


@pytest.mark.parametrize("written", NO_SHEETS.values(), ids=NO_SHEETS)
def test_what_is_no_sheet_is_refused(written: Any) -> None:
    with pytest.raises(Refusal):
        read_sheet(SHEET, written)


def test_a_section_is_found_by_name() -> None:
    assert section_of(SHEET, "gear") is GEAR
    with pytest.raises(Unknown, match='There is no section "spells"; there are stats, track, gear, level'):
        section_of(SHEET, "spells")


@given(st.integers(0, 99), st.integers(0, 99), st.integers(-2000, 2000))
def test_a_count_never_leaves_its_bounds(now: int, full: int, by: int) -> None:
    item = {"now": min(now, full), "full": full}
    assert 0 <= STATS.moved(item, "now", by, {}) <= full
    assert 0 <= STATS.moved(item, "full", by, {}) <= 99


def test_a_top_is_no_ceiling_where_the_table_says_so() -> None:
    item = {"now": 3, "full": 3}
    assert LOOSE.moved(item, "now", 5, {}) == 3
    assert LOOSE.moved(item, "now", 5, {"loose": True}) == 8
    assert LOOSE.moved(item, "now", 500, {"loose": True}) == 99


@given(st.sets(st.integers(1, 5)), st.integers(1, 5))
def test_boxes_are_crossed_and_cleared_one_by_one(crossed: set[int], box: int) -> None:
    item = {"crossed": sorted(crossed), "length": 5}
    assert BOXES.moved(item, "crossed", box, {}) == sorted(crossed | {box})
    assert BOXES.moved(item, "crossed", -box, {}) == sorted(crossed - {box})


def test_full_is_at_the_top_and_boxes_never_are() -> None:
    assert STATS.full({"now": 3, "full": 3})
    assert not STATS.full({"now": 2, "full": 3})
    assert not BOXES.full({"crossed": [1, 2, 3, 4, 5], "length": 5})
    assert not GEAR.full({"dice": 9})
