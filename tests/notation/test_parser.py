"""The parser of dice notation: what it reads, writes back, and refuses with a caret."""

from __future__ import annotations

import random
import string
from fractions import Fraction

import pytest
from hypothesis import given, settings

from astragal.errors import Malformed, Refusal
from astragal.notation.condition import Limit, Listed, Parity
from astragal.notation.dialect import DIALECTS
from astragal.notation.expression import (
    Binary,
    Cancel,
    Comparison,
    Each,
    Expression,
    Function,
    GameCall,
    Group,
    If,
    Let,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Sets,
    Total,
    Versus,
    Word,
)
from astragal.notation.parser import MAX_LENGTH, NotationError
from astragal.notation.term import DiceTerm, Explode, Face, Keep, Pick, Replace, Reroll, Score
from astragal.questions.notation import parse
from tests.calls import counted_calls
from tests.notation.expressions import expressions
from tests.share import record, share

FUZZ = share(100_000, 2500)
MOST_CALLS = 50_000
"""Calls of functions for one text, far below a tenth of a second's."""
PIECES = [
    *("d6", "4d6", "kh3", "kl", "dl1", "!", "!!", ">=", "<", "8", "10", "count", "r1", "ro<3", "fail", "doubles"),
    *("(", ")", "+", "-", "*", "x", "%", "F", "dF", "narraject(", "d6=5", ".success", "#", ",", '"', "é", "9" * 30),
    *(
        "{",
        "}",
        "let x = ",
        ": ",
        "if ",
        " then ",
        " else ",
        " vs ",
        " cancel ",
        "each ",
        "/",
        "**",
        "min2",
        "max(",
        "ceil(",
    ),
    *(
        "d{",
        "1..6",
        "hit",
        "=",
        "x",
        "e6",
        "rl1",
        "!p",
        " once",
        " 2 times",
        " unique",
        " widest",
        " matches3",
        "[fire]",
    ),
    *(" ", "\n", "1.5", "r2r4", "ra6", "ms>12", "sf<3", "cs>3df", "tl6", "ds10", "adv1", "b", "u", "k5k6", ";", "[["),
    *("/roll ", "4cod", "output ", "[highest 3 of ", "]", "@", "#"),
]


def kept(*keeps: Keep) -> Pick:
    return Pick(keeps)


