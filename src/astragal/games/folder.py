"""Games without Python: TOML files by their path, and in the folders that ``--games`` or ``ASTRAGAL_GAMES`` name.

A file that is added, mended or taken away while a program runs is noticed: files are looked at again when they change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from astragal.errors import Faulty, Unknown
from astragal.games.outside import Broken
from astragal.rule.game import Game
from astragal.written import load_game

VARIABLE = "ASTRAGAL_GAMES"
"""The environment variable that names folders of games, separated as paths are."""
MAX_FILES = 200
"""Files of one folder; more are not looked at."""

_loaded: dict[Path, tuple[tuple[int, int], Game | Broken]] = {}
"""What each file held when it was last read, with its time and size."""
_named: dict[str, Path] = {}
"""Files that were named by their path: their games can be used by name from then on."""


def use_folder(folder: str) -> None:
    """Take the games in this folder, too, here and in programs that this one starts."""
    if not Path(folder).is_dir():
        raise Unknown(f'There is no folder "{folder[:200]}"; --games takes a folder with games in TOML files.')
    known = os.environ.get(VARIABLE, "")
    os.environ[VARIABLE] = os.pathsep.join(filter(None, (known, str(Path(folder).resolve()))))


def game_in_file(name: str, taken: tuple[str, ...]) -> Game:
    """The game in a TOML file; refused with file and line if it has a mistake."""
    path = Path(name)
    if not path.is_file():
        raise Unknown(f'There is no file "{name[:200]}".')
    game = load_game(path)
    if game.name in taken:
        raise Faulty(game.name, f"{path.name}: the name {game.name} is a built-in game's; choose another.")
    _named[game.name] = path.resolve()
    return game


def in_folders(taken: tuple[str, ...]) -> Iterator[Game | Broken]:
    """The games of all folders and of the files that were named, each name once."""
    seen = set(taken)
    for path in dict.fromkeys((*_named.values(), *_files())):
        found = _read(path)
        if found and found.name not in seen:
            seen.add(found.name)
            yield found


def _files() -> Iterator[Path]:
    for folder in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        yield from sorted(Path(folder).glob("*.toml"))[:MAX_FILES]


def _read(path: Path) -> Game | Broken | None:
    try:
        status = path.stat()
    except OSError:
        return None
    stamp = (status.st_mtime_ns, status.st_size)
    known = _loaded.get(path)
    if known is None or known[0] != stamp:
        known = _loaded[path] = (stamp, _load(path))
    return known[1]


def _load(path: Path) -> Game | Broken:
    try:
        return load_game(path)
    except Faulty as faulty:
        return Broken(path.stem, path.name, faulty.sentence)
