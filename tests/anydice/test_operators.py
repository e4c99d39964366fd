"""Operators: what binds tighter, and what they make of numbers, sequences and dice."""

from __future__ import annotations

import pytest

from tests.anydice.test_run import only, values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 ^ 2", 19),
        ("-3 / 2", -1),
        ("7 / -2", -3),
        ("5 / 0", 0),
        ("2 ^ -1", 0),
        ("2 ^ 3 ^ 2", 64),
        ("1 | 1 & 0", 0),
        ("2 > 1 = 1", 1),
        ("!2 > 3", 0),
        ("!0 + !5", 1),
        ("#246 + #{1..4} + #(3d6)", 10),
        ("#3d1", 1),
        ("2@246 + 4@246", 4),
        ("{1..3}@246", 12),
        ("{1,2,2}@{2,4,6}", 10),
        ("{1,2,3} + 1", 7),
        ("{1,2,3} >= 2", 2),
        ("2 < {1,2,3}", 1),
        ("{1,2,3} < {1,3}", 1),
        ("{1..3} = {1,2,3}", 1),
        ("-{1,2}", -3),
        ("{1,2} & 0", 0),
        ("#{1..3:2, {4,5}:2}", 10),
        ("#{3..1}", 0),
        ("#{2d6}", 11),
        ("d0", 0),
        ("0d6", 0),
        ("1@d{7}", 7),
        ("2@d6", 0),
        ("d{} + 5", 5),
        ("5 - d{}", 5),
        ("{3 . . 5} = 4", 1),
    ],
)
def test_a_value(text: str, value: int) -> None:
    assert values(f"output {text}") == [value]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2d(2d2)", "4d2"),
        ("[highest 1 of 1d(2d6)]", "1@2d6"),
        ("[highest 1 of d(2d6)]", "1@2d6"),
        ("[highest 1 of -(2d6)]", "-1 * [lowest 1 of 2d6]"),
        ("-2d6", "-1 * 2d6"),
        ("2d{-1..-3, -1, -2}", "2d{-2, -1}"),
        ("{1, 2, 2}", "d{1, 2:2}"),
        ("3d6 + d{}", "3d6"),
        ("{1,2} < d6", "3 < d6"),
        ("d6 = {1,2}", "d6 = 3"),
        ("2d6 - 1d4", "2d6 + d{-4..-1}"),
        ("{2,2}@2d6", "2 * [lowest 1 of 2d6]"),
    ],
)
def test_two_ways_to_write_the_same(one: str, other: str) -> None:
    assert only(f"output {one}") == only(f"output {other}")


@pytest.mark.parametrize(
    "text", ["d{} * 2", "d{} / 2", "d{} & 1", "d{} = 0", "d{} + d{}", "!d{}", "1@d{}", "2d(d{})", "d{}d6"]
)
def test_the_empty_die_spreads(text: str) -> None:
    assert values(f"output [maximum of {text}] + #({text})") == [0]
