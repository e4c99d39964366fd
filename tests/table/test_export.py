"""Files: a table taken out and brought in is the same, byte for byte; anything else is refused."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from astragal.errors import Illegal, Malformed, Refusal
from astragal.games.registry import names
from astragal.rule.sheets.sheet import read_sheet
from astragal.storage import open_store
from astragal.storage.tables.repository import Repository
from astragal.table import action as a
from astragal.table.entry import VERSION
from astragal.table.log.export import FORMAT, MAX_FILE, bounded_lines, export_lines, export_sheet, read_sheet_file
from astragal.table.log.sample import play_sample
from astragal.table.log.story import story
from astragal.table.ruleset import ruleset_of
from astragal.table.state import encode_state
from astragal.table.table import Table
from astragal.table.view.build import view
from tests.share import record, share
from tests.table.exports import read_export
from tests.table.tables import Party

every_game = pytest.mark.parametrize("game", names())


def exported(game: str = "narraject") -> list[bytes]:
    table, entries = play_sample(game, 1)
    return list(export_lines("t1", table.state, entries))


@every_game
def test_an_export_brought_in_is_the_same_byte_for_byte(game: str) -> None:
    table, entries = play_sample(game, 1)
    gm = entries[0].by
    undo = table.decide(gm, a.UndoAction(), "undo", 9)
    table.apply(undo)
    entries.append(undo)
    lines = list(export_lines("t1", table.state, entries))
    imported = read_export(lines)
    assert encode_state(imported.state) == encode_state(table.state)
    assert list(export_lines("t1", imported.state, imported.entries)) == lines


def changed(line: bytes, **values: Any) -> bytes:
    return json.dumps({**json.loads(line), **values}).encode() + b"\n"


def edited(old: bytes, new: bytes, lines: Iterable[bytes]) -> list[bytes]:
    found = [line.replace(old, new) for line in lines]
    assert found != list(lines)
    return found


LINES = exported()
CLOCK = next(place for place, line in enumerate(LINES) if b'"clocks"' in line)
BAD: dict[str, tuple[list[bytes], type[Refusal], str]] = {
    "nothing": ([], Malformed, "not an Astragal table"),
    "junk": ([b"\x00\xff junk"], Malformed, "not an Astragal table"),
    "other JSON": ([b'{"hello": 1}'], Malformed, "not an Astragal table"),
    "a sheet": ([changed(LINES[0], astragal="sheet"), *LINES[1:]], Malformed, 'holds "sheet", not a table'),
    "a newer format": ([changed(LINES[0], format=FORMAT + 1), *LINES[1:]], Illegal, "with the Astragal that wrote it"),
    "an earlier format": ([changed(LINES[0], format=FORMAT - 1), *LINES[1:]], Illegal, "has format"),
    "an entry of a newer version": ([*LINES[:4], changed(LINES[4], v=VERSION + 1), *LINES[5:]], Illegal, "version"),
    "a foreign game": ([changed(LINES[0], game="chess"), *LINES[1:]], Illegal, "no such game here"),
    "another game": ([changed(LINES[0], game="tgimh"), *LINES[1:]], Malformed, "founding"),
    "a hole": ([*LINES[:9], *LINES[10:]], Malformed, "Line 10 has version 10 where 9 belongs: entries are missing"),
    "a duplicate": ([*LINES[:9], LINES[8], *LINES[9:]], Malformed, "Line 10 has version 8 a second time"),
    "cut off": (LINES[:-1], Malformed, "it is cut off"),
    "cut in a line": ([*LINES[:-1], LINES[-1][:30]], Malformed, "cannot be read"),
    "a line too many": ([*LINES, LINES[-1]], Malformed, "a second time"),
    "without founding": ([LINES[0], changed(LINES[2], version=1)], Malformed, "founding"),
    "founding alone": (LINES[:2], Malformed, "cut off"),
    "no entry": ([changed(LINES[0], version=0)], Malformed, "founding"),
    "an entry of an earlier version": ([*LINES[:4], changed(LINES[4], v=1), *LINES[5:]], Illegal, "has version 1,"),
    "an unknown event": (edited(b'"event":"Noted"', b'"event":"Dreamt"', LINES), Malformed, "cannot be read"),
    "a wrong id": ([LINES[0], changed(LINES[1], id="0" * 16), *LINES[2:]], Malformed, "does not go with its key"),
    "a key twice": (
        [*LINES[:2], changed(LINES[2], **{name: json.loads(LINES[1])[name] for name in ("id", "key")}), *LINES[3:]],
        Malformed,
        "a key that a later entry has too",
    ),
    "a tampered sheet": (edited(b'"segments":6', b'"segments":600', LINES), Malformed, "does not make a table"),
    "a sheet with text for a number": (edited(b'"segments":6', b'"segments":"six"', LINES), Malformed, "table"),
    "a long line": ([LINES[0], b"x" * (5 << 20)], Malformed, "too long for a table"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_file_that_is_no_whole_table_is_refused(what: str) -> None:
    lines, kind, words = BAD[what]
    with pytest.raises(kind) as refused:
        read_export(lines)
    assert words in str(refused.value)


def test_a_hundred_megabytes_of_junk_are_refused_before_they_are_read() -> None:
    read = 0

    def junk() -> Iterable[bytes]:
        nonlocal read
        yield LINES[0]
        while read < 100 << 20:
            read += 1 << 20
            yield b" " * (1 << 20)

    with pytest.raises(Malformed, match="too long for a table"):
        read_export(junk())
    assert read <= MAX_FILE + (1 << 20)
    record("an import of 100 MB of junk", f"refused after {read >> 20} MB")


def test_a_file_with_one_endless_line_is_read_no_further_than_a_line_may_be(tmp_path: Any) -> None:
    path = tmp_path / "junk"
    path.write_bytes(b"x" * (20 << 20))
    with path.open("rb") as file, pytest.raises(Malformed):
        read_export(bounded_lines(file))


def test_a_refused_import_leaves_the_store_as_it_was(tmp_path: Any) -> None:
    with open_store(tmp_path / "tables.db") as store:
        repository = Repository(store)
        for lines, _, _ in BAD.values():
            with pytest.raises(Refusal):
                repository.import_table(lines)
        assert store.tables() == []
        first, second = (repository.import_table(LINES, unsealed=True) for _ in range(2))
        assert first.id == "t1" != second.id
        assert list(first.export())[1:-2] == LINES[1:], "and the entry about the import"
        assert first.state.world == second.state.world


@every_game
def test_whatever_is_changed_in_a_file_it_is_refused_or_makes_a_table_that_works(game: str) -> None:
    """One value of one line is changed, and what comes in can be looked at and undone."""
    rng, lines, taken = Random(game), exported(game), 0
    times = share(1_500, 40)
    for _ in range(times):
        place = rng.randrange(1, len(lines))
        data = json.loads(lines[place])
        _damage(rng, data)
        try:
            imported = read_export([*lines[:place], json.dumps(data).encode() + b"\n", *lines[place + 1 :]])
        except Refusal:
            continue
        taken += 1
        _use(Table(imported.state, lambda since, log=imported.entries: log[since:]), rng)  # type: ignore[misc]
    record(f"files of {game} with one value changed", f"{times:,}, {times - taken:,} refused, the others work")


def _damage(rng: Random, data: Any) -> None:
    """Another value somewhere in it."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = rng.choice(keys)
        if isinstance(data[key], (dict, list)) and data[key] and rng.random() < 0.8:
            data = data[key]
            continue
        if rng.random() < 0.3:
            del data[key]
        else:
            data[key] = rng.choice([None, -1, 0, 7, 10**30, "", "x", [], {}, True, 1.5, [[1]], {"a": 1}])
        return


