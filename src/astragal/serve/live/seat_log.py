"""Reading for a seat: a page of its log, and its full view.

A seat's log has the entries of which the seat may see something, counted from 1 without a gap. The latest ones are in
memory; others are read in a thread, since the event loop never waits for the disk. A page of large entries has fewer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from astragal.serve.live.frames import News, encode_frame
from astragal.serve.live.hub import KEPT, KEPT_WEIGHT, PAGE_WEIGHT, Hub
from astragal.table.access import seat_version
from astragal.table.entry import Entry, weight_of
from astragal.table.log.lines import shown
from astragal.table.log.shown import EntryShown
from astragal.table.state import Member, State
from astragal.table.view.build import member_view, view

T = TypeVar("T")
PAGE = 50
"""Entries of a page, unless the request says otherwise."""
MAX_PAGE = 200
"""Entries of a page, at most."""

_encode = msgspec.json.Encoder().encode


async def full_view(hub: Hub, member: Member, made: Callable[[dict[str, Any]], T]) -> tuple[State, T]:
    """The state, and the result of ``made`` from everything that a seat may see, with the last page of its log."""
    state, here = hub.state, hub.presence.here
    entries = await _latest(hub, state, member, PAGE)

    def look() -> T:
        return made(
            {
                "version": seat_version(state, member),
                "you": member_view(member),
                "parts": view(state, member),
                "log": _shown(state, member, entries),
                "here": here,
                "tickets": hub.stored_table.tickets.shown(state, member),
                "book": state.book,
                "unconfirmed": member.id in state.unconfirmed,
            }
        )

    return state, await hub.look(look)


async def catch_up(hub: Hub, state: State, member: Member, since: int, last: str) -> str | None:
    """The news frame of all entries after a seat's version, empty if there are none.

    None if they are too large for a page, or if the entry of that version is not the browser's ``last``: then the table
    was restored, and the browser shows another history.
    """
    version = seat_version(state, member)
    before = 1 if last and since else 0
    entries = await _latest(hub, state, member, version - since + before)
    if len(entries) < version - since + before or (before and last != name_of_entry(entries[0])):
        return None
    missed = entries[before:]
    if not missed:
        return ""
    return await hub.look(
        lambda: encode_frame(News(version, _shown(state, member, missed), view(state, member), all=True))
    )


def name_of_entry(entry: Entry) -> str:
    """A unique name of an entry; the id alone is not unique, since a restored table may repeat ids."""
    return f"{entry.id}.{entry.at}"


async def before_version(hub: Hub, member: Member, before: int | None, limit: int) -> msgspec.Raw:
    """A page of entries before a seat's version, with the version of the first of them, as JSON."""
    state = hub.state
    version = seat_version(state, member)
    last = version if before is None else min(before - 1, version)
    log = hub.stored_table.seat_log(state, member)
    entries = await asyncio.to_thread(log.read_back, last, limit, PAGE_WEIGHT)
    first = last - len(entries) + 1

    def look() -> msgspec.Raw:
        found = _shown(state, member, entries)
        return msgspec.Raw(_encode({"entries": found, "first": max(1, first), "more": first > 1 and bool(entries)}))

    return await hub.look(look)


async def _latest(hub: Hub, state: State, member: Member, n: int) -> list[Entry]:
    """The last entries of a seat's log as of a state, oldest first; fewer than n if they are large."""
    up_to_date = hub.recent.version >= state.version  # otherwise it will be in a moment
    entries = hub.recent.latest(state, member, n) if up_to_date else None
    if entries is None:
        log = hub.stored_table.seat_log(state, member)
        read = await asyncio.to_thread(log.read_back, log.last, max(n, KEPT), KEPT_WEIGHT)
        whole = len(read) == log.last
        hub.recent.fill(member, read, 0 if whole else read[0].version - 1)
        entries = read[-n:] if n else []
    return page_of(entries)


def page_of(entries: list[Entry]) -> list[Entry]:
    """The latest entries that fit on a page, at least one."""
    weight = 0
    for n, entry in enumerate(reversed(entries)):
        weight += weight_of(entry)
        if weight > PAGE_WEIGHT and n:
            return entries[-n:]
    return entries


def _shown(state: State, member: Member, entries: list[Entry]) -> list[EntryShown]:
    return [each for entry in entries if (each := shown(entry, state, member))]
