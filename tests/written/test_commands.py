"""Every command takes a written game by the path of its file and out of a folder, and refuses with a sentence."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from astragal.cli.main import main
from astragal.games import folder
from astragal.games.folder import VARIABLE
from astragal.table.ruleset import ruleset_of

LADDER = Path(__file__).with_name("ladder.toml").read_text("utf-8")
BOOK = 'A strong hit comes in <!-- astragal: ladder(stat=0).outcome = "Strong hit" --> 17% of cases.\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with games and a book, where commands are run."""
    (tmp_path / "ladder.toml").write_text(LADDER, "utf-8")
    (tmp_path / "ladder2.toml").write_text(LADDER.replace('name = "ladder"', 'name = "second"'), "utf-8")
    (tmp_path / "bad.toml").write_text(LADDER.replace('"Ladder"', "Ladder").replace('"ladder"', '"spoilt"'), "utf-8")
    (tmp_path / "book.md").write_text(BOOK, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setenv("ASTRAGAL_DATA", str(tmp_path / "data"))
    return tmp_path


class Said:
    """What a command prints, and its exit code."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, command: str) -> tuple[int, str]:
        code = main(shlex.split(command))
        said = self.capsys.readouterr()
        return code, said.out + said.err


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(capsys)


COMMANDS = {
    "games {}": "Roll two dice, add a stat, and climb.",
    "rules {} LA-1": "Roll two d6 and add a stat.",
    "roll {} 1 --faces '6 6'": "Strong hit: total 13",
    "odds {} 1 --show outcome": "Strong hit",
    "compare '{} 1' '{} 2' --show outcome": "Weak hit",
    "lint {}": "Ladder: Climb",
    "check {}": "Ladder keeps the contract: 1 roll, 3 rules.",
    "examples {}": "LA-1",
    "table new {} Evening --name Mira": "",
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("game", ["ladder.toml", "ladder", "ladder2.toml"])
def test_a_command_takes_a_file_or_a_name_from_a_folder(command: str, game: str, said: Said) -> None:
    folders = "" if game.endswith(".toml") else "--games . "
    code, told = said(folders + command.format(game, game))
    assert code == 0, told
    assert COMMANDS[command] in told


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_refuses_a_spoilt_file_with_its_line(command: str, said: Said) -> None:
    code, told = said(command.format("bad.toml", "bad.toml"))
    assert code == 2
    assert told.startswith("astragal: bad.toml, line 2: this value cannot be read; texts are in")


def test_a_book_may_be_about_a_game_in_a_folder(said: Said) -> None:
    assert 'There is no game "ladder"' in said("audit book.md")[1]
    assert said("--games . audit book.md") == (0, "1 file, 1 figure: 1 right, 0 wrong.\n")


def test_a_roll_of_one_throw_leaves_nothing_to_advise(said: Said) -> None:
    code, told = said("advise ladder.toml 1 --faces '6 6'")
    assert (code, told) == (2, "astragal: Nothing is left to decide here: Strong hit: total 13.\n")


def test_a_table_of_a_file_knows_the_game_by_its_name(said: Said) -> None:
    """A path would hold on one machine and in one folder alone."""
    said("table new ladder.toml Evening --name Mira")
    folder._named.clear()  # as in the next command, which is another program
    ruleset_of.cache_clear()
    assert "  ladder  Evening" in said("table list")[1]
    code, told = said("table show")
    assert code == 2
    assert told == (
        'astragal: There is no game "ladder"; there are narraject, tgimh, chronicles, razorweave, '
        "and more on the shelf. "
        "If the table's game is in a TOML file, name the file's folder: --games FOLDER.\n"
    )
    assert said("--games . table show")[1].startswith("Evening, a table of Ladder")


def test_a_file_in_place_of_a_folder_is_told(said: Said) -> None:
    code, told = said("--games ladder.toml games")
    assert code == 2
    assert (
        told == 'astragal: "ladder.toml" is a file; --games takes its folder, and a file stands in place of a game.\n'
    )
