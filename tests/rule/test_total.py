"""Totals that remember their sources."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import Malformed
from astragal.rule.inputs.total import Source, Total, format_sources, parse_total, sources_of, total

LABEL = st.text(st.characters(categories=["L"]), min_size=1, max_size=12)


def test_a_total_is_its_sum_in_every_way() -> None:
    pool = total({"Agility": 2, "gear": 1})
    assert pool == 3
    assert f"{pool}d6" == "3d6"
    assert hash(pool) == hash(3)
    assert sources_of(pool) == (Source("Agility", 2), Source("gear", 1))


def test_a_plain_number_is_one_source_and_zero_is_none() -> None:
    assert sources_of(5, "pool") == (Source("pool", 5),)
    assert sources_of(0, "pool") == ()


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("2 Agility, 1 gear", [("Agility", 2), ("gear", 1)]),
        ("Agility 2, gear 1", [("Agility", 2), ("gear", 1)]),
        ("Agility=2, dark clothes: 1", [("Agility", 2), ("dark clothes", 1)]),
        ("+1 tools, -1 dim light", [("tools", 1), ("dim light", -1)]),
        ("2 Area 51", [("Area 51", 2)]),
        ("−1 dim light", [("dim light", -1)]),
    ],
)
def test_sources_are_read_with_the_number_before_or_after(text: str, sources: list[tuple[str, int]]) -> None:
    assert [source[:2] for source in sources_of(parse_total([text], "d6"))] == sources


def test_points_held_stand_behind_a_stroke() -> None:
    assert sources_of(parse_total(["2/5 Agility"], "d6")) == (Source("Agility", 2, 5),)


def test_several_texts_are_added_up_and_a_lone_number_stays_a_number() -> None:
    assert parse_total(["2", "-1"], "modifier") == 1
    assert not isinstance(parse_total(["5"], "d6"), Total)


@pytest.mark.parametrize(
    "text", ["", "five", "1,000", "2, 3", "Agility", "2/x Agility", "1.5", "٣", "+", "a" * 200 + " 2"]
)
def test_what_is_no_source_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse_total([text], "d6")


def test_bonuses_are_written_before_penalties() -> None:
    assert format_sources([Source("dim light", -1), Source("tools", 2)]) == "2 tools − 1 dim light"
    assert format_sources([]) == "0"


@given(st.lists(st.tuples(LABEL, st.integers(-99, 99)), min_size=1, max_size=8))
def test_sources_written_and_read_again_are_the_same(parts: list[tuple[str, int]]) -> None:
    sources = tuple(Source(label, n) for label, n in parts)
    assert sources_of(parse_total([", ".join(map(str, sources))], "d6")) == sources
