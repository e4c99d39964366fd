"""A staged table: a file is read into a temporary store and checked there before it is copied to the others.

So memory does not grow with the file, and a refused file leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from astragal.errors import Malformed
from astragal.storage import Appended, Record, SqliteStore, open_store
from astragal.storage.tables.log import PAGE, TableLog
from astragal.table.entry import Entry, decode_entry, encode_entry
from astragal.table.fold import fold_about, seen_by
from astragal.table.log.export import ExportReader, Header, sound_state
from astragal.table.log.seal import SealState
from astragal.table.state import State

LARGE = 16 * 1024
"""Bytes of a record after which all waiting records are stored first."""


class Staged(NamedTuple):
    """A table's file, read and checked."""

    store: SqliteStore
    """A temporary store with only this table."""
    header: Header
    entries: TableLog
    state: State
    seal: SealState
    """The state of the file's seal."""


@contextmanager
def staged(lines: Iterable[bytes]) -> Iterator[Staged]:
    """Read a table's file and check all of it; the store exists until the end of the block."""
    reader = ExportReader(lines)
    header = reader.header
    with TemporaryDirectory(prefix="astragal-") as folder, open_store(Path(folder) / "staged.db") as store:
        _keep(store, header, records_of(reader.entries()))
        entries = TableLog(store, header.table)
        state = sound_state(entries)
        yield Staged(store, header, entries, state, reader.seal_state(state.chains))


def records_of(entries: Iterable[Entry]) -> Iterator[Record]:
    """The records of a new table, each with the audiences that may see it."""
    state = State()
    for entry in entries:
        yield Record(entry.version, entry.key, encode_entry(entry), seen_by(state, entry))
        state = fold_about(state, entry)


def _keep(store: SqliteStore, header: Header, records: Iterator[Record]) -> None:
    """Write the records, a few at a time; Malformed if a key is there twice."""
    waiting: list[Future[Appended]] = []
    for record in records:
        if record.version == 1:
            store.create(header.table, header.game, header.title, decode_entry(record.body).at, [record]).result()
            continue
        waiting.append(store.append(header.table, record))
        if len(waiting) == PAGE or len(record.body) > LARGE:
            _wait(waiting)
    _wait(waiting)


def _wait(waiting: list[Future[Appended]]) -> None:
    for future in waiting:
        appended = future.result()
        if appended.repeated:
            raise Malformed(f"Entry {appended.record.version:,} has a key that a later entry has too.")
    waiting.clear()
