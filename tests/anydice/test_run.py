"""AnyDice programs as people post them, against every throw; and what is refused, with its line."""

from __future__ import annotations

from fractions import Fraction
from time import process_time
from typing import Any

import pytest

from astragal.anydice import run_program
from astragal.deadline import Deadline
from astragal.dice.distribution import Distribution
from astragal.errors import Refusal
from tests.anydice.programs import POSTED, Posted, odds_by_hand, weight_of


def only(text: str) -> Distribution[Any]:
    """The odds of a program with one output."""
    ((_, odds),) = run_program(text)
    return odds


def values(text: str) -> list[Any]:
    """The values of a program whose outputs are certain."""
    return [next(iter(odds)) for _, odds in run_program(text)]


@pytest.mark.parametrize("posted", POSTED, ids=lambda posted: posted.title)
def test_a_program_has_the_odds_of_all_throws(posted: Posted) -> None:
    assert weight_of(posted) <= 100_000
    assert only(posted.text) == odds_by_hand(posted)


def test_there_are_many_programs() -> None:
    assert len(POSTED) >= 40


def test_outputs_have_names_and_numbers() -> None:
    program = 'X: 3\noutput d2\nloop N over {1..2} { output NdX named "[N] of d[X], [UNDONE]" }'
    with pytest.raises(Refusal, match="Line 3: there is no variable UNDONE"):
        run_program(program)
    named = [name for name, _ in run_program(program.replace(", [UNDONE]", " [2]"))]
    assert named == ["output 1", "1 of d3 [2]", "2 of d3 [2]"]


def test_a_name_shows_what_a_variable_is() -> None:
    program = 'A: {1,2}\nB: 2d6\nC: d{}\nD: d{2,4}\nE: {}\noutput 1 named "[A] [B] [C] [D] [E]"'
    assert run_program(program)[0][0] == "{?} 2d6 d{} d{?} {}"


def test_odds_are_whole_numbers_over_one() -> None:
    odds = only("output [highest 3 of 4d6]")
    assert odds[18] == Fraction(21, 1296)
    assert sum(odds.weights.values()) == odds.total


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("output 3d6 named three", 1, "expected a name in quotation marks"),
        ("X: 3\n\noutput 3d6 +", 3, "expected a value, not the end"),
        ("output 3d6\noutpt 3d6", 2, "expected a statement"),
        ("output 3d6 % 2", 1, "'%' means nothing"),
        ("output d6 == 3", 1, "== means nothing in AnyDice; write =."),
        ("output d6 <> 3", 1, "write !="),
        ("output d6 = 3 and d6 = 2", 1, 'AnyDice writes & for "and".'),
        ("\\ never\nended\noutput 3d6", 1, "a comment has no end"),
        ('output 1 named "never\nended', 1, "a text has no end"),
        ("function: f X:q { result: X }", 1, "expected n, s, d or ?"),
        ("function: f X:n { output X }", 1, '"output" cannot stand in a function'),
        ("function: f {\n result: 1\n X: 2 }", 3, 'expected "}" behind a result'),
        ("function: f {\n X: 2", 2, 'expected "}" to end a block'),
        ("result: 3", 1, "a result can only stand in a function"),
        ("output 1\noutput [highest of 3d6]", 2, "there is no function [highest of …]"),
        ("output 1\n\noutput X", 3, "there is no variable X"),
        ("if d6 > 3 {\n output 1 }", 1, "an if needs a number, not dice"),
        ("if {1} { output 1 }", 1, "an if needs a number, not a sequence"),
        ("loop N over 6 { output N }", 1, "a loop goes over a sequence"),
        ("output 1@{d6..3}", 1, "an end of a range is a number, not dice"),
        ("output {1:d6}", 1, "how often something is repeated is a number"),
        ("output (d6)@{1..6}", 1, "a position is a number, not dice"),
        ('set "explode depth" to 0', 1, '"explode depth" is a number from 1 to 10,000'),
        ('set "position order" to "random"', 1, '"position order" is "highest first" or "lowest first"'),
        ('output 1\nset "colour" to 3', 2, 'there is no setting "colour"'),
        ("X: 9\noutput X ^ 99", 2, "is too great a number"),
        ("output 0 ^ -1", 1, "0 has no power below 0"),
        ("X: 1\nloop N over {1..99} { X: X * 1000 }", 2, "a number is beyond"),
        ("output 99999999999999999999", 1, "a number is beyond"),
        ("output d1000000", 1, "1,000,000 faces are too many"),
        ("output #{1..1000000}", 1, "1,000,000 numbers of a sequence are too many"),
        ("output 1000000d6", 1, "1,000,000 dice are too many"),
        ("loop A over {1..2000} { output A }", 1, "there are more than 1,000 outputs"),
        ("output \"3d6\"", 1, "a text can only be a name"),
        ("output " + "(" * 200 + "1" + ")" * 200, 1, "at most 100 blocks"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_with_its_line(text: str, line: int, sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        run_program(text)
    assert str(refused.value).startswith(f"Line {line}: ")
    assert sentence in str(refused.value)


def test_a_program_without_output_is_refused() -> None:
    for text in ("", "\\ nothing \\", "X: 3d6"):
        with pytest.raises(Refusal, match="The program has no output"):
            run_program(text)
    with pytest.raises(Refusal, match="at most 20,000"):
        run_program("output 1\n" * 5000)


@pytest.mark.parametrize(
    "text",
    [
        "output 1\nloop A over {1..1000} { loop B over {1..1000} { loop C over {1..1000} { X: A } } }",
        "output 1\nfunction: f X:s { result: 1@X } output [f 40d20]",
        "output 1\nfunction: A:n or B:n or C:n { result: A } output [d1000 or d1000 or d1000]",
        "output 1\noutput [highest 500 of 1000d999]",
        "output 1\nX: d1000 loop A over {1..30} { X: X * X }",
        "output 1\noutput {1,3,5,7,9,11}@30d100",
        'output 1\nset "explode depth" to 10000 output [explode d1000]',
    ],
)
def test_what_takes_too_long_ends_at_a_deadline_or_is_refused_with_its_line(text: str) -> None:
    begun = process_time()
    with pytest.raises(Refusal, match=r"^Line 2: .* ask for fewer|Too long"), Deadline(0.5, "Too long."):
        run_program(text)
    assert process_time() - begun < 5


def test_deep_calls_are_answered_or_refused() -> None:
    program = 'set "maximum function depth" to {}\nfunction: f N:n {{ result: 1 + [f N] }}\noutput [f 1]'
    assert values(program.format(150)) == [150]
    with pytest.raises(Refusal, match="Line 3: calls are nested too deep"):
        run_program(program.format(5000))


def test_the_empty_die_is_an_output_without_a_value() -> None:
    (_, empty), (_, other) = run_program("output d{} output d4")
    assert dict(empty.items()) == {}
    assert not empty.is_numeric
    assert other[4] == Fraction(1, 4)


def test_a_parameter_of_any_type_may_say_so() -> None:
    ((_, odds),) = run_program("function: f X:? { result: X + 1 } output [f d4]")
    assert odds[5] == Fraction(1, 4)
