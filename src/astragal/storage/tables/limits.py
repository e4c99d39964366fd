"""Limits: how much a server holds, in all and for each table. A server that is full refuses with a sentence."""

from __future__ import annotations

from typing import NamedTuple


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
