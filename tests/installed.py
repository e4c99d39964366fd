"""Outside games as pip leaves them behind: their files in a folder for PYTHONPATH, and their entry points."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest


def register(folder: Path, pyproject: str) -> str:
    """Write the package's metadata with its entry points; the answer is the game's name."""
    project = tomllib.loads(pyproject)["project"]
    name, version = str(project["name"]), str(project["version"])
    games: dict[str, str] = project["entry-points"]["astragal.games"]
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")
    lines = "".join(f"{game} = {where}\n" for game, where in games.items())
    (info / "entry_points.txt").write_text(f"[astragal.games]\n{lines}", "utf-8")
    return next(iter(games))


def installed(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make a game of these tests an installed package; the answer is its name."""
    entry = f'[project.entry-points."astragal.games"]\n{name} = "tests.{name}:GAME"\n'
    monkeypatch.syspath_prepend(str(folder))
    return register(folder, f'[project]\nname = "{name}"\nversion = "1"\n{entry}')
