"""Columns: how they were rounded, and whether they add up."""

from __future__ import annotations

import pytest

from astragal.audit import Audit, audit, fixed


def column(*figures: str) -> str:
    rows = "\n".join(f"| {face} | {figure} |" for face, figure in enumerate(figures, 1))
    return f"<!-- astragal\nChance = d{len(figures)} == {{Face}}\n-->\n| Face | Chance |\n|---|---|\n{rows}\n"


def notes(found: Audit) -> list[str]:
    return [note.sentence for note in found.notes]


def test_a_truncated_column_is_right_and_named() -> None:
    found = audit(column(*["16%"] * 6))
    assert (found.code, notes(found)) == (0, ['The figures of "Chance" are truncated, not rounded.'])


def test_a_column_in_two_minds_is_right_and_named() -> None:
    found = audit(column("17%", "17%", "17%", "16%", "16%", "17%"))
    assert (found.code, notes(found)) == (0, ['In "Chance", 2 figures are truncated and others rounded.'])


def test_halves_to_the_even_digit_are_named() -> None:
    assert notes(audit(column(*["12%"] * 8))) == ['Halves in "Chance" are rounded to the even digit.']
    assert notes(audit(column(*["13%"] * 8))) == []
    assert notes(audit(column("12%", *["13%"] * 7))) == [
        'Halves in "Chance" are rounded to the even digit and others half up.'
    ]


@pytest.mark.parametrize(("printed", "right"), [("16%", "16%"), ("17%", "17%")])
def test_a_fix_rounds_as_the_column_does(printed: str, right: str) -> None:
    text = fixed(column(*[printed] * 5, "20%")).text
    assert text == column(*[printed] * 5, right)


def test_a_column_that_should_add_up_to_100_and_does_not() -> None:
    [found] = audit(column("17%", "17%", "17%", "17%", "17%", "27%")).sums
    assert found.sentence == (
        'The figures of "Chance" add up to 112% instead of 100%; 12 percentage points are too many.'
    )


@pytest.mark.parametrize("figures", [["17%"] * 6, ["16.67%"] * 6, ["1/6"] * 6, ["16%"] * 6, ["1 in 6"] * 6])
def test_rounding_is_no_reason_to_complain_of_a_sum(figures: list[str]) -> None:
    assert audit(column(*figures)).sums == ()


def test_chances_that_exclude_nothing_need_not_add_up() -> None:
    text = "<!-- astragal\nChance = d6 >= {Face}\n-->\n| Face | Chance |\n|---|---|\n| 2 | 84% |\n| 3 | 67% |\n"
    found = audit(text)
    assert (len(found.wrong), found.sums) == (1, ())
