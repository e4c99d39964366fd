"""The registry: built-in games, and games of other packages found by their entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from astragal import Unknown, all_games, game
from astragal.errors import Faulty
from astragal.games.registry import BUILT_IN, broken_games
from astragal.questions.wire_games import declare_games
from tests.fifth_game import install

ROOT = Path(__file__).parents[2]


def test_the_four_games_are_there_without_a_look_at_what_is_installed() -> None:
    assert [found.name for found in all_games()][:4] == ["narraject", "tgimh", "chronicles", "razorweave"]
    assert game("tgimh").title == "TGIMH"


def test_an_unknown_game_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(Unknown, match='There is no game "poker"; there are narraject, tgimh, chronicles, razorweave'):
        game("poker")


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_input_is_called_by_the_name_of_a_field(name: str) -> None:
    """What a sheet or another part of the table gives is never asked; everything else has a title."""
    asked = [one for kind in game(name).kinds.values() for one in kind.ask.inputs.values() if one.whose != "sheet"]
    assert [one.name for one in asked if not one.title] == []


BROKEN = {
    "slow": "raise SystemExit('bye')",
    "typo": "from astragal.author import Gaem as GAME",
    "wrong": "GAME = 7",
}
"""Packages that cannot be used, by name: each in a way of its own."""


def spoil(folder: Path) -> None:
    """Installed packages that are broken, beside one that works."""
    for name, text in BROKEN.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
        info = folder / f"{name}_pack-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-pack\nVersion: 1\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[astragal.games]\n{name} = {name}:GAME\n", "utf-8")


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-m", "astragal", *words], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )


def test_broken_packages_are_listed_with_their_error_and_take_nobody_down(tmp_path: Path) -> None:
    install(tmp_path)
    spoil(tmp_path)
    listed = run(tmp_path, "games")
    assert listed.returncode == 0, listed.stderr
    assert "coinflip     Flip coins" in listed.stdout
    assert "slow         broken (slow-pack): slow.py, line 1: SystemExit: bye." in listed.stdout
    assert "typo         broken (typo-pack): typo.py, line 1: ImportError: cannot import name 'Gaem'" in listed.stdout
    assert "wrong        broken (wrong-pack): wrong:GAME is a int, not a Game." in listed.stdout
    assert run(tmp_path, "roll", "coinflip", "3", "--seed", "1").returncode == 0
    refused = run(tmp_path, "roll", "typo", "3")
    assert refused.returncode == 2
    assert refused.stderr.startswith("astragal: The game typo of typo-pack is broken: typo.py, line 1: ImportError")


def test_a_package_that_is_installed_while_a_program_runs_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "wrong" not in [found.name for found in broken_games()]
    spoil(tmp_path)
    assert {"slow", "typo", "wrong"} <= {found.name for found in broken_games()}
    assert [found.name for found in all_games()][:4] == ["narraject", "tgimh", "chronicles", "razorweave"]
    games = declare_games()
    assert {found.name for found in games.broken} >= {"slow", "typo", "wrong"}
    with pytest.raises(Faulty, match="wrong:GAME is a int, not a Game") as refused:
        game("wrong")
    assert refused.value.public == "The game wrong has a mistake in it; astragal check wrong tells its author more."


def test_a_mistake_in_an_outside_game_is_a_sentence_when_it_is_played(tmp_path: Path) -> None:
    install(tmp_path)
    path = tmp_path / "coinflip" / "flip.py"
    path.write_text(path.read_text("utf-8").replace("    if heads >= ask.needed:", "    if 1 // 0:"), "utf-8")
    done = run(tmp_path, "roll", "coinflip", "3", "--seed", "1")
    assert done.returncode == 2
    assert done.stderr == (
        "astragal: The game coinflip has a mistake in it: flip.py, line 49: ZeroDivisionError: integer division or "
        "modulo by zero. astragal check coinflip may say more.\n"
    )


def test_a_fifth_game_is_tested_by_existing(tmp_path: Path) -> None:
    """The outside game of the docs, installed as a package, passes the whole contract."""
    name = install(tmp_path)
    contracts = [ROOT / "tests" / "games" / file for file in ("test_contract.py", "test_table_contract.py")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", name, "-rA", *map(str, contracts)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.count(name) > 10
