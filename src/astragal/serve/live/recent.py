"""The latest entries of a table in memory, for each audience, so most views need no disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import merge
from operator import attrgetter

from astragal.table.access import EVERYBODY, GM, seat_version
from astragal.table.entry import Entry, weight_of
from astragal.table.state import Member, State

KEPT = 256
"""Entries kept for each audience: more than a page of a seat's log, and more than a reconnect sends."""
PAGE_WEIGHT = 1 << 20
"""Approximate bytes of a page of a seat's log, at most."""
KEPT_WEIGHT = 2 << 20
"""Approximate bytes of entries that are kept for each audience."""


class RecentEntries:
    """The latest entries of each audience. Used in the event loop only."""

    def __init__(self, version: int) -> None:
        self.version = self._since = version
        """For every audience, all entries after this version are here, unless it has its own floor."""
        self._floors: dict[str, int] = {}
        """For some audiences, the version after which all entries are here."""
        self._entries: dict[str, list[Entry]] = {}
        self._weights: Counter[str] = Counter()
        """Approximate bytes of each audience's entries."""

    def add(self, entry: Entry) -> None:
        """Add the next entry."""
        self.version, weight = entry.version, weight_of(entry)
        for audience in _audiences_of(entry):
            entries = self._entries.setdefault(audience, [])
            entries.append(entry)
            self._weights[audience] += weight
            if len(entries) >= 2 * KEPT or self._weights[audience] >= 2 * KEPT_WEIGHT:
                self._keep_last(audience)

    def _keep_last(self, audience: str) -> None:
        """Drop the oldest entries beyond the count and size limits."""
        entries, weight = self._entries[audience], 0
        for n, entry in enumerate(reversed(entries)):
            more = weight_of(entry)
            if n == KEPT or weight + more > KEPT_WEIGHT:
                self._floors[audience] = entry.version
                del entries[: len(entries) - n]
                break
            weight += more
        self._weights[audience] = weight

    def fill(self, member: Member, entries: list[Entry], since: int) -> None:
        """Add entries that were read back: all that a member may see after the version ``since``."""
        for audience in _audiences(member):
            floor = self._floor(audience)
            older = [entry for entry in entries if entry.version <= floor and audience in _audiences_of(entry)]
            if since < floor:
                self._entries[audience] = [*older, *self._entries.get(audience, [])]
                self._floors[audience] = since
                self._keep_last(audience)

    def latest(self, state: State, member: Member, n: int) -> list[Entry] | None:
        """The last n entries of a member's log as of a state, oldest first; None if some are not here.

        If they are large, fewer that make a page are enough.
        """
        audiences = [each for each in _audiences(member) if each in (EVERYBODY, GM) or state.private.get(each)]
        floor = max(map(self._floor, audiences))
        known = merge(*(self._entries.get(each, ()) for each in audiences), key=attrgetter("version"))
        found = [entry for entry in known if floor < entry.version <= state.version]
        n = min(n, seat_version(state, member))
        if len(found) < n and sum(map(weight_of, found)) < PAGE_WEIGHT:
            return None
        return found[-n:] if n else []

    def _floor(self, audience: str) -> int:
        return self._floors.get(audience, self._since)


def _audiences(member: Member) -> list[str]:
    """The audiences whose entries make up a member's log."""
    return [GM] if member.role == GM else [EVERYBODY, member.id]


def _audiences_of(entry: Entry) -> Iterable[str]:
    """The audiences whose logs have this entry; a GM's log has every entry."""
    audiences = {event.audience for event in entry.events}
    return {EVERYBODY, GM} if EVERYBODY in audiences else audiences | {GM}
