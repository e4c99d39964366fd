"""The outside game of docs/add-a-game.md, written out as an installed package would be."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "add-a-game.md"
FILE = re.compile(r"^```(?:python|toml)\n# (?P<path>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def files() -> dict[str, str]:
    """Every file that the page shows, by its path."""
    return {found["path"]: found["text"] for found in FILE.finditer(PAGE.read_text("utf-8"))}


def install(folder: Path) -> str:
    """Put the game into a folder for PYTHONPATH, entry point and all; the answer is the game's name."""
    shown = files()
    for path, text in shown.items():
        _write(folder / path, text)
    return _register(folder, shown["pyproject.toml"])


def _register(folder: Path, pyproject: str) -> str:
    """What pip leaves behind: the package's metadata with its entry points."""
    project = tomllib.loads(pyproject)["project"]
    name, version = str(project["name"]), str(project["version"])
    games: dict[str, str] = project["entry-points"]["astragal.games"]
    info = folder / f"{name}-{version}.dist-info"
    _write(info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = "".join(f"{game} = {where}\n" for game, where in games.items())
    _write(info / "entry_points.txt", f"[astragal.games]\n{lines}")
    return next(iter(games))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
