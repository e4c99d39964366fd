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

Each name is loaded with its first use, so a program loads only what it uses.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from astragal import explain  # the room: loaded first, or it would later take the name of the function

del explain

__version__ = "0.5.0"


def names_in(stub: str) -> dict[str, str]:
    """The names that a stub declares, each with the module that it is loaded from."""
    with open(stub, encoding="utf-8") as lines:  # noqa: PTH123 (pathlib would take longer than the rest)
        return {name: module for _, module, _, name, *_ in (line.split() for line in lines if line.startswith("from "))}


_MODULES = names_in(f"{__file__}i")
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return found
