"""A cursor: how much of an audience's log was posted to a webhook, and which server is at it.

Several servers may want to post the same. A cursor moves by compare-and-set only: whoever claims it posts, the others
leave it alone until it is released or the claim has run out. So an entry is posted once, unless a server ends or stalls
between posting and moving the cursor; then the next one posts it again.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from astragal.storage import Store

CLAIM = 30_000
"""Milliseconds that a claim holds after the last post; a post takes a third of it at most."""
_encode = msgspec.json.Encoder().encode


class Cursor(Struct, frozen=True, omit_defaults=True):
    """How far a webhook has come. Times are in milliseconds since 1970."""

    n: int
    """Entries of the audience's log that are done with, from the first."""
    owner: str = ""
    """The server that posts."""
    until: int = 0
    """When its claim ends."""
    failures: int = 0
    """Tries in a row that failed."""
    failing_since: int = 0
    retry: int = 0
    """When to try again."""
    dropped: int = 0
    """Entries that were never posted."""
    untold: int = 0
    """Those of them that the receiver has not been told of."""
    said: str = ""
    """Why the last try failed."""
    stopped: bool = False
    """Whether nothing is posted any more."""


def cursor_name(table: str, id: str) -> str:
    """The name of a cursor's setting."""
    return f"cursor/{table}/{id}"


class CursorClaim:
    """A cursor in the store, as this server last saw it, and perhaps claimed it. Moving it waits for the disk."""

    def __init__(self, store: Store, table: str, id: str, owner: str) -> None:
        self._store = store
        self._name = cursor_name(table, id)
        self._owner = owner
        self._body = store.setting(self._name)
        self.cursor = msgspec.json.decode(self._body, type=Cursor) if self._body else Cursor(0, stopped=True)

    def is_free(self, now: int) -> bool:
        """Whether there is something to do for this server now."""
        cursor = self.cursor
        mine = cursor.owner == self._owner or cursor.until <= now
        return mine and not cursor.stopped and cursor.retry <= now

    def move(self, cursor: Cursor, now: int, keep: bool = True) -> bool:
        """Move the cursor and keep the claim, or release it; False if another server has it meanwhile."""
        claimed = replace(cursor, owner=self._owner if keep else "", until=now + CLAIM if keep else 0)
        body = _encode(claimed)
        if self._body is None or not self._store.swap_setting(self._name, self._body, body).result():
            return False
        self._body, self.cursor = body, claimed
        return True
