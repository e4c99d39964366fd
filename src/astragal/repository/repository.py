"""The desk: founds tables in a store, opens them, brings them in and takes them out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from secrets import token_urlsafe
from threading import Lock

from astragal.errors import Unknown
from astragal.repository.stored_table import StoredTable
from astragal.store import Record, Store
from astragal.table.action import FoundAction
from astragal.table.decide.context import machine
from astragal.table.entry import Entry, encode_entry
from astragal.table.log.export import Imported, export_lines, read_export
from astragal.table.log.sample import play_sample
from astragal.table.state import encode_state
from astragal.table.table import Table

MOST_OPEN = 500
"""So many tables are kept in memory."""


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def new_key() -> str:
    return token_urlsafe(16)


def new_id() -> str:
    """An id for a table. At a command line a - at its beginning would be taken for an option."""
    while (id := token_urlsafe(9)).startswith("-"):
        pass
    return id


class Repository:
    """The tables of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._open: dict[str, StoredTable] = {}
        self._lock = Lock()

    def found(self, action: FoundAction) -> StoredTable:
        """A new table; its founder is its GM."""
        entry = Table().decide("", action, new_key(), now(), machine)
        return self._create(new_id(), action.title, [entry])

    def found_sample(self, game: str, name: str = "") -> StoredTable:
        """A new table with the game's sample campaign played on it."""
        table, entries = play_sample(game, now(), name)
        return self._create(new_id(), table.state.title, entries)

    def bring_in(self, lines: Iterable[bytes]) -> StoredTable:
        """A table out of a file; under its own id if that is free."""
        imported: Imported = read_export(lines)
        taken = {about.table for about in self.store.tables()}
        own = imported.header.table
        stored_table = self._create(new_id() if own in taken else own, imported.header.title, imported.entries)
        self.store.save_snapshot(stored_table.id, imported.state.version, encode_state(imported.state))
        return stored_table

    def take_out(self, stored_table: StoredTable) -> Iterator[bytes]:
        """A table as the lines of a file."""
        return export_lines(stored_table.id, *stored_table.record())

    def _create(self, id: str, title: str, entries: list[Entry]) -> StoredTable:
        rows = [Record(entry.version, entry.key, encode_entry(entry)) for entry in entries]
        game = entries[0].events[0].game  # type: ignore[union-attr]
        self.store.create(id, game, title, entries[0].at, rows).result()
        return self.open(id)

    def open(self, id: str) -> StoredTable:
        """A table by its id; the same object for everybody."""
        with self._lock:
            if id not in self._open:
                self.store.about(id)
                while len(self._open) >= MOST_OPEN:
                    self._close_one()
                self._open[id] = StoredTable(self.store, id)
            return self._open[id]

    def _close_one(self) -> None:
        """The table opened first that nobody watches goes; it is opened again when somebody asks for it."""
        idle = next((id for id, stored_table in self._open.items() if stored_table.idle), None)
        if idle is None:
            raise Unknown(f"{MOST_OPEN} tables are in use; try again later.")
        del self._open[idle]

    def drop(self, id: str) -> None:
        """Remove a table for good."""
        self.store.about(id)
        with self._lock:
            self._open.pop(id, None)
        self.store.drop(id).result()
