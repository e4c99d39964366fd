"""The log of a table in a store: as a seat may see it, and whole.

A seat's log has the entries of which a member may see something, counted from 1 without a gap: the public ones and the
member's private ones, merged by version. A GM's is the whole log. The store's index finds both, so the time to read a
page depends on its length and not on hidden entries.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from astragal.errors import Illegal, Malformed, Unavailable
from astragal.storage import Record, Store, packed
from astragal.table.access import EVERYBODY, GM, seat_version
from astragal.table.entry import Entry, decode_entry
from astragal.table.state import Member, State, decode_state

PAGE = 500
"""Entries that are read at a time, if all are needed."""
FEW = 25
"""Entries that are read first if they may be large; their size decides the number of the next ones."""


class SeatLog:
    """One member's log at a state. Reading waits for the disk: do it in a thread."""

    def __init__(self, store: Store, table: str, state: State, member: Member | None) -> None:
        self._store = store
        self._table = table
        self._gm = member is not None and member.role == GM
        self._member = member.id if member else ""
        self._public = state.public
        self._private = state.private.get(self._member, 0) if member else 0
        self.last = seat_version(state, member)
        """The number of entries."""

    def read(self, first: int, last: int) -> list[Entry]:
        """Its entries from a first to a last position, counted from 1; fewer at the end."""
        return [decode_entry(record.body) for record in self._records(first, last)]

    def _records(self, first: int, last: int) -> list[Record]:
        first, last = max(first, 1), min(last, self.last)
        if first > last:
            return []
        if self._gm:
            return self._store.read(self._table, first - 1, last - first + 1)
        return self._store.read_some(self._table, self._versions(first, last))

    def latest_bodies(self, n: int, most: int) -> list[bytes]:
        """The last n entries as they are stored, oldest first; fewer above ``most`` bytes."""
        return self._bodies(self.last, n, most, 0)

    def read_back(self, last: int, n: int, most: int) -> list[Entry]:
        """The n entries up to a last position, oldest first; fewer, but at least one, above ``most`` bytes."""
        return [decode_entry(body) for body in self._bodies(min(last, self.last), n, most, 1)]

    def _bodies(self, last: int, n: int, most: int, least: int) -> list[bytes]:
        found: list[bytes] = []
        size, wanted = 0, FEW
        while len(found) < n and (end := last - len(found)) > 0:
            for record in reversed(self._records(max(last - n, end - wanted) + 1, end)):
                if len(found) >= least and size + len(record.body) > most:
                    return found[::-1]
                size += len(record.body)
                found.append(record.body)
            wanted = 1 + (most - size) * len(found) // max(1, size)
        return found[::-1]

    def pages(self, n: int | None = None) -> Iterator[Entry]:
        """All entries, or the last n, oldest first, read page by page."""
        first = 1 if n is None else max(1, self.last - n + 1)
        for start in range(first, self.last + 1, PAGE):
            yield from self.read(start, start + PAGE - 1)

    def _versions(self, first: int, last: int) -> list[int]:
        """The table's versions of these entries."""
        public, private = self._split(last)
        n = last - first + 1
        found = self._store.seen(self._table, EVERYBODY, max(1, public - n + 1), public)
        if private:
            found += self._store.seen(self._table, self._member, max(1, private - n + 1), private)
        return sorted(found)[-n:]

    def _split(self, last: int) -> tuple[int, int]:
        """Among the entries up to a position: the number of public ones, and of private ones."""
        if last == self.last:
            return self._public, self._private
        # The smallest number of public entries for which the next public one comes after all the private ones.
        low, high = max(0, last - self._private), min(last, self._public)
        public = low + bisect_left(range(low, high), True, key=lambda public: not self._precedes(public, last))
        return public, last - public

    def _precedes(self, public: int, last: int) -> bool:
        """True if the next public entry is also among the first ``last`` entries."""
        private = last - public
        return not private or self._at(EVERYBODY, public + 1) < self._at(self._member, private)

    def _at(self, audience: str, nth: int) -> int:
        return self._store.seen(self._table, audience, nth, nth)[0]


UNREADABLE = (
    "This table's log has an entry of another version of Astragal, which this server cannot read. Nothing was changed; "
    "use the table with that version."
)


class TableLog:
    """Reads a table's whole log, and its snapshot. Reading waits for the disk."""

    def __init__(self, store: Store, table: str) -> None:
        self._store = store
        self._table = table

    def state(self) -> State:
        """The state of the last snapshot, or an empty one if there is no readable snapshot."""
        found = self._store.snapshot(self._table)
        try:
            return decode_state(found[1]) if found else State()
        except ValueError:
            return State()

    def __iter__(self) -> Iterator[Entry]:
        return self.read(0)

    def read(self, since: int) -> Iterator[Entry]:
        """The entries after a version, read page by page, so memory does not grow with the log."""
        return (entry for entry, _ in self.read_sizes(since))

    def read_sizes(self, since: int) -> Iterator[tuple[Entry, int]]:
        """The same, each with its stored bytes."""
        more = True
        while more and (records := self._store.read(self._table, since, PAGE)):
            yield from ((_entry(record), len(packed(record.body))) for record in records)
            since, more = records[-1].version, len(records) == PAGE

    def key_at(self, version: int) -> str:
        """The key of the entry of this version; "" before the first."""
        return self._store.read(self._table, version - 1, 1)[0].key if version else ""


def _entry(record: Record) -> Entry:
    """The entry of a record; Unavailable if this version of Astragal cannot read it."""
    try:
        return decode_entry(record.body)
    except (Malformed, Illegal):
        raise Unavailable(UNREADABLE) from None
