"""Export and import: a table as JSON Lines, a sheet as one JSON object.

The first line says what the file is; each further line is an entry of the log, as it is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

import msgspec

from astragal.errors import Illegal, Malformed, Refusal
from astragal.games.registry import names
from astragal.rule.sheet import read_sheet
from astragal.table import event as e
from astragal.table.entry import Entry, decode_entry, encode_entry, id_of
from astragal.table.log.validate import refuse_unsound_rolls
from astragal.table.rolls.playback import BREAKS
from astragal.table.ruleset import ruleset_of
from astragal.table.state import HolderState, State
from astragal.table.table import folded
from astragal.table.upcast import upcast

FORMAT = 2
"""The format of files that is written; older formats stay readable."""
MAX_FILE = 64 * 1024 * 1024
MAX_LINE = 4 * 1024 * 1024


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a table's file."""

    astragal: str
    format: int
    table: str
    game: str
    title: str
    version: int


class Imported(NamedTuple):
    """A table's file, read and checked."""

    header: Header
    entries: list[Entry]
    state: State


def export_lines(table: str, state: State, entries: Iterable[Entry]) -> Iterator[bytes]:
    """The file, line by line."""
    header = Header("table", FORMAT, table, state.game, state.title, state.version)
    yield msgspec.json.encode(header) + b"\n"
    for entry in entries:
        yield encode_entry(entry) + b"\n"


def read_export(lines: Iterable[bytes]) -> Imported:
    """Read a table's file, of today's format or an older one; everything is checked before anything is used."""
    rest = iter(_bounded(lines))
    header = _header(next(rest, b""))
    entries: list[Entry] = []
    keys: set[str] = set()
    for place, line in enumerate(rest, 2):
        if line.strip():
            entries.append(_entry(line, place, len(entries) + 1, keys))
    if len(entries) != header.version:
        raise Malformed(f"The file should have {header.version:,} entries and has {len(entries):,}; it is cut off.")
    _refuse_headless(header, entries)
    try:
        entries = upcast(entries)
        state = folded(entries)
        _refuse_unsound(state)
        refuse_unsound_rolls(entries, state)
        return Imported(header, entries, state)
    except (Refusal, *BREAKS) as error:
        raise Malformed(f"The log in the file does not make a table: {type(error).__name__}, {error}.") from None


def _bounded(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines, refused once they are too long or too many, before they fill the memory."""
    size = 0
    for line in lines:
        size += len(line)
        if len(line) > MAX_LINE or size > MAX_FILE:
            raise Malformed(
                f"The file is too long for a table: at most {MAX_FILE >> 20} MB are taken, {MAX_LINE >> 20} MB a line."
            )
        yield line


def _header(line: bytes) -> Header:
    try:
        header = msgspec.json.decode(line, type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Malformed("This file is not an Astragal table: its first line does not say so.") from None
    if header.astragal != "table":
        raise Malformed(f"This file holds a {header.astragal[:20]}, not a table.")
    if not 1 <= header.format <= FORMAT:
        raise Illegal(f"The file has format {header.format}, and this Astragal reads up to {FORMAT}; update Astragal.")
    if header.game not in names():
        raise Illegal(f'The table plays "{header.game[:40]}", and there is no such game here: {", ".join(names())}.')
    return header


def _entry(line: bytes, place: int, version: int, keys: set[str]) -> Entry:
    try:
        entry = decode_entry(line)
    except Malformed as refusal:
        raise Malformed(f"Line {place}: {refusal.sentence}") from None
    if entry.version < version:
        raise Malformed(f"Line {place} has version {entry.version} a second time.")
    if entry.version > version:
        raise Malformed(f"Line {place} has version {entry.version} where {version} belongs: entries are missing.")
    if entry.key in keys:
        raise Malformed(f"Line {place} has a key that an earlier line has too.")
    if entry.id != id_of(entry.key):
        raise Malformed(f"Line {place}: the entry's id does not go with its key.")
    keys.add(entry.key)
    return entry


def _refuse_headless(header: Header, entries: list[Entry]) -> None:
    first = entries[0].events[0] if entries and entries[0].events else None
    if not isinstance(first, e.Founded) or first.game != header.game:
        raise Malformed("The log does not begin with the founding of this table.")


def _refuse_unsound(state: State) -> None:
    """Refuse sheets that the game could not have written; an older one lacks the sections that came later."""
    table_rules = ruleset_of(state.game).table_rules
    for holder in state.world.holders.values():
        if not _has(read_sheet(table_rules.sections(holder.kind), holder.sheet), holder.sheet):
            raise Malformed(f"the sheet of {holder.name or holder.kind} does not fit this game")


def _has(read: Any, kept: Any) -> bool:
    """Whether all that was kept is read as it is; what an older version of a game did not have yet may be missing."""
    if isinstance(kept, dict):
        return isinstance(read, dict) and all(name in read and _has(read[name], kept[name]) for name in kept)
    return bool(read == kept)


def bounded_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; one that is too long is read no further than its limit."""
    while line := file.readline(MAX_LINE + 1):
        yield line


def export_sheet(state: State, holder: HolderState) -> dict[str, Any]:
    """A character's sheet by itself."""
    return {"astragal": "sheet", "format": FORMAT, "game": state.game, "name": holder.name, "sheet": holder.sheet}


def read_sheet_file(text: bytes | str, game: str) -> tuple[str, dict[str, Any]]:
    """The name and the sheet in a file for this game; the table checks the sheet itself."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Malformed("This file is not a sheet: it is not JSON.") from None
    if not isinstance(data, dict) or data.get("astragal") != "sheet" or not isinstance(data.get("sheet"), dict):
        raise Malformed("This file is not an Astragal sheet.")
    if not isinstance(data.get("format"), int) or data["format"] > FORMAT:
        raise Illegal(f"The sheet has a newer format than {FORMAT}, which this Astragal reads; update Astragal.")
    if data.get("game") != game:
        title = ruleset_of(game).game.title
        raise Illegal(f'The sheet is for "{str(data.get("game"))[:40]}", and this table plays {title}.')
    return str(data.get("name", ""))[:80], data["sheet"]
