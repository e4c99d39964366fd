"""The models of examples/games that are timed: symbol dice from a file, and a pool that is pushed from Python."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from astragal.rule.chances.fact import Policy, wish_of
from astragal.rule.game import Game, kind_of
from astragal.written.game import load_game

GAMES = Path(__file__).parents[1] / "examples" / "games"


def _installed(name: str) -> Game:
    """A game in Python, as if its package were installed."""
    sys.path.append(str(GAMES / name))
    game: Game = import_module(name).GAME
    return game


LIGHT: Any = load_game(GAMES / "lampkeepers.toml").main.ask(lamps=3, flasks=2, winds=3, storms=2)
MARCH: Any = _installed("coldmarch").main.ask(attribute=5, skill=3, gear=2, needed=2)


def push() -> Policy:
    """Push whenever that is best for success."""
    return Policy("best", wish_of(kind_of(MARCH)))
