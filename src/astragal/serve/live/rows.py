"""What servers note about a table in rows: who has it open where, who waits at its door, whether its links changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import msgspec
from msgspec import Struct, field

LIVE = "live/"
HERE = "here"
KNOCK = "knock"
LINKS = "links"


class LiveRows(Struct):
    """The rows about one table."""

    links: bytes = b""
    """A stamp that changes with every change of its links."""
    here: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The members who have it open, by server."""
    knocks: list[bytes] = field(default_factory=list)


_members = msgspec.json.Decoder(tuple[str, ...])


def live_prefix(table: str) -> str:
    """What the names of all rows about a table begin with."""
    return f"{LIVE}{table}/"


def here_name(table: str, server: str) -> str:
    """The name of the row that says who has a table open at a server."""
    return f"{LIVE}{table}/{HERE}/{server}"


def encode_members(members: Iterable[str]) -> bytes:
    """The body of such a row."""
    return msgspec.json.encode(tuple(members))


def live_rows(rows: dict[str, bytes]) -> dict[str, LiveRows]:
    """What rows say, by table; rows about something else are left out."""
    found: dict[str, LiveRows] = defaultdict(LiveRows)
    for name, body in rows.items():
        if name.startswith(LIVE):
            table, what, *rest = name[len(LIVE) :].split("/")
            if what == HERE:
                found[table].here[rest[0]] = _members.decode(body)
            elif what == KNOCK:
                found[table].knocks.append(body)
            elif what == LINKS:
                found[table].links = body
    return found
