"""One die, two dice: nothing that a game says counts one of many."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from astragal import Refusal, Rolled, all_games, explain, play
from astragal.explain.example import examples_of, replay
from astragal.explain.report import in_a_line, judged
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.total import counted
from astragal.rule.tree.node import Choice
from astragal.table.log.lines import tell
from astragal.table.log.sample import play_sample
from astragal.table.log.story import story

MANY = "dice successes rolls boxes points times helpers segments ticks Marks Hits Beats Advances things entries"
ONE_OF_MANY = re.compile(rf"(?<![\d.,−\-+/])(?<![Hh]elper )1 ({'|'.join(MANY.split())})\b")
SEEDS = 3

every_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


def test_one_is_counted_in_the_singular() -> None:
    assert counted(1, "die", "dice") == "1 die"
    assert counted(0, "die", "dice") == "0 dice"
    assert counted(2, "tick") == "2 ticks"
    assert counted(1200, "success", "successes") == "1,200 successes"


def said(game: Game, kind: Kind, ask: Ask, seed: int) -> Iterator[str]:
    """Everything that a roll says: before, at its choices and at its end."""
    yield kind.headline(ask)
    played = play(kind.rule(ask), Rolled(seed=seed))
    yield from (note.text for note in explain(played).notes)
    if isinstance(played.node, Choice):
        yield played.node.question
        yield from (option.label for option in played.node.options.values())
    if played.outcome:
        yield in_a_line(judged(kind, played.outcome.result))


def with_ones(kind: Kind, ask: Ask) -> Iterator[Ask]:
    """The ask, and it again with each of its numbers turned to one, where the rules allow that."""
    yield ask
    for name, input in kind.ask.inputs.items():
        if input.kind in ("whole", "summed"):
            try:
                yield kind.ask.read({**ask.values(), name: 1})
            except Refusal:
                continue


def asks_of(game: Game) -> Iterator[tuple[Kind, Ask]]:
    for example in examples_of(game):
        if not example.refused:
            kind = game.kind(example.roll)
            yield from ((kind, ask) for ask in with_ones(kind, kind.ask.read(example.given)))


@every_game
def test_no_roll_says_one_of_many(game: Game) -> None:
    texts = {text for kind, ask in asks_of(game) for seed in range(SEEDS) for text in said(game, kind, ask, seed)}
    assert [text for text in sorted(texts) if ONE_OF_MANY.search(text)] == []


@every_game
def test_no_worked_example_says_one_of_many(game: Game) -> None:
    again = [replay(game, example) for example in examples_of(game)]
    texts = [note.text for one in again if one.played for note in explain(one.played).notes]
    texts += [str(one.refusal) for one in again if one.refusal]
    assert [text for text in texts if ONE_OF_MANY.search(text)] == []


@every_game
def test_no_log_and_no_story_says_one_of_many(game: Game) -> None:
    table, entries = play_sample(game.name, 1)
    for member in table.state.members.values():
        lines = [line.text for entry in entries for line in tell(entry, table.state, member)]
        lines += story(entries, table.state, member)
        assert [line for line in lines if ONE_OF_MANY.search(line)] == []
