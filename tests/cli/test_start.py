"""What the program loads before it answers: few files, none twice, no game."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import astragal
from astragal.notation.syntax.grammar import NotationParser
from tests.cli.command import run

ROOT = Path(astragal.__file__).parent
MOST = {
    ("odds", "4d6kh3"): 24,
    ("odds", "4d6 >= 14"): 24,
    ("roll", "4d6kh3"): 72,
    ("roll", "chronicles", "7"): 48,
    ("odds", "chronicles", "7"): 72,
}
"""Our files that a command may load, those of a folder without code in it aside."""

SLOW = {"argparse", "dataclasses", "difflib", "html", "inspect", "json", "msgspec", "pathlib", "rich", "shutil"}
"""Modules that take a millisecond or more to load; a plain answer in a pipe needs none of them."""


def modules_of(*words: str) -> list[str]:
    """The modules that a command loads in a process of its own."""
    traced = [sys.executable, "-X", "importtime", "-m", "astragal", *words]
    done = subprocess.run(traced, capture_output=True, text=True, timeout=60, check=True)
    return [line.rpartition("|")[2].strip() for line in done.stderr.splitlines()]


def loaded_by(*words: str) -> list[str]:
    """Ours of them, if they have code: ``__main__``, which runs, is not among those that are imported."""
    ours = [name for name in modules_of(*words) if name.partition(".")[0] == "astragal" and has_code(name)]
    return ["astragal.__main__", *ours]


def has_code(module: str) -> bool:
    path = ROOT.parent.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return len(ast.parse(file.read_text("utf-8")).body) > 1


@pytest.mark.parametrize(("words", "most"), MOST.items(), ids=[" ".join(words) for words in MOST])
def test_a_command_loads_few_files(words: tuple[str, ...], most: int) -> None:
    loaded = loaded_by(*words)
    print(f"astragal {' '.join(words)} loads {len(loaded)} of our files: {', '.join(loaded)}")  # noqa: T201
    assert len(loaded) <= most
    assert len(loaded) == len(set(loaded))


def test_plain_dice_load_neither_the_parser_nor_a_game_nor_the_rules() -> None:
    rooms = ("astragal.games", "astragal.rule", "astragal.written", "astragal.anydice", "astragal.notation.parser")
    assert not [name for name in loaded_by("odds", "4d6kh3") if name.startswith(rooms)]


@pytest.mark.parametrize("words", MOST, ids=" ".join)
def test_a_start_loads_nothing_slow(words: tuple[str, ...]) -> None:
    assert not SLOW & {*modules_of(*words)}


@pytest.mark.parametrize(("text", "times"), [("5d6kh4", 0), ("5d6kh4 + 1d4", 1), ("5d6kh4 >= 6", 1)])
def test_notation_is_parsed_at_most_once(text: str, times: int) -> None:
    parsed = 0

    def count(frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal parsed
        parsed += event == "call" and frame.f_code is NotationParser.whole.__code__

    sys.setprofile(count)
    try:
        assert run("odds", text).code == 0
    finally:
        sys.setprofile(None)
    assert parsed == times


def test_the_function_explain_is_not_hidden_by_the_room_of_this_name() -> None:
    code = "import astragal.explain.visible, astragal; from astragal import explain; print(explain, astragal.explain)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.count("<function explain") == 2
