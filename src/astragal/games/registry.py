"""The registry: which games there are. Four come with Astragal; packages and folders of TOML files may add more.

Further games stand on the shelf and are found by name alone. Your own game of the same name takes the place of a
shelf's, so that a new one on the shelf never changes what you play.

An outside package names its ``Game`` in the entry-point group ``astragal.games``::

    [project.entry-points."astragal.games"]
    coinflip = "coinflip:GAME"
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from astragal.errors import Faulty, UnknownGame
from astragal.rule.game import Game

if TYPE_CHECKING:
    from astragal.games.outside import Broken

BUILT_IN = ("narraject", "tgimh", "chronicles", "razorweave")
SUFFIX = ".toml"
"""The suffix of a game's file."""
_listeners: list[Callable[[], None]] = []


def on_change(listener: Callable[[], None]) -> None:
    """Have this called whenever a file turns out to hold another game than before."""
    _listeners.append(listener)


def changed() -> None:
    """A file holds another game than before."""
    for listener in _listeners:
        listener()


def look_again() -> None:
    """Notice files of games that were added, edited or taken away since the last look."""
    from astragal.games.folder import in_folders

    for _ in in_folders(BUILT_IN):
        pass


def game_at(word: str) -> Game:
    """The game with this name, or in this TOML file: for commands and programs, never for what strangers send."""
    if not word.endswith(SUFFIX):
        return game(word)
    from astragal.games.folder import game_in_file

    return game_in_file(word, BUILT_IN)


def game(name: str) -> Game:
    """The game with this name; built-in games are found without a look at what is installed."""
    if name in BUILT_IN:
        return _built_in(name)
    outside = [found for found in _outside() if found.name == name]
    for found in outside:
        if isinstance(found, Game):
            return found
    for found in outside:
        raise Faulty(name, str(found))
    from astragal.games.shelf import is_on_shelf, shelf_game

    if is_on_shelf(name):
        return shelf_game(name)
    raise no_game(name)


def is_game(name: str) -> bool:
    """True if a game has this name, on the shelf or off it."""
    if name in BUILT_IN or name in names():
        return True
    from astragal.games.shelf import is_on_shelf

    return is_on_shelf(name)


def no_game(name: str) -> UnknownGame:
    """The refusal of a name that no game has."""
    return UnknownGame(f'There is no game "{name[:40]}"; there are {", ".join(names())}, and more on the shelf.')


def names() -> tuple[str, ...]:
    """The names of the games, without those on the shelf."""
    return tuple(found.name for found in all_games())


def all_games() -> tuple[Game, ...]:
    """Every game that works, built-in ones first; the shelf has more."""
    return (*map(_built_in, BUILT_IN), *(found for found in _outside() if isinstance(found, Game)))


def shelf_games() -> tuple[Game, ...]:
    """The games on the shelf, but for those whose place your own games take."""
    from astragal.games.shelf import shelf_game, shelf_names

    taken = names()
    return tuple(shelf_game(name) for name in shelf_names() if name not in taken)


def broken_games() -> tuple[Broken, ...]:
    """The games of installed packages and of files that cannot be used, and why."""
    return tuple(found for found in _outside() if not isinstance(found, Game))


def _built_in(name: str) -> Game:
    found: Game = import_module(f"astragal.games.{name}").GAME
    return found


def _outside() -> tuple[Game | Broken, ...]:
    from astragal.games.folder import in_folders
    from astragal.games.outside import installed  # a look at what is installed takes longer than a roll

    written = tuple(in_folders(BUILT_IN))
    taken = (*BUILT_IN, *(found.name for found in written))
    return (*written, *installed(taken))
