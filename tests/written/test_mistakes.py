"""Every deliberate mistake in a written game is told by ``astragal check`` in a sentence with its place."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from astragal.cli.main import main

HERE = Path(__file__).parent
LADDER = (HERE / "ladder.toml").read_text("utf-8")
MISTAKES: list[dict[str, Any]] = tomllib.loads((HERE.parent / "check" / "written-mistakes.toml").read_text("utf-8"))[
    "mistake"
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: str(mistake["what"]))
def test_a_mistake_is_told_with_its_place(
    mistake: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mistake["find"] in LADDER
    path = tmp_path / "ladder.toml"
    text = LADDER
    for part in (mistake, mistake.get("also")):
        text = text.replace(part["find"], part["write"], 1) if part else text
    path.write_text(text, "utf-8")
    code = main(["check", str(path)])
    said = capsys.readouterr()
    assert mistake["says"] in " ".join((said.out + said.err).split())
    assert code in (1, 2)


def test_there_are_mistakes_enough() -> None:
    assert len(MISTAKES) >= 30
