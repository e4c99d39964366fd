"""Export and import: a table as JSON Lines, a sheet as one JSON object.

The first line says what the file is; each further line is an entry of the log, as it is stored; the last may be
a seal, by which changes are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from typing import Any, BinaryIO

import msgspec

from astragal.errors import Illegal, Malformed, Refusal
from astragal.games.registry import is_game, names
from astragal.rule.sheets.sheet import read_sheet
from astragal.table import event as e
from astragal.table.chain import Chains
from astragal.table.entry import Entry, decode_entry, encode_entry, id_of
from astragal.table.log.seal import Seal, SealState, Signing, is_seal, is_unbroken, read_seal, sealed
from astragal.table.log.validate import refuse_unsound_rolls
from astragal.table.rolls.playback import BREAKS
from astragal.table.ruleset import ruleset_of
from astragal.table.state import HolderState, State
from astragal.table.table import folded

FORMAT = 4
"""The format of tables' files that is written and read; a file of another format is refused."""
SHEET_FORMAT = 3
"""The same of sheets."""
OTHER_FORMAT = (
    "The file has format {found}, and this Astragal reads format {ours}. Nothing was changed; open it with the "
    "Astragal that wrote it."
)
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


_header_decoder = msgspec.json.Decoder(Header)


def export_lines(table: str, state: State, entries: Iterable[Entry], sign: Signing | None = None) -> Iterator[bytes]:
    """The file, line by line; with ``sign``, its last line is a seal."""
    lines = _lines(table, state, entries)
    return sealed(lines, table, state.chains, sign) if sign else lines


def _lines(table: str, state: State, entries: Iterable[Entry]) -> Iterator[bytes]:
    header = Header("table", FORMAT, table, state.game, state.title, state.version)
    yield msgspec.json.encode(header) + b"\n"
    for entry in entries:
        yield encode_entry(entry) + b"\n"


class ExportReader:
    """Reads a table's file line by line: memory does not grow with the file.

    Each entry is checked by itself. Only the keeper of all entries can say whether a key comes twice.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(_bounded(lines))
        first = next(self._lines, b"")
        self.header = _header(first)
        self._total = sha256(first)
        self._seal: Seal | SealState = "missing"

    def entries(self) -> Iterator[Entry]:
        """The entries; Malformed at the first that is none, and at an end that comes too early."""
        try:
            yield from self._entries()
        except BREAKS as error:
            raise _no_table(error) from None

    def _entries(self) -> Iterator[Entry]:
        n = 0
        for place, line in enumerate(self._lines, 2):
            if is_seal(line) and n == self.header.version:
                self._seal = "broken"
                with suppress(Malformed):
                    self._seal = read_seal(line)
                continue
            self._total.update(line)
            if line.strip():
                n += 1
                entry = _entry(line, place, n)
                if n == 1:
                    _refuse_headless(self.header, entry)
                yield entry
        if n != self.header.version:
            raise Malformed(f"The file should have {self.header.version:,} entries and has {n:,}; it is cut off.")
        if not n:
            _refuse_headless(self.header, None)

    def seal_state(self, chains: Chains) -> SealState:
        """The state of the file's seal, once all entries are read; ``chains`` are those that the entries make."""
        if not isinstance(self._seal, Seal):
            return self._seal
        return "right" if is_unbroken(self._seal, self.header.table, self._total.hexdigest(), chains) else "broken"


def sound_state(entries: Iterable[Entry]) -> State:
    """The state of a log that was read, which is gone through several times; Malformed if it makes no table."""
    try:
        state = folded(entries)
        rules = ruleset_of(state.game).table_rules
        for holder in state.world.holders.values():
            if not _has(read_sheet(rules.sections(holder.kind), holder.sheet), holder.sheet):
                raise Malformed(f"the sheet of {holder.name or holder.kind} does not fit this game")
        refuse_unsound_rolls(entries, state)
        return state
    except (Refusal, *BREAKS) as error:
        raise _no_table(error) from None


def _no_table(error: Exception) -> Malformed:
    return Malformed(f"The log in the file does not make a table: {type(error).__name__}, {error}.")


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
        header = _header_decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Malformed("This file is not an Astragal table: its first line does not say so.") from None
    if header.astragal != "table":
        raise Malformed(f'This file holds "{header.astragal[:20]}", not a table.')
    if header.format != FORMAT:
        raise Illegal(OTHER_FORMAT.format(found=header.format, ours=FORMAT))
    if not is_game(header.game):
        raise Illegal(f'The table plays "{header.game[:40]}", and there is no such game here: {", ".join(names())}.')
    return header


def _entry(line: bytes, place: int, version: int) -> Entry:
    try:
        entry = decode_entry(line)
    except Malformed as refusal:
        raise Malformed(f"Line {place}: {refusal.sentence}") from None
    if entry.version < version:
        raise Malformed(f"Line {place} has version {entry.version} a second time.")
    if entry.version > version:
        raise Malformed(f"Line {place} has version {entry.version} where {version} belongs: entries are missing.")
    if entry.id != id_of(entry.key):
        raise Malformed(f"Line {place}: the entry's id does not go with its key.")
    return entry


def _refuse_headless(header: Header, entry: Entry | None) -> None:
    first = entry.events[0] if entry and entry.events else None
    if not isinstance(first, e.Founded) or first.game != header.game:
        raise Malformed("The log does not begin with the founding of this table.")


def _has(read: Any, kept: Any) -> bool:
    """True if all that was kept is read as it is; what an older version of a game did not have yet may be missing."""
    if isinstance(kept, dict):
        return isinstance(read, dict) and all(name in read and _has(read[name], kept[name]) for name in kept)
    return bool(read == kept)


def bounded_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; one that is too long is read no further than its limit."""
    while line := file.readline(MAX_LINE + 1):
        yield line


def export_sheet(state: State, holder: HolderState) -> dict[str, Any]:
    """A character's sheet by itself."""
    return {"astragal": "sheet", "format": SHEET_FORMAT, "game": state.game, "name": holder.name, "sheet": holder.sheet}


def read_sheet_file(text: bytes | str, game: str) -> tuple[str, dict[str, Any]]:
    """The name and the sheet in a file for this game; the table checks the sheet itself."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Malformed("This file is not a sheet: it is not JSON.") from None
    if not isinstance(data, dict) or data.get("astragal") != "sheet" or not isinstance(data.get("sheet"), dict):
        raise Malformed("This file is not an Astragal sheet.")
    if data.get("format") != SHEET_FORMAT:
        raise Illegal(OTHER_FORMAT.format(found=str(data.get("format"))[:20], ours=SHEET_FORMAT))
    if data.get("game") != game:
        title = ruleset_of(game).game.title
        raise Illegal(f'The sheet is for "{str(data.get("game"))[:40]}", and this table plays {title}.')
    return str(data.get("name", ""))[:80], data["sheet"]
