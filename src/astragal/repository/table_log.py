"""The log of one table in a store, as entries."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.errors import Illegal, Malformed, Unavailable
from astragal.repository.seat_log import PAGE
from astragal.store import Record, Store, packed
from astragal.table.entry import VERSION, Entry, decode_entry, encode_entry
from astragal.table.state import State, decode_state
from astragal.table.upcast import upcast

UNREADABLE = (
    "This table's log has a line that this server cannot read; a newer Astragal may have written it. Nothing was "
    "changed; the table can be used here once the server is updated."
)


class TableLog:
    """Reads a table's log, and its snapshot. Reading waits for the disk."""

    def __init__(self, store: Store, table: str) -> None:
        self._store = store
        self._table = table

    def state(self) -> State:
        """The state to begin with: the snapshot's, or that of an empty log, which is rewritten if it is an old one."""
        found = self._snapshot()
        if found is None or not found.version:
            self._upcast()
        return found or State()

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

    def _snapshot(self) -> State | None:
        """The last snapshot; None if it cannot be read or has another format, since the log can replace it."""
        found = self._store.snapshot(self._table)
        try:
            return decode_state(found[1]) if found else None
        except ValueError:
            return None

    def _upcast(self) -> None:
        """Rewrite the log of an older Astragal in today's version, once, when the table is first opened."""
        first = self._store.read(self._table, 0, 1)
        if first and _entry(first[0]).v < VERSION:
            entries = upcast(self.read(0))
            records = [Record(entry.version, entry.key, encode_entry(entry)) for entry in entries]
            self._store.rewrite(self._table, records).result()


def _entry(record: Record) -> Entry:
    """The entry of a record; Unavailable if it is none that this Astragal reads, which is nobody's mistake who asks."""
    try:
        return decode_entry(record.body)
    except (Malformed, Illegal):
        raise Unavailable(UNREADABLE) from None
