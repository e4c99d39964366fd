"""The shelf as a place: its games are found by name, keep the contract, and cost nothing until somebody asks."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from astragal.check import mistakes_of
from astragal.cli.completion import next_words
from astragal.cli.main import main
from astragal.errors import UnknownGame
from astragal.games.folder import VARIABLE
from astragal.games.registry import BUILT_IN, game, game_at, is_game, names, shelf_games
from astragal.games.shelf import FOLDER, shelf_file, shelf_names
from tests.serve.running import Running

ROOT = Path(__file__).parents[2]
SHELF = shelf_names()
CHECKED = [pytest.param(name, marks=pytest.mark.slow if name == "fivebones" else ()) for name in SHELF]
"""Five Bones has thousands of choices, each of which the contract weighs."""
WATCH = """
import sys
from astragal.cli.main import main

def told(event, args):
    if event in ("open", "os.listdir", "os.scandir") and str(args[0]).startswith({folder!r}):
        print(args[0], file=sys.stderr)

sys.addaudithook(told)
main({words!r})
"""
"""Runs a command, and names every file of the shelf that it opens."""


def opened_by(words: list[str]) -> list[str]:
    """The files of the shelf that a command opens, and the shelf itself if it is listed."""
    code = WATCH.format(words=words, folder=str(FOLDER))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return sorted({Path(line).name for line in done.stderr.splitlines()})


def written(name: str) -> dict[str, Any]:
    return tomllib.loads(shelf_file(name).read_text("utf-8"))


@pytest.mark.parametrize("name", CHECKED)
def test_a_game_of_the_shelf_keeps_the_contract(name: str) -> None:
    assert [str(mistake) for mistake in mistakes_of(game(name))] == []


@pytest.mark.parametrize("name", SHELF)
def test_a_game_of_the_shelf_has_all_that_an_author_would_copy(name: str) -> None:
    file, found = written(name), game(name)
    assert found.name == name
    assert found.licence and found.how and found.mood and found.icon and found.hue is not None and found.pile
    assert len(" ".join(found.how)) < 4000, "how to play is one page"
    assert len(file["character"]) >= 3 and file["hint"] and len(file["example"]) >= 4
    assert any("options" in roll for roll in file["roll"]), "no choice after the dice"
    assert "://" not in f"{found.licence.name} {found.licence.source}"


@pytest.mark.parametrize("name", SHELF)
def test_every_rule_of_the_shelf_is_seen_in_an_example_or_cited_where_it_holds(name: str) -> None:
    file = written(name)
    text = str({key: part for key, part in file.items() if key != "rules"})
    assert [number for number in file["rules"] if not re.search(rf"'{number}'", text)] == []


@pytest.mark.parametrize("name", SHELF)
def test_the_page_of_the_shelf_says_what_each_file_says(name: str) -> None:
    text = (ROOT / "docs" / "shelf.md").read_text("utf-8")
    found, (first, *_) = game(name), shelf_file(name).read_text("utf-8").splitlines()
    assert found.licence is not None
    shows = first.removeprefix(f"# {found.title}: ")
    assert shows != first, "the first line says what the game shows"
    assert f"| `{name}` | {found.title} | {shows} | {found.licence.name} |" in text
    assert f"- **{found.title}**: {found.licence.source}. {found.licence.text}" in text


def test_the_shelf_is_not_among_the_games_that_every_command_lists() -> None:
    assert not {*names()} & {*SHELF}
    assert [found.name for found in shelf_games()] == [*SHELF]


@pytest.mark.parametrize(
    "words", [["roll", "4d6kh3"], ["odds", "d20"], ["roll", "chronicles", "7"], ["rules", "tgimh"]]
)
def test_no_file_of_the_shelf_is_opened_for_other_games(words: list[str]) -> None:
    assert opened_by(words) == []


def test_a_game_of_the_shelf_is_the_only_one_that_its_name_opens() -> None:
    assert opened_by(["roll", "tinsel", "--way", "0"]) == ["tinsel.toml"]


@pytest.mark.parametrize("name", ["../games", "tinsel.toml", "shelf/tinsel", "x" * 300, "Tinsel", ""])
def test_no_other_file_is_a_game_of_the_shelf(name: str) -> None:
    assert not is_game(name)
    with pytest.raises(UnknownGame, match="and more on the shelf"):
        game(name)


def test_your_own_game_takes_the_place_of_a_shelf_game_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = shelf_file("tinsel").read_text("utf-8").replace('title = "Tar and Tinsel"', 'title = "Mine"')
    (tmp_path / "tinsel.toml").write_text(mine, "utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert game("tinsel").title == "Mine"
    assert "tinsel" in names() and "tinsel" not in [found.name for found in shelf_games()]
    monkeypatch.delenv(VARIABLE)
    assert game("tinsel").title == "Tar and Tinsel"


def test_the_list_of_games_says_that_there_is_a_shelf(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    assert capsys.readouterr().out.endswith("There are more games on the shelf: astragal games --shelf.\n")
    assert main(["games", "--shelf"]) == 0
    listed = capsys.readouterr().out
    assert [line.split()[0] for line in listed.splitlines() if line[0] != " "] == [*SHELF]
    assert main(["games", "tinsel", "--shelf"]) == 2


def test_the_shell_completes_the_names_of_the_shelf() -> None:
    assert {*SHELF} <= {*next_words(["odds"])}
    assert {*SHELF} <= {*next_words(["rules"])}


def test_rules_begin_with_how_to_play_and_end_with_the_licence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "tinsel"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    found = game("tinsel")
    assert found.licence and told.startswith(found.how[0]) and told.endswith(found.licence.text)
    assert main(["rules", "tinsel", "TT-2"]) == 0
    assert capsys.readouterr().out.startswith("TT-2")


@pytest.mark.parametrize("name", SHELF)
def test_a_copy_of_a_shelf_game_has_its_own_name_and_all_its_parts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "--like", name, f"my_{name}.toml"]) == 0
    copy = game_at(f"my_{name}.toml")
    assert (copy.name, copy.title, copy.licence) == (f"my_{name}", f"My {name}", game(name).licence)
    assert all(kind.example.split()[0] == f"my_{name}" for kind in copy.kinds.values())
    assert [*copy.kinds] == [*game(name).kinds] and copy.rules == game(name).rules
    if name == "tinsel":
        assert main(["check", "my_tinsel.toml"]) == 0


REFUSED = {
    "new --like tinsel there.toml": '"there.toml" exists already, and is not overwritten; choose another name.',
    "new --like poker mine.toml": 'There is no game "poker" on the shelf; there are ',
    "new mine.toml": "Say which game is copied: --like ",
    "new --like tinsel My.toml": '"My.toml" cannot be the file of a game',
    "new --like tinsel tgimh.toml": '"tgimh.toml" cannot be the file of a game',
    "new --like tinsel mine.txt": '"mine.txt" cannot be the file of a game',
    "new --like tinsel no/mine.toml": '"no/mine.toml" cannot be written: No such file or directory.',
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_copy_that_cannot_be_made_is_refused_and_nothing_is_written(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.toml").write_text("mine", "utf-8")
    assert main(words.split()) == 2
    assert capsys.readouterr().err.startswith(f"astragal: {REFUSED[words]}")
    assert [(path.name, path.read_text("utf-8")) for path in tmp_path.iterdir()] == [("there.toml", "mine")]


def test_a_server_lists_covers_and_has_each_game_and_its_tables_by_name(server: Running) -> None:
    guest = server.guest()
    listed = guest.get("/api/games")
    assert [cover["name"] for cover in listed["shelf"]] == [*SHELF]
    assert [found["name"] for found in listed["games"]][: len(BUILT_IN)] == [*BUILT_IN]
    for cover in listed["shelf"]:
        found = guest.get(f"/api/games/{cover['name']}")
        assert cover == {**{key: found.get(key) for key in cover}, "source": found["licence"]["source"]}
        assert found["how"]
    assert guest.get("/api/games/tgimh") == next(found for found in listed["games"] if found["name"] == "tgimh")
    assert guest.http.get("/api/games/poker").status_code == 404
    made = guest.http.post("/api/tables", json={"game": "tinsel", "title": "T", "name": "Mira"})
    assert made.status_code == 201
