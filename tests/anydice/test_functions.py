"""Calls: how parameters take their arguments, and what a call leaves behind."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import pytest

from astragal.anydice import run_program
from astragal.anydice.functions import throws
from astragal.anydice.values import Pool
from tests.anydice.test_run import only, values


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("[n 7]", 7),
        ("[n {1,2,3}]", 6),
        ("[s 7]", 1),
        ("[s {1,2,3}]", 3),
        ("[die 7]", 1),
        ("[die {1,2,3}]", 1),
        ("[die 4d6]", 4),
        ("[any {1,2,3}]", 3),
        ("[any 4d6]", 4),
        ("[any 246]", 3),
    ],
)
def test_a_parameter_takes_its_argument_by_its_type(call: str, value: int) -> None:
    functions = "function: n N:n { result: N } function: s S:s { result: #S } function: die D:d { result: #D }"
    assert values(f"{functions} function: any X {{ result: #X }} output {call}") == [value]


def test_a_die_for_a_number_is_a_call_for_each_sum() -> None:
    assert only("function: f N:n { result: N * N } output [f 2d2]") == only("output d{4, 9:2, 16}")


def test_a_pool_for_a_sequence_is_a_call_for_each_sorted_throw() -> None:
    assert only("function: f S:s { result: 1@S * 10 + 2@S } output [f 2d2]") == only("output d{11, 21:2, 22}")
    lowest = 'set "position order" to "lowest first"\n'
    assert only(f"{lowest}function: f S:s {{ result: 1@S * 10 + 2@S }} output [f 2d2]") == only(
        "output d{11, 12:2, 22}"
    )


def test_throws_have_the_weight_of_all_their_orders() -> None:
    pool = Pool(3, {1: 1, 2: 2, 5: 3})
    found = list(throws(pool, True))
    assert sum(weight for _, weight in found) == 6**3
    assert dict(found)[5, 2, 1] == factorial(3) * 1 * 2 * 3
    assert [throw for throw, _ in found][:3] == [(5, 5, 5), (5, 5, 2), (5, 5, 1)]
    assert [throw for throw, _ in throws(pool, False)][:3] == [(1, 1, 1), (1, 1, 2), (1, 1, 5)]


def test_a_sequence_comes_back_whole_from_one_call_and_added_up_from_many() -> None:
    program = "function: twice X:{} {{ result: {{X, X}} }} output #[twice {}]"
    assert values(program.format("s", "{1,2}")) == [4]
    assert only("function: twice N:n { result: {N, N} } output [twice d6]") == only("output 2 * d6")


def test_a_call_that_gives_nothing_is_left_out() -> None:
    assert only("function: f N:n { if N > 2 { result: N } } output [f d6]") == only("output d{3..6}")


def test_variables_of_a_call_stay_for_its_throws_and_go_with_it() -> None:
    program = "SUM: 0\nfunction: f N:n { SUM: SUM + N result: SUM }\noutput [f d3]\noutput SUM"
    assert [sorted(odds.weights) for odds in (only(program.rsplit("\n", 1)[0]),)] == [[1, 3, 6]]
    assert values(program.replace("output [f d3]\n", "X: [f d3]\n")) == [0]


def test_parameters_are_new_for_every_throw() -> None:
    assert only("function: f N:n M:n { M: M + N result: M } output [f d3 0]") == only("output d3")


def test_of_two_parameters_with_one_name_the_first_counts() -> None:
    assert values("function: f A:n and A:n { result: A } output [f 7 and 5]") == [7]


def test_a_later_function_takes_the_place_of_one_with_the_same_words() -> None:
    assert values("function: f A:n { result: 1 } function: f B:s { result: 2 } output [f 0]") == [2]
    assert values("function: absolute N:n { result: 9 } output [absolute -3]") == [9]


def test_calls_beyond_the_depth_give_the_empty_die() -> None:
    depth = "function: depth { result: 1 + [depth] } output [depth]"
    assert values(depth) == [10]
    assert values(f'set "maximum function depth" to 5 {depth}') == [5]


def test_equal_calls_are_made_once_and_others_again() -> None:
    wild = "function: wild N:n {{ if N > {} {{ result: 1 + [wild d6] }} result: 0 }} output [wild d6]"
    assert only(wild.format(2))[9] == Fraction(4**9, 6**9) * Fraction(1, 3)
    read = "X: 1 function: f N:n { result: N + X } A: [f d2] X: 5 output A + 0 * [f d2] output [f d2]"
    (_, first), (_, second) = run_program(read)
    assert (sorted(first), sorted(second)) == ([2, 3], [6, 7])
    inner = "function: g N:n { result: N + Y } function: f Y:n { result: [g d{1}] } output [f d3]"
    assert sorted(only(inner)) == [2, 3, 4]
    again = "function: f N:n { result: N } A: [f d2] function: f N:n { result: 7 } output A + [f d2]"
    assert sorted(only(again)) == [8, 9]
