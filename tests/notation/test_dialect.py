"""Dialects: what other tools write is read as they mean it; the pages "Coming from …" say the truth."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from astragal.errors import Malformed, Unknown
from astragal.notation.dialect import DIALECTS
from astragal.questions.notation import parse, read

PAGES = Path(__file__).parents[2] / "docs" / "coming-from"
ROW = re.compile(r"^\| `(?P<theirs>[^`]+)` \| `(?P<ours>[^`]+)` \|", re.MULTILINE)
ROWS = [
    (page.stem, row["theirs"], row["ours"])
    for page in sorted(PAGES.glob("*.md"))
    for row in ROW.finditer(page.read_text("utf-8"))
]


def test_there_is_a_page_for_every_dialect() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == set(DIALECTS)
    assert len(ROWS) > 60


@pytest.mark.parametrize(("dialect", "theirs", "ours"), ROWS)
def test_the_pages_say_how_each_tool_is_read(dialect: str, theirs: str, ours: str) -> None:
    expression = parse(theirs, dialect)
    assert str(expression) == ours
    assert parse(ours) == expression


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4d6r1", "until the die shows something else; once is ro1"),
        ("3d6>3", "asked of the sum; to count dice, write count>3"),
        ("2d6!=4", "to explode on 4"),
        ("4d6k3", "keeps the 3 highest dice; the dice that show 3 are keep3"),
        ("3d6e6", "once, as in Dice Maiden, is !o6"),
        ("3d6e5", "once, as in Dice Maiden, is !o>=5"),
        ("3d6 ie5", "5 or more, as in Dice Maiden, is !>=5"),
        ("4d6 ir2", "2 or less, as in Dice Maiden, is r<=2"),
        ("6d10 t8 f2", "2 or less, as in Dice Maiden, is fail<=2"),
        ("4d6 keep 3", "keeps the dice that show 3; for the 3 highest dice write kh3"),
        ("4d6 drop 1", "drops the dice that show 1; for the lowest die write dl1"),
        ("{d4, d6} > 3", "asked of the sum; to count dice, write count>3"),
        ("6 × 4d6", "× multiplies; 6 rolls are written with an x"),
        ("6d10cs>=8", "in Roll20 it only marks them"),
        ("6d10cf1", "write fail1"),
        ("{d4, 2d8}kh1", "(2d8) is one value, their sum"),
        ("2d6 + 3 fire", '"fire" is taken as a label'),
        ("1d20ms>15", "how far the dice are above 15, as in Foundry"),
        ("6d6sf<3", "as in Foundry"),
        ("max(3d6)", "3d6 is one, its sum; the highest die is 3d6kh1"),
        ("min(4d8)", "the lowest die is 4d8kl1"),
        ("d66", "a die for each digit is 1d6 * 10 + 1d6"),
    ],
)
def test_what_tools_read_differently_is_said(text: str, said: str) -> None:
    (note,) = read(text).notes
    assert said in note


@pytest.mark.parametrize(
    "text",
    [
        "3d6 ie6",
        "4d6 ir1",
        "6d10 t8 f1",
        "4d6 keep>=3",
        "2d20kh1 >= 15",
        "{d4, d6}kh1 >= 3",
        "3d6 vs 2d6 >= 1",
        "2d6 × 10",
    ],
)
def test_nothing_is_said_where_tools_agree(text: str) -> None:
    assert read(text).notes == ()


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("3d{hit, miss} count hit", "6d6 count>=5"),
        ("1d20 adv", "2d20kh1"),
        ("1d20 with disadvantage", "2d20kl1"),
        ("4d6 drop lowest", "4d6dl1"),
        ("2d6 Exploding", "3d6!"),
    ],
)
def test_words_that_change_a_roll_are_no_label(text: str, instead: str) -> None:
    with pytest.raises(Malformed, match=f"with the dice, such as {instead}"):
        read(text)


@pytest.mark.parametrize(
    "text", ["4d6kh3", "4d6 >= 14", "3d6!", "6d10 count>=8", "2d20kl1 + 5 >= 15", "1d20 > 3", "4d6ro1"]
)
def test_what_is_plain_needs_no_note(text: str) -> None:
    assert read(text).notes == ()


@pytest.mark.parametrize(
    ("text", "dialect", "said"),
    [
        ("4d6kh3r1", "avrae", "in Avrae as written"),
        ("4d6 k3 d1", "dicemaiden", "drops first"),
        ("1d6 / 2", "roll20", "keeps the fraction"),
        ("1d20cs>18", "roll20", "only marks dice"),
        ("6d6cs>4cf<2", "foundry", "takes the place of the count before it"),
        ("6d10 t7 b1", "dicemaiden", "counts botches beside the result"),
        ("1d6 / 2", "rpgdiceroller", "keeps the fraction"),
    ],
)
def test_a_dialect_that_differs_says_so(text: str, dialect: str, said: str) -> None:
    assert any(said in note for note in read(text, dialect).notes)


@pytest.mark.parametrize(
    ("text", "dialect", "said"),
    [
        ("4d6ra6kh3", "avrae", "!o explodes each of them once"),
        ("4d6kh1kl1", "avrae", "write the two as a sum"),
        ("20d20r1=1", "foundry", "changes only so many dice"),
        ("5d10x3=10", "foundry", "changes only so many dice"),
        ("6d6df", "foundry", "name the faces that fail"),
        ("4d6kh3sf<3", "foundry", "without other modifiers"),
        ("2d6 ; 3d8", "dicemaiden", 'compare "2d6" "3d8"'),
        ("2d6 ie6 adv1", "dicemaiden", "dl1 drops them afterwards"),
        ("4d6 i1", "dicemaiden", "is not read here"),
        ("4d6u", "rpgdiceroller", "unique keeps one die of each value"),
        ("6d10 tl6", "roll20", "a modifier of Dice Maiden"),
        ("2d(d6)", "anydice", "cannot be rolled"),
        ("output d4 output d6", "anydice", "roll a single expression"),
    ],
)
def test_what_cannot_be_read_says_what_to_write(text: str, dialect: str, said: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse(text, dialect)
    assert said in str(refused.value)


def test_an_unknown_dialect_or_function_is_refused() -> None:
    with pytest.raises(Unknown, match="there are roll20, foundry"):
        parse("3d6", "klingon")
    with pytest.raises(Malformed, match="has odds, but cannot be rolled"):
        parse("[reverse 3d6]", "anydice")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("6d10>=8!>=9", "6d10!>=9>=8"),
        ("4d6kh3r1", "4d6r1kh3"),
        ("5d6 count>=5 r1 !", "5d6!r1 count>=5"),
        ("4d6min2kh3", "4d6kh3 min2"),
        ("4d6!!ro1kl2", "4d6kl2ro1!!"),
    ],
)
def test_families_of_modifiers_apply_in_one_order_however_they_are_written(one: str, other: str) -> None:
    assert parse(one) == parse(other)


def test_keep_and_drop_go_from_left_to_right() -> None:
    assert parse("4d6kh3dl1") != parse("4d6dl1kh3")
