"""A mistake in a game: its place, and a sentence about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from astragal.errors import Refusal
from astragal.games.outside import ERRORS, told
from astragal.rule.game import Game


class Mistake(NamedTuple):
    """A mistake in a game, for its author."""

    where: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}"


def unknown_rules(game: Game, where: str, *rules: str, what: str = "it") -> Iterator[Mistake]:
    """The mistakes of citing rules that the game does not have."""
    for rule in dict.fromkeys(rules):
        if rule and rule not in game.rules:
            yield Mistake(where, f'{what} cites the rule "{rule}", which the game does not have.')


def tried(where: str, doing: str, found: Iterable[Mistake] | Callable[[], object]) -> Iterator[Mistake]:
    """The mistakes that are found, or none by an action, and one more if the game's own code fails."""
    try:
        if callable(found):
            found()
        else:
            yield from found
    except Refusal as refusal:
        yield Mistake(where, f"{doing} was refused: {refusal}")
    except ERRORS as error:
        yield Mistake(where, f"{doing} failed: {told(error)}.")
