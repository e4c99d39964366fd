"""What a seat may read back: a page of its log, and its full view.

A seat's log holds the entries that it may see something of, counted from 1 without a gap.
"""

from __future__ import annotations

from typing import Any

from astragal.serve.live.hub import Hub
from astragal.table.access import may_see, seat_version
from astragal.table.entry import Entry
from astragal.table.log.lines import EntryShown, shown
from astragal.table.state import Member
from astragal.table.view.build import member_view, view

PAGE = 50
"""Entries of a page, unless the request says otherwise."""
MAX_PAGE = 200
"""Entries of a page, at most."""
FIRST_WINDOW = 256
"""Entries read back at first; where many are hidden, further ones are read, four times as many each time."""


def full_view(hub: Hub, member: Member) -> dict[str, Any]:
    """Everything that a seat may see, with the last page of its log: the hello frame and the view over HTTP."""
    return {
        "version": seat_version(hub.state, member),
        "you": member_view(member),
        "parts": view(hub.state, member),
        "log": recent(hub, member),
        "here": hub.here,
    }


def recent(hub: Hub, member: Member, n: int = PAGE) -> list[EntryShown]:
    """The last entries of a seat's log, oldest first."""
    return _shown(hub, member, _latest(hub, member, n))


def since_version(hub: Hub, member: Member, since: int) -> list[EntryShown]:
    """The entries after a seat's version."""
    return recent(hub, member, seat_version(hub.state, member) - since)


def before_version(hub: Hub, member: Member, before: int | None, limit: int) -> dict[str, Any]:
    """A page of entries before a seat's version, with the version of the first of them."""
    version = seat_version(hub.state, member)
    last = version if before is None else min(before - 1, version)
    n = max(0, min(limit, last))
    entries = _shown(hub, member, _latest(hub, member, version - last + n)[:n])
    first = last - len(entries) + 1
    return {"entries": entries, "first": first, "more": first > 1 and bool(entries)}


def _shown(hub: Hub, member: Member, entries: list[Entry]) -> list[EntryShown]:
    return [each for entry in entries if (each := shown(entry, hub.state, member))]


def _latest(hub: Hub, member: Member, n: int) -> list[Entry]:
    """The last n entries that this seat may see; the log is read back as far as that takes."""
    window, top = max(FIRST_WINDOW, 2 * n), hub.version
    while True:
        since = max(0, top - window)
        entries = [
            entry for entry in hub.stored_table.history(since) if entry.version <= top and _is_visible(entry, member)
        ]
        if len(entries) >= n or not since:
            return entries[-n:] if n else []
        window *= 4


def _is_visible(entry: Entry, member: Member) -> bool:
    return any(may_see(member, event.audience) for event in entry.events)
