"""``--json`` and HTTP are one dialect: equal questions have equal answers for every game."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from astragal.cli.main import main
from astragal.cli.read_question import example_of, read_question
from astragal.explain.example import Example, examples_of
from astragal.games.registry import all_games
from astragal.rule.game import Decision, Game, Kind
from tests.serve.running import Guest, Running

Said: TypeAlias = Callable[..., Any]

KINDS = [(game, kind) for game in all_games() for kind in game.kinds.values()]


@pytest.fixture
def guest(server: Running) -> Guest:
    return server.guest()


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """What the command line prints for these words: an answer, or a refusal's sentence."""

    def run(*words: str) -> Any:
        capsys.readouterr()
        code = main([*words, "--json"])
        told = capsys.readouterr()
        return json.loads(told.out) if code == 0 else told.err.removeprefix("astragal: ").strip()

    return run


def answered(guest: Guest, path: str, body: dict[str, Any]) -> Any:
    """What the server answers: an answer, or a refusal's sentence."""
    answer = guest.http.post(f"/api/{path}", json=body)
    return answer.json() if answer.status_code == 200 else answer.json()["detail"]


def test_games(guest: Guest, said: Said) -> None:
    assert said("games") == guest.get("/api/games")


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda part: part.name)
def test_odds_of_every_kinds_example(guest: Guest, said: Said, game: Game, kind: Kind) -> None:
    words = shlex.split(example_of(kind, "odds"))[2:]
    body = {"game": game.name, "roll": kind.name, "inputs": read_question(words, "odds").given}
    found = answered(guest, "odds", body)
    assert set(found["facts"])
    assert found == said("odds", *words)
    fact = next(iter(found["facts"]))
    assert answered(guest, "odds", {**body, "show": [fact], "up_to": 3}) == said(
        "odds", *words, "--show", fact, "--up-to", "3"
    )
    for policy in ("best", "cheapest"):
        assert answered(guest, "odds", {**body, "policy": policy}) == said("odds", *words, "--policy", policy)


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda part: part.name)
def test_every_kinds_example_compared(guest: Guest, said: Said, game: Game, kind: Kind) -> None:
    """With itself, and with itself under another policy."""
    line = example_of(kind, "odds")
    side = {"game": game.name, "roll": kind.name, "inputs": read_question(shlex.split(line)[2:], "odds").given}
    assert answered(guest, "compare", {"sides": [side, side]}) == said("compare", line, line)
    best = {**side, "policy": "best"}
    assert answered(guest, "compare", {"sides": [side, best, side]}) == said(
        "compare", line, f"{line} --policy best", line
    )


def written(value: Any) -> list[str]:
    """A JSON input in the texts of a command line."""
    if isinstance(value, list) and all(isinstance(part, list) for part in value):
        return ["=".join(map(str, part)) for part in value]
    if isinstance(value, list) and not all(isinstance(part, str) for part in value):
        return [" ".join(map(str, value))]
    return [str(part) for part in value] if isinstance(value, list) else [str(value)]


def option_words(name: str, value: Any) -> list[str]:
    option = f"--{name.replace('_', '-')}"
    if isinstance(value, bool):
        return [option] * value
    return [f"{option}={text}" for text in written(value)]


def answer_words(decision: Decision, texts: list[str]) -> list[str]:
    if decision.written == "flag":
        return [f"--{decision.name}" if texts[0] == decision.answers[0] else f"--no-{decision.name}"]
    text = ",".join(texts)
    return [
        f"--{decision.name}={text.removeprefix(f'{decision.answers[0]}: ') if decision.written == 'words' else text}"
    ]


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda part: part.name)
def test_every_worked_example(guest: Guest, said: Said, game: Game, kind: Kind) -> None:
    """Its odds, advice on its first choice, and advice on what its answers leave open."""
    examples = [example for example in examples_of(game) if game.kind(example.roll) is kind and can_be_typed(example)]
    assert examples
    for example in examples:
        compare_example(guest, said, game, kind, example)


def can_be_typed(example: Example) -> bool:
    """A refusal quotes what was written, and JSON names sources with colons; a command line can do neither."""
    return not example.refused and not any(isinstance(value, dict) for value in example.given.values())


def compare_example(guest: Guest, said: Said, game: Game, kind: Kind, example: Example) -> None:
    inputs = [word for name, value in example.given.items() for word in option_words(name, value)]
    about = {"game": game.name, "roll": kind.name, "inputs": example.given}
    asked = said("odds", game.name, kind.name, *inputs, "--up-to", "4")
    assert answered(guest, "odds", {**about, "up_to": 4}) == asked, example.title
    dice = {"faces": example.faces} if example.faces else {"seed": "1"}
    words = [game.name, kind.name, *inputs, *(f"--{name}={value}" for name, value in dice.items())]
    assert answered(guest, "advise", {**about, **dice}) == said("advise", *words), example.title
    given = [
        word
        for decision in kind.decisions
        if decision.name in example.answers
        for word in answer_words(decision, example.answers[decision.name])
    ]
    if given:
        body = {**about, **dice, "answers": example.answers}
        assert answered(guest, "advise", body) == said("advise", *words, *given), example.title
