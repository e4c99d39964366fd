"""Policies: what cannot be followed is refused, and choices are answered whether the game declares them or not."""

from __future__ import annotations

import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from astragal import odds
from astragal.author import Policy
from astragal.errors import Malformed, Unknown
from astragal.games.narraject import Attempt
from astragal.questions.odds import Question, has_choices, policy_for, solve
from astragal.rule.chances.fact import NEVER, wish_of
from astragal.rule.game import kind_of
from astragal.serve.workers.answers import OddsRequest
from astragal.serve.workers.answers import odds as answer
from tests.cli.command import run, run_apart
from tests.installed import installed
from tests.scrounge import GAME, WISHES, Pool

SAFE = WISHES["search"]["safe"]
ASK = Attempt(d6=3, step=8, difficulty=2, ip=3)


def test_a_policy_of_another_name_is_refused() -> None:
    name: Any = "mine"
    with pytest.raises(Unknown, match='no policy "mine"; there are never, best, cheapest'):
        Policy(name)


@pytest.mark.parametrize("name", ["best", "cheapest"])
def test_a_policy_without_its_wish_is_refused(name: Any) -> None:
    with pytest.raises(Malformed, match=f"The policy {name} needs a wish"):
        Policy(name)
    wish: Any = "succeed"
    with pytest.raises(Malformed, match="follows a Wish, not a str"):
        Policy(name, wish)


def test_never_takes_no_offers() -> None:
    with pytest.raises(Malformed, match="policy is never"):
        Policy("never", None, True)


def test_a_policy_with_its_wish_is_followed_and_can_be_sent_to_another_process() -> None:
    best = Policy("best", wish_of(kind_of(ASK)))
    assert odds(ASK, "success", policy=best)[True] == Fraction(3, 4) > odds(ASK, "success")[True]
    plain = Policy("best", SAFE)
    assert plain == ("best", SAFE, False)
    assert pickle.loads(pickle.dumps(NEVER)) == NEVER


def test_a_choice_without_a_decision_is_answered_by_a_policy() -> None:
    kind, ask = GAME.main, Pool(d6=2, d8=1)
    assert not kind.decisions and has_choices(kind, ask)
    policy = policy_for(kind, "best", None)
    best = solve(Question(GAME, kind, ask, policy, ("safe",))).facts["safe"]
    never = solve(Question(GAME, kind, ask, NEVER, ("safe",))).facts["safe"]
    throws = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 9)]
    assert best[True] == Fraction(sum(sum(sorted(dice)[1:]) > 9 for dice in throws), len(throws))
    assert best[True] > never[True]


def test_a_roll_without_choices_takes_no_policy() -> None:
    ran = run("odds", "razorweave", "race", "16", "--policy", "best")
    assert (ran.code, ran.out) == (2, "")
    assert "no choices that a wish could guide" in ran.err


def test_the_same_on_the_command_line_and_over_http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed("scrounge", tmp_path, monkeypatch)
    env = {"PYTHONPATH": f"{tmp_path}:{Path.cwd()}"}
    words = ("scrounge", "--d6", "2", "--d8", "1")
    ran = run_apart("odds", *words, "--policy", "best", "--show", "safe", "--json", env=env)
    asked = {"game": "scrounge", "inputs": {"d6": 2, "d8": 1}, "policy": "best", "show": ["safe"]}
    served = msgspec.to_builtins(answer(msgspec.convert(asked, OddsRequest)))
    assert ran.json == served
    assert (served["policy"], served["wish"]) == ("best", "safe")
    for wrong in ({"policy": "mine"}, {"policy": "never", "wish": "safe"}):
        with pytest.raises((msgspec.ValidationError, Malformed)):
            answer(msgspec.convert({**asked, **wrong}, OddsRequest))
    ran = run_apart("odds", *words, "--policy", "mine", env=env)
    assert ran.code == 2 and 'policy is "mine"' in ran.err
    assert "★  11-d6" in run_apart("advise", *words, "--faces", "5 2 | 6", env=env).out
