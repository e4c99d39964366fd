"""Imports only ever point left: dice ← rule ← games ← cli. The first three need nothing but the standard library."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import astragal

ROOT = Path(astragal.__file__).parent
ROOMS = ["dice", "rule", "games", "lint", "questions", "audit", "table", "store", "repository", "serve", "cli"]
PURE = {"dice", "rule", "games", "lint", "audit", "questions"}
WIRE = sorted(ROOT.glob("questions/wire*.py"))
"""What turns answers into JSON needs msgspec."""
MODULES = sorted(path for path in ROOT.rglob("*.py"))


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            yield node.module or ""


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if parts[0] == "astragal" and len(parts) > 1 and parts[1] in ROOMS else ""


def module_of(path: Path) -> str:
    return ".".join(["astragal", *path.relative_to(ROOT).with_suffix("").parts])


@pytest.mark.parametrize("path", MODULES, ids=module_of)
def test_imports_point_left(path: Path) -> None:
    room = room_of(module_of(path))
    for module in imports_of(path):
        if room and room_of(module):
            assert ROOMS.index(room_of(module)) <= ROOMS.index(room), f"{room} imports {module}"


@pytest.mark.parametrize(
    "path", [path for path in MODULES if room_of(module_of(path)) in PURE and path not in WIRE], ids=module_of
)
def test_what_plays_and_solves_needs_only_the_standard_library(path: Path) -> None:
    for module in imports_of(path):
        assert module.split(".")[0] in sys.stdlib_module_names | {"astragal"}


@pytest.mark.parametrize("path", sorted(ROOT.glob("games/*/*.py")), ids=module_of)
def test_no_game_knows_another(path: Path) -> None:
    own = module_of(path).split(".")[:3]
    for module in imports_of(path):
        if module.startswith("astragal.games."):
            assert module.split(".")[:3] == own


def test_every_room_that_exists_is_in_the_order() -> None:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(ROOMS)