def _use(table: Table, rng: Random) -> None:
    gm = next(member for member in table.state.members.values() if member.role == "gm")
    entries = list(table.history())
    for turn in range(3):
        try:
            table.apply(table.decide(gm.id, a.UndoAction(entry=rng.choice(entries).id), f"undo {turn}", 1))
        except Refusal:
            continue
        for member in (*table.state.members.values(), None):
            view(table.state, member)
    assert list(story(table.history(), table.state, gm))


# Sheets.


@every_game
def test_a_sheet_alone_is_taken_out_and_brought_in(game: str) -> None:
    party = Party(game)
    data = export_sheet(party.state, party.holder("Wren"))
    name, sheet = read_sheet_file(json.dumps(data), game)
    party.do("Ada", a.CreateAction(name=name, sheet=sheet))
    assert party.holder("Wren").sheet == list(party.state.world.holders.values())[-1].sheet
    assert read_sheet(ruleset_of(game).table_rules.character, sheet) == sheet


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("[]", "not an Astragal sheet"),
        ('{"astragal": "table"}', "not an Astragal sheet"),
        ('{"astragal": "sheet", "sheet": 5}', "not an Astragal sheet"),
        ('{"astragal": "sheet", "format": 9, "game": "narraject", "sheet": {}}', "has format 9"),
        ('{"astragal": "sheet", "format": 3, "game": "chess", "sheet": {}}', 'for "chess"'),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_file_that_is_no_sheet_of_this_game_is_refused(text: str, words: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_sheet_file(text, "narraject")
    assert words in str(refused.value)
