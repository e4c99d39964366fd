"""The shelf: games that many groups play, each one TOML file that comes with Astragal.

A file is read only when its game is asked for by name, so that rolls of other games stay fast. Its name is the game's.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from astragal.rule.game import Game

FOLDER = Path(__file__).parents[1] / "shelf"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}").fullmatch


def is_on_shelf(name: str) -> bool:
    """True if a game of the shelf has this name."""
    return bool(_NAME(name)) and shelf_file(name).is_file()


def shelf_file(name: str) -> Path:
    """The file of a game of the shelf."""
    return FOLDER / f"{name}.toml"


@cache
def shelf_names() -> tuple[str, ...]:
    """The names of the games on the shelf."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def shelf_game(name: str) -> Game:
    """A game of the shelf."""
    from astragal.written import load_game

    return load_game(shelf_file(name))
