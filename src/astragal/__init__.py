"""Astragal plays the dice rules of tabletop games.

>>> from astragal import Typed, play
>>> from astragal.games.narraject import Attempt, attempt
>>> played = play(attempt(Attempt(d6=5, step=10, difficulty=3)), Typed("6 5 4 2 1 | 7"))
>>> played.result.degree
'success'
"""

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

__version__ = "0.1.0"

__all__ = [
    "Ask",
    "Choice",
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
    "explain",
    "game",
    "games",
    "play",
    "report",
    "total",
]
