"""Games of installed packages. A broken one is reported as broken and takes nothing else down.

Packages that are installed, fixed or removed while a program runs are noticed: a look is cheap, and what could not be
loaded is tried again after a while.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib import invalidate_caches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from time import monotonic
from traceback import walk_tb
from typing import NamedTuple

from astragal.errors import Faulty
from astragal.rule.game import Game

GROUP = "astragal.games"
AGAIN_AFTER = 5.0
"""Seconds until a broken package is tried again: its import may be slow."""
ERRORS = (Exception, SystemExit)
"""Exceptions that the import of an outside package may raise."""


class Broken(NamedTuple):
    """A game that cannot be used, the package or file that it comes from, and why."""

    name: str
    package: str
    error: str

    def __str__(self) -> str:
        return f"The game {self.name} of {self.package} is broken: {self.error}"


class _Failure(NamedTuple):
    broken: Broken
    at: float


_failures: dict[EntryPoint, _Failure] = {}
_packages: dict[str, str] = {}
"""The game of each outside package that was loaded."""


def installed(taken: tuple[str, ...]) -> Iterator[Game | Broken]:
    """The games of installed packages, by name; ``taken`` names are not theirs to take."""
    for entry in _entries():
        if entry.name in taken:
            yield Broken(entry.name, _package(entry), f"another game has the name {entry.name}, too; choose another.")
        else:
            yield _loaded(entry)


def _entries() -> list[EntryPoint]:
    """The entry points of games; read again only where something was installed or removed."""
    return _entries_at(tuple(_changed(folder) for folder in sys.path))


@lru_cache(maxsize=1)
def _entries_at(stamp: tuple[float, ...]) -> list[EntryPoint]:
    invalidate_caches()
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    return [entry for _, entry in sorted(found.items())]


def _changed(folder: str) -> float:
    try:
        return Path(folder or ".").stat().st_mtime
    except OSError:
        return 0.0


def _loaded(entry: EntryPoint) -> Game | Broken:
    failure = _failures.get(entry)
    if failure and monotonic() - failure.at < AGAIN_AFTER:
        return failure.broken
    try:
        game = entry.load()
    except ERRORS as error:
        return _failed(entry, f"{told(error)}.")
    if not isinstance(game, Game):
        return _failed(entry, f"{entry.value} is a {type(game).__name__}, not a Game.")
    if game.name != entry.name:
        return _failed(entry, f'it is called "{game.name}", and its entry point is called "{entry.name}".')
    _failures.pop(entry, None)
    _packages[entry.module.partition(".")[0]] = game.name
    return game


def _failed(entry: EntryPoint, error: str) -> Broken:
    broken = Broken(entry.name, _package(entry), error)
    _failures[entry] = _Failure(broken, monotonic())
    return broken


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.module


def told(error: BaseException) -> str:
    """An error in half a sentence: where it was raised, and what it says."""
    where = _innermost(error)
    line = " ".join(str(error).split())[:200].removesuffix(".")
    what = f"{type(error).__name__}: {line}" if line else type(error).__name__
    return f"{where}: {what}" if where else what


def _innermost(error: BaseException) -> str:
    """The last line outside of Astragal and of the import system that the error came through."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}, line {error.lineno}"
    ours = Path(__file__).parents[1]
    places = [
        f"{Path(frame.f_code.co_filename).name}, line {line}"
        for frame, line in walk_tb(error.__traceback__)
        if "importlib" not in frame.f_code.co_filename and ours not in Path(frame.f_code.co_filename).parents
    ]
    return places[-1] if places else ""


def fault_of(error: BaseException) -> Faulty | None:
    """The error as a sentence about an outside game, if that game's code was running when it was raised."""
    for frame, _ in walk_tb(error.__traceback__):
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package in _packages:
            game = _packages[package]
            return Faulty(game, f"The game {game} has a mistake in it: {told(error)}.")
    return None
