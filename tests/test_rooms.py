"""Imports only ever point one way, from room to room and inside rooms; the engine needs only the standard library."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import astragal

ROOT = Path(astragal.__file__).parent
ROOMS = [
    "dice",
    "rule",
    "explain",
    "notation",
    "anydice",
    "written",
    "games",
    "lint",
    "questions",
    "audit",
    "table",
    "check",
    "storage",
    "serve",
    "agents",
    "cli",
]
PURE = {"dice", "rule", "explain", "notation", "anydice", "written", "games", "lint", "audit", "questions"}
WIRE = sorted(ROOT.glob("questions/wire*.py"))
"""What turns answers into JSON needs msgspec."""
EDGE = {"questions", "serve", "agents", "cli"}
"""The rooms that may know AnyDice's language."""
INSIDE: dict[str, list[set[str]]] = {
    "dice": [
        {"dice", "faces", "rng", "provable", "estimates", "cache"},
        {"distribution", "parts", "reading", "reach", "solver", "render"},
    ],
    "rule": [
        {"inputs", "tree", "verdict", "texts"},
        {"game"},
        {"typed", "chances", "sheets"},
    ],
    "explain": [
        {"hint", "cover", "translator", "visible"},
        {"report", "translation"},
        {"example", "tones"},
    ],
    "notation": [
        {"term", "condition", "dialect", "expression"},
        {"pool", "arithmetic", "endless", "syntax"},
        {"parser", "throw", "odds"},
        {"walk"},
        {"play", "solve"},
    ],
    "table": [
        {
            "action",
            "roll_event",
            "event",
            "entry",
            "chain",
            "state",
            "access",
            "ruleset",
            "twins",
            "words",
        },
        {"requests", "turns", "kept"},
        {"fold", "fold_sheets"},
        {"rolls"},
        {"view"},
        {"decide"},
        {"table"},
        {"log"},
    ],
    "storage": [
        {"address", "backup", "migrate", "open", "postgres", "record", "sql", "sqlite", "store"},
        {"tables"},
    ],
    "serve": [
        {"settings", "telemetry"},
        {"problems", "replays"},
        {"access"},
        {"limits"},
        {"workers"},
        {"health"},
        {"live"},
        {"state"},
        {"http"},
        {"chat"},
        {"api"},
        {"app"},
        {"server"},
    ],
    "agents": [
        {"texts"},
        {"api"},
        {"tool", "in_process"},
        {"question_tools", "seat_view"},
        {"action_tools", "reading_tools"},
        {"resources"},
        {"server"},
        {"endpoint"},
        {"remote"},
        {"stdio"},
    ],
    "cli": [
        {"parser", "options"},
        {"render"},
        {"watch"},
        {"prompts", "read_question"},
        {"table"},
        {"commands", "completion"},
        {"main"},
    ],
}
"""The modules and folders of a room, in groups: each imports only what is in its own group or in one above."""
LATE = {("astragal.cli.completion", "astragal.cli.main"), ("astragal.cli.parser", "astragal.cli.watch")}
"""Imports against that order, made when a function runs: completion asks for all commands, a long one has progress."""
MODULES = sorted(path for path in ROOT.rglob("*.py"))


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names if is_module(f"{node.module}.{name.name}"))


def is_module(name: str) -> bool:
    """Whether this is a module or a folder of ours."""
    path = ROOT.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


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


def group_of(module: str) -> int | None:
    """The group of a module inside its room; None for the room itself, and where a room has no groups."""
    parts = module.split(".")
    if room_of(module) not in INSIDE or len(parts) < 3 or parts[2] == "__init__":
        return None
    return next(n for n, group in enumerate(INSIDE[parts[1]]) if parts[2] in group)


@pytest.mark.parametrize("path", [path for path in MODULES if room_of(module_of(path)) in INSIDE], ids=module_of)
def test_imports_inside_a_room_point_up(path: Path) -> None:
    module = module_of(path)
    own = group_of(module)
    for imported in imports_of(path):
        other = group_of(imported) if room_of(imported) == room_of(module) else None
        if own is not None and other is not None and (module, imported) not in LATE:
            assert other <= own, f"{module} imports {imported}"


@pytest.mark.parametrize("room", INSIDE)
def test_every_module_of_a_room_is_in_one_group(room: str) -> None:
    named = [name for group in INSIDE[room] for name in group]
    paths = [path for path in (ROOT / room).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert sorted(named) == sorted(path.stem for path in paths if path.stem != "__init__")


@pytest.mark.parametrize(
    "path", [path for path in MODULES if room_of(module_of(path)) in PURE and path not in WIRE], ids=module_of
)
def test_what_plays_and_solves_needs_only_the_standard_library(path: Path) -> None:
    for module in imports_of(path):
        assert module.split(".")[0] in sys.stdlib_module_names | {"astragal"}


@pytest.mark.parametrize("path", MODULES, ids=module_of)
def test_only_the_edge_knows_anydice(path: Path) -> None:
    if room_of(module_of(path)) not in EDGE | {"anydice"}:
        assert "anydice" not in {room_of(module) for module in imports_of(path)}


@pytest.mark.parametrize("path", sorted(ROOT.glob("games/*/*.py")), ids=module_of)
def test_no_game_knows_another(path: Path) -> None:
    own = module_of(path).split(".")[:3]
    for module in imports_of(path):
        if module.startswith("astragal.games."):
            assert module.split(".")[:3] == own


@pytest.mark.parametrize("path", sorted(ROOT.glob("storage/**/*.py")), ids=module_of)
def test_only_tables_in_a_store_know_what_records_mean(path: Path) -> None:
    if not module_of(path).startswith("astragal.storage.tables."):
        assert "table" not in {room_of(module) for module in imports_of(path)}


def test_every_room_that_exists_is_in_the_order() -> None:
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders <= set(ROOMS)
