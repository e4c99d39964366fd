"""``astragal lint``: surprises in a game's rules, for a person and for a program."""

from __future__ import annotations

import shlex
from fractions import Fraction

import pytest

from tests.cli.command import run, run_on_terminal


def test_a_person_reads_what_was_looked_at_and_what_was_found() -> None:
    ran = run("lint", "narraject")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Narraject: Attempt something\n")
    assert 'measured by the wish "succeed"' in ran.out
    assert "! backwards: With d6 5, difficulty 3, edition hits, step 8 in place of 6 lowers" in ran.out
    assert "233/729 (32.0%)" in ran.out
    assert ran.out.endswith("3 findings.\n")
    assert max(map(len, ran.out.splitlines())) <= 100


def test_without_a_roll_all_of_a_game_are_looked_over() -> None:
    titles = [line for line in run("lint", "razorweave").out.splitlines() if line.startswith("Razorweave")]
    assert len(titles) == 4
    assert run("lint", "razorweave", "race").out.startswith("Razorweave: Race two Clocks\n")


def test_a_program_reads_exact_fractions() -> None:
    told = run("lint", "narraject", "attempt", "--json").json
    (roll,) = told["rolls"]
    assert (told["game"], roll["roll"], roll["whole"]) == ("narraject", "attempt", True)
    assert roll["around"]["d6"] == 5
    first = roll["findings"][0]
    assert (first["sort"], first["severity"], first["rules"]) == ("backwards", "warning", ["NJ-3", "NJ-1"])
    before, after = first["proof"]
    assert (before["ask"]["step"], after["ask"]["step"]) == (6, 8)
    assert Fraction(before["exact"]) == Fraction(233, 729) > Fraction(after["exact"])


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("chronicles contested", 0),
        ("chronicles contested --strict", 1),
        ("chronicles contested --strict --json", 1),
        ("tgimh contest --strict", 0),
    ],
)
def test_findings_are_no_error_unless_one_is_strict(words: str, code: int) -> None:
    assert run("lint", *shlex.split(words)).code == code


def test_on_a_terminal_nothing_of_the_progress_bar_is_left_in_the_text() -> None:
    ran = run_on_terminal("lint", "tgimh", "recovery", typed=[])
    assert ran.code == 0
    assert "2 findings." in ran.out


def test_completion_knows_games_rolls_and_options() -> None:
    assert {"narraject", "tgimh"} <= set(run("completion", "--words", "lint").out.split())
    assert {"race", "split", "--strict", "--json"} <= set(
        run("completion", "--words", "lint", "razorweave").out.split()
    )
