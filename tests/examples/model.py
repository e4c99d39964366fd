"""The model games of examples/games, as a person uses them: by their path, their folder, or installed."""

from __future__ import annotations

import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from astragal.cli.main import main
from astragal.games.folder import VARIABLE
from astragal.games.registry import game
from astragal.rule.game import Game
from tests.installed import register

FOLDER = Path(__file__).parents[2] / "examples" / "games"


def written(name: str, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game of the folder, found as ``--games`` finds it."""
    monkeypatch.setenv(VARIABLE, str(FOLDER))
    return game(name)


def referee(throws: Iterable[Any], result_of: Callable[[Any], Any]) -> dict[Any, Fraction]:
    """The odds of results by trying every throw once; all throws are equally likely."""
    seen = Counter(map(result_of, throws))
    return {result: Fraction(n, seen.total()) for result, n in seen.items()}


class CliTable:
    """A table that is kept in a folder and played on the command line."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder, self._capsys = folder, capsys

    def do(self, words: str) -> str:
        """What a command prints, whether it is refused or not."""
        main(["table", *shlex.split(words), "--data", str(self._folder)])
        printed = self._capsys.readouterr()
        return printed.out + printed.err


def installed(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game in Python, found by its entry point as if pip had put its package into this folder."""
    shutil.copytree(FOLDER / name / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    register(folder, (FOLDER / name / "pyproject.toml").read_text("utf-8"))
    monkeypatch.syspath_prepend(str(folder))
    return game(name)
