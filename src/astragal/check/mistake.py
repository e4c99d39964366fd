"""A mistake in a game: where it is, and what is wrong there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from astragal.errors import Refusal
from astragal.games.outside import ERRORS, told


class Mistake(NamedTuple):
    """A mistake in a game, for its author."""

    where: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}"


def unknown_rule(where: str, rule: str, what: str = "it") -> Mistake:
    """Something cites a rule that the game does not have."""
    return Mistake(where, f'{what} cites the rule "{rule}", which the game does not have.')


def tried(where: str, doing: str, found: Iterable[Mistake]) -> Iterator[Mistake]:
    """What is found, and what the game's own code raised meanwhile as one more mistake."""
    try:
        yield from found
    except Refusal as refusal:
        yield Mistake(where, f"{doing} was refused: {refusal}")
    except ERRORS as error:
        yield Mistake(where, f"{doing} failed: {told(error)}.")
