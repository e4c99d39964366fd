"""Every deliberate mistake in a game is found, and told with its place; the game itself has none."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.fifth_game import files, install

MISTAKES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text("utf-8"))["mistake"]
CHECK_EACH = """
import io, json, os, sys
from contextlib import redirect_stderr, redirect_stdout
from astragal.cli.main import main
import astragal.cli.commands.check

told = []
for folder in sys.argv[1:]:
    reader, writer = os.pipe()
    if not os.fork():
        sys.path.insert(0, folder)
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            code = main(["check", "coinflip"])
        os.write(writer, json.dumps([code, said.getvalue()]).encode())
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as pipe:
        told.append(json.loads(pipe.read() or '[-1, "a traceback"]'))
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """What the check says of each mistake: one program, which splits off a child for each."""
    root = tmp_path_factory.mktemp("mistakes")
    folders = [_spoilt(root / str(place), mistake) for place, mistake in enumerate(MISTAKES)]
    done = subprocess.run([sys.executable, "-c", CHECK_EACH, *folders], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    return {mistake["what"]: (code, text) for mistake, (code, text) in zip(MISTAKES, said, strict=True)}


def _spoilt(folder: Path, mistake: dict[str, Any]) -> str:
    """The game of the docs with one mistake in it."""
    install(folder)
    path = folder / mistake["file"]
    text = path.read_text("utf-8")
    for part in (mistake, *mistake.get("also", ())):
        assert part["find"] in text, mistake["what"]
        text = text.replace(part["find"], part["write"], 1)
    path.write_text(text, "utf-8")
    return str(folder)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: str(mistake["what"]))
def test_a_mistake_is_told_with_its_place(mistake: dict[str, Any], told: dict[str, tuple[int, str]]) -> None:
    code, said = told[mistake["what"]]
    said = " ".join(said.split())
    assert mistake["says"] in said
    assert code in (1, 2)
    assert "Traceback" not in said


def test_the_game_of_the_docs_keeps_the_contract(tmp_path: Path) -> None:
    install(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", CHECK_EACH, str(tmp_path)], capture_output=True, text=True, check=False
    )
    ((code, said),) = json.loads(done.stdout)
    assert (code, said) == (0, "Coinflip keeps the contract: 1 roll, 4 rules.\n")


def test_there_are_mistakes_in_every_file_of_a_game() -> None:
    assert {mistake["file"] for mistake in MISTAKES} >= {path for path in files() if path.startswith("coinflip/")}
