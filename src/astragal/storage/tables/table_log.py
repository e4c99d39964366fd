"""The log of one table in a store, as entries."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.errors import Illegal, Malformed, Unavailable
from astragal.storage import Record, Store, packed
from astragal.storage.tables.seat_log import PAGE
from astragal.table.entry import Entry, decode_entry
from astragal.table.state import State, decode_state

UNREADABLE = (
    "This table's log has a line that this server cannot read; another version of Astragal has written it. Nothing was "
    "changed; the table can be used with the Astragal that wrote it."
)


class TableLog:
    """Reads a table's log, and its snapshot. Reading waits for the disk."""

    def __init__(self, store: Store, table: str) -> None:
        self._store = store
        self._table = table

    def state(self) -> State:
        """The state to begin with: the last snapshot's, or an empty one if there is none that can be read."""
        found = self._store.snapshot(self._table)
        try:
            return decode_state(found[1]) if found else State()
        except ValueError:
            return State()

    def __iter__(self) -> Iterator[Entry]:
        return self.read(0)

    def read(self, since: int) -> Iterator[Entry]:
        """The entries after a version, read page by page, so that memory does not grow with the log."""
        return (entry for entry, _ in self.read_sizes(since))

    def read_sizes(self, since: int) -> Iterator[tuple[Entry, int]]:
        """The same with the bytes that each takes as it is stored."""
        more = True
        while more and (records := self._store.read(self._table, since, PAGE)):
            yield from ((_entry(record), len(packed(record.body))) for record in records)
            since, more = records[-1].version, len(records) == PAGE

    def key_at(self, version: int) -> str:
        """The key of the entry of this version; "" before the first."""
        return self._store.read(self._table, version - 1, 1)[0].key if version else ""


def _entry(record: Record) -> Entry:
    """The entry of a record; Unavailable if it is none that this Astragal reads, which is nobody's mistake who asks."""
    try:
        return decode_entry(record.body)
    except (Malformed, Illegal):
        raise Unavailable(UNREADABLE) from None
