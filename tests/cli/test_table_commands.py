"""The other parts of ``astragal table``: lists, undo and redo, stats, story, help, completion, the guided campaign."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from astragal.cli.render.sheet import LETTERS, PICTURES, SheetText
from astragal.cli.table import SUBCOMMANDS
from astragal.cli.table.forms import TYPES, VERBS
from astragal.cli.table.show import waits_for
from astragal.cli.table.stats import reading
from astragal.rule.inputs.input import Whole
from astragal.rule.sheets.sheet import Section
from astragal.table.action import Action
from astragal.table.view.roll_model import RollView
from tests.cli.command import run, run_apart, run_on_terminal
from tests.cli.test_table_campaign import GAMES, Table, at

__all__ = ["at"]


def test_a_list_has_game_title_members_entries_and_the_last_change(at: Table) -> None:
    assert at.says("list").startswith("There is no table yet")
    assert at.json("list") == {"tables": []}
    assert not at.folder.exists(), "whoever only looks makes no file"
    id = at.says("new tgimh --sample --name Eva").strip()
    at.says('new narraject "Solo"')
    (row, solo) = at.json("list")["tables"]
    assert (row["id"], row["game"], row["title"], row["members"]) == (
        id,
        "tgimh",
        "The Bridge at Low Water",
        ["Eva", "Jonas", "Ada"],
    )
    assert row["last"] >= row["created"]
    assert (solo["entries"], solo["members"]) == (1, ["GM"])
    assert [line.split()[1] for line in at.says("list").splitlines()] == ["game", "tgimh", "narraject"]


def test_tables_by_id_by_its_beginning_and_by_title(at: Table) -> None:
    id = at.says('new narraject "The Well"').strip()
    at.says('new tgimh "Another"')
    for name in (id, id[:5], "'the WELL'", "'The Well '", f"-- {id}"):
        assert at.says(f"show {name}").startswith("The Well, a table of Narraject")
    at.says('do "the well" note "In words, after the name"')
    assert "In words" in at.says(f"log {id} --last 1")


def test_delete_wants_to_be_sure(at: Table) -> None:
    at.says('new narraject "The Well"')
    at.refuses('delete "The Well"')
    assert at.says('delete "The Well" --yes') == '"The Well" is deleted.\n'
    assert at.json("list") == {"tables": []}


@pytest.mark.parametrize("game", GAMES)
def test_undo_and_redo_lead_back_to_the_same_sheets(game: str, at: Table) -> None:
    at.says(f"new {game} --sample")
    before = at.json("show")
    at.says("do close") if before["scene"]["open"] else at.says('do scene "Once more"')
    at.says("do clock Doom 4")
    at.says("do tick doom 3")
    after = at.json("show")
    for _ in range(3):
        assert " undid " in at.says("undo")
    assert at.json("show")["holders"] == before["holders"]
    for _ in range(3):
        assert " put back " in at.says("redo")
    assert at.json("show")["holders"] == after["holders"]


def test_an_entry_is_undone_by_the_beginning_of_its_id_and_marked_in_the_log(at: Table) -> None:
    at.says('new narraject "The Well"')
    at.says("do clock Doom 4")
    at.says("do note hello")
    entry = at.says("log").splitlines()[-2].split()[0]
    assert len(entry) == 8
    at.says(f"undo {entry}")
    assert f"{entry}  (undone) A Clock begins: Doom" in at.says("log")
    assert "Doom" not in at.says("show")
    at.says(f"redo 'the well' {entry}")
    assert "Doom [----] 0/4 (goal)" in at.says("show")


def test_a_roll_that_has_gone_on_is_not_redone(at: Table) -> None:
    at.says('new narraject "The Well"')
    at.says("do create Ysolde --template ysolde")
    at.says("do open --who Ysolde --use Might=2")
    at.says('do throw --faces "5 1 | 2"')
    at.says("undo")
    assert "only new ones are typed" in at.refuses('do throw --faces "6 1 | 2"')
    again = "[5] 1 | Step Die 2 (typed by GM, the same dice as before the undo)"
    assert again in at.says("do throw") + at.says("log --last 1")
    assert "The roll has gone on" in at.refuses("redo")
    at.says("undo")
    at.says('do throw --faces "6 1 | 3" --fresh')
    assert "Change it?" in at.says("show")


def test_a_roll_is_named_by_the_beginning_of_its_id(at: Table) -> None:
    at.says('new chronicles "The Dome"')
    first = at.json("do open 3")["waits"][0]["id"]
    at.says("do open 5")
    assert "(" + first[:9] + ")" in at.says("show")
    at.says(f"do build --roll {first[:9]} --modifier 1")
    assert "Success: 2 successes." in at.says(f"do throw {first[:9]} --faces '8 8 1 1'")
    assert len(at.json("do withdraw")["waits"]) == 0


def test_things_are_taken_out_of_a_roll_again(at: Table) -> None:
    at.says('new narraject "The Well"')
    at.says("do create Ysolde --template ysolde")
    at.says("do open --who Ysolde --use Might=2 --difficulty 3")
    assert "In it: Might × 2" in at.says("do build --drop difficulty")
    assert "In it" not in at.says("do build --use Might=0")
    assert at.json("show")["rolls"][0]["inputs"] == {}


def test_an_action_in_json_is_answered_in_json(at: Table) -> None:
    at.says('new narraject "The Well"')
    done = json.loads(at.says("""do --json '{"do": "roll", "inputs": {"d6": 2}, "faces": "1 1 | 2"}'"""))
    assert done["entry"]["do"] == "roll"
    assert done["waits"][0]["open"]["choice"] == "spend"
    assert json.loads(at.says("do answer settle --json"))["waits"] == []


def test_every_action_can_be_said_and_every_form_has_help(at: Table) -> None:
    at.says('new narraject "The Well"')
    said = {kind.__struct_config__.tag for kind in Action.__args__}  # type: ignore[attr-defined]
    assert said - set(VERBS) == {"found", "announce", "confirm"}, "the server's own, and that of pages which remember"
    assert set(TYPES) == set(VERBS), "each has an example"
    at.says("do open 2")
    for verb in VERBS:
        shown = at.says(f"do {verb}{' refill' if verb == 'move' else ''} --help")
        assert shown.startswith(f"usage: astragal table do [TABLE] {verb}")
        assert "examples:\n  astragal table do" in shown
    assert all(f"\n  {verb} " in at.says("do --help") for verb in VERBS)


@pytest.mark.parametrize("part", SUBCOMMANDS)
def test_every_part_has_help_with_examples(part: str) -> None:
    ran = run("table", part, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"usage: astragal table {part}")
    assert "examples:\n  astragal table" in ran.out


def test_stats_tell_luck_as_a_percentile_and_in_words(at: Table) -> None:
    at.says('new chronicles "The Dome"')
    assert at.says("stats") == "Nobody has thrown dice yet.\n"
    at.says("do create Inez --template inez")
    at.says("do roll --who Inez --use Wits --use Investigation --faces '9 9 9 9 9'")
    (inez, gm) = at.json("stats")["luck"]
    assert (inez["name"], gm["name"], inez["throws"], inez["total"]) == ("Inez", "GM", 1, 5)
    assert inez["reading"] == "very lucky"
    assert Fraction(inez["percentile"]["exact"]) > Fraction(98, 100)
    assert "very lucky" in at.says("stats")
    assert (inez["typed"], inez["again"]) == (1, 0)
    assert "Typed: Inez 1 and GM 1." in at.says("stats")


def test_readings_of_luck() -> None:
    told = [reading(Fraction(n, 100)) for n in (0, 4, 5, 24, 50, 75, 95, 100)]
    assert told == [
        "very unlucky", "very unlucky", "unlucky", "unlucky", "neither lucky nor unlucky", "lucky", "very lucky",
        "very lucky",
    ]  # fmt: skip


def test_a_story_is_markdown_on_screen_or_in_a_file(at: Table) -> None:
    at.says("new narraject --sample")
    story = at.says("story")
    assert story.startswith("# The Drowned Bell\n")
    assert "## The sunken chapel, at low tide" in story
    file = at.folder.parent / "story.md"
    assert at.says(f"story -o {file}") == f"The story is in {file}.\n"
    assert file.read_text() == story


# Pictures.


def test_sheets_read_in_pictures_and_in_plain_letters() -> None:
    points = {"now": Whole(0, 99, "points"), "full": Whole(0, 99, "most")}
    pips = Section("stats", "Stats", "pips", points, counts="now", top="full")
    for signs, few in ((PICTURES, "Might ●●○ 2/3"), (LETTERS, "Might **. 2/3")):
        drawing = SheetText({}, signs)
        assert drawing.item(pips, "Might", {"now": 2, "full": 3}) == few
        assert drawing.item(pips, "Might", {"now": 20, "full": 30}) == "Might 20/30"
        assert drawing.item(pips._replace(look="clock"), "Doom", {"now": 1, "full": 4}) == "Doom [#---] 1/4"
        assert drawing.item(pips, "Might", {"seen": "veiled"}) == "Might (its state is hidden)"
    tracks = pips._replace(look="boxes")
    assert SheetText({}, LETTERS).item(tracks, "Power", {"now": [2], "full": 3}) == "Power [ ][x][ ]"


def test_a_terminal_with_plain_letters_only(tmp_path: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii", "ASTRAGAL_DATA": str(tmp_path)}
    run("table", "new", "tgimh", "--sample", env=env)
    shown = run_apart("table", "show", env=env)
    assert "****..... 4/9" in shown.out
    assert "[ ][x][x][ ][x]" in shown.out
    assert "[#---] 1/4" in shown.out


def test_a_roll_that_no_longer_fits_the_rules_says_so_and_how_to_give_it_up() -> None:
    roll = RollView("r1", "check", "Check", "m1", "", "", [], "all", [], False, True, missing="DC is at most 15.")
    assert list(waits_for(roll)) == ["It cannot continue: DC is at most 15. Next: do withdraw."]


# Where tables are kept, and what is loaded.


def test_the_data_folder_is_the_option_then_the_variable_then_the_data_home(tmp_path: Path) -> None:
    env = {"ASTRAGAL_DATA": "", "XDG_DATA_HOME": str(tmp_path / "shared"), "HOME": str(tmp_path / "home")}
    run("table", "new", "narraject", "Shared", env=env)
    assert (tmp_path / "shared" / "astragal" / "tables.db").exists()
    run("table", "new", "narraject", "Home", env={**env, "XDG_DATA_HOME": "relative"})
    assert (tmp_path / "home" / ".local" / "share" / "astragal" / "tables.db").exists()
    env["ASTRAGAL_DATA"] = str(tmp_path / "variable")
    run("table", "new", "narraject", "Variable", env=env)
    run("table", "new", "narraject", "Option", "--data", str(tmp_path / "option"), env=env)
    assert run("table", "list", "--json", env=env).json["tables"][0]["title"] == "Variable"
    assert (tmp_path / "option" / "tables.db").exists()


def test_a_roll_loads_nothing_of_the_tables() -> None:
    code = (
        "import sys; from astragal.cli.main import main; main(['roll', 'chronicles', '3', '--faces', '8 1 1']); "
        "print([name for name in sys.modules if name.startswith(('astragal.table', 'astragal.storage', "
        "'astragal.storage.tables', 'astragal.cli.table', 'msgspec', 'sqlite3'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


# Completion.


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("", {*SUBCOMMANDS, "--help"}),
        ("new", {"narraject", "razorweave"}),
        ("new narraject", {"--sample", "--option", "--name"}),
        ("show", {"The Letter in the Granary", "--as", "--json"}),
        ("log", {"--last", "--rules"}),
        ("do", {*VERBS, "The Letter in the Granary"}),
        ("do roll", {"--dc", "--use", "--faces", "--who", "--hide"}),
        ("do roll --who", {"Kira", "Dex", "Ruhl"}),
        ("do roll oracle", {"--question"}),
        ("do create --template", {"Kira Voss"}),
        ("do move", {"race", "steady"}),
        ("do move race", {"--goal", "--threat"}),
        ("do change", {"Kira", "table", "--why"}),
        ("do hold", {"Kira", "Ruhl", "--owner"}),
        ("do hold Ruhl --owner", {"Mira", "Jonas"}),
        ("do clock --seen", {"veiled", "gm"}),
        ("do --as", {"Mira", "Jonas"}),
        ("delete", {"--yes"}),
    ],
)
def test_completion_knows_what_may_come_next(
    typed: str, wanted: set[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    env = {"ASTRAGAL_DATA": str(tmp_path_factory.getbasetemp() / "completed")}
    if not run("table", "list", "--json", env=env).json["tables"]:
        run("table", "new", "razorweave", "--sample", env=env)
    assert wanted <= set(run("completion", "--words", "table", *typed.split(), env=env).out.splitlines())


def test_completion_without_a_table_makes_no_file(tmp_path: Path) -> None:
    env = {"ASTRAGAL_DATA": str(tmp_path / "none")}
    assert run("completion", "--words", "table", "do", "roll", env=env).out.strip() == ""
    assert "--seen" in run("completion", "--words", "table", "do", "note", env=env).out
    assert not (tmp_path / "none").exists()


# At a terminal.


def test_a_choice_is_asked_at_once_at_a_terminal(at: Table) -> None:
    at.says('new narraject "The Well"')
    at.says("do join Jonas")
    at.says("do create Ysolde --template ysolde --as Jonas")
    words = [
        *["do", "roll", "--who", "Ysolde", "--use", "Might=2", "--by-hand", "--as", "Jonas", "--data"],
        str(at.folder),
    ]
    shown = run_on_terminal("table", *words, typed=["6", "6 1 | 1", "dance", "reroll", "5", ""])
    assert shown.code == 0
    assert "Too few faces" in shown.out
    assert "dance" in shown.out
    assert "The Step Die now shows 5 (NJ-13)." in shown.out
    assert at.json("show")["rolls"][-1]["over"] is True
    assert at.sheet("Jonas")["ip"]["IP"]["now"] == 1


def test_play_offers_a_campaign_and_goes_on_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRAGAL_DATA", str(tmp_path))
    typed = [
        "2", "chronicles", "The Dome", "Rahel", "inez calloway", "", "scene", "The stairs", "clock Doom 4", "tick",
        "doom", "roll", "attempt", "inez", "Wits, Investigation", "", "8 8 1 1 1", "note 'It opens'", "undo", "sing",
        "quit",
    ]  # fmt: skip
    shown = run_on_terminal("play", typed=typed)
    assert shown.code == 0
    assert "Success: 2 successes." in shown.out
    assert "Rahel undid a note of Rahel." in shown.out
    assert 'There is no action "sing"' in shown.out
    again = run_on_terminal("play", typed=["on", "the dome", "roll", "1", "nobody", "pool=2", "w", "log", "q"])
    assert again.code == 0
    assert "Doom [#---] 1/4 (goal)" in again.out
    assert "The roll is withdrawn." in again.out


def test_play_offers_the_sample_and_the_guided_roll(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRAGAL_DATA", str(tmp_path))
    assert "There is no campaign yet" in run_on_terminal("play", typed=["on"]).out
    assert "The Drowned Bell, a table of Narraject" in run_on_terminal("play", typed=["sample", "1", "quit"]).out
    assert "Success" in run_on_terminal("play", typed=["1", "chronicles", "1", "3", "", "", "", "8 8 1", "n"]).out


def test_a_throw_says_who_typed_its_dice(at: Table) -> None:
    at.says('new razorweave "Cellar" --name Mira')
    assert "typed by Mira" in at.says("do roll --dc 14 --faces '3 3 3 3'")
    at.says("do undo")
    assert "typed by Mira, the same dice as before the undo" in at.says("do throw")
    assert "typed by" not in at.says("do roll --dc 15")


def test_tg13_what_outlives_its_scene_is_shown_without_one(at: Table) -> None:
    at.says('new tgimh "Bridge"')
    at.says("do edit scene conditions Fog dice=1")
    assert "Fog (1 die)" in at.says("show")