def counted(test: Limit | Listed | Parity, *fails: Limit) -> Pick:
    return Pick(scores=(Score(1, test), *(Score(-1, fail) for fail in fails)))


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("d6", DiceTerm(1, 6)),
        ("3d8", DiceTerm(3, 8)),
        ("10 d 10", DiceTerm(10, 10)),
        ("3D8", DiceTerm(3, 8)),
        ("d%", DiceTerm(1, 100)),
        ("4dF", DiceTerm(4, 3, fate=True)),
        ("4df", DiceTerm(4, 3, fate=True)),
        ("d{0,0,1,1,2}", DiceTerm(1, 5, (Face(0), Face(0), Face(1), Face(1), Face(2)))),
        ("d{2..4}", DiceTerm(1, 3, (Face(2), Face(3), Face(4)))),
        ("2d{hit, miss}", DiceTerm(2, 2, (Face("hit"), Face("miss")))),
        ("2d{hit=1, miss=0}", DiceTerm(2, 2, (Face(1, "hit"), Face(0, "miss")))),
        ("(1d4)d6", DiceTerm(DiceTerm(1, 4), 6)),
        ("1d(1d6)", DiceTerm(1, DiceTerm(1, 6))),
        ("4d6kh3", DiceTerm(4, 6, pick=kept(Keep("kh", 3)))),
        ("4d6k3", DiceTerm(4, 6, pick=kept(Keep("kh", 3)))),
        ("2d20kl", DiceTerm(2, 20, pick=kept(Keep("kl", 1)))),
        ("4d6dl1", DiceTerm(4, 6, pick=kept(Keep("dl", 1)))),
        ("4d6d1", DiceTerm(4, 6, pick=kept(Keep("dl", 1)))),
        ("4d6dl1dh1", DiceTerm(4, 6, pick=kept(Keep("dl", 1), Keep("dh", 1)))),
        ("5d6km3", DiceTerm(5, 6, pick=kept(Keep("dl", 1), Keep("dh", 1)))),
        ("5d6keep>=3", DiceTerm(5, 6, pick=kept(Keep("keep", 0, Limit(">=", 3))))),
        ("5d6 unique", DiceTerm(5, 6, pick=kept(Keep("unique")))),
        ("4dFdh1", DiceTerm(4, 3, fate=True, pick=kept(Keep("dh", 1)))),
        ("3d6!", DiceTerm(3, 6, explode=Explode(Limit("==", 6)))),
        ("3d6x", DiceTerm(3, 6, explode=Explode(Limit("==", 6)))),
        ("3d6xo5", DiceTerm(3, 6, explode=Explode(Limit("==", 5), times=1))),
        ("3d6 ie6", DiceTerm(3, 6, explode=Explode(Limit("==", 6)))),
        ("3d10!>=9", DiceTerm(3, 10, explode=Explode(Limit(">=", 9)))),
        ("3d6!!", DiceTerm(3, 6, explode=Explode(Limit("==", 6), compound=True))),
        ("3d6!p", DiceTerm(3, 6, explode=Explode(Limit("==", 6), penetrate=True))),
        ("3d6!!p5", DiceTerm(3, 6, explode=Explode(Limit("==", 5), compound=True, penetrate=True))),
        ("3d6! once", DiceTerm(3, 6, explode=Explode(Limit("==", 6), times=1))),
        ("3d6! 2 times", DiceTerm(3, 6, explode=Explode(Limit("==", 6), times=2))),
        ("4d6ro<3", DiceTerm(4, 6, reroll=Reroll(Limit("<", 3), 1))),
        ("4d6r1", DiceTerm(4, 6, reroll=Reroll(Limit("==", 1)))),
        ("4d6r", DiceTerm(4, 6, reroll=Reroll(Limit("==", 1)))),
        ("4d6rr1", DiceTerm(4, 6, reroll=Reroll(Limit("==", 1)))),
        ("4d6 ir1", DiceTerm(4, 6, reroll=Reroll(Limit("==", 1)))),
        ("4d6r{1,3}", DiceTerm(4, 6, reroll=Reroll(Listed((1, 3))))),
        ("8d6r2r4", DiceTerm(8, 6, reroll=Reroll(Listed((2, 4))))),
        ("2d6 * 1.5", Binary("*", DiceTerm(2, 6), Number(Fraction(3, 2)))),
        ("2d6 + 2.0", Binary("+", DiceTerm(2, 6), Number(2))),
        ("4d6r1 3 times", DiceTerm(4, 6, reroll=Reroll(Limit("==", 1), 3))),
        ("4d6rl1", DiceTerm(4, 6, replace=Replace(False, 1))),
        ("4d6min2", DiceTerm(4, 6, least=2)),
        ("4d6mi2ma5", DiceTerm(4, 6, least=2, most=5)),
        ("6d10 count>=8", DiceTerm(6, 10, pick=counted(Limit(">=", 8)))),
        ("6d10 t8", DiceTerm(6, 10, pick=counted(Limit(">=", 8)))),
        ("6d10cs>=8", DiceTerm(6, 10, pick=counted(Limit(">=", 8)))),
        ("6d6 count{2,4,6,6}", DiceTerm(6, 6, pick=counted(Listed((2, 4, 6, 6))))),
        ("6d6 even", DiceTerm(6, 6, pick=counted(Parity(False)))),
        ("6d6 count odd", DiceTerm(6, 6, pick=counted(Parity(True)))),
        ("6d10 count>=8 fail<=1", DiceTerm(6, 10, pick=counted(Limit(">=", 8), Limit("<=", 1)))),
        ("6d10count>=8!10", DiceTerm(6, 10, explode=Explode(Limit("==", 10)), pick=counted(Limit(">=", 8)))),
        ("6d10>=8!>=9", DiceTerm(6, 10, explode=Explode(Limit(">=", 9)), pick=counted(Limit(">=", 8)))),
        ("6d10!>=9>=8", DiceTerm(6, 10, explode=Explode(Limit(">=", 9)), pick=counted(Limit(">=", 8)))),
        ("2d6 doubles", DiceTerm(2, 6, pick=Pick(pattern="doubles"))),
        ("9d6 matches3", DiceTerm(9, 6, pick=Pick(pattern="matches", size=3))),
        ("{1d8!, 1d6!}kh1", Group((DiceTerm(1, 8, explode=Explode(Limit("==", 8))),
                                   DiceTerm(1, 6, explode=Explode(Limit("==", 6)))), kept(Keep("kh", 1)))),
        ("{1d20, 10}kh", Group((DiceTerm(1, 20), Number(10)), kept(Keep("kh", 1)))),
        ("{4d6 + 3d8}kh4", Group((DiceTerm(4, 6), DiceTerm(3, 8)), kept(Keep("kh", 4)))),
        ("{(2d6), 1d8}kh1", Group((Total(DiceTerm(2, 6)), DiceTerm(1, 8)), kept(Keep("kh", 1)))),
        ("{6 x 4d6kh3}kh1", Group((Sets(6, DiceTerm(4, 6, pick=kept(Keep("kh", 3)))),), kept(Keep("kh", 1)))),
        ("3d6 vs 2d6", Versus(">", DiceTerm(3, 6), DiceTerm(2, 6))),
        ("3d6 vs>= 2d6", Versus(">=", DiceTerm(3, 6), DiceTerm(2, 6))),
        ("{6d6 cancel 4d6}kh1", Group((Cancel(DiceTerm(6, 6), DiceTerm(4, 6)),), kept(Keep("kh", 1)))),
        ("1d6 + 2 > each 2d10", Each(">", Binary("+", DiceTerm(1, 6), Number(2)), DiceTerm(2, 10))),
        ("2d6+3", Binary("+", DiceTerm(2, 6), Number(3))),
        ("2d6 [fire] + 3 [magic]", Binary("+", DiceTerm(2, 6), Number(3))),
        ("2d6 + 3 fire damage", Binary("+", DiceTerm(2, 6), Number(3))),
        ("2 + 3 * 4", Binary("+", Number(2), Binary("*", Number(3), Number(4)))),
        ("(2 + 3) * 4", Binary("*", Binary("+", Number(2), Number(3)), Number(4))),
        ("1 - 2 - 3", Binary("-", Binary("-", Number(1), Number(2)), Number(3))),
        ("7 / 2 % 3", Binary("%", Binary("/", Number(7), Number(2)), Number(3))),
        ("2 ** 3 ** 2", Binary("**", Number(2), Binary("**", Number(3), Number(2)))),
        ("-2 ** 2", Negative(Binary("**", Number(2), Number(2)))),
        ("+d4", DiceTerm(1, 4)),
        ("-d4", Negative(DiceTerm(1, 4))),
        ("ceil(d6 / 2)", Function("ceil", (Binary("÷", DiceTerm(1, 6), Number(2)),))),
        ("max(d6, d8, 3)", Function("max", (DiceTerm(1, 6), DiceTerm(1, 8), Number(3)))),
        ("4d6 >= 14", Comparison(">=", DiceTerm(4, 6), Number(14))),
        ("4d6 ≥ 14", Comparison(">=", DiceTerm(4, 6), Number(14))),
        ("2d6 = 7", Comparison("==", DiceTerm(2, 6), Number(7))),
        ("(d6 >= 5) + 1", Binary("+", Comparison(">=", DiceTerm(1, 6), Number(5)), Number(1))),
        ("d6 > 2 and not d4 == 1 or 1", Logic("or", Logic("and", Comparison(">", DiceTerm(1, 6), Number(2)),
            Not(Comparison("==", DiceTerm(1, 4), Number(1)))), Number(1))),
        ("if d6 > 2 then 1 else d4", If(Comparison(">", DiceTerm(1, 6), Number(2)), Number(1), DiceTerm(1, 4))),
        ("let x = 2d6: x * 10 + x",
         Let("x", DiceTerm(2, 6), Binary("+", Binary("*", Name("x"), Number(10)), Name("x")))),
        ("5d6kh1 - kl1", Let("dice", DiceTerm(5, 6), Binary("-", Name("dice", kept(Keep("kh", 1))),
                                                           Name("dice", kept(Keep("kl", 1)))))),
        ("6d10 >=8 >= 3", Comparison(">=", DiceTerm(6, 10, pick=counted(Limit(">=", 8))), Number(3))),
        ("6d10>=8f1", DiceTerm(6, 10, pick=counted(Limit(">=", 8), Limit("==", 1)))),
        ("3d6! >= 10", Comparison(">=", DiceTerm(3, 6, explode=Explode(Limit("==", 6))), Number(10))),
        ("3d6 > 2d8", Comparison(">", DiceTerm(3, 6), DiceTerm(2, 8))),
        ("6 x 4d6kh3", Sets(6, DiceTerm(4, 6, pick=kept(Keep("kh", 3))))),
        ("6 x 4d6kh3 sorted", Sets(6, DiceTerm(4, 6, pick=kept(Keep("kh", 3))), True)),
        ("2d6 # for luck", DiceTerm(2, 6)),
        ("chronicles(pool=7, again=9).successes >= 5",
         Comparison(">=", GameCall("chronicles", (("pool", "7"), ("again", "9")), "successes"), Number(5))),
        ("razorweave(dc=16, edge=-1).tier >= full_success",
         Comparison(">=", GameCall("razorweave", (("dc", "16"), ("edge", "-1")), "tier"), Word("full_success"))),
        ('tgimh(ours="3 Duelist", theirs=2).result == "ours 2"',
         Comparison("==", GameCall("tgimh", (("ours", "3 Duelist"), ("theirs", "2")), "result"), Word("ours 2"))),
    ],
)  # fmt: skip
def test_what_players_write_is_read(text: str, expression: Expression) -> None:
    assert parse(text) == expression
    assert parse(str(expression)) == expression


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
        ("2d6ro1ro2", 6, "write ro{1,2}"),
        ("2d6!5x6", 5, "each modifier once"),
        ("1.5d6", 0, "a whole number of dice"),
        ("1d6.5", 2, "a number of sides"),
        ("4d6u", 3, "unique keeps one die of each value"),
        ("6d10tl6", 4, "a modifier of Dice Maiden"),
        ("6d6df", 3, "name the faces that fail"),
        ("4d6>8>1", 3, "no face of a d6 is above 8"),
        ("4d6!8", 3, "no face of a d6 is 8"),
        ("4d6 count{7,9}", 4, "no face of a d6 is one of 7, 9"),
        ("2d6!>=1", 3, "every face of a d6 explodes"),
        ("2d6r<7", 3, "every face of a d6 is rerolled"),
        ("2d6 d8", 4, "for another die write + d8"),
        ("2d6 x 3", 4, "write * for times"),
        ("4d6km3", 3, "write dl and dh"),
        ("{1d6}!", 5, "an operator or the end"),
        ("{1d6, 1d8}r1", 10, "belongs behind dice"),
        ("2d6 + 3 damage 7", 8, "an operator or the end"),
        ("let d = 1: 2", 4, "a name for a roll"),
        ("if 1 then 2", 11, '"else"'),
        ("floor(1, 2)", 5, "floor takes one number"),
        ("1+" * 101 + "1", 202, "at most 100 operators"),
        ("2d6 2d6", 4, "for another die write + 2d6"),
        ("(2d6", 4, '")"'),
        ("2d6 $", 4, "a number, dice or one of + - * / ( )"),
        ("narraject(5).success", 10, "an input's name"),
        ("narraject(d6=5)", 15, '"."'),
        ("(" * 40 + "1", 30, "at most 30 nested brackets"),
        ("101 x d6", 0, "a number of sets from 1 to 100"),
        ("sqrt(4)", 5, "functions are abs, floor, ceil, round, min, max"),
        ("2(3d6)", 1, "put a sign before the bracket, as in 2 * (3d6)"),
        ("3d6 + 5 (fire)", 8, "in square brackets, as in [fire]"),
        ("3w6", 1, "write d for dice"),
        ("3d6, 2d8", 3, "compare sets rolls side by side"),
        ("attack: 1d20 + 5", 6, "put a label behind the roll"),
        ("3d6 6 times", 6, "such as 6 x 3d6"),
        ("4d6dl1 x 6", 7, "6 x before the dice for 6 rolls"),
        ("best 3 of 4d6", 0, "write best with the dice, such as 4d6kh3"),
        ("1d20 > 10 ? 2d6 : 1d6", 10, "write if … then … else …"),
        ("3d{hit,miss} count=hit", 19, "in braces, such as {hit}"),
        ("{d4, d6} count>=8", 9, "no value of {1d4, 1d6} is at least 8"),
        ("{3d6, 4} keep>=9", 9, "no value of {3d6, 4} is at least 9"),
    ],
)
def test_a_refusal_points_at_the_column_and_says_what_was_expected(text: str, column: int, expected: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse(text)
    assert refused.value.column == column
    lines = str(refused.value).splitlines()
    assert lines[2].index("^") - 2 == column
    assert expected in lines[2]


def test_a_refusal_is_one_sentence_for_whoever_draws_the_place_beside_it() -> None:
    with pytest.raises(NotationError) as refused:
        parse("2d6 2d6")
    assert refused.value.public == 'This is not dice notation from "2d6" on: for another die write + 2d6.'
    assert (refused.value.text, refused.value.column) == ("2d6 2d6", 4)
    with pytest.raises(NotationError) as refused:
        parse("2d6 +")
    assert "at its end" in refused.value.public


@pytest.mark.parametrize("text", ["{d4, d6} count>=5", "{1d6!, 3} count>=8", "{(3d6), 4} keep>=9"])
def test_a_group_is_counted_if_some_value_can_be_meant(text: str) -> None:
    assert parse(text)
    assert parse("{2d6, 3d8}>10", "roll20")


def test_a_chat_command_may_lack_its_slash() -> None:
    assert parse("roll 4d6kh3") == parse("4d6kh3") == parse("/roll 4d6kh3")


def test_an_inline_roll_may_be_a_number_of_dice() -> None:
    assert parse("[[2d6]]d5 + [[1d4]]", "roll20") == parse("(2d6)d5 + 1d4")


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(Malformed, match="at most 500"):
        parse("1+" * MAX_LENGTH + "1")


@settings(deadline=None, max_examples=300)
@given(expressions())
def test_what_is_written_reads_the_same(expression: Expression) -> None:
    text = str(expression)
    if len(text) <= MAX_LENGTH:
        assert parse(text) == expression


def test_nothing_that_is_typed_makes_the_parser_fail_or_take_long() -> None:
    """In every dialect; the work is counted in calls, of which a tenth of a second has some hundred thousands."""
    chance = random.Random(1)
    most = 0
    for _ in range(FUZZ):
        text = "".join(chance.choices([*PIECES, *string.printable], k=chance.randint(0, 30)))
        dialect = chance.choice(("", "", *DIALECTS))
        calls = counted_calls(lambda: parsed_or_refused(text, dialect))  # noqa: B023
        assert calls < MOST_CALLS, (text, dialect)
        most = max(most, calls)
    record("dice notation, right and wrong", f"{FUZZ:,} texts, none with more than {most:,} calls")


def test_the_longest_texts_take_few_calls() -> None:
    for piece in PIECES:
        for text in (piece * (MAX_LENGTH // len(piece)), f"4d6{piece}" * (MAX_LENGTH // (len(piece) + 3))):
            for dialect in ("", *DIALECTS):
                calls = counted_calls(lambda: parsed_or_refused(text, dialect))  # noqa: B023
                assert calls < MOST_CALLS, (text, dialect)


def parsed_or_refused(text: str, dialect: str) -> None:
    try:
        expression = parse(text, dialect)
    except Refusal as refusal:
        assert str(refusal)
    else:
        assert str(expression)
