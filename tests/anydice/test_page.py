"""The page about AnyDice programs: its table is run."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from tests.anydice.test_run import only

PAGE = Path(__file__).parents[2] / "docs" / "anydice.md"
ROW = re.compile(r"^\| `(?P<program>output.*?|[Xfls].*?)` \| (?P<value>-?\d+) \| (?P<chance>\d+(?:/\d+)?) \|", re.M)
ROWS = ROW.findall(PAGE.read_text("utf-8"))


@pytest.mark.parametrize(("program", "value", "chance"), ROWS)
def test_a_row_of_the_table_says_what_comes_out(program: str, value: str, chance: str) -> None:
    assert only(program.replace("\\|", "|"))[int(value)] == Fraction(chance)


def test_every_row_is_run() -> None:
    assert len(ROWS) == PAGE.read_text("utf-8").split("## Where")[0].count("\n| `") >= 20
