"""The contract that every registered game keeps. A fifth game is tested by existing."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest

from astragal import (
    Choice,
    Hand,
    Illegal,
    Logged,
    Malformed,
    Outcome,
    Refusal,
    Rolled,
    Typed,
    all_games,
    explain,
    play,
    report,
)
from astragal.cli.main import main
from astragal.rule.ask import Ask
from astragal.rule.example import Example, examples_of, replay
from astragal.rule.game import Game, Kind
from astragal.rule.input import Input, Whole
from astragal.rule.node import Node, Throw
from astragal.rule.play import Answer
from astragal.rule.table_rules import table_rules_of
from astragal.table.log.sample import play_sample

GAMES = all_games()
KINDS = [pytest.param(game, kind, id=f"{game.name}-{kind.name}") for game in GAMES for kind in game.kinds.values()]
EXAMPLES = [
    pytest.param(game, example, id=f"{game.name}-{example.title}") for game in GAMES for example in examples_of(game)
]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
every_kind = pytest.mark.parametrize(("game", "kind"), KINDS)
every_example = pytest.mark.parametrize(("game", "example"), EXAMPLES)


def asks_of(game: Game, kind: Kind) -> list[Ask]:
    """The asks of the examples that are not refused: real ones, in all their variety."""
    name = kind.name
    written = [e.given for e in examples_of(game) if not e.refused and game.kind(e.roll).name == name]
    return [kind.ask.read(given) for given in written]


@every_game
def test_a_game_has_a_name_a_line_about_itself_and_a_roll(game: Game) -> None:
    assert game.name.isidentifier()
    assert game.name.islower()
    assert game.title
    assert game.blurb.endswith(".")
    assert game.main in game.kinds.values()


@every_example
def test_every_worked_example_replays(game: Game, example: Example) -> None:
    assert replay(game, example).differences == ()


@every_game
def test_every_rule_has_an_example_and_every_example_cites_rules_that_there_are(game: Game) -> None:
    cited = {rule for example in examples_of(game) for rule in example.rules}
    assert cited <= set(game.rules)
    assert cited | kept_rules(game) >= set(game.rules)


def kept_rules(game: Game) -> set[str]:
    """The rules of what a game keeps, cited by sheets, settings, moves and the sample; no roll shows them."""
    table_rules = table_rules_of(game.table_rules)
    sections = [part for kind in ("character", "player", "table", "scene") for part in table_rules.sections(kind)]
    inputs = [*table_rules.options.inputs.values(), *(input for part in sections for input in part.fields.values())]
    entries = play_sample(game.name, 0)[1] if table_rules.sample else []
    told = [getattr(event, "rule", "") for entry in entries for event in entry.events]
    return {
        *(part.rule for part in sections),
        *(input.rule for input in inputs),
        *(m.rule for m in table_rules.moves),
        *told,
    }


@every_game
def test_every_example_says_where_it_comes_from_and_has_a_title_of_its_own(game: Game) -> None:
    examples = examples_of(game)
    assert {example.origin for example in examples} <= {"rules page", "document", "ours"}
    assert len({example.title for example in examples}) == len(examples)


@every_example
def test_everything_said_and_refused_cites_rules_that_there_are(game: Game, example: Example) -> None:
    again = replay(game, example)
    if again.refusal:
        assert again.refusal.rule in game.rules
    if again.played:
        cited = [note.rule for note in explain(again.played).notes]
        cited += [effect.rule for effect in again.played.outcome.effects] if again.played.outcome else []
        assert set(cited) <= set(game.rules)


@every_kind
def test_rolled_typed_and_logged_dice_give_the_same_outcome(game: Game, kind: Kind) -> None:
    for seed, ask in enumerate(asks_of(game, kind)):
        rolled = play(kind.rule(ask), Rolled(seed=seed))
        facts = report(game, kind, ask, rolled, notes=True)
        hands: list[Hand] = [Logged(json.loads(json.dumps(rolled.log())))]
        hands += [Typed(rolled.faces)] if rolled.faces.strip(" |") else []
        for hand in hands:
            assert report(game, kind, ask, play(kind.rule(ask), hand), notes=True) == facts


@every_kind
def test_every_option_of_every_open_choice_leads_on_to_a_result_of_the_same_type(game: Game, kind: Kind) -> None:
    for seed, ask in enumerate(asks_of(game, kind)):
        results = list(every_result(kind.rule(ask), seed))
        assert len({type(result) for result in results}) == 1
        for result in results:
            hash(result)
            assert kind.verdict(result)


def every_result(node: Node[Any], seed: int) -> Iterator[Any]:
    """The results of every way to answer, with one throw of the dice for each."""
    played = play(node, Rolled(seed=seed))
    assert not isinstance(played.node, Throw)
    if isinstance(played.node, Outcome):
        yield played.node.result
        return
    yield played.node.so_far
    for name, option in played.node.options.items():
        words = "Something" if option.words else ""
        yield from every_result(option.then.node(words) if words else option.then.node(), seed)
        assert str(Answer(name, words)).startswith(name)


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
def test_every_input_and_decision_explains_itself(game: Game, kind: Kind) -> None:
    told = [(input.help, input.rule) for input in kind.ask.inputs.values()]
    told += [(decision.help, decision.rule) for decision in kind.decisions]
    for help, rule in told:
        assert help
        assert not help.endswith(".")
        assert not rule or rule in game.rules
    assert set(kind.short) <= set(kind.ask.inputs)
    assert not {decision.name for decision in kind.decisions} & {input.option for input in kind.ask.inputs.values()}


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
