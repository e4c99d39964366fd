"""Hints belong to things that are there: inputs, choices, fields of results, sections, rules."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.explain.example import examples_of, play_example
from astragal.explain.hint import Hint, hints_about, hints_of
from astragal.explain.report import plain, report
from astragal.games.registry import BUILT_IN, game
from astragal.questions.wire_games import declare_game
from astragal.rule.game import Game
from astragal.rule.sheets.table_rules import table_rules_of
from tests.cli.command import run

every_hint = pytest.mark.parametrize(
    ("name", "hint"), [(name, hint) for name in BUILT_IN for hint in hints_of(game(name))], ids=str
)


@every_hint
def test_a_hint_belongs_to_something_that_the_game_has(name: str, hint: Hint) -> None:
    found = game(name)
    assert hint.rule in found.rules
    assert set(hint.kinds) <= set(found.kinds)
    assert hint.name in places(found)[hint.at], hint
    assert 40 < len(hint.text) < 600
    assert len(hint.title) < 40


def places(found: Game) -> dict[str, set[str]]:
    """What hints may belong to, by place."""
    kinds = found.kinds.values()
    rules = table_rules_of(found.table_rules)
    holders = ("character", "player", "table", "scene")
    return {
        "roll": {""},
        "input": {name for kind in kinds for name in kind.ask.inputs},
        "choice": {decision.name for kind in kinds for decision in kind.decisions},
        "section": {part.name for holder in holders for part in rules.sections(holder)},
        "result": {name for result in results(found) for name in result},
    }


def results(found: Game) -> list[dict[str, Any]]:
    played = [play_example(found, example) for example in examples_of(found) if not example.refused]
    return [plain(each.result) for each in played if each.result is not None]


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_hint_for_a_result_is_met_by_a_worked_example(name: str) -> None:
    """So that a misspelt value is found."""
    found = game(name)
    met = {
        hint for kind in found.kinds for result in results(found) for hint in hints_about(found, kind, "result", result)
    }
    assert {hint for hint in hints_of(found) if hint.at == "result"} <= met


def test_a_report_with_notes_has_the_hints_for_its_result() -> None:
    found = game("narraject")
    example = next(example for example in examples_of(found) if example.gives.get("degree") == "near_miss")
    kind = found.kind(example.roll)
    said = report(found, kind, kind.ask.read(example.given), play_example(found, example), notes=True)["hints"]
    assert "near miss" in said[0]["title"]


def test_explain_and_rules_show_hints_on_the_command_line() -> None:
    explained = run("roll", "razorweave", "16", "--faces", "1 2 3 4", "--explain")
    assert "No, and something changes" in explained.out or "It goes badly wrong" in explained.out
    assert "16 Tough. A climb" in run("rules", "razorweave", "RW-2").out
    assert "What Keys are for" in run("rules", "tgimh").out


def test_explain_says_what_this_step_of_the_ladder_means_and_no_other() -> None:
    said = run("roll", "razorweave", "18", "--faces", "3 4 5 6", "--explain").out
    assert "18 Hard: A climb" in said
    assert "16 Tough" not in said


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("tgimh", "3", "2", "--faces", "9 4 2 | 3 1"), "Make a Condition? Name"),
        (("tgimh", "3", "2", "--faces", "9 4 2 | 3 1", "--condition", "none"), "(TG-10)"),
        (("chronicles", "3", "--faces", "1 2 3"), "Is a Beat worth it? A Beat"),
        (("narraject", "--d6", "2", "--ip", "2", "--difficulty", "4", "--faces", "5 4 | 3"), "(NJ-13)"),
        (("razorweave", "14", "--strike", "--faces", "6 6 6 6"), "What follows a Strike: Choose"),
    ],
)
def test_explain_shows_the_hint_for_the_choice_that_is_open(words: tuple[str, ...], hint: str) -> None:
    said = [line for line in run("roll", *words, "--explain").out.splitlines() if line.startswith("  · ")]
    assert any(hint in line for line in said)


def test_the_api_declares_the_hints_of_every_game() -> None:
    for name in BUILT_IN:
        assert [hint.title for hint in declare_game(game(name)).hints] == [hint.title for hint in hints_of(game(name))]
