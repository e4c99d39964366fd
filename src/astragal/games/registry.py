"""The registry: which games there are. Four come with Astragal; packages may add more.

An outside package names its ``Game`` in the entry-point group ``astragal.games``::

    [project.entry-points."astragal.games"]
    coinflip = "coinflip:GAME"
"""

from __future__ import annotations

from importlib import import_module

from astragal.errors import Unknown
from astragal.rule.game import Game

BUILT_IN = ("narraject", "tgimh", "chronicles", "razorweave")
GROUP = "astragal.games"


def game(name: str) -> Game:
    """The game with this name; built-in games are found without a look at what is installed."""
    if name in BUILT_IN:
        return _built_in(name)
    outside = _outside()
    if name in outside:
        return outside[name]
    raise Unknown(f'There is no game "{name[:40]}"; there are {", ".join(names())}.')


def names() -> tuple[str, ...]:
    """What the games are called."""
    return (*BUILT_IN, *_outside())


def all_games() -> tuple[Game, ...]:
    """Every game, built-in ones first."""
    return (*map(_built_in, BUILT_IN), *_outside().values())


def _built_in(name: str) -> Game:
    found: Game = import_module(f"astragal.games.{name}").GAME
    return found


def _outside() -> dict[str, Game]:
    """Games of installed packages; none may take a built-in name."""
    from importlib.metadata import entry_points

    found = {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in BUILT_IN}
    return {name: entry.load() for name, entry in sorted(found.items())}
