"""Every fact of words has an order, the same in Python, on the command line, in HTTP and in comparisons."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from astragal import odds
from astragal.cli.commands.odds import run_odds
from astragal.cli.commands.roll import parser_of
from astragal.cli.options import find_kind, inputs_given
from astragal.errors import Illegal, Unknown
from astragal.explain.tones import tone_odds
from astragal.games.narraject import Attempt
from astragal.games.razorweave import Check
from astragal.games.registry import BUILT_IN, game
from astragal.questions import SolvedQuestion
from astragal.questions.compare import compare, side_of_notation
from astragal.questions.odds import Question
from astragal.questions.wire import show_odds
from astragal.rule.chances.fact import facts_of
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.verdict import TONES
from astragal.written import load_game

EXAMPLES = sorted(Path("examples/games").glob("*.toml"))
GAMES = [*BUILT_IN, *map(str, EXAMPLES)]


def asks_of(name: str) -> Iterator[tuple[Game, Kind, Ask]]:
    of = game(name) if name in BUILT_IN else load_game(Path(name))
    for each in of.kinds.values():
        kind, words = find_kind(of, shlex.split(each.example)[1:])
        yield of, kind, kind.ask.read(inputs_given(kind, parser_of(of, kind).parse(words)))


@pytest.mark.parametrize("name", GAMES)
def test_every_fact_of_words_has_an_order_that_covers_it(name: str) -> None:
    seen = 0
    for of, kind, ask in asks_of(name):
        for fact in facts_of(kind):
            found = odds(ask, fact)
            if any(isinstance(value, str) for value in found):
                seen += 1
                assert set(found) <= set(found.order), (kind.name, fact)
                assert found.at_least(found.order[-1]) == found.at_most(found.order[0]) == 1
                shown = show_odds(SolvedQuestion("", {fact: found}, Question(of, kind, ask, facts=(fact,))))
                assert [row.value for row in shown.facts[fact].rows] == list(found.order)
    assert seen


@pytest.mark.parametrize("name", GAMES)
def test_a_better_word_never_has_a_worse_tone(name: str) -> None:
    for _, kind, ask in asks_of(name):
        for fact in facts_of(kind).values():
            if fact.tones and fact.domain and not all(type(value) is int for value in fact.domain(ask)):
                places = [TONES.index(fact.tones[value]) for value in fact.domain(ask)]
                assert places == sorted(places)
        assert tone_odds(ask).at_least("good") + tone_odds(ask).at_most("mixed") == 1


def test_more_edge_makes_a_full_success_likelier() -> None:
    """The report's five figures; the alphabet gave .365 .517 .664 .661 .572."""
    chances = [odds(Check(dc=16, attribute=2, edge=e), "tier").at_least("full_success") for e in range(-2, 3)]
    assert chances == sorted(chances)
    assert chances[3] == Fraction(247, 324)


def test_a_misspelt_tier_is_an_error_also_after_a_closed_form_or_without_one() -> None:
    for fact in ("tier", lambda result: result.tier):
        with pytest.raises(Unknown, match='Did you mean "full_success"'):
            odds(Check(dc=16), fact)["full_sucess"]
    assert odds(Check(dc=16, skill=True, attribute=9), "tier")["critical_success"] > 0
    assert odds(Attempt(d6=1, step=6, difficulty=5), "degree")["triumph"] == 0


def test_the_command_line_says_what_python_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_odds(shlex.split("razorweave 16 --attribute 2 --edge 1 --show tier --at-least")) == 0
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines()[3:]] == list(odds(Check(dc=16), "tier").order)
    assert "76.2%" in next(line for line in printed.splitlines() if "full_success" in line)


def test_at_least_over_a_varied_input_has_a_column_for_each_value(capsys: pytest.CaptureFixture[str]) -> None:
    run_odds(shlex.split("razorweave --vary dc=14..18 --modifier 3 --show tier --at-least"))
    line = next(line for line in capsys.readouterr().out.splitlines() if "full_success" in line)
    wanted = [odds(Check(dc=dc, modifier=3), "tier").at_least("full_success") for dc in range(14, 19)]
    assert line.split()[1:] == [f"{float(chance):.1%}" for chance in wanted]


def test_at_least_of_values_without_an_order_is_refused_and_said_where_others_have_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(Illegal, match="have no order"):
        run_odds(shlex.split("narraject 3 d8 2 --show joint --at-least"))
    run_odds(shlex.split("narraject 3 d8 2 --at-least"))
    assert "its complication (no order, so the chance of each)" in capsys.readouterr().out


def test_notation_keeps_the_order_of_a_games_words() -> None:
    assert odds("razorweave(dc=16).tier").order == odds(Check(dc=16), "tier").order


@pytest.mark.parametrize(
    ("operator", "wanted"), [(">=", 435), (">", 35), ("<", 861), ("<=", 1261), ("==", 400), ("!=", 896)]
)
def test_a_game_compared_with_a_word_counts_the_better_ones(operator: str, wanted: int) -> None:
    assert odds(f"razorweave(dc=16).tier {operator} full_success")[True] == Fraction(wanted, 1296)


def test_compared_sides_list_words_in_their_order() -> None:
    compared = compare([side_of_notation("razorweave(dc=16).tier"), side_of_notation("razorweave(dc=12).tier")])
    assert compared.facts["value"].values == list(odds(Check(dc=16), "tier").order)
