"""``astragal compare``: questions side by side."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.command import run

EDITIONS = ("narraject 5 d10 3", "narraject 5 d10 3 --edition hits")


def test_differences_are_exact() -> None:
    printed = run("compare", *EDITIONS, "--show", "success", "--json").json
    assert [side["ask"]["edition"] for side in printed["sides"]] == ["marks", "hits"]
    true = printed["facts"]["success"]["rows"][0]
    assert true["value"] is True
    marks, hits = (Fraction(chance["exact"]) for chance in true["chances"])
    assert Fraction(true["differences"][0]["exact"]) == hits - marks == Fraction(-32, 243)
    assert true["differences"][0]["chance"] == pytest.approx(-0.1317, abs=0.0001)


def test_a_question_may_be_copied_with_its_command() -> None:
    copied = run("compare", *(f"astragal odds {words}" for words in EDITIONS), "--json").json
    assert copied == run("compare", *EDITIONS, "--json").json


def test_only_facts_that_all_have_are_compared() -> None:
    printed = run("compare", "chronicles 5", "chronicles extended 5 3", "--json").json
    assert list(printed["facts"]) == ["outcome"]


def test_bars_and_differences_for_a_person() -> None:
    out = run("compare", *EDITIONS, "--show", "success").out
    assert "A  narraject 5 d10 3: Narraject (marks edition)" in out
    assert "B − A" in out
    assert "█" in out
    assert "−13.2  -32/243" in out


def test_six_questions_and_a_mean() -> None:
    out = run("compare", *(f"chronicles {n}" for n in range(1, 7)), "--show", "successes").out
    assert "F − A" in out
    assert "mean A 0.33, B 0.67 (+0.33)" in out


def test_a_chart(tmp_path: Path) -> None:
    file = tmp_path / "chart.svg"
    assert run("compare", *EDITIONS, "--show", "degree", "--svg", str(file)).code == 0
    picture = file.read_text("utf-8")
    ElementTree.fromstring(picture)
    assert "--edition hits" in picture


def test_notation_is_compared_value_by_value() -> None:
    compared = run("compare", "5d6kh4", "4d6 + 2", "--json").json
    assert [side["notation"] for side in compared["sides"]] == ["5d6kh4", "4d6 + 2"]
    most = next(row for row in compared["facts"]["value"]["rows"] if row["value"] == 24)
    assert most["chances"][0]["exact"] == "13/3888"
    assert compared["facts"]["value"]["means"][1] == {"exact": "16/1", "number": 16.0}
    assert "B − A" in run("compare", "2d6 >= 8", "1d12 >= 8").out


def test_notation_and_a_game_have_nothing_in_common() -> None:
    ran = run("compare", "5d6", "chronicles 5")
    assert ran.code == 2
    assert "no fact in common" in ran.err


def test_notation_is_read_in_a_dialect_and_the_reading_is_told() -> None:
    shown = run("compare", "3d6>3", "4d6>4", "--dialect", "roll20", "--json").json
    assert [side["notation"] for side in shown["sides"]] == ["3d6 count>=3", "4d6 count>=4"]
    assert "Read: >3 is asked of the sum" in run("compare", "3d6>3", "4d6>4").out
    assert run("compare", "3d6>3", "4d6>4", "--json").json["sides"][0]["read"]


def test_sides_without_a_common_fact_are_told_what_works_and_it_works() -> None:
    ran = run("compare", "2d6+2 >= 9", "razorweave 16 --modifier 2")
    assert "A has value; B has tier, result" in ran.err
    written = ran.err.rpartition("for example ")[2].strip().rstrip(".").strip('"')
    assert written == "razorweave(dc=16, modifier=2).tier >= critical_success"
    assert run("compare", "2d6+2 >= 9", written).code == 0
