"""``astragal race``: two Clocks."""

from __future__ import annotations

from fractions import Fraction

from tests.cli.command import run

RACE = ("razorweave", "--dc", "16", "--modifier", "2", "--edge", "1", "--goal", "6", "--threat", "4")


def test_a_race_is_the_odds_of_the_roll_of_that_name() -> None:
    printed = run("race", *RACE, "--json").json
    assert (printed["game"], printed["roll"]) == ("razorweave", "race")
    assert printed == run("odds", RACE[0], "race", *RACE[1:], "--json").json
    first, rounds = printed["facts"]["first"]["rows"], printed["facts"]["rounds"]["rows"]
    assert [row["value"] for row in first] == ["goal", "both", "threat"]
    assert sum(Fraction(row["exact"]) for row in first) == 1
    assert sum(Fraction(row["exact"]) for row in rounds) == 1


def test_a_goal_of_one_tick_is_filled_at_once() -> None:
    printed = run("race", "razorweave", "--dc", "16", "--goal", "1", "--goal-ticks", "1/1/1/1/1", "--json").json
    assert {row["value"]: row["exact"] for row in printed["facts"]["rounds"]["rows"]}[1] == "1/1"


def test_the_defaults_can_be_written_out() -> None:
    ticks = ("--goal-ticks", "3/2/1/0/0", "--threat-ticks", "0/0/1/1/2")
    assert run("race", *RACE, *ticks, "--json").json["facts"] == run("race", *RACE, "--json").json["facts"]


def test_a_race_for_a_person() -> None:
    out = run("race", *RACE).out
    assert "Which Clock fills first" in out
    assert "standard deviation" in out


def test_refusals() -> None:
    for words, part in (
        ((), "Name a game: razorweave"),
        (("narraject",), "Narraject has no race; razorweave has one."),
        (("razorweave",), "dc is missing"),
        (("razorweave", "--dc", "16", "--goal-ticks", "0/0/0/0/0", "--threat-ticks", "0/0/0/0/0"), "never ends"),
        (("razorweave", "--dc", "16", "--goal-ticks", "3/2"), "goal-ticks"),
    ):
        ran = run("race", *words)
        assert (ran.code, ran.out) == (2, "")
        assert part in ran.err


def test_a_race_that_no_tier_within_reach_can_move_is_refused() -> None:
    ran = run("race", "razorweave", "--dc", "99", "--threat-ticks", "0 0 0 0 0")
    assert ran.code == 2
    assert "never ends (RW-11)." in ran.err
