"""The outside game of docs/add-a-game*.md, written out as an installed package would be."""

from __future__ import annotations

import re
from pathlib import Path

from tests.installed import register

PAGES = sorted((Path(__file__).parent.parent / "docs").glob("add-a-game*.md"))
FILE = re.compile(r"^```(?:python|toml)\n# (?P<path>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def files() -> dict[str, str]:
    """Every file that the pages show, by its path."""
    return {found["path"]: found["text"] for page in PAGES for found in FILE.finditer(page.read_text("utf-8"))}


def install(folder: Path) -> str:
    """Put the game into a folder for PYTHONPATH, entry point and all; the answer is the game's name."""
    shown = files()
    for path, text in shown.items():
        _write(folder / path, text)
    return register(folder, shown["pyproject.toml"])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
