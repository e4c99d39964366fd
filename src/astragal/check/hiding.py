"""Checks of what may be hidden: an input that is declared to leave the dice alone does so (T-3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.check.mistake import Mistake, tried
from astragal.check.trees import asks_of
from astragal.errors import Refusal
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Throw
from astragal.rule.tree.play import Hand, play
from astragal.table.rolls.known import far_apart


def hiding_mistakes(game: Game) -> Iterator[Mistake]:
    """Every input that may be hidden without covering the dice, tried with values that lie far apart."""
    for kind in game.kinds.values():
        where = f"roll {kind.name}"
        yield from dict.fromkeys(tried(where, "playing it", _changed(game, kind, where)))


def _changed(game: Game, kind: Kind, where: str) -> Iterator[Mistake]:
    quiet = [input for name, input in kind.ask.inputs.items() if not kind.change_dice([name])]
    for ask in asks_of(game, kind):
        for input in quiet:
            if any(_dice(kind, other) != _dice(kind, ask) for other in _others(ask, input.name, far_apart(input))):
                yield Mistake(where, f"the input {input.name} changes the dice; declare it with dice=True.")


def _others(ask: Ask, name: str, values: list[Any]) -> Iterator[Ask]:
    for value in values:
        try:
            yield type(ask)(**{**vars(ask), name: value})
        except Refusal:
            continue


def _dice(kind: Kind, ask: Ask) -> Any:
    """The dice of the first throw; None where nothing is thrown first."""
    node = play(kind.rule(ask), Hand()).node
    return node.pool if isinstance(node, Throw) else None
