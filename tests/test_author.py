"""What programs and outside games import: every name is there, and loaded with its first use."""

from __future__ import annotations

import ast
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import astragal
from astragal import author, odds, play, roll
from astragal.errors import Illegal
from astragal.games.chronicles import Attempt
from astragal.rule.typed import Typed


@pytest.mark.parametrize("name", author.__all__)
def test_every_name_for_authors_is_there(name: str) -> None:
    assert getattr(author, name) is not None


def test_a_name_that_is_not_there_is_an_error_for_programs_and_type_checkers() -> None:
    with pytest.raises(AttributeError, match="Sheet2"):
        getattr(author, "Sheet2")  # noqa: B009
    declared = Path(author.__file__).with_suffix(".pyi").read_text("utf-8")
    assert len(author.__all__) == declared.count("\nfrom ")


def test_the_built_in_games_import_nothing_else_of_astragal() -> None:
    for path in sorted(Path(astragal.__file__).parent.glob("games/*/*.py")):
        own = f"astragal.games.{path.parent.name}"
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("astragal"):
                module = node.module or ""
                assert module == "astragal.author" or f"{module}.".startswith(f"{own}."), f"{path} imports {module}"


@pytest.mark.parametrize("name", astragal.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(astragal, name) is not None


def test_a_game_is_imported_as_a_module_of_the_package() -> None:
    import astragal.games.narraject

    assert astragal.games.narraject.GAME.name == "narraject"


def test_odds_take_notation_an_ask_or_a_tree() -> None:
    assert odds("4d6kh3")[18] == Fraction(7, 432)
    assert odds("2d6", lambda total: total >= 10)[True] == Fraction(1, 6)
    assert odds(Attempt(pool=1), "successes").at_least(1) == Fraction(3, 10)
    with pytest.raises(Illegal, match="no fact"):
        odds("2d6", "successes")


def test_a_roll_takes_notation_or_an_ask() -> None:
    assert roll("5d6kh4 + 2", Typed("2 3 4 5 6")).result == (20,)
    rolled = roll(Attempt(pool=2), Typed("8 3"))
    assert rolled.result and rolled.result.successes == 1
    assert play(Attempt(pool=2), Typed("8 3")).result == rolled.result


def test_importing_astragal_loads_nothing_else_of_it() -> None:
    code = "import sys, astragal; print(*[name for name in sys.modules if name.startswith('astragal')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"astragal", "astragal.explain"}
