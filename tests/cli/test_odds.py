"""``astragal odds``: the facts and keys that programs rely on, and what a person reads."""

from __future__ import annotations

import csv
import io
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from astragal.cli.read_question import example_of
from astragal.games.registry import all_games
from astragal.rule.game import Kind
from tests.cli.command import run, run_on_terminal

WANTED = {
    "narraject 5 d10 3": {"success", "degree", "marks", "position", "complications", "joint"},
    "chronicles 7": {"outcome", "successes"},
    "chronicles extended 5 10": {"outcome", "rolls"},
    "chronicles contested 6 4": {"winner"},
    "tgimh 3 2": {"winner", "result"},
    "razorweave 16": {"tier", "result"},
    "razorweave race 16": {"first", "rounds"},
}


def facts_of(words: str, *more: str) -> dict[str, dict[str, Fraction]]:
    """The exact chances that the command prints for programs, by label."""
    printed = run("odds", *shlex.split(words), *more, "--json").json["facts"]
    return {name: exact(fact) for name, fact in printed.items()}


def exact(fact: dict[str, Any]) -> dict[str, Fraction]:
    return {row["label"]: Fraction(row["exact"]) for row in fact["rows"]}


@pytest.mark.parametrize("words", WANTED)
def test_every_fixed_fact_is_there_and_adds_up_to_one(words: str) -> None:
    found = facts_of(words)
    assert WANTED[words] <= set(found)
    assert {name: sum(fact.values()) for name, fact in found.items()} == dict.fromkeys(found, 1)


def test_four_dice_add_up_as_they_should() -> None:
    result = facts_of("razorweave 16", "--show", "result")["result"]
    assert [result[total] for total in ("13", "14", "15")] == [Fraction(n, 1296) for n in (140, 146, 140)]
    assert list(result) == [str(total) for total in range(4, 25)]


def test_plus_two_with_an_edge_against_16() -> None:
    tier = facts_of("razorweave --dc 16 --attribute 2 --edge 1")["tier"]
    assert tier["critical_success"] + tier["full_success"] == Fraction(247, 324)


@pytest.mark.parametrize("difficulty", range(1, 7))
@pytest.mark.parametrize("edition", ["marks", "hits"])
def test_success_highest_and_a_complication_never_come_together(difficulty: int, edition: str) -> None:
    joint = facts_of(f"narraject 5 d10 {difficulty} --edition {edition}", "--show", "joint")["joint"]
    assert {joint[f"{marks},highest,true"] for marks in range(difficulty, 7)} == {0}
    assert joint["0,highest,true"] > 0


def test_json_says_what_was_asked_in_lowest_terms_and_lists_what_never_happens() -> None:
    printed = run("odds", "chronicles", "2", "--json").json
    assert (printed["game"], printed["roll"], printed["ask"]["pool"]) == ("chronicles", "attempt", 2)
    outcome, successes = printed["facts"]["outcome"], printed["facts"]["successes"]
    failure = {"value": "failure", "label": "failure", "exact": "49/100", "chance": 0.49}
    never = {"value": "dramatic_failure", "label": "dramatic_failure", "exact": "0/1", "chance": 0.0}
    assert outcome["rows"][-2:] == [failure, never]
    assert [row["value"] for row in successes["rows"]] == [*range(21), "20+"]
    assert (outcome["ordered"], successes["ordered"]) == (False, True)
    assert (outcome["mean"], outcome["deviation"]) == (None, None)
    assert successes["mean"] == {"exact": "2/3", "number": 2 / 3}
    assert successes["deviation"] > 0


def test_up_to_moves_the_tail() -> None:
    few, many = (facts_of("chronicles 9", "--up-to", k)["successes"] for k in ("2", "40"))
    assert list(few) == ["0", "1", "2", "over 2"]
    assert few["over 2"] == 1 - many["0"] - many["1"] - many["2"]


def test_a_fraction_of_many_thousand_digits_is_written_out() -> None:
    found = facts_of("chronicles 1000", "--up-to", "1000", "--show", "successes")["successes"]
    assert sum(found.values()) == 1


def test_a_policy_answers_the_choices() -> None:
    chances = [
        facts_of("narraject 4 d8 3 --ip 2", *policy, "--show", "success")["success"]["true"]
        for policy in ([], ["--policy", "best"], ["--policy", "cheapest"], ["--wish", "succeed"])
    ]
    assert chances[0] < chances[1] == chances[2] == chances[3]


def test_a_cheap_policy_saves_points() -> None:
    left = [
        run("odds", "narraject", "4", "8", "3", "--ip", "2", "--policy", policy, "--json").json["facts"]["ip_left"]
        for policy in ("best", "cheapest")
    ]
    assert left[0]["mean"]["number"] <= left[1]["mean"]["number"] < 2


def test_a_word_about_each_value_in_plain_text() -> None:
    out = run("odds", "razorweave", "16", "--attribute", "2", "--edge", "1").out
    assert "\x1b" not in out
    assert "Razorweave: Check +2, 1 Edge against DC 16 (Tough)" in out
    assert "  full_success      ████████████████████  52.5%  1 in 1.90\n" in out
    assert "mean 17.93, standard deviation 3.37" in out


