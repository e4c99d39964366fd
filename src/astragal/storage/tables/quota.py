"""The quota: whether there is room for one more table or entry, within the limits of a server."""

from __future__ import annotations

from astragal.errors import Illegal, Unavailable
from astragal.storage import Store
from astragal.storage.tables.limits import Limits

FULL = "This server is full: {what}. Nothing was stored. Tables that are there stay; tell whoever runs the server."
TABLE_FULL = "This table's log is full: it has {what}. Nothing was stored. Export the table, and go on at a new one."


class Quota:
    """Room in a store. What is stored is measured now and then, since other programs write to it too."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self.limits = limits
        self.disk_full = False
        self._store = store

    def measure(self) -> None:
        """Measure what is stored; asks the disk."""
        self.disk_full = self._store.usage().bytes >= self.limits.bytes

    def check_table(self) -> None:
        """Refuse a new table if there is no room for it; asks the disk."""
        self.check_tables(1)
        self.check_disk()

    def check_tables(self, new: int = 0) -> None:
        """Refuse if there are more tables than there may be, or would be with new ones; asks the disk."""
        tables, size = self._store.usage()
        self.disk_full = size >= self.limits.bytes
        if tables + new > self.limits.tables:
            raise Unavailable(FULL.format(what=f"it keeps at most {self.limits.tables:,} tables"))

    def check_entry(self, version: int, size: int) -> None:
        """Refuse an entry of this version if the table's log would have more bytes than this, or no room is left."""
        if version > self.limits.table_entries:
            raise Illegal(TABLE_FULL.format(what=f"{self.limits.table_entries:,} entries"))
        if size > self.limits.table_bytes:
            raise Illegal(TABLE_FULL.format(what=f"{self.limits.table_bytes:,} bytes"))
        self.check_disk()

    def check_disk(self) -> None:
        """Refuse everything new once the tables take as much room as they may; as measured last."""
        if self.disk_full:
            raise Unavailable(FULL.format(what=f"its tables may take {self.limits.bytes:,} bytes"))
