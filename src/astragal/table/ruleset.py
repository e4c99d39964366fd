"""The book of a table: its game, and what that game keeps."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from astragal.games.registry import game
from astragal.rule.game import Game
from astragal.rule.sheet import Section
from astragal.rule.table_rules import Keeping, keeping_of


class Book(NamedTuple):
    """A game with its keeping, and its sections by kind of holder and name."""

    game: Game
    keeping: Keeping
    sections: dict[tuple[str, str], Section]


@cache
def book_of(name: str) -> Book:
    """The book of a game by its name."""
    found = game(name)
    keeping = keeping_of(found.keeps)
    kinds = ("character", "player", "table", "scene")
    return Book(found, keeping, {(kind, part.name): part for kind in kinds for part in keeping.sections(kind)})