def test_numbers_have_at_least_and_at_most_beside_them() -> None:
    lines = run("odds", "chronicles", "5", "--show", "successes", "--up-to", "3").out.splitlines()
    assert [line.split()[-2:] for line in lines[-6:-2]] == [
        ["100%", "16.8%"],
        ["83.2%", "49.2%"],
        ["50.8%", "77.5%"],
        ["22.5%", "92.4%"],
    ]


@pytest.mark.parametrize(("option", "percent"), [("--at-least", "76.2%"), ("--at-most", "76.3%")])
def test_sums_in_place_of_single_chances(option: str, percent: str) -> None:
    fact = "tier" if option == "--at-least" else "result"
    out = run("odds", "razorweave", "16", "--attribute", "2", "--edge", "1", "--show", fact, option).out
    value = "full_success" if option == "--at-least" else "20"
    assert [line.split()[2] for line in out.splitlines() if line.split()[:1] == [value]] == [percent]


def test_a_long_table_leaves_out_what_hardly_happens() -> None:
    out = run("odds", "chronicles", "5", "--show", "successes").out
    assert "(11 more, each rarer than 1 in 1,000,000 or impossible; --json and --csv list them)" in out


def test_a_terminal_has_a_table_with_bars_and_colours() -> None:
    shown = run_on_terminal("odds", "tgimh", "2", "2", "--show", "winner", typed=[])
    assert "\x1b[" in shown.out
    assert "█" in shown.out
    assert "ours" in shown.out


def test_every_edge_side_by_side() -> None:
    printed = run("odds", "razorweave", "16", "--attribute", "2", "--vary", "edge=-2..2", "--json").json
    assert printed["vary"] == {"input": "edge", "values": ["-2", "-1", "0", "1", "2"]}
    tiers = [exact(column["facts"]["tier"]) for column in printed["columns"]]
    assert tiers[3]["critical_success"] + tiers[3]["full_success"] == Fraction(247, 324)
    assert tiers[3] == facts_of("razorweave 16 --attribute 2 --edge 1")["tier"]
    out = run("odds", "razorweave", "16", "--attribute", "2", "--vary", "edge=-2..2", "--show", "tier").out
    assert "edge −2  edge −1  edge 0  edge 1  edge 2" in out


@pytest.mark.parametrize("varied", ["helpers=0..3", "again=10,9,8,none", "rote=yes,no", "extra=2..0", "again=9"])
def test_any_input_can_be_varied(varied: str) -> None:
    printed = run("odds", "chronicles", "5", "--vary", varied, "--json").json
    assert [column["value"] for column in printed["columns"]] == printed["vary"]["values"]
    assert run("odds", "chronicles", "5", "--vary", varied).code == 0


def test_csv_for_one_fact_for_several_and_for_several_values() -> None:
    one, all_of_them, varied = (
        list(csv.reader(io.StringIO(run("odds", "tgimh", *words, "--csv").out)))
        for words in (["2", "1", "--show", "winner"], ["2", "1"], ["2", "--vary", "theirs=1,2", "--show", "winner"])
    )
    assert one[0] == ["value", "exact", "chance"]
    assert all_of_them[0] == ["fact", "value", "exact", "chance"]
    assert ["winner", *one[1]] in all_of_them
    assert varied[0] == ["theirs", "fact", "value", "exact", "chance"]
    assert ["1", "winner", *one[1]] in varied


@pytest.mark.parametrize("more", [[], ["--vary", "rote=no,yes"]])
def test_a_chart_in_a_file_or_printed(tmp_path: Path, more: list[str]) -> None:
    file = tmp_path / "chart.svg"
    ran = run("odds", "chronicles", "5", "--show", "outcome", *more, "--svg", str(file))
    assert ran.out == f"The chart is in {file}.\n"
    ElementTree.fromstring(file.read_text("utf-8"))
    assert run("odds", "chronicles", "5", "--show", "outcome", *more, "--svg", "-").out == file.read_text("utf-8")


def every_kind() -> list[Kind]:
    return [kind for found in all_games() for kind in found.kinds.values()]


@pytest.mark.parametrize("kind", every_kind(), ids=lambda kind: str(kind.ask.__module__))
def test_the_example_of_every_roll_has_odds(kind: Kind) -> None:
    words = shlex.split(example_of(kind, "odds"))[1:]
    printed = run(*words, "--json").json
    assert printed["facts"]
    assert run(words[0], words[1], kind.name, "--help").out.startswith(f"usage: astragal odds {words[1]}")


def test_the_old_name_of_show_is_taken_with_a_hint() -> None:
    old, new = (run("odds", "chronicles", "5", option, "outcome", "--csv") for option in ("--table", "--show"))
    assert (old.out, old.code) == (new.out, 0)
    assert old.err == "astragal: --table is called --show now; the old name works until 1.0.\n"
    assert new.err == ""
    assert "--table" not in run("odds", "chronicles", "--help").out
