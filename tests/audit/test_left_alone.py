"""What an audit does not fully understand, it leaves alone: ranges, cells that are not one value, "nearly"."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.audit import audit, fixed
from astragal.audit.evaluator import Evaluator
from astragal.audit.files import WORSE, audit_file

POOL = "<!-- astragal\n2+ = {Pool}d6 count>=5 >= 2\n-->\n| Pool | 2+ |\n|---|---|\n"


@pytest.mark.parametrize("cell", ["6–7", "6-7", "6—7", "6−7", "6 to 7", "6..7", "6/7", "6 or 7", "6, 7", "6–7+"])
def test_a_range_in_a_cell_is_never_subtracted(cell: str) -> None:
    text = f"{POOL}| {cell} | 65% |\n| 6 | 65% |\n"
    found = audit(text)
    assert [problem.line for problem in found.problems] == [6]
    assert "is a range, not one value" in found.problems[0].sentence
    assert fixed(text).text == text


@pytest.mark.parametrize("cell", ["1d6", "d8", "2d6+3", "-3", "−3"])
def test_what_is_no_number_of_dice_is_not_guessed_at(cell: str) -> None:
    """A `1d6` in a column that counts dice was read as (1d6)d6, and a `-3` as −(3d6)."""
    text = f"{POOL}| {cell} | 65% |\n| 6 | 65% |\n"
    found = audit(text)
    assert [problem.line for problem in found.problems] == [6]
    assert "is not a number of dice" in found.problems[0].sentence
    assert fixed(text).text.splitlines()[5] == text.splitlines()[5]


@pytest.mark.parametrize("cell", ["6<sup>1</sup>", "6<sup><b>1</b></sup>", "~~6~~5", "6<br>7", "6`1`"])
def test_numbers_with_markup_between_them_are_not_joined(cell: str) -> None:
    """A 6 with a note was read as 61, and 100% was written beside it."""
    text = f"{POOL}| {cell} | 60% |\n"
    assert [problem.line for problem in audit(text).problems] == [6]
    assert fixed(text).text == text
    assert audit(f"{POOL}| **6** | 65%[^1] |\n").figures[0].is_right


@pytest.mark.parametrize(
    ("cell", "expression", "filled"),
    [
        ("6", "{A}d6 >= 20", "6d6 >= 20"),
        ("14+", "4d6 >= {A}", "4d6 >= 14"),
        ("−2", "10 - {A} >= d12", "10 - -2 >= d12"),
        ("2d6+3", "{A} * 2 >= 20", "(2d6+3) * 2 >= 20"),
        ("2d6 + 3", "4d6 - {A} >= 1", "4d6 - (2d6 + 3) >= 1"),
        ("3d6", "{A} >= 12", "3d6 >= 12"),
        ("full_success", "razorweave(dc=16).tier >= {A}", "razorweave(dc=16).tier >= full_success"),
    ],
)
def test_a_cell_is_one_value_of_the_expression(cell: str, expression: str, filled: str) -> None:
    text = f"<!-- astragal\nB = {expression}\n-->\n| A | B |\n|---|---|\n| {cell} | 50% |\n"
    (figure,) = audit(text).figures
    assert figure.expression == filled


@pytest.mark.parametrize("cell", ["16 (Tough)", "3 * 4", "6?", "(6"])
def test_a_cell_that_is_no_value_is_not_used(cell: str) -> None:
    found = audit(f"{POOL}| {cell} | 65% |\n")
    assert (len(found.figures), len(found.problems)) == (0, 1)


@pytest.mark.parametrize("text", ["50/50", "50-50", "50:50", "fifty-fifty", "**50/50**"])
def test_even_odds_are_understood_and_never_rewritten(text: str) -> None:
    right = f"It is <!-- astragal: d6 >= 4 --> {text}."
    assert audit(right).code == 0
    wrong = f"It is <!-- astragal: d6 >= 5 --> {text}."
    assert [figure.right for figure in audit(wrong).wrong] == ["33.3%"]
    assert fixed(wrong).text == wrong


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("nearly <!-- astragal: d100 >= 13 --> 9 in 10", 0),
        ("almost <!-- astragal: d8 >= 2 --> 90%", 0),
        ("in <!-- astragal: d8 >= 2 --> nearly 90% of all cases", 0),
        ("almost <!-- astragal: d8 >= 2 --> 50%", 1),
        ("nearly <!-- astragal: d8 >= 2 --> 80%", 1),
        ("just over <!-- astragal: d8 >= 2 --> 85%", 0),
        ("just over <!-- astragal: d8 >= 2 --> 90%", 1),
        ("about <!-- astragal: d7 >= 2 --> 6/7", 0),
        ("approximately <!-- astragal: d7 >= 2 --> 9 in 10", 0),
        ("roughly a <!-- astragal: d7 >= 2 --> 86% chance", 0),
        ("approximately <!-- astragal: d7 >= 2 --> 1 in 10", 1),
    ],
)
def test_words_before_a_figure_or_its_directive_count(sentence: str, code: int) -> None:
    assert audit(f"It happens {sentence}.").code == code


def test_a_wrong_figure_that_is_nearly_something_is_told_and_left_alone() -> None:
    text = "It happens almost <!-- astragal: d8 >= 2 --> 50% of the time, nearly <!-- astragal: d8 >= 3 --> 1 in 2."
    assert len(audit(text).wrong) == 2
    assert fixed(text).text == text


def test_a_wrong_figure_that_is_about_something_is_rewritten_with_its_word_in_place() -> None:
    text = "about <!-- astragal: d8 >= 3 --> 50%, about <!-- astragal: d8 >= 4 --> 1/8"
    assert fixed(text).text == "about <!-- astragal: d8 >= 3 --> 75%, about <!-- astragal: d8 >= 4 --> 5/8"


@pytest.mark.parametrize(
    "figure",
    ["5–7", "5-7", "5 to 7", "5 or 6", "5…7", "5 ± 1", "10–12%", "10 to 12%", "10%–12%", "1 in 3–4", "3/4–4/5"],
)
def test_a_range_in_a_sentence_is_not_compared(figure: str) -> None:
    for expression in ("mean(2d6)", "2d6 >= 9"):
        text = f"It is <!-- astragal: {expression} --> {figure} here."
        assert fixed(text).text == text
        assert audit(text).code == 2


@pytest.mark.parametrize(
    "figure",
    [
        "50%+",
        "50% or more",
        "**50%** or better",
        "(50%) or less",
        "1 in 2 or more",
        "1/2+",
        "50% and up",
        "70% at most",
    ],
)
def test_a_figure_or_more_is_not_compared(figure: str) -> None:
    """`50% or more` became `67% or more` for two in three, and a right `70% at most` became `67% at most`."""
    text = f"It happens <!-- astragal: d6 >= 3 --> {figure} of the time."
    assert fixed(text).text == text
    assert audit(text).code == 2


@pytest.mark.parametrize("figure", ["50%/60%", "50% / 60%", "50% more", "**50%** less", "50 percentage points"])
def test_two_figures_and_a_difference_are_not_compared(figure: str) -> None:
    text = f"It happens <!-- astragal: d6 >= 3 --> {figure} of the time."
    assert fixed(text).text == text
    assert audit(text).code == 2


@pytest.mark.parametrize("words", ["less than", "more than a", "at least", "at most", "up to", "over", "≥"])
def test_a_bound_before_a_directive_is_not_compared(words: str) -> None:
    text = f"It happens {words} <!-- astragal: d6 >= 3 --> 50% of the time."
    assert fixed(text).text == text
    assert audit(text).code == 2


@pytest.mark.parametrize("figure", [">50%", "> 50%", "**>50%**"])
def test_a_sign_before_a_figure_is_its_bound_and_no_quote_mark(figure: str) -> None:
    """A right `>50%` became a wrong `>67%`."""
    text = f"It happens <!-- astragal: d6 >= 3 --> {figure} of the time."
    assert fixed(text).text == text
    assert audit(text).code == 0
    assert audit(text.replace("50", "70")).code == 1
    quoted = "> It happens <!-- astragal: d6 >= 3 -->\n> 50% of the time."
    assert fixed(quoted).text == quoted.replace("50", "67")


@pytest.mark.parametrize("expression", ["2d6 == {Total}", "{Total} == 2d6", "2d6 != {Total}"])
def test_a_cell_or_more_is_not_one_value_where_equality_is_asked(expression: str) -> None:
    text = f"<!-- astragal\nChance = {expression}\n-->\n| Total | Chance |\n|---|---|\n| 10+ | 20% |\n"
    assert "is a range" in audit(text).problems[0].sentence
    assert fixed(text).text == text


def test_between_two_figures_is_not_compared() -> None:
    text = "It is between <!-- astragal: mean(2d6) --> 5 and 9."
    assert fixed(text).text == text
    assert audit(text).code == 2


@pytest.mark.parametrize("figure", ["70/30", "60/40", "3/2"])
def test_a_fraction_above_one_is_not_a_chance(figure: str) -> None:
    text = f"It is <!-- astragal: 2d6 >= 9 --> {figure}."
    assert "is more than 1" in audit(text).problems[0].sentence
    assert fixed(text).text == text


def test_a_file_is_not_written_if_the_second_audit_finds_no_less_wrong(tmp_path: Path) -> None:
    """Each column is the other one and 1 more, so that every fix makes the other one wrong."""
    book = tmp_path / "book.md"
    text = "<!-- astragal\nA = mean({B} + 1d1)\nB = mean({A} + 1d1)\n-->\n| A | B |\n|---|---|\n| 1 | 5 |\n"
    book.write_text(text, "utf-8")
    found = audit_file("book.md", book, Evaluator(), fix=True)
    assert book.read_text("utf-8") == text
    assert (found.refusal, found.changes, found.code) == (WORSE, (), 2)


def test_a_file_is_written_if_less_is_wrong_and_tells_what_is_left(tmp_path: Path) -> None:
    book = tmp_path / "book.md"
    book.write_text(f"{POOL}| 6–7 | 65% |\n| 6 | 20% |\n\nAlmost <!-- astragal: d8 >= 2 --> 20%.\n", "utf-8")
    found = audit_file("book.md", book, Evaluator(), fix=True)
    assert book.read_text("utf-8") == f"{POOL}| 6–7 | 65% |\n| 6 | 65% |\n\nAlmost <!-- astragal: d8 >= 2 --> 20%.\n"
    assert (len(found.changes), len(found.audit.wrong), len(found.audit.problems)) == (1, 1, 1)
