"""Fixing: only the wrong figures change, and the pipes stay where they are."""

from __future__ import annotations

import pytest

from astragal.audit import audit, fixed

HEAD = "<!-- astragal\nChance = d6 >= {Face}\n-->\n"


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        ("---|---", "| 2 | 100% |", "| 2 | 83%  |"),
        ("---|---", "| 2 | 8%   |", "| 2 | 83%  |"),
        ("---|---", "| 2 | 8% |", "| 2 | 83% |"),
        ("---|---:", "| 2 |   8% |", "| 2 |  83% |"),
        ("---|---:", "| 2 | 100% |", "| 2 |  83% |"),
        ("---|---", "| 2 | **100%** |", "| 2 | **83%**  |"),
        ("---|---:", "| 2 | **100%** |", "| 2 |  **83%** |"),
        ("---|---", "| 2 | **8%**  |", "| 2 | **83%** |"),
        ("---|---", "| 2 | 1 in 9 |", "| 2 | 1 in 1 |"),
        ("---|---", "| 2 | 1/2 x |", None),
        ("---|---", "| 2 | 1**0%** |", None),
        ("---|---", "| 2 | 1<b>0%</b> |", None),
        ("---|---", "| 2 | 0.5 | more `|` cells |", "| 2 | 0.8 | more `|` cells |"),
    ],
)
def test_a_cell_is_fixed_in_its_own_format(rule: str, before: str, after: str | None) -> None:
    text = f"{HEAD}Face | Chance\n{rule}\n{before}\n\n  The rest |\tstays.  "
    assert fixed(text).text == text.replace(before, after or before)
    assert fixed(fixed(text).text).text == fixed(text).text


def test_prose_is_fixed_without_gaps() -> None:
    text = "A chance of <!-- astragal: d6 >= 2 --> 100%, or <!-- astragal: d6 >= 3 --> **6%** here."
    assert fixed(text).text == text.replace("100%", "83%").replace("6%**", "67%**")


def test_a_column_that_uses_a_wrong_one_is_fixed_too() -> None:
    text = "<!-- astragal\nB = mean({A}d1)\nC = d6 >= {B}\n-->\n| A | B | C |\n|-|-|-|\n| 2 | 3 | 67% |\n"
    done = fixed(text)
    assert (done.audit.code, done.text.splitlines()[-1]) == (0, "| 2 | 2 | 83% |")


def test_nothing_is_fixed_in_code() -> None:
    text = f"```\n{HEAD}| Face | Chance |\n|---|---|\n| 2 | 1% |\n```\n"
    assert fixed(text).text == text
    assert audit(text).figures == ()
