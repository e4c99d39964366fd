"""The registry: built-in games, and games of other packages found by their entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from astragal import Unknown, all_games, game
from tests.fifth_game import install

ROOT = Path(__file__).parents[2]


def test_the_four_games_are_there_without_a_look_at_what_is_installed() -> None:
    assert [found.name for found in all_games()][:4] == ["narraject", "tgimh", "chronicles", "razorweave"]
    assert game("tgimh").title == "TGIMH"


def test_an_unknown_game_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(Unknown, match='There is no game "poker"; there are narraject, tgimh, chronicles, razorweave'):
        game("poker")


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
