"""A cursor: a webhook's position in its audience's log, and the server that posts for it.

Several servers may find the same new entries. A cursor moves only by compare-and-set: the server that claims it posts,
and the others wait until the claim is released or has expired. So an entry is posted once, unless a server dies or
stalls between a post and the move; then the next server posts the entry again.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from astragal.storage import Store

CLAIM = 30_000
"""Milliseconds that a claim holds after the last post; a post takes at most a third of that."""
_encode = msgspec.json.Encoder().encode


class Cursor(Struct, frozen=True, omit_defaults=True):
    """The position of a webhook. Times are in milliseconds since 1970."""

    n: int
    """The number of entries of the audience's log that were posted or dropped."""
    owner: str = ""
    """The server that posts."""
    until: int = 0
    """The end of its claim."""
    failures: int = 0
    """Tries in a row that failed."""
    failing_since: int = 0
    retry: int = 0
    """The time of the next try."""
    dropped: int = 0
    """Entries that were never posted."""
    untold: int = 0
    """Dropped entries of which the receiver has no notice yet."""
    said: str = ""
    """The reason why the last try failed."""
    stopped: bool = False
    """True if nothing more is posted."""


def cursor_name(table: str, id: str) -> str:
    """The name of a cursor's setting."""
    return f"cursor/{table}/{id}"


class CursorClaim:
    """A cursor in the store, as this server last read or claimed it. Moving it waits for the disk."""

    def __init__(self, store: Store, table: str, id: str, owner: str) -> None:
        self._store = store
        self._name = cursor_name(table, id)
        self._owner = owner
        self._body = store.setting(self._name)
        self.cursor = msgspec.json.decode(self._body, type=Cursor) if self._body else Cursor(0, stopped=True)

    def is_free(self, now: int) -> bool:
        """True if this server may post now."""
        cursor = self.cursor
        mine = cursor.owner == self._owner or cursor.until <= now
        return mine and not cursor.stopped and cursor.retry <= now

    def move(self, cursor: Cursor, now: int, keep: bool = True) -> bool:
        """Move the cursor and keep or release the claim; False if another server has claimed it."""
        claimed = replace(cursor, owner=self._owner if keep else "", until=now + CLAIM if keep else 0)
        body = _encode(claimed)
        if self._body is None or not self._store.swap_setting(self._name, self._body, body).result():
            return False
        self._body, self.cursor = body, claimed
        return True
