"""AnyDice's own functions give what their definitions in AnyDice give, throw by throw."""

from __future__ import annotations

import pytest

from tests.anydice.test_run import only, values

OWN = """
function: my absolute N:n { if N < 0 { result: -N } result: N }
function: S:s has N:n { result: (S = N) > 0 }
function: my count V:s in S:s { C: 0 loop P over {1..#V} { C: C + (P@V = S) } result: C }
function: my highest N:n of S:s { result: {1..N}@S }
function: my lowest N:n of S:s { result: {(#S - N + 1)..#S}@S }
function: my middle N:n of S:s { FROM: 1 + (#S - N) / 2 result: {FROM..(FROM + N - 1)}@S }
function: larger of A:n and B:n { if A > B { result: A } result: B }
function: my reverse S:s { R: {} loop P over {1..#S} { R: {P@S, R} } result: R }
"""


@pytest.mark.parametrize(
    ("native", "own"),
    [
        ("[absolute 2d4 - 5]", "[my absolute 2d4 - 5]"),
        ("[3d4 contains 2]", "[3d4 has 2]"),
        ("[{1..3} contains d6]", "[{1..3} has d6]"),
        ("[2d4 contains d6]", "[2d4 has d6]"),
        ("[count {2, 4, 4} in 3d4]", "[my count {2, 4, 4} in 3d4]"),
        ("[count 2d4 in 2d4]", "[my count 2d4 in 2d4]"),
        ("[count 3 in {1..6:2}]", "[my count 3 in {1..6:2}]"),
        ("[highest 2 of 3d{1, 2, 2, 5}]", "[my highest 2 of 3d{1, 2, 2, 5}]"),
        ("[highest d3 of 3d4]", "[my highest d3 of 3d4]"),
        ("[lowest 2 of 4d4]", "[my lowest 2 of 4d4]"),
        ("[middle 1 of 4d4]", "[my middle 1 of 4d4]"),
        ("[middle 2 of 3d4]", "[my middle 2 of 3d4]"),
        ("[middle 3 of 4d4]", "[my middle 3 of 4d4]"),
        ("[highest of 2d4 and d6]", "[larger of 2d4 and d6]"),
        ("1@[reverse {4, 9}]", "1@[my reverse {4, 9}]"),
        ("[sort 2d4]", "2d4"),
    ],
)
def test_a_function_gives_what_its_definition_gives(native: str, own: str) -> None:
    assert only(f"{OWN} output {native}") == only(f"{OWN} output {own}")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[maximum of 3d6]", 18),
        ("[maximum of d{-4, -2}]", -2),
        ("[maximum of d{}]", 0),
        ("1@[sort {1, 4, 2}]", 4),
        ("[highest 0 of 3d6]", 0),
        ("[highest -1 of 3d6]", 0),
        ("[middle 0 of 3d6]", 0),
        ("[lowest 9 of 3d1]", 3),
        ("[{} contains 1] + [count {} in {1}] + #[reverse {}]", 0),
    ],
)
def test_a_certain_value(text: str, value: int) -> None:
    assert values(f"output {text}") == [value]


def test_sorted_in_the_order_that_is_set() -> None:
    assert values('set "position order" to "lowest first" output 1@[sort {4, 1, 2}] output 1@246') == [1, 6]


def test_the_best_of_dice_of_three_kinds() -> None:
    mixed = only("output [highest 1 of d4 and 2d6 and d8]")
    assert mixed == only("output [highest of [highest of d4 and 1@2d6] and d8]")


def test_dice_explode_as_often_as_is_set() -> None:
    assert only('set "explode depth" to 1 output [explode d{1, 3:2}]') == only("output d{1:3, 4:2, 6:4}")
    assert only("output [explode 2d2]") == only("function: f N:n { if N = 4 { result: 4 + [g 2d2] } result: N } "
                                                "function: g N:n { if N = 4 { result: 4 + 2d2 } result: N } "
                                                "output [f 2d2]")  # fmt: skip
