"""Every built-in game has the same files in the same places; a reader who knows one knows them all."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from astragal.games import registry
from astragal.games.registry import BUILT_IN, game

GAMES = Path(registry.__file__).parent
MODULES = {"rules", "text", "odds", "sheet", "offers", "effects", "moves", "table"}
DATA = {"examples.toml", "hints.toml", "templates.toml", "sample.toml"}
HINTS, WORDS = {"hints.toml"}, {"rules.toml"}
OWN = {
    "narraject": {"pool", "result", "after"},
    "tgimh": {"opposed", "contestant", "aftermath", "growth"},
    "chronicles": {"dice", "pool", "team", "after", "helping"},
    "razorweave": {"pool", "strike", "tiers", "outcome", "names", "oracle_table"},
}
"""What a game has besides: a part of its rules that several files share, or that would make one of them too long."""
NAMES = {
    "odds": {"FACTS", "WISHES"},
    "offers": {"offers", "reads"},
    "effects": {"apply"},
    "moves": {"MOVES"},
    "table": {"TABLE_RULES"},
}
LONGEST = 300
every_game = pytest.mark.parametrize("name", BUILT_IN)


@every_game
def test_a_game_has_the_same_files_as_every_other(name: str) -> None:
    folder = GAMES / name
    kinds = set(game(name).kinds)
    assert {path.stem for path in folder.glob("*.py")} == {"__init__", *MODULES, *kinds, *OWN[name]}
    assert {path.name for path in folder.glob("*.toml")} == (DATA - HINTS | WORDS if game(name).texts else DATA)


@every_game
def test_each_file_defines_what_its_name_says(name: str) -> None:
    assert defined(GAMES / name / "rules.py") & {"RULES", "TEXTS"}
    for module, promised in NAMES.items():
        assert promised <= defined(GAMES / name / f"{module}.py"), module
    for kind in game(name).kinds.values():
        assert {kind.ask.__name__, kind.rule.__name__} <= defined(GAMES / name / f"{kind.name}.py")
        assert {kind.headline.__name__, kind.verdict.__name__} <= defined(GAMES / name / "text.py")


def defined(path: Path) -> set[str]:
    """The names that a module defines itself."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


@every_game
def test_no_file_of_a_game_is_long(name: str) -> None:
    long = [path.name for path in (GAMES / name).glob("*.py") if len(path.read_text("utf-8").splitlines()) > LONGEST]
    assert long == []
