"""The contract that every registered game keeps. A fifth game is tested by existing."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from astragal import (
    Choice,
    Illegal,
    Malformed,
    Refusal,
    Rolled,
    all_games,
    play,
)
from astragal.check import mistakes_of
from astragal.cli.main import main
from astragal.explain.example import Example, examples_of, replay
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Input, Whole

GAMES = all_games()
KINDS = [pytest.param(game, kind, id=f"{game.name}-{kind.name}") for game in GAMES for kind in game.kinds.values()]
EXAMPLES = [
    pytest.param(game, example, id=f"{game.name}-{example.title}") for game in GAMES for example in examples_of(game)
]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
every_kind = pytest.mark.parametrize(("game", "kind"), KINDS)
every_example = pytest.mark.parametrize(("game", "example"), EXAMPLES)


@every_game
def test_a_game_keeps_the_contract_that_authors_check(game: Game) -> None:
    assert mistakes_of(game) == []


@every_example
def test_a_refused_example_cites_a_rule_that_there_is(game: Game, example: Example) -> None:
    refusal = replay(game, example).refusal
    assert refusal is None or refusal.rule in game.rules


def asks_of(game: Game, kind: Kind) -> list[Ask]:
    """The asks of the examples that are not refused: real ones, in all their variety."""
    name = kind.name
    written = [e.given for e in examples_of(game) if not e.refused and game.kind(e.roll).name == name]
    return [kind.ask.read(given) for given in written]


@every_kind
def test_a_wrong_answer_is_refused_with_those_that_there_are(game: Game, kind: Kind) -> None:
    for seed, ask in enumerate(asks_of(game, kind)):
        waiting = play(kind.rule(ask), Rolled(seed=seed)).node
        if isinstance(waiting, Choice):
            with pytest.raises(Refusal, match=re.escape(next(iter(waiting.options)))):
                play(kind.rule(ask), Rolled({waiting.name: ["no such thing"]}, seed=seed))


def bounded_inputs(kind: Kind) -> list[Whole]:
    return [input for input in kind.ask.inputs.values() if isinstance(input, Whole)]


@every_kind
def test_numbers_out_of_bounds_are_refused_with_the_bounds_and_the_rule(game: Game, kind: Kind) -> None:
    for input in bounded_inputs(kind):
        for value in (input.lowest - 1, input.highest + 1, 10**9, -(10**9)):
            with pytest.raises(Illegal) as refused:
                input.check(value)
            assert f"{input.highest:,}" in str(refused.value)
            assert not input.rule or input.rule in game.rules


@every_kind
@pytest.mark.parametrize(
    "value", ["five", "nan", "NaN", "inf", "1e3", "1.5", "", " ", "0x10", "٣", "1_000", "--1", "5" * 5000]
)
def test_text_where_a_number_belongs_is_refused(game: Game, kind: Kind, value: str) -> None:
    for input in bounded_inputs(kind):
        with pytest.raises(Malformed):
            input.read(value)


@every_kind
@pytest.mark.parametrize("value", [1.0, True, float("nan"), [1.5], {"a": 1.5}, {"": 1}, {1}, b"5"], ids=repr)
def test_values_of_the_wrong_type_are_refused(game: Game, kind: Kind, value: object) -> None:
    for input in bounded_inputs(kind):
        with pytest.raises(Refusal):
            input.read(value)


@every_kind
def test_an_ask_is_a_value(game: Game, kind: Kind) -> None:
    for ask in asks_of(game, kind):
        twin = type(ask)(**{name: getattr(ask, name) for name in ask.inputs})
        assert twin == ask
        assert hash(twin) == hash(ask)
        assert json.dumps(ask.values())
        with pytest.raises(AttributeError):
            setattr(ask, next(iter(ask.inputs)), 1)


@every_kind
@pytest.mark.parametrize("how", [["--json"], ["--explain"], []], ids=["json", "explain", "plain"])
def test_the_example_of_the_help_can_be_rolled(
    game: Game, kind: Kind, how: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["roll", *shlex.split(kind.example), "--seed", "1", *how]) == 0
    out = capsys.readouterr().out
    if how == ["--json"]:
        assert json.loads(out)["game"] == game.name
    else:
        assert kind.verdict is not None
        assert len(out.splitlines()) >= 3


@every_kind
def test_the_help_lists_every_option(game: Game, kind: Kind, capsys: pytest.CaptureFixture[str]) -> None:
    name = [] if kind is game.main else [kind.name]
    assert main(["roll", game.name, *name, "--help"]) == 0
    out = capsys.readouterr().out
    inputs: list[Input] = list(kind.ask.inputs.values())
    for option in [
        *(input.option for input in inputs),
        *(decision.name for decision in kind.decisions),
        "faces",
        "json",
    ]:
        assert f"--{option}" in out
    assert kind.example in out
