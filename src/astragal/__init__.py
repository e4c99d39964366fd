"""Astragal plays the dice rules of tabletop games and computes their exact odds.

>>> from astragal import Typed, play
>>> from astragal.games.narraject import Attempt, attempt
>>> played = play(attempt(Attempt(d6=5, step=10, difficulty=3)), Typed("6 5 4 2 1 | 7"))
>>> played.result.degree
'success'

Exact odds are imported when they are asked for, so that a roll starts quickly.

>>> from astragal import odds
>>> odds(Attempt(d6=5, step=10, difficulty=3), "success")[True]
Fraction(11, 27)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from astragal.errors import Forbidden, Illegal, Malformed, Refusal, Stale, Unknown
from astragal.games.registry import game, games
from astragal.rule.ask import Ask
from astragal.rule.explain import explain
from astragal.rule.game import Game
from astragal.rule.hand import Hand, Logged, Rolled, Typed
from astragal.rule.node import Choice, Outcome, Throw
from astragal.rule.play import Played, play
from astragal.rule.report import report
from astragal.rule.total import total

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution
    from astragal.rule.advise import advise
    from astragal.rule.odds import all_odds, odds

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
    "Unknown",
    "advise",
    "all_odds",
    "explain",
    "game",
    "games",
    "odds",
    "play",
    "report",
    "total",
]

_LATER = {
    "Distribution": "astragal.dice.distribution",
    "advise": "astragal.rule.advise",
    "all_odds": "astragal.rule.odds",
    "odds": "astragal.rule.odds",
}


def __getattr__(name: str) -> Any:
    """What only odds need is imported with the first use."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
