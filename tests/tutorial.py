"""The files of the tutorial's three pages, as a reader has them at some place."""

from __future__ import annotations

import re
from pathlib import Path

from tests.installed import register

DOCS = Path(__file__).parent.parent / "docs"
PAGES = (DOCS / "tutorial.md", DOCS / "tutorial-choices.md", DOCS / "tutorial-python.md")
LISTING = re.compile(r"^```(?:python|toml)\n# (?P<add>add to )?(?P<path>\S+)\n(?P<text>.*?)^```$", re.M | re.S)


def files(place: Path, line: int) -> dict[str, str]:
    """Every file shown before a line of a page; a later listing replaces a file, or is added to it."""
    before = "".join(page.read_text("utf-8") for page in PAGES[: PAGES.index(place)])
    shown = "".join(place.read_text("utf-8").splitlines(keepends=True)[: line - 1])
    found: dict[str, str] = {}
    for listing in LISTING.finditer(before + shown):
        earlier = f"{found[listing['path']]}\n" if listing["add"] else ""
        found[listing["path"]] = earlier + listing["text"]
    return found


def lay_out(folder: Path, page: Path, line: int) -> None:
    """Write these files into a folder, entry point and all."""
    shown = files(page, line)
    for path, text in shown.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    if "pyproject.toml" in shown:
        register(folder, shown["pyproject.toml"])
