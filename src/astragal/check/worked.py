"""Checks of worked examples: they can be read, they give what they say, and every rule has one."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from astragal.check.mistake import Mistake, unknown_rules
from astragal.explain.example import Example, example_mistakes, examples_of, replay
from astragal.explain.report import explain
from astragal.games.outside import ERRORS
from astragal.rule.game import Game


def example_file_mistakes(game: Game) -> Iterator[Mistake]:
    """Keys and values of the file; nothing is played."""
    written = tomllib.loads(Path(game.examples).read_text("utf-8"))
    for title, sentence in example_mistakes(written, game):
        yield Mistake(f"examples, {title}{_line(game, title)}", sentence)


def _line(game: Game, title: str) -> str:
    """The file and line of an example's title, where it is found."""
    path, title = Path(game.examples), title.strip('"')
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        if line.strip().startswith("title") and title in line:
            return f" ({path.name}, line {number})"
    return f" ({path.name})"


def replay_mistakes(game: Game) -> Iterator[Mistake]:
    """Every example gives what it says, and refuses only what it says is refused."""
    titles: set[str] = set()
    for example in examples_of(game):
        where = f'examples, "{example.title}"{_line(game, example.title)}'
        if example.title in titles:
            yield Mistake(where, "another example has the same title.")
        titles.add(example.title)
        with suppress(*ERRORS):
            yield from _replayed(game, example, where)


def _replayed(game: Game, example: Example, where: str) -> Iterator[Mistake]:
    again = replay(game, example)
    for difference in again.differences:
        yield Mistake(where, f"{difference.removesuffix('.')}.")
    cited = [note.rule for note in explain(again.played).notes] if again.played else []
    cited += [effect.rule for effect in again.played.effects] if again.played else []
    yield from unknown_rules(game, where, *cited, what="what is told")


def uncited_rules(game: Game, elsewhere: set[str]) -> Iterator[Mistake]:
    """Every rule has an example, or is cited by what a table keeps."""
    cited = {rule for example in examples_of(game) for rule in example.rules}
    for rule in game.rules:
        if rule not in cited | elsewhere:
            yield Mistake(f"rule {rule}", "no example shows it, and nothing on a sheet cites it.")
