"""Games without Python: TOML files by their path, and in the folders that ``--games`` or ``ASTRAGAL_GAMES`` name.

A file that is added or fixed while a program runs is noticed: files are read again when they change. A file that is
spoilt or removed is reported as broken, and the game continues with the rules that were read last, so a slip in an
editor does not end an evening.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from astragal.errors import Faulty, Unknown
from astragal.games.outside import Broken
from astragal.games.registry import changed
from astragal.rule.game import Game
from astragal.written import load_game

VARIABLE = "ASTRAGAL_GAMES"
"""The environment variable that names folders of games, separated as paths are."""
MAX_FILES = 200
"""Files of one folder; more are not looked at."""


class _File(NamedTuple):
    """What a file held when it was last read, with its time and size, and the last game in it that worked."""

    stamp: tuple[int, int]
    found: Game | Broken
    worked: Game | None


_loaded: dict[Path, _File] = {}
_named: dict[str, Path] = {}
"""Files that were named by their path: their games can be used by name from then on."""


def use_folder(folder: str) -> None:
    """Take the games in this folder, too, here and in programs that this one starts."""
    if Path(folder).is_file():
        raise Unknown(f'"{folder[:200]}" is a file; --games takes its folder, and a file stands in place of a game.')
    if not Path(folder).is_dir():
        raise Unknown(f'There is no folder "{folder[:200]}"; --games takes a folder with games in TOML files.')
    known = os.environ.get(VARIABLE, "")
    os.environ[VARIABLE] = os.pathsep.join(filter(None, (known, str(Path(folder).resolve()))))


def game_in_file(name: str, taken: tuple[str, ...]) -> Game:
    """The game in a TOML file; refused with file and line if it has a mistake."""
    path = Path(name)
    if not path.is_file():
        raise Unknown(f'There is no file "{name[:200]}".')
    found = _read(path.resolve()).found
    if isinstance(found, Broken):
        raise Faulty(found.name, found.error)
    if found.name in taken:
        raise Faulty(found.name, f"{path.name}: a built-in game has the name {found.name}, too; choose another.")
    _named[found.name] = path.resolve()
    return found


def in_folders(taken: tuple[str, ...]) -> Iterator[Game | Broken]:
    """The games of all folders and of the files that were named, each name once; a broken one may still work."""
    seen = dict.fromkeys(taken, "a built-in game")
    for path in dict.fromkeys((*_named.values(), *_files())):
        file = _read(path)
        if isinstance(file.found, Broken):
            yield file.found
        if file.worked and file.worked.name in seen:
            other = seen[file.worked.name]
            yield Broken(file.worked.name, path.name, f"{other} has the name {file.worked.name}, too; choose another.")
        elif file.worked:
            seen[file.worked.name] = path.name
            yield file.worked


def _files() -> Iterator[Path]:
    """The files in the folders, and those that were there before."""
    for name in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        folder = Path(name).resolve()
        yield from sorted(folder.glob("*.toml"))[:MAX_FILES]
        yield from [path for path, file in _loaded.items() if path.parent == folder and file.worked]


def _read(path: Path) -> _File:
    try:
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
    except OSError:
        stamp = (0, 0)
    known = _loaded.get(path)
    if known is None or known.stamp != stamp:
        known = _loaded[path] = _load(path, stamp, known.worked if known else None)
        changed()
    return known


def _load(path: Path, stamp: tuple[int, int], worked: Game | None) -> _File:
    try:
        found = load_game(path)
    except Faulty as faulty:
        after = " The rules that were read before go on." if worked else ""
        name = worked.name if worked else faulty.game
        return _File(stamp, Broken(name, path.name, f"{faulty.sentence}{after}"), worked)
    return _File(stamp, found, found)
