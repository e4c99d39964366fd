"""The tables of keys in the docs have every key of a game's file, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.written import load_game
from astragal.written.document import Part

ROOT = Path(__file__).parents[2]
FILES = [*Path(__file__).parent.glob("*.toml"), *(ROOT / "examples" / "games").glob("*.toml")]
PAGES = [ROOT / "docs" / name for name in ("written-games.md", "written-games-table.md")]
TABLES = {
    "The game": "",
    "key of `[[roll]]`": "roll",
    "Inputs": "inputs.*",
    "Outcomes": "roll.outcomes",
    "key of a change": "roll.outcomes.changes",
    "key of `[[roll.options]]`": "roll.options",
    "key of `[[sheet]]`": "sheet",
    "key of `[[offer]]`": "offer",
    "key of `[[deck]]`": "deck",
    "key of `[[move]]`": "move",
}
"""For the first column of a table, or the heading above it: the part of the file that it describes."""
APART = {"roll": {"sides", "their_helpers", "like"}}
"""Keys that are replaced before a roll is read."""


def kind_of(part: Part) -> str:
    """The path of a part without the places of lists; things with names of their own are ``*``."""
    names = [str(name) for name in part._path if isinstance(name, str)]
    named = ["*" if before == "inputs" else name for before, name in zip(["", *names], names, strict=False)]
    return ".".join(named[1:] if named[1:] == ["inputs", "*"] else named)


@pytest.fixture(scope="module")
def read() -> dict[str, set[str]]:
    """The keys that are read of each kind of part."""
    found: dict[str, set[str]] = {}
    finish = Part.finish

    def recorded(part: Part) -> None:
        found.setdefault(kind_of(part), set()).update(part._known)
        finish(part)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Part, "finish", recorded)
        for path in FILES:
            load_game(path)
    return found


def tables() -> Iterator[tuple[str, set[str]]]:
    """The first column of each table of keys, by the part that it describes."""
    for page in PAGES:
        heading = part = ""
        keys: set[str] = set()
        for line in [*page.read_text("utf-8").splitlines(), ""]:
            cell = line.split(" | ")[0].removeprefix("| ") if line.startswith("|") else ""
            if line.startswith("#"):
                heading = line.strip("# ")
            elif cell in TABLES or cell == "key":
                part, keys = TABLES.get(cell, TABLES.get(heading, "?")), set()
            elif part != "?" and cell and not cell.startswith("|--"):
                keys |= {_key(name, part) for name in re.findall("`([^`]+)`", cell)}
            elif keys:
                yield part, keys
                part, keys = "?", set()


def _key(name: str, part: str) -> str:
    inner = name.strip("[]").removeprefix(f"{part}.") if part else name.strip("[]")
    return inner.partition(".")[0]


def test_the_docs_have_every_key_and_no_other(read: dict[str, set[str]]) -> None:
    found = dict(tables())
    assert found.keys() == set(TABLES.values())
    for part, keys in found.items():
        assert keys - APART.get(part, set()) == read[part] - APART.get(part, set()), part
