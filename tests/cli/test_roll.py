"""``astragal roll``: the options and keys that programs rely on."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from tests.cli.command import run, run_on_terminal

KEYS = {
    "narraject": {"marks", "success", "degree", "position", "player_ip", "gm_ip", "complications", "ip_left"},
    "chronicles": {"pool", "chance_die", "rolled", "successes", "outcome"},
    "tgimh": {"winner", "successes", "stalemate"},
    "razorweave": {"net", "kept", "result", "margin", "tier"},
}
FIXED = {
    "narraject": "--d6 5 --step 10 --difficulty 3 --edition hits --help-dice 1 --ip 3 --spend reroll,add",
    "chronicles": "--attribute 3 --skill 2 --specialty --modifier 2 --modifier -1 --again 9 --rote --extra 1 --tries 1 "
    "--helpers 2 --helper-pool 3 --beat",
    "tgimh": "--ours 4 --theirs 3 --die 8 --condition Tired",
    "razorweave": "--dc 16 --attribute 2 --skill --bonus 1 --edge 2 --burden 1 --strike",
}


@pytest.mark.parametrize("game", FIXED)
def test_every_fixed_option_is_taken_and_every_fixed_key_is_there(game: str) -> None:
    facts = run("roll", game, *FIXED[game].split(), "--seed", "5", "--json").json
    assert KEYS[game] | {"game", "faces"} <= set(facts)
    assert facts["game"] == game


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (
            ["narraject", "--d6", "5", "--step", "10", "--difficulty", "3", "--faces", "6 5 4 2 1 | 7"],
            {"marks": 3, "success": True, "degree": "success", "position": "highest", "player_ip": 1, "gm_ip": 0},
        ),
        (
            ["narraject", "5", "d10", "3", "--edition", "hits", "--faces", "6 5 4 2 1 | 7"],
            {"marks": 2, "success": False, "degree": "near_miss", "position": "highest", "complications": 0},
        ),
        (
            ["chronicles", "3", "--rote", "--faces", "10 3 8 / 6 10 / 4"],
            {"pool": 3, "chance_die": False, "rolled": 3, "successes": 3, "outcome": "success"},
        ),
        (["chronicles", "--pool", "-3", "--faces", "1"], {"chance_die": True, "outcome": "dramatic_failure"}),
        (["chronicles", "-3", "--faces", "10"], {"pool": -3, "outcome": "success"}),
        (["tgimh", "3", "3", "--faces", "9 7 3 | 8 8 1"], {"winner": "ours", "successes": 1, "stalemate": False}),
        (["tgimh", "--ours", "0", "--theirs", "2", "--faces", "| 3 3"], {"winner": "theirs", "successes": 1}),
        (["tgimh", "--ours", "0", "--theirs", "-2"], {"winner": "none", "stalemate": True, "settled": True}),
        (
            ["razorweave", "--dc", "16", "--attribute", "2", "--edge", "1", "--strike", "--faces", "2 3 4 5 6"],
            {"net": 1, "kept": 18, "result": 20, "margin": 4, "tier": "full_success", "ticks": 2},
        ),
        (["razorweave", "oracle", "--counted", "2", "--faces", "2 5 4"], {"dc": 16}),
    ],
)
def test_typed_dice_give_what_the_rules_say(words: list[str], wanted: dict[str, Any]) -> None:
    facts = run("roll", *words, "--json").json
    assert {key: facts[key] for key in wanted} == wanted


def test_a_seed_repeats_and_no_seed_does_not() -> None:
    rolls = [
        run("roll", "chronicles", "50", "--json", *seed).json["faces"] for seed in (["--seed", "1"],) * 2 + ([],) * 2
    ]
    assert rolls[0] == rolls[1]
    assert len(set(rolls[1:])) == 3


@pytest.mark.parametrize("game", FIXED)
def test_the_faces_of_a_roll_typed_in_again_give_the_same_roll(game: str) -> None:
    first = run("roll", game, *FIXED[game].split(), "--seed", "9", "--json").json
    assert run("roll", game, *FIXED[game].split(), "--faces", first["faces"], "--json").json == first


def test_an_open_choice_is_reported_with_its_options_and_what_stands() -> None:
    facts = run("roll", "narraject", "5", "10", "3", "--ip", "2", "--faces", "6 4 4 2 1 | 7", "--json").json
    assert (facts["settled"], facts["open"]["choice"], facts["degree"]) == (False, "spend", "near_miss")
    assert [option["name"] for option in facts["open"]["options"]] == ["settle", "offer", "reroll", "add"]
    assert [barred["name"] for barred in facts["open"]["barred"]] == ["partial"]


@pytest.mark.parametrize(
    ("words", "settled"),
    [
        (
            ["narraject", "5", "10", "9", "--ip", "3", "--spend", "partial", "--faces", "1 1 1 1 1 | 3"],
            {"degree": "partial_success"},
        ),
        (["narraject", "5", "10", "3", "--ip", "1", "--spend", "settle", "--faces", "1 1 1 1 1 | 3"], {"ip_left": 1}),
        (
            ["narraject", "1", "10", "3", "--ip", "2", "--spend", "reroll,reroll", "--faces", "1 | 3 / 1 / 9"],
            {"ip_left": 0},
        ),
        (["chronicles", "1", "--beat", "--faces", "2"], {"outcome": "dramatic_failure", "beat": True}),
        (["chronicles", "1", "--no-beat", "--faces", "2"], {"outcome": "failure", "beat": False}),
        (
            ["tgimh", "1", "1", "--condition", "Cold", "--loss", "injury", "--faces", "3 | 2"],
            {"condition": "Cold", "injury": 1},
        ),
        (
            ["tgimh", "1", "1", "--condition", "none", "--loss", "box", "--faces", "3 | 2"],
            {"condition": None, "box": 1},
        ),
        (["razorweave", "14", "--strike", "--consequence", "threat", "--faces", "2 2 2 2"], {"consequence": "threat"}),
    ],
)
def test_answers_given_beforehand_settle_the_roll(words: list[str], settled: dict[str, Any]) -> None:
    facts = run("roll", *words, "--json").json
    assert facts["settled"]
    assert {key: facts[key] for key in settled} == settled


def test_piped_output_is_plain_text_without_colours() -> None:
    out = run("roll", "narraject", "5", "10", "3", "--faces", "6 5 4 2 1 | 7").out
    assert "\x1b" not in out
    assert "6 Mark · 5 Mark · 4 · 2 · 1" in out


def test_explain_names_the_rule_of_every_step() -> None:
    out = run("roll", "razorweave", "--dc", "16", "--edge", "1 tools", "--faces", "2 3 4 5 6", "--explain").out
    for rule in ("RW-2", "RW-4", "RW-5", "RW-6"):
        assert f"({rule})." in out


def test_a_thousand_dice_are_counted_instead_of_listed() -> None:
    out = run("roll", "chronicles", "1000", "--seed", "1").out
    assert len(out) < 1000
    assert "× 10 success, goes again" in out


def test_a_terminal_shows_the_dice_and_asks_for_what_is_open() -> None:
    shown = run_on_terminal(
        "roll", "narraject", "2", "8", "4", "--ip", "3", "--faces", "5 1 | 3", typed=["fly", "reroll", "7", "1"]
    )
    assert shown.code == 0
    assert "Clear failure: 1 Mark, 4 needed" in shown.out
    assert '"fly" is not an answer to spend' in shown.out
    assert "Faces of Step Die again" in shown.out
    assert "Near miss" in shown.out


def test_by_hand_asks_for_every_throw_until_it_can_be_read() -> None:
    shown = run_on_terminal("roll", "chronicles", "2", "--by-hand", typed=["8", "8 11", "8 3"])
    assert "the 2nd d10 is missing" in shown.out
    assert "The 2nd d10 cannot show 11" in shown.out
    assert "Success: 1 success" in shown.out


def test_a_terminal_has_colours_and_a_sign_for_what_counts() -> None:
    shown = run_on_terminal("roll", "chronicles", "2", "--faces", "8 3", typed=[])
    assert "\x1b[" in shown.out
    assert "✓ success" in shown.out


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["narraject", "--step", "10", "--faces", "6 5 4 2 1 | 7"], {"marks": 3}),
        (["chronicles", "--faces", "10 8 3 / 2"], {"pool": 3, "rolled": 2}),
        (["tgimh", "--faces", "9 7 3 | 8 8"], {"winner": "ours", "successes": 1}),
        (["tgimh", "recovery", "--faces", "9 7 3 | 8 8"], {"dice_left": 1}),
    ],
)
def test_whoever_types_the_faces_need_not_count_them(words: list[str], wanted: dict[str, Any]) -> None:
    facts = run("roll", *words, "--json").json
    assert {key: facts[key] for key in wanted} == wanted


def test_a_number_that_is_given_is_held_against_the_faces() -> None:
    assert "the 4th d6 is missing" in run("roll", "narraject", "--d6", "4", "--faces", "6 5 4 | 2").err


def test_tg7_a_roll_reports_the_will_that_moves_without_being_asked_to_explain() -> None:
    words = '--ours 3 --theirs 3 --will 3 --faces "9 9 9 9 | 1 1 1" --condition none --loss box'
    told = run("roll", "tgimh", "--against-them", "1 Too proud to run", *shlex.split(words)).out
    assert "Our side spends 1 Will and has 2 left (TG-6)." in told
    assert "Their side gains 1 Will: Too proud to run used against them (TG-7)." in told
