"""What a seat may read back: a page of its log, and its full view.

A seat's log holds the entries that it may see something of, counted from 1 without a gap. The latest are
in memory; others are read in a thread, since the event loop never waits for the disk.
"""

from __future__ import annotations

import asyncio
from typing import Any

from astragal.serve.live.hub import Hub
from astragal.serve.live.recent import KEPT
from astragal.table.access import seat_version
from astragal.table.entry import Entry
from astragal.table.log.lines import shown
from astragal.table.log.shown import EntryShown
from astragal.table.state import Member, State
from astragal.table.view.build import member_view, view

PAGE = 50
"""Entries of a page, unless the request says otherwise."""
MAX_PAGE = 200
"""Entries of a page, at most."""


async def full_view(hub: Hub, member: Member) -> tuple[State, dict[str, Any]]:
    """Everything that a seat may see, with the last page of its log; and the state that it shows."""
    state = hub.state
    log = await recent(hub, state, member)
    return state, {
        "version": seat_version(state, member),
        "you": member_view(member),
        "parts": view(state, member),
        "log": log,
        "here": hub.here,
    }


async def recent(hub: Hub, state: State, member: Member, n: int = PAGE) -> list[EntryShown]:
    """The last entries of a seat's log as of a state, oldest first."""
    entries = hub.recent.latest(state, member, n)
    if entries is None:
        read = await asyncio.to_thread(hub.stored_table.seat_log(state, member).latest, max(n, KEPT))
        whole = len(read) == seat_version(state, member)
        hub.recent.fill(member, read, 0 if whole else read[0].version - 1)
        entries = read[-n:] if n else []
    return _shown(state, member, entries)


async def since_version(hub: Hub, state: State, member: Member, since: int) -> list[EntryShown]:
    """The entries after a seat's version."""
    return await recent(hub, state, member, seat_version(state, member) - since)


async def before_version(hub: Hub, member: Member, before: int | None, limit: int) -> dict[str, Any]:
    """A page of entries before a seat's version, with the version of the first of them."""
    state = hub.state
    version = seat_version(state, member)
    last = version if before is None else min(before - 1, version)
    first = max(1, last - limit + 1)
    entries = await asyncio.to_thread(hub.stored_table.seat_log(state, member).read, first, last)
    return {"entries": _shown(state, member, entries), "first": first, "more": first > 1 and bool(entries)}


def _shown(state: State, member: Member, entries: list[Entry]) -> list[EntryShown]:
    return [each for entry in entries if (each := shown(entry, state, member))]
