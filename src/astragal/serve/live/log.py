"""The log as a seat sees it: entries that it may see something of, counted from 1 without a gap."""

from __future__ import annotations

from typing import Any

from astragal.serve.live.hub import Hub
from astragal.table.access import may_see
from astragal.table.entry import Entry
from astragal.table.log.lines import EntryShown, shown
from astragal.table.state import Member
from astragal.table.view.build import seat_version

PAGE = 50
MOST = 200
FIRST_WINDOW = 256


def heard(entry: Entry, member: Member) -> bool:
    return any(may_see(member, event.audience) for event in entry.events)


def latest(hub: Hub, member: Member, n: int) -> list[Entry]:
    """The last n entries that this seat hears of; the log is read back as far as that takes."""
    window, top = max(FIRST_WINDOW, 2 * n), hub.version
    while True:
        since = max(0, top - window)
        entries = [entry for entry in hub.stored_table.history(since) if entry.version <= top and heard(entry, member)]
        if len(entries) >= n or not since:
            return entries[-n:] if n else []
        window *= 4


def recent(hub: Hub, member: Member, n: int = PAGE) -> list[EntryShown]:
    """The last entries, oldest first."""
    return [told for entry in latest(hub, member, n) if (told := shown(entry, hub.state, member))]


def since_version(hub: Hub, member: Member, since: int) -> list[EntryShown]:
    """The entries after a seat's version."""
    return recent(hub, member, seat_version(hub.state, member) - since)


def before_version(hub: Hub, member: Member, before: int | None, limit: int) -> dict[str, Any]:
    """A page of entries before a seat's version, with the version of the first of them."""
    version = seat_version(hub.state, member)
    last = version if before is None else min(before - 1, version)
    n = max(0, min(limit, last))
    entries = latest(hub, member, version - last + n)[:n]
    told = [each for entry in entries if (each := shown(entry, hub.state, member))]
    first = last - len(told) + 1
    return {"entries": told, "first": first, "more": first > 1 and bool(told)}
