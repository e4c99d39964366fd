"""Limits: how much a server holds, in all and for each table. A server that is full refuses with a sentence."""

from __future__ import annotations

from typing import NamedTuple

from astragal.errors import Illegal, Unavailable
from astragal.storage import Store


class Limits(NamedTuple):
    """Upper bounds. Those of one table are large for years of play, those of the server suit a small machine."""

    tables: int = 10_000
    """Tables on the server."""
    bytes: int = 8 << 30
    """Bytes of all tables on the disk."""
    open_tables: int = 500
    """Tables in memory; idle ones leave it when more are wanted."""
    memory: int = 1 << 30
    """Bytes of memory above which every idle table leaves it, and no table is founded."""
    table_entries: int = 500_000
    """Entries of one table's log."""
    table_bytes: int = 256 << 20
    """Bytes of one table's log, as it is stored: large entries are packed."""
    links: int = 200
    """Links of one table."""
    connections: int = 4000
    """Connections of browsers and programs; never more than the system allows files, less a reserve."""
    address_connections: int = 250
    """Connections of one address, or of one IPv6 network of 64 bits; trusted proxies are exempt."""
    sockets: int = 2000
    """Sockets of all tables; never more than three quarters of the connections."""
    table_sockets: int = 500
    """Sockets of one table."""
    seat_sockets: int = 20
    """Sockets of one seat: a few devices with a few windows each."""
    unsent: int = 128 << 20
    """Bytes sent to sockets that have not read them; beyond it, those with the most are closed."""
    bodies: int = 64 << 20
    """Bytes of requests' bodies that are not whole yet; beyond it, the oldest is given up."""
    imports: int = 32
    """Imports that are being received, each up to 64 MB in a temporary file; beyond it, the oldest is given up."""


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
