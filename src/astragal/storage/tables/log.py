"""A seat's log: the entries that a member may see something of, counted from 1 without a gap.

It is what everybody may see and what this member may see besides, merged by version; a GM's is the whole
log. The store's index finds both, so that reading a page takes as long as the page is, however much is
hidden.
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
"""Entries read at a time where all are wanted."""
FEW = 25
"""Entries read first where they may be too large; how many more, these tell."""


class SeatLog:
    """One member's log as of a state. Reading waits for the disk: do it in a thread."""

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
        """The first to last of its entries, counted from 1; fewer where there are no more."""
        return [decode_entry(record.body) for record in self._records(first, last)]

    def _records(self, first: int, last: int) -> list[Record]:
        first, last = max(first, 1), min(last, self.last)
        if first > last:
            return []
        if self._gm:
            return self._store.read(self._table, first - 1, last - first + 1)
        return self._store.read_some(self._table, self._versions(first, last))

    def latest_bodies(self, n: int, most: int) -> list[bytes]:
        """The last n entries as they are stored, oldest first; fewer if they have more than ``most`` bytes."""
        return self._bodies(self.last, n, most, 0)

    def read_back(self, last: int, n: int, most: int) -> list[Entry]:
        """The n entries up to the last of them, oldest first; fewer, but one, if they have more than ``most`` bytes."""
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
        """How many of the first entries everybody may see, and how many only this member."""
        if last == self.last:
            return self._public, self._private
        # So many are public that the next public entry comes after all the private ones among them.
        low, high = max(0, last - self._private), min(last, self._public)
        public = low + bisect_left(range(low, high), True, key=lambda public: not self._precedes(public, last))
        return public, last - public

    def _precedes(self, public: int, last: int) -> bool:
        """Whether the next public entry is among the first ones, if so many public ones are."""
        private = last - public
        return not private or self._at(EVERYBODY, public + 1) < self._at(self._member, private)

    def _at(self, audience: str, nth: int) -> int:
        return self._store.seen(self._table, audience, nth, nth)[0]


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
