"""Astragal plays the dice rules of tabletop games and computes their exact odds.

>>> from astragal import Typed, odds, play
>>> from astragal.games.narraject import Attempt
>>> ask = Attempt(d6=5, step=10, difficulty=3)
>>> play(ask, Typed("6 5 4 2 1 | 7")).result.degree
'success'
>>> odds(ask, "success")[True]
Fraction(11, 27)

Dice notation works in place of a game.

>>> odds("4d6kh3").mean
Fraction(15869, 1296)

What only odds and tables need is imported with the first use, so that a roll starts quickly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from astragal.errors import Forbidden, Illegal, Malformed, Refusal, Stale, Unavailable, Unknown
from astragal.explain.report import explain, report
from astragal.games.registry import all_games, game
from astragal.library import odds, play, roll
from astragal.rule.game import Game
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.total import total
from astragal.rule.tree.node import Choice, Outcome, Throw
from astragal.rule.tree.play import Hand, Logged, Played, Rolled
from astragal.rule.typed import Typed

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution
    from astragal.rule.chances.advise import advise
    from astragal.rule.chances.odds import all_odds
    from astragal.table.log.sample import play_sample

__version__ = "0.5.0"

__all__ = [
    "Ask",
    "Choice",
    "Distribution",
    "Forbidden",
    "Game",
    "Hand",
    "Illegal",
    "Logged",
    "Malformed",
    "Outcome",
    "Played",
    "Refusal",
    "Rolled",
    "Stale",
    "Throw",
    "Typed",
    "Unavailable",
    "Unknown",
    "advise",
    "all_games",
    "all_odds",
    "explain",
    "game",
    "odds",
    "play",
    "play_sample",
    "report",
    "roll",
    "total",
]

_LAZY = {
    "Distribution": "astragal.dice.distribution",
    "advise": "astragal.rule.chances.advise",
    "all_odds": "astragal.rule.chances.odds",
    "play_sample": "astragal.table.log.sample",
}


if not TYPE_CHECKING:  # else type checkers would take every name

    def __getattr__(name: str) -> Any:
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
