"""Games whose answers are timed: models of examples/games, games of the shelf, and choices of built-in ones."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from astragal.games import narraject, tgimh
from astragal.games.registry import game as shelf
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


DOCK: Any = load_game(GAMES / "rustfall.toml").main.ask(trait=5, craft=3, tools=2, needed=2)
STRIDE: Any = load_game(GAMES / "fellwalk.toml").main.ask(stat=2, adds=1, headway=7)
FACE: Any = shelf("ironsworn").main.ask(stat=2, adds=1, momentum=7)
ACT: Any = shelf("blades").main.ask(action=3)
OVERCOME: Any = shelf("fate").main.ask(skill=3, difficulty=2)
ATTACK: Any = shelf("fifth").kind("attack").ask(ability=3, dc=14, number=2, sides=6, advantage=1)
HARD_TASK = narraject.Attempt(d6=5, step=10, difficulty=3, ip=3)
CONTEST = tgimh.Contest(ours=8, theirs=8)


def best(ask: Any, wish: str = "") -> Policy:
    """Choose whatever is best for this wish, or for the roll's first one."""
    return Policy("best", wish_of(kind_of(ask), wish))
