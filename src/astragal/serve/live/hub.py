"""The hub of a table: hears what is stored, in order, and wakes the lines of those who watch.

Everything here runs in the event loop but ``_hear``, which the store's threads call.
"""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

from astragal.errors import Forbidden
from astragal.repository.stored_table import StoredTable
from astragal.serve.auth.cookie import NO_SEAT, SeatCookie
from astragal.serve.auth.links import Links
from astragal.serve.live.broadcast import Broadcast, News
from astragal.serve.metrics import Metrics
from astragal.table.entry import Entry
from astragal.table.state import Member, State

if TYPE_CHECKING:
    from astragal.serve.live.connection import Connection

KEPT = 512
"""A watcher that is further behind than this comes back with a new line."""
SHOWN = 64
"""So many stretches of news are remembered with their frames; lines that keep up share one."""


class Hub:
    """One open table: its campaign, the state that is on the disk, its links and its lines."""

    def __init__(
        self, stored_table: StoredTable, links: Links, metrics: Metrics, loop: asyncio.AbstractEventLoop
    ) -> None:
        self.stored_table = stored_table
        self.links = links
        self.state: State = stored_table.state
        self.connections: set[Connection] = set()
        self.used = monotonic()
        self._metrics = metrics
        self._loop = loop
        self._news: deque[News] = deque(maxlen=KEPT)
        self._broadcasts: dict[tuple[int, int], Broadcast] = {}
        self._inbox: deque[tuple[Entry, State, float]] = deque()
        self._called = False
        self._unwatch = stored_table.subscribe(self._hear)

    @property
    def id(self) -> str:
        return self.stored_table.id

    def close(self) -> None:
        self._unwatch()

    # What is stored.

    def _hear(self, entry: Entry, state: State) -> None:
        """Called by the store's threads: one wake-up of the loop for as many entries as there are by then."""
        self._inbox.append((entry, state, monotonic()))
        if not self._called:
            self._called = True
            try:
                self._loop.call_soon_threadsafe(self._take)
            except RuntimeError:  # the loop has ended, and all lines with it
                return

    def _take(self) -> None:
        self._called = False
        while self._inbox:
            entry, state, heard = self._inbox.popleft()
            self._news.append(News(entry, self.state, state, heard))
            self.state = state
        if self.state.version == self._news[-1].entry.version:  # else more entries of the same state follow
            self._broadcasts.clear()
            for connection in self.connections:
                connection.wake()

    @property
    def version(self) -> int:
        """The version of the last entry that may be told."""
        return self._news[-1].entry.version if self._news else self.state.version

    def broadcast(self, since: int) -> Broadcast | None:
        """The news after a version; None if they are no longer kept."""
        key = (since, self.version)
        if key not in self._broadcasts:
            news = [each for each in self._news if each.entry.version > since]
            if not news or news[0].entry.version != since + 1:
                return None
            if len(self._broadcasts) >= SHOWN:
                self._broadcasts.clear()
            self._broadcasts[key] = Broadcast(news)
        return self._broadcasts[key]

    # Who is here.

    def member(self, id: str) -> Member | None:
        """A member who is still at the table."""
        found = self.state.members.get(id)
        return found if found and found.role != "gone" else None

    def seated(self, seat: SeatCookie) -> Member:
        """Whoever has this seat now: the link has to stand, and the member must not have left."""
        member = self.member(seat.member)
        if member is None or seat.link not in self.links:
            raise Forbidden(NO_SEAT)
        return member

    @property
    def here(self) -> list[str]:
        """The members with an open line, in the order of the table."""
        present = {connection.seat.member for connection in self.connections}
        return [id for id in self.state.members if id in present]

    def join(self, connection: Connection) -> None:
        before = self.here
        self.connections.add(connection)
        self._tell_here(before, connection)

    def leave(self, connection: Connection) -> None:
        before = self.here
        self.connections.discard(connection)
        self.used = monotonic()
        self._tell_here(before, connection)

    def _tell_here(self, before: list[str], but: Connection) -> None:
        if self.here != before:
            for connection in self.connections:
                if connection is not but:
                    connection.tell_here()

    def drop_link(self, id: str, why: str) -> None:
        """Everybody who came by this link goes at once."""
        for connection in list(self.connections):
            if connection.seat.link == id:
                connection.end(1008, why, "revoked")
