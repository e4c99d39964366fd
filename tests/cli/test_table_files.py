"""Files: a table goes out and comes back byte for byte, a sheet goes to another table, junk stays outside."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from astragal.cli.main import main
from astragal.storage import open_store
from astragal.storage.tables.repository import Repository
from astragal.table.entry import id_of
from astragal.table.state import World, encode_state
from tests.cli.command import run
from tests.cli.test_table_campaign import GAMES, Table, at

__all__ = ["at"]


Change = Callable[[list[str]], list[str]]


def state_of(folder: Path) -> bytes:
    with open_store(folder / "tables.db") as store:
        return encode_state(Repository(store).open(store.tables()[0].table).state)


def world_of(folder: Path) -> World:
    with open_store(folder / "tables.db") as store:
        return Repository(store).open(store.tables()[0].table).state.world


def other(at: Table, name: str) -> Table:
    """Another data folder in the same test."""
    return Table(at.folder.parent / name, at._capsys)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_goes_out_and_comes_back_byte_for_byte(game: str, at: Table) -> None:
    at.says(f"new {game} --sample")
    at.says("undo")
    at.says("undo")
    at.says("redo")
    first, second = at.folder.parent / "first.jsonl", at.folder.parent / "second.jsonl"
    assert at.says(f"export {first}") == f"The table is in {first}.\n"
    there = other(at, "there")
    assert "entries" in there.says(f"import {first}")
    assert world_of(there.folder) == world_of(at.folder)
    there.says(f"export {second}")
    ours, theirs = (path.read_bytes().splitlines() for path in (first, second))
    assert theirs[1:-2] == ours[1:-1]  # the import has an entry of its own, and the seal is by another key
    log = at.says("log --rules").splitlines()
    assert [line for line in there.says("log --rules").splitlines() if line in log] == log


def test_a_table_that_is_here_already_comes_in_under_another_id(at: Table) -> None:
    id = at.says("new narraject --sample").strip()
    file = at.folder.parent / "bell.jsonl"
    at.says(f"export {id[:6]} {file}")
    at.says(f"import {file}")
    tables = at.json("list")["tables"]
    assert [about["title"] for about in tables] == ["The Drowned Bell"] * 2
    assert tables[0]["id"] == id != tables[1]["id"]
    assert "name one by its id" in at.refuses('show "the drowned bell"')
    assert "There are 2 tables; name one" in at.refuses("show")


def test_to_standard_output_and_from_standard_input(tmp_path: Path) -> None:
    here, there = {"ASTRAGAL_DATA": str(tmp_path / "here")}, {"ASTRAGAL_DATA": str(tmp_path / "there")}
    run("table", "new", "tgimh", "--sample", env=here)
    out = run("table", "export", "-", env=here)
    assert json.loads(out.out.splitlines()[0])["astragal"] == "table"
    assert run("table", "import", "-", typed=out.out, env=there).code == 0
    assert run("table", "export", "-", env=there).out.splitlines()[1:-2] == out.out.splitlines()[1:-1]


def changed_note(at: Table) -> Path:
    """An export in which somebody changed a word."""
    at.says('new narraject "The Well"')
    at.says('do note "A quiet night."')
    file = at.folder.parent / "changed.jsonl"
    at.says(f"export {file}")
    file.write_text(file.read_text().replace("A quiet night.", "A loud night."))
    return file


def test_a_file_with_a_broken_seal_is_imported_only_if_somebody_says_so(at: Table) -> None:
    file = changed_note(at)
    there = other(at, "there")
    refused = there.refuses(f"import {file}")
    assert "The seal of this file is broken" in refused
    assert "say --unsealed" in refused
    assert "broken" in there.says(f"import {file} --unsealed")
    assert "Its file was changed after it was exported: the seal was broken." in there.says("log")
    again = at.folder.parent / "again.jsonl"
    there.says(f"export {again}")
    assert main(["verify", str(again)]) == 3


def test_a_file_without_a_seal_is_asked_about_too(at: Table) -> None:
    file = changed_note(at)
    file.write_text("".join(line for line in file.read_text().splitlines(keepends=True) if '"seal"' not in line[:30]))
    there = other(at, "there")
    assert "This file has no seal" in there.refuses(f"import {file}")
    assert there.json(f"import {file} --unsealed")["seal"] == "missing"


def test_a_sheet_goes_to_another_table(at: Table) -> None:
    at.says("new razorweave --sample")
    sheet = at.folder.parent / "kira.json"
    at.says(f"export {sheet} --sheet kira")
    there = other(at, "there")
    there.says('new razorweave "Elsewhere"')
    assert there.says(f"import {sheet} --into elsewhere") == "Kira, GM's character, came to the table.\n"
    assert there.sheet("Kira") == at.sheet("Kira")
    assert "has a sheet in it" in there.refuses(f"import {sheet}")
    there.says('new tgimh "Another game"')
    assert 'The sheet is for "razorweave"' in there.refuses(f'import {sheet} --into "another game"')
    newer = json.loads(sheet.read_text()) | {"format": 9}
    sheet.write_text(json.dumps(newer))
    assert "open it with the Astragal that wrote it" in there.refuses(f"import {sheet} --into Elsewhere")


def first_line(old: str, new: str) -> Change:
    return lambda lines: [lines[0].replace(old, new, 1), *lines[1:]]


def everywhere(old: str, new: str) -> Change:
    return lambda lines: [line.replace(old, new) for line in lines]


JUNK: dict[str, tuple[Change, str]] = {
    "empty": (lambda lines: [], "not an Astragal table"),
    "not JSON": (lambda lines: ["hello"], "not an Astragal table"),
    "a list": (lambda lines: ["[1, 2]"], "not an Astragal table"),
    "a hole": (lambda lines: [*lines[:5], *lines[6:]], "entries are missing"),
    "a duplicate": (lambda lines: [*lines[:5], lines[4], *lines[5:]], "a second time"),
    "cut off": (lambda lines: lines[:-3], "it is cut off"),
    "half a line": (lambda lines: [*lines[:-1], lines[-1][:40]], "The seal of this file is broken"),
    "another game": (first_line("narraject", "poker"), "there is no such game here"),
    "two games": (first_line("narraject", "tgimh"), "does not begin with the founding"),
    "newer": (first_line('"format":4', '"format":9'), "open it with the Astragal that wrote it"),
    "another thing": (first_line('"table"', '"recipe"'), 'holds "recipe"'),
    "an id of its own": (first_line('"table":"', '"table":"../../'), "A table's id has"),
    "foreign dice": (everywhere("[[[6,5,3,1,2]],[[8]]]", '{"a":1}'), "does not make a table"),
    "a face too high": (everywhere("[[[6,5,3,1,2]],[[8]]]", "[[[6,5,3,1,2]],[[80]]]"), "shows what it cannot show"),
    "a foreign ask": (everywhere('["Might",2,3,', "[7,"), "does not make a table"),
    "a foreign key": (everywhere(id_of("sample-narraject-5"), "f" * 16), "does not go with its key"),
}


@pytest.mark.parametrize("junk", JUNK)
def test_junk_is_refused_and_nothing_is_changed(junk: str, at: Table) -> None:
    at.says("new narraject --sample")
    file = at.folder.parent / "junk.jsonl"
    at.says(f"export {file}")
    change, part = JUNK[junk]
    lines = file.read_text().splitlines()
    changed = change(lines)
    assert changed != lines
    file.write_text("".join(f"{line}\n" for line in changed))
    before = at.json("list")
    assert part in at.refuses(f"import {file}")
    assert at.json("list") == before
    fresh = other(at, "fresh")
    assert part in fresh.refuses(f"import {file}")
    if junk != "an id of its own":
        assert not fresh.folder.exists()


def test_a_hundred_megabytes_of_junk_are_refused_without_reading_them(at: Table) -> None:
    file = at.folder.parent / "junk"
    with file.open("wb") as junk:
        junk.truncate(100 << 20)
    assert "too long for a table" in at.refuses(f"import {file}")
    at.says("new narraject X")
    assert "too long for a sheet" in at.refuses(f"import {file} --into X")
    assert "not a sheet" in at.refuses(f"import {Path(__file__)} --into X")


def test_files_that_are_not_there_or_cannot_be_written(at: Table) -> None:
    at.says("new narraject X")
    assert "cannot be read: No such file" in at.refuses("import nowhere.jsonl")
    assert "cannot be read: Is a directory" in at.refuses(f"import {at.folder}")
    assert "cannot be written" in at.refuses(f"export {at.folder.parent}/no/such/folder.jsonl")
    assert "cannot be written" in at.refuses(f"export {at.folder}")
    assert "cannot be written" in at.refuses(f"story --output {at.folder}")
    assert "nobody called" in at.refuses(f"export {at.folder.parent}/x.json --sheet Nobody")
    assert not (at.folder.parent / "x.json").exists()
    assert list(at.folder.parent.glob(".astragal-*")) == []


def test_an_older_file_stays_until_the_new_one_is_whole(at: Table) -> None:
    at.says("new narraject X")
    file = at.folder.parent / "x.jsonl"
    file.write_text("old")
    assert "no character" in at.refuses(f"export {file} --sheet Kira")
    assert file.read_text() == "old"
    at.says(f"export {file}")
    assert file.read_text() != "old"
