"""The audit of a book with right and wrong figures of every kind, and what a fix leaves of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.audit import Audit, audit, fixed
from astragal.audit.finding import CheckedFigure

BOOK = Path(__file__).with_name("book.md")
ADDED = 'the sum of the printed figures of "Probability" from here to the bottom, {} of them wrong'
SWAPPED = "two digits are swapped"
COMPLEMENT = "the complement, 1 − the chance"
STRICT, LAX = '"more than" instead of "at least"', '"at most" instead of "less than"'
WRONG = [
    ("Probability", "12", "9.03%", "9.65%", ""),
    ("Probability", "16", "9.56%", "9.65%", SWAPPED),
    ("Probability", "19", "4.23%", "4.32%", SWAPPED),
    ("Roll this or higher", "4", "99.19%", "100.00%", ADDED.format(3)),
    ("Roll this or higher", "5", "99.11%", "99.92%", ADDED.format(3)),
    ("Roll this or higher", "6", "98.80%", "99.61%", ADDED.format(3)),
    ("Roll this or higher", "7", "98.03%", "98.84%", ADDED.format(3)),
    ("Roll this or higher", "8", "96.49%", "97.30%", ADDED.format(3)),
    ("Roll this or higher", "9", "93.79%", "94.60%", ADDED.format(3)),
    ("Roll this or higher", "10", "89.47%", "90.28%", ADDED.format(3)),
    ("Roll this or higher", "11", "83.30%", "84.10%", ADDED.format(3)),
    ("Roll this or higher", "12", "75.28%", "76.08%", ADDED.format(3)),
    ("Roll this or higher", "13", "66.25%", "66.44%", ADDED.format(2)),
    ("Roll this or higher", "14", "55.45%", "55.63%", ADDED.format(2)),
    ("Roll this or higher", "15", "44.18%", "44.37%", ADDED.format(2)),
    ("Roll this or higher", "16", "33.38%", "33.56%", ADDED.format(2)),
    ("Roll this or higher", "17", "23.82%", "23.92%", ADDED.format(1)),
    ("Roll this or higher", "18", "15.80%", "15.90%", ADDED.format(1)),
    ("Roll this or higher", "19", "9.63%", "9.72%", ADDED.format(1)),
    ("", "", "45%", "44%", "rounded up"),
    ("", "", "1 in 261", "1 in 216", SWAPPED),
    ("Hit", "6+", "70%", "75%", STRICT),
    ("Miss", "11+", "55%", "50%", LAX),
    ("Miss", "20+", "5%", "95%", COMPLEMENT),
    ("At least", "5", "4/6", "2/6", "the value of the row above (Face 3)"),
    ("Even odds", "6", "21/36", "26/36", STRICT),
    ("Ceiling", "1", "1.96%", "1.95%", "rounded up"),
    ("One light", "3", "0.992", "0.657", "the number of faces that count (3) instead of the threshold 8"),
    ("One light", "5", "0.823", "0.832", SWAPPED),
    ("Two lights (%)", "4", "53", "35", SWAPPED),
    ("Dark", "4", ".42", ".24", SWAPPED),
    ("2", "4", "14%", "41%", SWAPPED),
    ("Spread | range", "2d8", "4.38%", "43.75%", "the point is one digit out of place"),
    ("Average", "2d6", "7.5", "7.0", ""),
]


@pytest.fixture(scope="module")
def found() -> Audit:
    return audit(BOOK.read_text("utf-8"))


def find(found: Audit, heading: str, row: str, printed: str) -> CheckedFigure:
    [checked] = [
        checked
        for checked in found.wrong
        if (checked.heading, checked.row.split(" ")[-1], checked.figure.text) == (heading, row, printed)
    ]
    return checked


def test_every_figure_is_read_and_nothing_in_code(found: Audit) -> None:
    assert len(found.figures) == 117
    assert found.problems == ()
    assert found.code == 1


@pytest.mark.parametrize("wrong", WRONG, ids=" ".join)
def test_a_wrong_figure_is_found_with_the_right_one_and_the_slip(found: Audit, wrong: tuple[str, ...]) -> None:
    heading, row, printed, right, guess = wrong
    checked = find(found, heading, row, printed)
    assert checked.right == right
    assert guess in checked.guesses if guess else checked.guesses == ()


def test_nothing_else_is_called_wrong(found: Audit) -> None:
    assert len(found.wrong) == len(WRONG)


def test_lines_and_columns_are_those_of_the_figures(found: Audit) -> None:
    lines = BOOK.read_text("utf-8").split("\n")
    for checked in found.figures:
        _, _, line, column = checked.span
        assert lines[line - 1][column - 1 :].startswith(checked.figure.text)


def test_the_column_that_should_add_up_is_named(found: Audit) -> None:
    assert [sum.sentence for sum in found.sums] == [
        'The figures of "Probability" add up to 99.19% instead of 100%; 0.81 percentage points are missing.'
    ]


def test_ways_of_rounding_are_told_apart(found: Audit) -> None:
    assert [note.sentence for note in found.notes if not note.sentence.startswith("Read: ")] == [
        'Halves in "Even" are rounded to the even digit.',
        'The figures of "Cut" are truncated, not rounded.',
    ]


def test_a_fixed_book_audits_clean_and_a_second_fix_changes_nothing() -> None:
    text = BOOK.read_bytes().decode("utf-8")
    once = fixed(text)
    assert (once.audit.code, once.audit.wrong, once.audit.sums) == (0, [], ())
    assert len(once.changes) == len(WRONG)
    twice = fixed(once.text)
    assert (twice.text, twice.changes) == (once.text, ())


def test_a_fix_leaves_all_other_lines_and_the_widths_alone(found: Audit) -> None:
    before = BOOK.read_text("utf-8").split("\n")
    after = fixed("\n".join(before)).text.split("\n")
    touched = {checked.span.line for checked in found.wrong}
    for number, (old, new) in enumerate(zip(before, after, strict=True), 1):
        assert (old == new) == (number not in touched)
        if "|" in old and number < 60:
            assert [place for place, char in enumerate(old) if char == "|"] == [
                place for place, char in enumerate(new) if char == "|"
            ]


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_endings_and_byte_order_marks_are_kept(found: Audit, ending: str, mark: str) -> None:
    text = mark + BOOK.read_text("utf-8").replace("\n", ending)
    other = audit(text)
    assert [checked.span[2:] for checked in other.figures] == [checked.span[2:] for checked in found.figures]
    plain = fixed(BOOK.read_text("utf-8")).text
    assert fixed(text).text == mark + plain.replace("\n", ending)
