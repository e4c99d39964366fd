"""The files of docs/tutorial.md, as a reader has them at some place of the page."""

from __future__ import annotations

import re
from pathlib import Path

from tests.installed import register

PAGE = Path(__file__).parent.parent / "docs" / "tutorial.md"
LISTING = re.compile(r"^```(?:python|toml)\n# (?P<add>add to )?(?P<path>\S+)\n(?P<text>.*?)^```$", re.M | re.S)


def files(line: int) -> dict[str, str]:
    """Every file that the page has shown before a line; a later listing replaces a file, or is added to it."""
    page = PAGE.read_text("utf-8")
    found: dict[str, str] = {}
    for listing in LISTING.finditer("".join(page.splitlines(keepends=True)[: line - 1])):
        before = f"{found[listing['path']]}\n" if listing["add"] else ""
        found[listing["path"]] = before + listing["text"]
    return found


def lay_out(folder: Path, line: int) -> None:
    """Write these files into a folder, entry point and all."""
    shown = files(line)
    for path, text in shown.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    if "pyproject.toml" in shown:
        register(folder, shown["pyproject.toml"])
