"""The parser of dice notation: what it reads, writes back, and refuses with a caret."""

from __future__ import annotations

import os
import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.notation.expression import (
    Binary,
    Call,
    Comparison,
    DiceTerm,
    Expression,
    Limit,
    Negative,
    Number,
    Sets,
    Word,
    format_expression,
)
from astragal.dice.notation.parser import MAX_LENGTH, NotationError, parse
from astragal.errors import Malformed, Refusal

FUZZ = int(os.environ.get("ASTRAGAL_FUZZ", "100000"))
PIECES = [
    *("d6", "4d6", "kh3", "kl", "dl1", "!", "!!", ">=", "<", "8", "10", "count", "r1", "ro<3", "fail", "doubles"),
    *("(", ")", "+", "-", "*", "x", "%", "F", "dF", "narraject(", "d6=5", ".success", "#", ",", '"', "é", "9" * 30),
    *(" ", "\n"),
]


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("d6", DiceTerm(1, 6)),
        ("3d8", DiceTerm(3, 8)),
        ("d%", DiceTerm(1, 100)),
        ("4dF", DiceTerm(4, 3, fate=True)),
        ("4d6kh3", DiceTerm(4, 6, keep="kh", kept=3)),
        ("4d6k3", DiceTerm(4, 6, keep="kh", kept=3)),
        ("2d20kl", DiceTerm(2, 20, keep="kl", kept=1)),
        ("4d6dl1", DiceTerm(4, 6, keep="dl", kept=1)),
        ("4dFdh1", DiceTerm(4, 3, fate=True, keep="dh", kept=1)),
        ("3d6!", DiceTerm(3, 6, explode=Limit("==", 6))),
        ("3d10!>=9", DiceTerm(3, 10, explode=Limit(">=", 9))),
        ("3d6!!", DiceTerm(3, 6, explode=Limit("==", 6), compound=True)),
        ("4d6ro<3", DiceTerm(4, 6, reroll=Limit("<", 3), once=True)),
        ("4d6r1", DiceTerm(4, 6, reroll=Limit("==", 1))),
        ("6d10 count>=8", DiceTerm(6, 10, counting=Limit(">=", 8))),
        ("6d10 count>=8 fail<=1", DiceTerm(6, 10, counting=Limit(">=", 8), fail=Limit("<=", 1))),
        ("6d10count>=8!10", DiceTerm(6, 10, counting=Limit(">=", 8), explode=Limit("==", 10))),
        ("2d6 doubles", DiceTerm(2, 6, doubles=True)),
        ("2d6+3", Binary("+", DiceTerm(2, 6), Number(3))),
        ("2 + 3 * 4", Binary("+", Number(2), Binary("*", Number(3), Number(4)))),
        ("(2 + 3) * 4", Binary("*", Binary("+", Number(2), Number(3)), Number(4))),
        ("1 - 2 - 3", Binary("-", Binary("-", Number(1), Number(2)), Number(3))),
        ("-d4", Negative(DiceTerm(1, 4))),
        ("4d6 >= 14", Comparison(">=", DiceTerm(4, 6), Number(14))),
        ("4d6 ≥ 14", Comparison(">=", DiceTerm(4, 6), Number(14))),
        ("2d6 = 7", Comparison("==", DiceTerm(2, 6), Number(7))),
        ("6d10 >=8 >= 3", Comparison(">=", DiceTerm(6, 10, counting=Limit(">=", 8)), Number(3))),
        ("6d10>=8f1", DiceTerm(6, 10, counting=Limit(">=", 8), fail=Limit("==", 1))),
        ("6d10>=8!10", DiceTerm(6, 10, counting=Limit(">=", 8), explode=Limit("==", 10))),
        ("3d6! >= 10", Comparison(">=", DiceTerm(3, 6, explode=Limit("==", 6)), Number(10))),
        ("3d6 > 2d8", Comparison(">", DiceTerm(3, 6), DiceTerm(2, 8))),
        ("6 x 4d6kh3", Sets(6, DiceTerm(4, 6, keep="kh", kept=3))),
        ("2d6 # for luck", DiceTerm(2, 6)),
        ("chronicles(pool=7, again=9).successes >= 5",
         Comparison(">=", Call("chronicles", (("pool", "7"), ("again", "9")), "successes"), Number(5))),
        ("razorweave(dc=16, edge=-1).tier >= full_success",
         Comparison(">=", Call("razorweave", (("dc", "16"), ("edge", "-1")), "tier"), Word("full_success"))),
        ('tgimh(ours="3 Duelist", theirs=2).result == "ours 2"',
         Comparison("==", Call("tgimh", (("ours", "3 Duelist"), ("theirs", "2")), "result"), Word("ours 2"))),
    ],
)  # fmt: skip
def test_what_players_write_is_read(text: str, expression: Expression) -> None:
    assert parse(text) == expression
    assert parse(format_expression(expression)) == expression


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 0, "a number, dice or a bracket"),
        ("2d6+", 4, "a number, dice or a bracket"),
        ("2d", 2, "a number of sides"),
        ("2d0", 2, "a number of sides from 1 to 1,000"),
        ("2d1001", 2, "a number of sides from 1 to 1,000"),
        ("1001d6", 0, "a number of dice from 0 to 1,000"),
        ("1000000001d6", 0, "a number of dice from 0 to 1,000"),
        ("2d6kh2kl1", 6, "each modifier once"),
        ("2d6 2d6", 4, "an operator or the end"),
        ("(2d6", 4, '")"'),
        ("2d6 $", 4, "a number, dice or one of + - * ( )"),
        ("narraject(5).success", 10, "an input's name"),
        ("narraject(d6=5)", 15, '"."'),
        ("(" * 40 + "1", 30, "at most 30 nested brackets"),
        ("101 x d6", 0, "a number of sets from 1 to 100"),
    ],
)
def test_a_refusal_points_at_the_column_and_says_what_was_expected(text: str, column: int, expected: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse(text)
    assert refused.value.column == column
    lines = str(refused.value).splitlines()
    assert lines[2].index("^") - 2 == column
    assert expected in lines[2]


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(Malformed, match="at most 500"):
        parse("1+" * MAX_LENGTH + "1")


LIMITS = st.builds(Limit, st.sampled_from([">=", "<=", ">", "<", "==", "!="]), st.integers(0, 20))
ROLLS = st.builds(
    DiceTerm,
    st.integers(0, 20),
    st.integers(1, 100),
    reroll=st.none() | LIMITS,
    fate=st.just(False),
    once=st.just(False),
    compound=st.just(False),
    explode=st.none() | LIMITS.filter(lambda limit: limit.operator != "!="),
    fail=st.none() | LIMITS,
    keep=st.just("") | st.sampled_from(["kh", "kl", "dh", "dl"]),
    kept=st.just(0),
    counting=st.none() | LIMITS,
    doubles=st.booleans(),
)
EXPRESSIONS = st.recursive(
    st.builds(Number, st.integers(0, 999)) | ROLLS,
    lambda inner: st.builds(Binary, st.sampled_from("+-*"), inner, inner) | st.builds(Negative, inner),
    max_leaves=6,
)
WHOLE = EXPRESSIONS | st.builds(Comparison, st.sampled_from([">=", "<", "=="]), EXPRESSIONS, EXPRESSIONS)


@settings(deadline=None, max_examples=300)
@given(WHOLE)
def test_what_is_written_reads_the_same(expression: Expression) -> None:
    text = format_expression(expression)
    if len(text) <= MAX_LENGTH:
        assert parse(text) == expression


def test_nothing_that_is_typed_makes_the_parser_fail_or_take_long() -> None:
    """None takes a tenth of a second of the processor's time; a hiccup of the machine gets a second try."""
    import random

    chance = random.Random(1)
    for _ in range(FUZZ):
        text = "".join(chance.choices([*PIECES, *string.printable], k=chance.randint(0, 30)))
        assert seconds_to_parse(text) < 0.1 or seconds_to_parse(text) < 0.1, text


def seconds_to_parse(text: str) -> float:
    start = time.process_time()
    try:
        parse(text)
    except Refusal as refusal:
        assert str(refusal)
    return time.process_time() - start
