"""The Markdown reader: what it takes for a table and a directive, what it leaves alone, and junk."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from astragal.audit import Audit, audit
from astragal.audit.lines import MAX_LINE
from astragal.audit.reader import InlineDirective, Passage, TableDirective, Unreadable, read
from tests.share import share

FUZZ = share(100_000, 20_000)
SLOWEST = 0.1
DIRECTIVE = "<!-- astragal\nB = d6 >= {A}\n-->\n"
TABLE = "| A | B |\n|---|---|\n| 2 | 83% |\n"


def printed(text: str) -> list[str]:
    found = audit(text)
    assert (found.problems, found.wrong) == ((), [])
    return [checked.figure.text for checked in found.figures]


@pytest.mark.parametrize(
    "text",
    [
        DIRECTIVE + TABLE,
        DIRECTIVE + "\n\n" + TABLE,
        "<!-- astragal B = d6 >= {A} -->\n" + TABLE,
        "<!--astragal\n\n  B=d6>={A}\n\n-->\n" + TABLE,
        DIRECTIVE + "A | B\n--|--\n2 | 83%\n",
        DIRECTIVE + "A | B\n:-:|-:\n2 | 83%",
        DIRECTIVE + "|A|B|\n|-|-|\n|2|83%|",
        DIRECTIVE + "| A | B |\n|---|---|\n| **2** | *83%* |\n",
        DIRECTIVE + "| *A* | `B` |\n|---|---|\n| `2` | __83%__ |\n",
        DIRECTIVE + "| A | B |\n|---|---|\n| 2+ | 83%[^1] |\n",
        DIRECTIVE + "| A | B |\n|---|---|\n| <b>2</b> | [83%](#odds) * |\n",
        DIRECTIVE + "| A | B | C |\n|---|---|---|\n| 2 | 83% | `a|b` |\n",
        DIRECTIVE + "| A | B | C |\n|---|---|---|\n| 2 | 83% | a\\|b |\n",
        DIRECTIVE + "| C | A | B |\n|---|---|---|\n| a\\|b | 2 | 83% |\n| — | — | — |\n| x | y |  |\n",
        "> " + (DIRECTIVE + TABLE).replace("\n", "\n> "),
        ">> " + (DIRECTIVE + TABLE).replace("\n", "\n>> "),
        "- item\n\n    " + (DIRECTIVE + TABLE).replace("\n", "\n    "),
        "1. item\n   " + (DIRECTIVE + TABLE).replace("\n", "\n   "),
        "\ufeff" + DIRECTIVE + TABLE,
        (DIRECTIVE + TABLE).replace("\n", "\r\n"),
        "text <!-- astragal: d6 >= 2 --> 83% text",
        "text <!-- astragal: d6\n>= 2 --> 83%",
        "> text <!-- astragal: d6\n> >= 2 -->\n> 83%",
        "<!-- astragal: d6 >= 2 --> **83%**",
        "| a | b |\n|---|---|\n| x | <!-- astragal: d6 >= 2 --> 83% |",
        "`code` ``a ` b`` <!-- astragal: d6 >= 2 --> (83%)",
        "```\ncode\n```\n" + DIRECTIVE + TABLE,
        "~~~~ md\n```\n~~~~~\n" + DIRECTIVE + TABLE,
        "<!-- note --> <!-- astragal: d6 >= 2 --> 83%",
        "<!-- a\n\n```\n\n-->\n" + DIRECTIVE + TABLE,
    ],
)
def test_one_figure_is_found(text: str) -> None:
    assert printed(text) == ["83%"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\ufeff",
        TABLE,
        "```\n" + DIRECTIVE + TABLE + "```\n",
        "~~~\n" + DIRECTIVE + TABLE,
        "> ```\n> " + (DIRECTIVE + TABLE).replace("\n", "\n> "),
        "    " + (DIRECTIVE + TABLE).replace("\n", "\n    "),
        "Text.\n\n\t" + (DIRECTIVE + TABLE).replace("\n", "\n\t"),
        "<!-- off\n" + TABLE + "-->",
        "`<!-- astragal: d6 >= 2 --> 83%`",
        "<!-- astragalus: d6 >= 2 --> 83%",
        "<!-- never closed\n" + TABLE,
        "a <!-- b",
    ],
)
def test_nothing_is_found_where_nothing_is_said(text: str) -> None:
    assert audit(text) == Audit()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (DIRECTIVE + "\nProse.\n\n" + TABLE, "no table right below"),
        (DIRECTIVE, "no table right below"),
        (DIRECTIVE + "A | B\n---\n2 | 3\n", "no table right below"),
        ("<!-- astragal\nB = d6 >= {A}\n" + TABLE, "never closed"),
        ("text <!-- astragal: d6 >= 2\n\n83%", "never closed"),
        ("<!-- astragal\n-->\n" + TABLE, "names no column"),
        ("<!-- astragal\nB\n-->\n" + TABLE, "has no ="),
        ("<!-- astragal\nB =\n-->\n" + TABLE, "has no expression for"),
        ("<!-- astragal\nC = d6\n-->\n" + TABLE, 'no column "C"'),
        ("<!-- astragal\nB = d6 >= {C}\n-->\n" + TABLE, 'no column "C"'),
        ("<!-- astragal\nB = d6 >= 2\nb = d6 >= 2\n-->\n" + TABLE, "two lines for the column"),
        ("<!-- astragal\nA = d6 >= 2\n-->\n| A | A |\n|--|--|\n", "two columns"),
        (DIRECTIVE + "| A | B |\n|---|---|\n| 2 | often |\n", '"often" is not a figure'),
        (DIRECTIVE + "| A | B |\n|---|---|\n| 2 | 83% 84% |\n", "is not a figure"),
        (DIRECTIVE + "| A | B |\n|---|---|\n| 2 | 83 |\n", "is not a chance"),
        (DIRECTIVE + "| A | B |\n|---|---|\n|  | 83% |\n", "is empty"),
        ("<!-- astragal\nB = mean(d6)\n-->\n" + TABLE, "the expression is a number"),
        ("<!-- astragal\nB = d6\n-->\n" + TABLE, "not a yes-or-no question"),
        ("<!-- astragal\nB = d6 >=\n-->\n" + TABLE, "^"),
        ("<!-- astragal: d6 >= 2 --> often", "No figure follows"),
        ("a <!-- astragal: d6 >= 2 -->", "No figure follows"),
        ("astragal" + "x" * MAX_LINE, "was not read"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    found = audit(text)
    assert len(found.problems) == 1
    assert sentence in found.problems[0].sentence
    assert found.code == 2


def test_the_same_trouble_in_many_rows_is_told_once() -> None:
    found = audit("<!-- astragal\nB = d6 >= {A} (\n-->\n" + TABLE + "| 3 | 1% |\n| 4 | 1% |\n")
    [problem] = found.problems
    assert problem.sentence.endswith("(and the same in 2 more rows)")


def test_a_heading_may_have_an_equals_sign_in_it() -> None:
    text = "<!-- astragal\nA = B >= 2 = d6 >= {A}\n-->\n| A | A = B >= 2 |\n|--|--|\n| 2 | 83% |"
    assert printed(text) == ["83%"]


def test_a_star_stands_for_all_other_columns() -> None:
    text = "<!-- astragal\n* = {Dice}d6 >= {*}\n-->\n| Dice | 2 | 3+ |\n|--|--|--|\n| 1 | 83% | 67% |\n"
    assert [checked.value.exact.denominator for checked in audit(text).figures] == [6, 3]


PIECES = [
    "<!-- astragal",
    "<!-- astragal: ",
    "-->",
    "<!--",
    "d6 >= 2",
    "B = d6 >= {A}",
    "{A}",
    "{",
    "| A | B |",
    "|---|---|",
    "|",
    "\\|",
    "\\",
    "-",
    ":",
    "`",
    "```",
    "~~~",
    "> ",
    ">",
    "- ",
    "1. ",
    "    ",
    "\t",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\0",
    "\ufeff",
    "\u2028",
    "56%",
    "7/10",
    "1 in 6",
    "1/0",
    "**",
    "_",
    "[^1]",
    "[",
    "](",
    "<b>",
    "&lt;",
    "&#99999999;",
    "é",
    "🎲",
    "٣",
    "²",
    "=",
    "*",
]


def junk(seed: int) -> str:
    """Pieces of Markdown in no order; every tenth time a single piece, very often."""
    dice = random.Random(seed)
    if seed % 10 == 0:
        return "".join(dice.choices(PIECES, k=2)) * dice.randrange(1, 2000)
    start = DIRECTIVE + TABLE if seed % 3 == 0 else ""
    return start + "".join(dice.choices(PIECES, k=dice.randrange(1, 120)))


def inputs() -> Iterator[str]:
    return map(junk, range(FUZZ))


def test_junk_is_read_without_a_traceback_and_soon() -> None:
    for text in inputs():
        found, took = timed(text)
        if took > SLOWEST:  # perhaps the machine was busy
            found, took = timed(text)
        assert took < SLOWEST, (took, text[:200])
        assert all(isinstance(part, TableDirective | InlineDirective | Unreadable) for part in found)


def timed(text: str) -> tuple[list[Passage], float]:
    start = time.process_time()
    found = read(text)
    return found, time.process_time() - start


def test_junk_is_audited_without_a_traceback() -> None:
    for text in list(inputs())[: FUZZ // 3]:
        found = audit(text)
        for checked in found.figures:
            assert text[checked.span.start : checked.span.end]


@pytest.mark.parametrize("piece", PIECES)
def test_the_cost_of_an_audit_grows_with_its_text_and_not_with_the_square(piece: str) -> None:
    """Eight times the text takes well below 64 times as long, and some milliseconds are always allowed."""
    for text in (piece, piece + "\n", piece * 50 + "\n"):
        few, many = (
            min(_audit_seconds(DIRECTIVE + text * (n // len(text))) for _ in range(2)) for n in (9_000, 72_000)
        )
        assert many < 24 * few + 0.05


def _audit_seconds(text: str) -> float:
    start = time.process_time()
    audit(text)
    return time.process_time() - start
