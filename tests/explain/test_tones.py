"""Chances by tone are exact, and the same by a fact as by every result."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal import all_games, odds
from astragal.errors import Refusal
from astragal.explain.example import examples_of
from astragal.explain.tones import tone_odds, tones_of
from astragal.games.chronicles import Extended
from astragal.games.chronicles.extended import rest, result_of
from astragal.games.razorweave import Check
from astragal.rule.game import Game


def test_the_five_tiers_are_the_five_tones() -> None:
    chances = tone_odds(Check(dc=14, attribute=4, edge=1))
    tiers = odds(Check(dc=14, attribute=4, edge=1), "tier")
    assert (chances["triumph"], chances["disaster"]) == (tiers["critical_success"], tiers["critical_failure"])
    assert sum(chances[tone] for tone in chances) == 1


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_by_a_fact_they_are_what_they_are_by_every_result(game: Game) -> None:
    compared = 0
    for example in examples_of(game):
        kind = game.kind(example.roll)
        try:
            ask = kind.ask.read(example.given)
            results = odds(kind.rule(ask))
        except Refusal:
            continue
        assert tone_odds(ask) == tones_of(kind, results), example.title
        compared += 1
    assert compared > 3


def test_the_rest_of_a_long_task_is_a_task_of_its_own() -> None:
    from astragal.games.chronicles.extended import Progress

    ask = Extended(pool=4, target=6, rolls=5)
    left = rest(ask, result_of(ask, Progress(rolls=3, successes=4)))
    assert left == Extended(pool=4, target=2, rolls=2)
    assert tone_odds(left)["good"] == odds(left, "outcome")["success"] > Fraction(1, 2)
    assert rest(ask, result_of(ask, Progress(rolls=5, successes=4))) is None
