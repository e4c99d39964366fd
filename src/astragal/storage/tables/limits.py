"""Limits of a server and of each table, and the quota: a check if there is room for more."""

from __future__ import annotations

from typing import NamedTuple

from astragal.errors import Illegal, Unavailable
from astragal.storage import Store


class Limits(NamedTuple):
    """Upper bounds: for a table, enough for years of play; for the server, suited to a small machine."""

    tables: int = 10_000
    """Tables on the server."""
    bytes: int = 8 << 30
    """Bytes of all tables on the disk."""
    open_tables: int = 500
    """Tables in memory; idle ones are closed to make room."""
    memory: int = 1 << 30
    """Bytes of memory; above this, all idle tables are closed and no table is created."""
    table_entries: int = 500_000
    """Entries of one table's log."""
    table_bytes: int = 256 << 20
    """Bytes of one table's log as it is stored, with large entries packed."""
    links: int = 200
    """Links of one table."""
    connections: int = 4000
    """Connections of browsers and programs; at most the system's limit of open files, less a reserve."""
    address_connections: int = 250
    """Connections of one address, or of one IPv6 network of 64 bits; trusted proxies are exempt."""
    sockets: int = 2000
    """Sockets of all tables; never more than three quarters of the connections."""
    table_sockets: int = 500
    """Sockets of one table."""
    seat_sockets: int = 20
    """Sockets of one seat: a few devices with a few windows each."""
    unsent: int = 128 << 20
    """Bytes that sockets have not read yet; above this, those with the most are closed."""
    bodies: int = 64 << 20
    """Bytes of incomplete bodies; above this, the oldest is dropped."""
    imports: int = 32
    """Imports in progress, each up to 64 MB in a temporary file; above this, the oldest is dropped."""


FULL = "This server is full: {what}. Nothing was stored. Existing tables stay; ask the person who runs this server."
TABLE_FULL = "This table's log is full: it has {what}. Nothing was stored. Export the table, and continue at a new one."


class Quota:
    """The room in a store, which is measured from time to time, since other programs also write to it."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self.limits = limits
        self.disk_full = False
        self._store = store

    def measure(self) -> None:
        """Measure the stored bytes; asks the disk."""
        self.disk_full = self._store.usage().bytes >= self.limits.bytes

    def check_table(self) -> None:
        """Refuse a new table if there is no room for it; asks the disk."""
        self.check_tables(1)
        self.check_disk()

    def check_tables(self, new: int = 0) -> None:
        """Refuse if there are too many tables, or would be with new ones; asks the disk."""
        tables, size = self._store.usage()
        self.disk_full = size >= self.limits.bytes
        if tables + new > self.limits.tables:
            raise Unavailable(FULL.format(what=f"it keeps at most {self.limits.tables:,} tables"))

    def check_entry(self, version: int, size: int) -> None:
        """Refuse an entry if its version or the bytes of the log would be above the limits, or the disk is full."""
        if version > self.limits.table_entries:
            raise Illegal(TABLE_FULL.format(what=f"{self.limits.table_entries:,} entries"))
        if size > self.limits.table_bytes:
            raise Illegal(TABLE_FULL.format(what=f"{self.limits.table_bytes:,} bytes"))
        self.check_disk()

    def check_disk(self) -> None:
        """Refuse new data if the tables take too much room, by the last measurement."""
        if self.disk_full:
            raise Unavailable(FULL.format(what=f"its tables may take {self.limits.bytes:,} bytes"))
