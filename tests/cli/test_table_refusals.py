"""Refusals of ``astragal table``: one sentence, exit code 2, nothing on stdout, nothing changed."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.command import run
from tests.cli.test_table_campaign import Table, at
from tests.cli.test_table_files import state_of

__all__ = ["at"]

WITHOUT_A_TABLE = [
    ("", "Say what to do with a table: new, list"),
    ("sing", 'There is no "astragal table sing"'),
    ("show", "There is no table yet"),
    ("do note x", "There is no table yet"),
    ("undo", "There is no table yet"),
    ("delete x --yes", "There is no table yet"),
    ("new", "GAME is missing; for example astragal table new narraject"),
    ("new poker Aces", 'There is no game "poker"'),
    ("new narraject", "A table needs a title"),
    ("new narraject ' '", "A table needs a title"),
    (f"new narraject {'x' * 81}", "A title has at most 80 characters, not 81"),
    ("new narraject 'a\nb'", "The title has a line break in it"),
    ("new narraject X --name ' '", "Your name has no visible character"),
    ("new narraject X --option edition=vintage", "it must be marks or hits (NJ-1)."),
    ("new narraject X --option colour=red", 'There is no setting "colour"; there are '),
    ("new narraject X --option edition", 'The setting "edition" has no value; write NAME=VALUE'),
    ("new narraject X --sample", "give neither with --sample"),
    ("new narraject X Y", '"Y" is one word too many'),
    ("export", "FILE is missing"),
    ("import", "FILE is missing"),
    ("list x", '"x" is one word too many'),
    ("log --last 0", "it must be a whole number from 1"),
    ("new poker --sample", 'There is no game "poker"'),
]
AT_A_TABLE = [
    ("show Nowhere", 'There is no table "Nowhere"; there are "The Letter in the Granary"'),
    ("show --as Nobody", 'There is no member "Nobody"; there are Mira, Jonas, Ada.'),
    ("show --colour", 'There is no option "--colour"'),
    ("do", "Say what to do: roll, open"),
    ("do dance", '"dance" is not an action, and one must follow a table\'s name'),
    ("do 'the letter in the granary' dance", 'There is no action "dance"'),
    ("do Nowhere note x", 'There is no table "Nowhere"'),
    ("do note", "TEXT is missing; for example"),
    ("do note x --as Nobody", 'There is no member "Nobody"'),
    ("do note x --as", "--as needs a value"),
    ("do note x --seen nobody", '--seen is "nobody"; it must be all, owner or gm.'),
    ("do join", "NAME is missing"),
    ("do join Jonas", "Jonas sits at this table already"),
    ("do join Eva --role king", "it must be gm, player or onlooker"),
    ("do create Eva --template Nobody", 'There is no template "Nobody"; there are Kira Voss'),
    ("do create Eva --owner Nobody", 'There is no member "Nobody"'),
    ("do edit Kira skills", "ITEM is missing"),
    ("do edit Kira skills Flying dice", '"dice" has no =; write a field, = and its value'),
    ("do edit Kira skills Flying dice=2", 'Skills has no field "dice"'),
    ("do edit Kira spells Flying dice=2", 'Kira has no section "spells"; there are about'),
    ("do edit Kira attributes Might --remove", "has a fixed list"),
    ("do change Kira attributes Might x", 'by is "x"'),
    ("do change Kira attributes Might 5000", "by is 5000"),
    ("do change Kira skills Knives 1", "has nothing that is counted"),
    ("do change Nobody attributes Might 1", 'There is nobody called "Nobody"'),
    ("do change Kira resolve Resolve -1", "Resolve has 0 ticks; 1 cannot be taken back (RW-10)."),
    ("do tick Nothing", 'There is no Clock "Nothing"; there are Into the granary, The bell rings.'),
    ("do tick Resolve", 'There is no Clock "Resolve"'),
    ("do clock Doom 99", "from 1 to 24 (RW-10)."),
    ("do clock Doom --kind sideways", "it must be goal, threat or resolve (RW-10)."),
    ("do clock Doom --seen sideways", "it must be all, gm or veiled"),
    ("do hold Kira", "That changes nothing"),
    ("do close", "No scene is open"),
    ("do roll --who Nobody --dc 12", 'There is nobody called "Nobody"'),
    ("do roll --who Kira", "dc is missing"),
    ("do roll --dc 1000", "from 1 to 99 (RW-2)."),
    ("do roll --dc 12 --use Luck", '"Luck" cannot be put into this roll'),
    ("do roll --dc 12 --faces '7 1 1 1'", "The 1st d6 cannot show 7"),
    ("do roll --dc 12 --faces '1 1'", "Too few faces"),
    ("do roll --dc 12 --faces '1 1 1 1' --answer yes", '"yes" answers nothing'),
    ("do roll --dc 12 --by-hand", "this is not one"),
    ("do roll --dc 12 --hide colour", 'There is no input "colour"'),
    ("do roll --dc 12 --seen sideways", "it must be all, owner, gm or blind"),
    ("do roll 12 13", '"13" is one word too many'),
    ("do throw", "No roll is open"),
    ("do build --dc 12", "No roll is open"),
    ("do answer yes", '"yes" is not an answer'),
    ("do withdraw r12", 'There is no roll "r12"'),
    ("do reveal", "No roll is hidden"),
    ("do move", "Say which move: Razorweave has race"),
    ("do move dance", 'Razorweave has no move "dance"'),
    ("do move race --goal x", "threat is missing"),
    ("do move race --goal x --threat y", 'The table has no Clock "x"'),
    ("do --json {}", "The action cannot be read"),
    ("do --json={", "The action cannot be read"),
    ("""do --json '{"do": "note"}'""", "missing required field `text`"),
    ("""do --json '{"do": "fly"}'""", "The action cannot be read"),
    ("""do --json '{"do": "close"}' note x""", 'An action in JSON is complete, but "note" came with it.'),
    (
        """do --json '{"do": "found", "game": "tgimh", "title": "x", "name": "y"}'""",
        "Create a table with astragal table new",
    ),
    ("undo ffff", 'There is no entry "ffff"'),
    ("undo nowhere ffff", 'There is no table "nowhere"'),
    ("redo", "Nothing is undone"),
    ("delete", "TABLE is missing"),
    ("delete 'the letter in the granary'", "--yes deletes the table"),
    ("delete nowhere --yes", 'There is no table "nowhere"'),
    ("import nothing.json --into nowhere", "cannot be read"),
]


@pytest.mark.parametrize(("words", "part"), WITHOUT_A_TABLE, ids=[words for words, _ in WITHOUT_A_TABLE])
def test_without_a_table_it_is_refused_and_no_file_is_made(words: str, part: str, at: Table) -> None:
    assert part in _refused(at, words)
    assert not at.folder.exists()


def _refused(at: Table, words: str) -> str:
    if words:
        return at.refuses(words)
    ran = run("table")
    assert (ran.code, ran.out) == (2, "")
    return ran.err


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "data"
    assert run("table", "new", "razorweave", "--sample", "--data", str(folder)).code == 0
    return folder


@pytest.mark.parametrize(("words", "part"), AT_A_TABLE, ids=[words for words, _ in AT_A_TABLE])
def test_at_a_table_it_is_refused_and_nothing_is_changed(
    words: str, part: str, sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = Table(sample, capsys)
    before = state_of(sample)
    assert part in at.refuses(words)
    assert state_of(sample) == before


@pytest.mark.parametrize("words", ["list", "show", "new narraject X", "do note x", "import x.jsonl"])
def test_a_data_folder_that_cannot_be_used(words: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tables.db").write_text("no store")
    (tmp_path / "x.jsonl").write_text("{}\n")
    for folder, part in (("data", "not an Astragal store"), ("file", "")):
        words = words.replace("x.jsonl", str(tmp_path / "x.jsonl"))
        ran = run("table", *shlex.split(words), "--data", str(tmp_path / folder))
        if (words, folder) != ("list", "file"):
            assert (ran.code, ran.out) == (2, "")
            assert "Traceback" not in ran.err
            assert len(ran.err.splitlines()) == 1
            assert part in ran.err or words.startswith("import")
    assert (tmp_path / "data" / "tables.db").read_text() == "no store"


def test_a_read_only_data_folder_is_a_sentence() -> None:
    """Root may write everywhere but here."""
    ran = run("table", "new", "narraject", "X", "--data", "/proc/astragal")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("astragal: ")
    assert "cannot be opened" in ran.err


def test_a_data_folder_needs_a_name() -> None:
    assert run("table", "list", "--data", " ").err == "astragal: --data needs the name of a folder.\n"


def test_an_end_of_input_is_no_error(tmp_path: Path) -> None:
    ran = run("table", "import", "-", "--data", str(tmp_path), typed="")
    assert (ran.code, ran.err) == (2, "astragal: This file is not an Astragal table: its first line does not say so.\n")


@pytest.mark.parametrize("verb", ["roll", "open", "build", "move", "note", "throw"])
def test_the_help_of_an_action_needs_no_table(verb: str, tmp_path: Path) -> None:
    ran = run("table", "do", verb, "--help", "--data", str(tmp_path))
    assert (ran.code, ran.err) == (0, "")
    assert f"usage: astragal table do [TABLE] {verb}" in ran.out
