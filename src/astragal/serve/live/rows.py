"""What the store has about a table besides its entries: who waits at its door, and whether its links changed."""

from __future__ import annotations

from collections import defaultdict

from msgspec import Struct, field

LIVE = "live/"


class LiveRows(Struct):
    """The rows about one table."""

    links: bytes = b""
    """A stamp that changes with every change of its links."""
    knocks: list[bytes] = field(default_factory=list)


def live_prefix(table: str) -> str:
    """What the names of all rows about a table begin with."""
    return f"{LIVE}{table}/"


def live_rows(rows: dict[str, bytes]) -> dict[str, LiveRows]:
    """The rows by table; rows about something else are left out."""
    found: dict[str, LiveRows] = defaultdict(LiveRows)
    for name, body in rows.items():
        if name.startswith(LIVE):
            table, what, *_ = name[len(LIVE) :].split("/")
            if what == "knock":
                found[table].knocks.append(body)
            elif what == "links":
                found[table].links = body
    return found
