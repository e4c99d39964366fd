"""A feed: stored entries on their way to the connections at a table, in rounds that all of these share.

Everything here runs in the event loop, except ``_on_entry``, which threads call too.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from astragal.repository.stored_table import StoredTable
from astragal.serve.live.broadcast import Broadcast, Transition
from astragal.table.entry import Entry, weight_of
from astragal.table.state import State

if TYPE_CHECKING:
    from astragal.serve.live.connection import Connection

MAX_BEHIND, BEHIND_WEIGHT = 512, 2 << 20
"""Entries kept for slow connections, and about how many bytes of them; a connection further behind is closed, and gets
a full view when it reconnects."""
MAX_BROADCASTS, MAX_FRAMES = 64, 16 << 20
"""Broadcasts cached with their frames, and bytes of these; connections that keep up share one."""
WOKEN = 10
"""Connections woken in one turn of the event loop."""
FEW, MAX_REST = 3, 0.02
"""Entries of a round after which the next follows at once, and the seconds that a round waits at most."""


class Feed:
    """The entries of one table as they are stored, and the broadcasts that connections send of them."""

    def __init__(
        self, stored_table: StoredTable, loop: asyncio.AbstractEventLoop, is_large: Callable[[], bool]
    ) -> None:
        self.connections: set[Connection] = set()
        self._loop = loop
        self._is_large = is_large
        self._transitions: deque[Transition] = deque()
        self._weight = 0
        """About how many bytes the entries of these have."""
        self._broadcasts: dict[tuple[int, int], Broadcast] = {}
        self._frame_bytes = 0
        self._inbox: deque[tuple[Entry, State, float]] = deque()
        self._delivery_scheduled = False
        self._in_round, self._round_began, self._in_this_round = False, 0.0, 0
        self.close = stored_table.subscribe(self._on_entry, loop.call_soon_threadsafe)
        """Stops listening to the table."""
        self.state: State = stored_table.state  # after subscribing, so that no entry falls in between
        self.version = self.state.version
        """The version up to which connections send. It moves once a round: whoever keeps up sends the same entries."""

    def _on_entry(self, entry: Entry, state: State) -> None:
        """Listener, called in the loop or on threads. Wakes the event loop once per batch."""
        self._inbox.append((entry, state, monotonic()))
        if not self._delivery_scheduled:
            self._delivery_scheduled = True
            try:
                self._loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:  # the loop has ended, and all connections with it
                return

    def _deliver(self) -> None:
        """Take in all new entries; a round begins with them, or follows the one that is on."""
        self._delivery_scheduled = False
        while self._inbox:
            entry, state, stored_at = self._inbox.popleft()
            if entry.version > self.state.version:
                self._keep(Transition(entry, self.state, state, stored_at))
                self.state = state
        if not self._in_round:
            self._begin_round()

    def _keep(self, transition: Transition) -> None:
        """Keep the next transition for connections that are behind, and drop the oldest ones."""
        self._transitions.append(transition)
        self._weight += weight_of(transition.entry)
        while len(self._transitions) > MAX_BEHIND or (self._weight > BEHIND_WEIGHT and len(self._transitions) > 1):
            self._weight -= weight_of(self._transitions.popleft().entry)

    def _begin_round(self) -> None:
        self._in_round, self._round_began = True, monotonic()
        self._in_this_round, self.version = self.state.version - self.version, self.state.version
        self._forget_broadcasts()
        self._wake(list(self.connections))

    def _wake(self, connections: list[Connection]) -> None:
        """Wake a few connections, and the others in later turns of the loop, since their frames take time."""
        n = 1 if self._is_large() else WOKEN
        for connection in connections[:n]:
            connection.wake()
        if len(connections) > n:
            self._loop.call_soon(self._wake, connections[n:])
        else:
            self._loop.call_soon(self._end_round)

    def _end_round(self) -> None:
        """Rest after a round of many entries, so that a table in a hurry sends fewer frames with more in each."""
        rest = (monotonic() - self._round_began) * (self._in_this_round // FEW)
        self._loop.call_later(min(rest, MAX_REST), self._go_on)

    def _go_on(self) -> None:
        self._in_round = False
        if self.version < self.state.version:
            self._begin_round()

    def entries_after(self, version: int) -> list[Entry]:
        """The entries after a version, or as many of them as are kept."""
        return [each.entry for each in self._after(version)]

    def _after(self, version: int) -> list[Transition]:
        """The transitions after a version, which follow each other without a gap."""
        if not self._transitions:
            return []
        return list(islice(self._transitions, max(0, version - self._transitions[0].entry.version + 1), None))

    def broadcast(self, since: int) -> Broadcast | None:
        """The broadcast of the entries after a version, up to this round's; None if they are no longer kept."""
        key = (since, self.version)
        if key not in self._broadcasts:
            transitions = self._after(since)[: self.version - since]
            if not transitions or transitions[0].entry.version != since + 1:
                return None
            if len(self._broadcasts) >= MAX_BROADCASTS:
                self._forget_broadcasts()
            self._broadcasts[key] = Broadcast(transitions)
        return self._broadcasts[key]

    def count(self, frame: bytes | None) -> None:
        """Count a new frame; when there are too many bytes of them, all are forgotten."""
        self._frame_bytes += len(frame or b"")
        if self._frame_bytes > MAX_FRAMES:
            self._forget_broadcasts()

    def _forget_broadcasts(self) -> None:
        self._broadcasts.clear()
        self._frame_bytes = 0
