"""The latest entries of a table in memory, for each audience, so that most views need no disk."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import merge
from operator import attrgetter

from astragal.table.access import EVERYBODY, GM, seat_version
from astragal.table.entry import Entry
from astragal.table.state import Member, State

KEPT = 256
"""Entries kept for each audience: more than a page of a seat's log, and than a reconnect may have missed."""


class RecentEntries:
    """The latest entries of each audience. Used in the event loop only."""

    def __init__(self, version: int) -> None:
        self.version = self._since = version
        """Of every audience, all entries after this version are here, but for what is said below."""
        self._floors: dict[str, int] = {}
        """The same for single audiences."""
        self._entries: dict[str, list[Entry]] = {}

    def add(self, entry: Entry) -> None:
        """Take in the next entry."""
        self.version = entry.version
        for audience in _audiences_of(entry):
            entries = self._entries.setdefault(audience, [])
            entries.append(entry)
            if len(entries) >= 2 * KEPT:
                self._keep_last(audience)

    def _keep_last(self, audience: str) -> None:
        entries = self._entries[audience]
        if len(entries) > KEPT:
            self._floors[audience] = entries[-KEPT - 1].version
            del entries[:-KEPT]

    def fill(self, member: Member, entries: list[Entry], since: int) -> None:
        """Take in what was read back: all that a member may see after the version ``since``."""
        for audience in _audiences(member):
            floor = self._floor(audience)
            older = [entry for entry in entries if entry.version <= floor and audience in _audiences_of(entry)]
            if since < floor:
                self._entries[audience] = [*older, *self._entries.get(audience, [])]
                self._floors[audience] = since
                self._keep_last(audience)

    def latest(self, state: State, member: Member, n: int) -> list[Entry] | None:
        """The last n entries of a member's log as of a state, oldest first; None if they are not all here."""
        audiences = [each for each in _audiences(member) if each in (EVERYBODY, GM) or state.private.get(each)]
        floor = max(map(self._floor, audiences))
        known = merge(*(self._entries.get(each, ()) for each in audiences), key=attrgetter("version"))
        found = [entry for entry in known if floor < entry.version <= state.version]
        n = min(n, seat_version(state, member))
        if len(found) < n:
            return None
        return found[-n:] if n else []

    def _floor(self, audience: str) -> int:
        return self._floors.get(audience, self._since)


def _audiences(member: Member) -> list[str]:
    """The audiences whose entries make up a member's log."""
    return [GM] if member.role == GM else [EVERYBODY, member.id]


def _audiences_of(entry: Entry) -> Iterable[str]:
    """The audiences whose logs have this entry; a GM's log has them all."""
    audiences = {event.audience for event in entry.events}
    return {EVERYBODY, GM} if EVERYBODY in audiences else audiences | {GM}
