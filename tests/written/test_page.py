"""docs/written-games.md explains every key that a written game may have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from astragal.written import document, load_game

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "examples" / "games").glob("*.toml")), *sorted(Path(__file__).parent.glob("*.toml"))]


def test_every_key_is_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    known: set[str] = set()
    finish = document.Part.finish

    def finished(part: document.Part) -> None:
        known.update(part._known)
        finish(part)

    monkeypatch.setattr(document.Part, "finish", finished)
    for path in FILES:
        load_game(path)
    assert {"when", "full", "gives", "steps", "faces", "hint"} <= known
    page = (ROOT / "docs" / "written-games.md").read_text("utf-8")
    explained = {word for code in re.findall(r"`([^`]+)`", page) for word in re.findall(r"\w+", code)}
    assert sorted(known - explained) == []
