"""Hubs: one for each table in use. A hub receives stored entries in order and wakes the connections at its table.

A registry has all of them, and opens a table for whoever asks.

Everything here runs in the event loop, except ``_on_entry``, which the store's threads call.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic, thread_time
from typing import TYPE_CHECKING, TypeVar

from astragal.errors import Forbidden, Unavailable, Unknown
from astragal.repository.repository import Repository
from astragal.repository.stored_table import SLOW, Acted, StoredTable
from astragal.serve.auth import NO_SEAT, SCREEN_ID, Links, SeatCookie, Signer
from astragal.serve.live.broadcast import Broadcast, Transition
from astragal.serve.live.frames import KnockShown
from astragal.serve.live.look_back import LookBack
from astragal.serve.live.recent import RecentEntries
from astragal.serve.security import Work
from astragal.serve.settings import ServerSettings
from astragal.serve.telemetry import Metrics
from astragal.table.action import Action
from astragal.table.entry import Entry
from astragal.table.rolls.hand import Roller, machine
from astragal.table.state import Member, State

if TYPE_CHECKING:
    from astragal.serve.live.connection import Connection

T = TypeVar("T")
MAX_BEHIND = 512
"""Entries kept for slow connections; one further behind is closed, and gets a snapshot when it reconnects."""
MAX_BROADCASTS = 64
"""Broadcasts cached with their frames; connections that keep up share one."""
CLOSE_TIMEOUT = 1.0
"""Seconds to wait for connections to close when the server stops."""
IN_USE = 5.0
"""Seconds after a request in which its table is not closed, however full the server is."""
QUICK = 0.004
"""Seconds of work; after a decision or frame that took more, a table's are made in threads for a while."""
QUICK_AGAIN = 24
"""Decisions and frames in a row that must be quick in threads before a table does without threads again."""
WOKEN = 10
"""Connections woken in one round of the event loop."""
DELETED = "This table was deleted."
TOO_SLOW = "Connection too slow. Reconnecting …"
REVOKED = "The link that you came by was revoked."

SCREEN = Member(SCREEN_ID, "Screen", "onlooker")
"""Whoever looks at a screen of the room: nobody in particular, with an onlooker's rights."""

_LARGE = ThreadPoolExecutor(2, "astragal large")
"""Threads for large decisions and frames: few, so that they leave the others their share of the machine."""
_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What the work returns, and the seconds that it took."""
    began = thread_time()
    return work(), thread_time() - began


class Hub:
    """One table in use: its stored state, its links and its connections."""

    def __init__(
        self, stored_table: StoredTable, links: Links, metrics: Metrics, work: Work, loop: asyncio.AbstractEventLoop
    ) -> None:
        self.stored_table = stored_table
        self.links = links
        self.connections: set[Connection] = set()
        self.knocks: list[KnockShown] = []
        """Everybody who waits at the door, for GMs."""
        self.last_used = monotonic()
        self._metrics = metrics
        self._work = work
        self._loop = loop
        self._transitions: deque[Transition] = deque(maxlen=MAX_BEHIND)
        self._broadcasts: dict[tuple[int, int], Broadcast] = {}
        self._inbox: deque[tuple[Entry, State, float]] = deque()
        self._wake_scheduled = False
        self._turn, self._look_back = asyncio.Lock(), LookBack()
        self._threaded = 0
        """Decisions and frames that are still to be made in threads."""
        self._unsubscribe = stored_table.subscribe(self._on_entry)
        self.state: State = stored_table.state  # after subscribing, so that no entry falls in between
        self._latest = RecentEntries(self.state.version)

    @property
    def id(self) -> str:
        """The table's id."""
        return self.stored_table.id

    def close(self) -> None:
        """Stop listening to the table."""
        self._unsubscribe()

    def is_idle(self, seconds: float) -> bool:
        """Whether nobody is connected, and nobody asked for so long."""
        return not self.connections and monotonic() - self.last_used > seconds

    # Entries.

    def _on_entry(self, entry: Entry, state: State) -> None:
        """Listener, called on the store's threads. Wakes the event loop once per batch."""
        self._inbox.append((entry, state, monotonic()))
        if not self._wake_scheduled:
            self._wake_scheduled = True
            try:
                self._loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:  # the loop has ended, and all connections with it
                return

    def _deliver(self) -> None:
        """Take in all new entries and wake the connections."""
        self._wake_scheduled = False
        while self._inbox:
            entry, state, stored_at = self._inbox.popleft()
            if entry.version > self.state.version:
                self._transitions.append(Transition(entry, self.state, state, stored_at))
                self.state = state
        self._broadcasts.clear()
        self._wake(list(self.connections))

    def _wake(self, connections: list[Connection]) -> None:
        """Wake a few connections, and the others in later rounds of the loop, since their frames take time."""
        n = 1 if self._is_large else WOKEN
        for connection in connections[:n]:
            connection.wake()
        if len(connections) > n:
            self._loop.call_soon(self._wake, connections[n:])

    @property
    def version(self) -> int:
        """The version of the last entry that connections may send."""
        return self.state.version

    @property
    def recent(self) -> RecentEntries:
        """The latest entries in memory, brought up to date when somebody looks."""
        new = [each.entry for each in self._transitions if each.entry.version > self._latest.version]
        if new and new[0].version > self._latest.version + 1:  # nobody looked for long, and some are gone
            self._latest = RecentEntries(new[0].version - 1)
        for entry in new:
            self._latest.add(entry)
        return self._latest

    async def submit(self, by: str, action: Action, key: str, at: int, dice: Roller = machine) -> Acted:
        """Act at the table, one after the other; returns when the entry is on the disk.

        What takes neither the disk nor a wait is decided here, everything else in a thread. Nobody waits for
        somebody's undo.
        """
        arguments = (by, action, key, at)
        submit = partial(self.stored_table.submit, *arguments, dice=dice)
        if isinstance(action, SLOW):
            return await asyncio.wrap_future(await self._look_back.submit(self.state.version, submit))
        async with self._turn:
            if rest := self._work.rest(self.id):
                await asyncio.sleep(rest)
            attempt = partial(self.stored_table.try_submit, *arguments, dice=dice)
            decided = None if self._is_large else self._timed(attempt)
            if decided is None:
                decided = await self._timed_in_thread(submit)
        return await asyncio.wrap_future(decided)

    async def frame(self, broadcast: Broadcast, member: Member) -> str | None:
        """The frame of a broadcast for a seat; large ones are made in a thread."""
        if self._is_large and not broadcast.has_frame_for(member):
            return await self._timed_in_thread(partial(broadcast.frame_for, member))
        return self._timed(partial(broadcast.frame_for, member))

    @property
    def _is_large(self) -> bool:
        """Whether something took long here not long ago, and may again."""
        return self._threaded > 0

    def _timed(self, work: Callable[[], T]) -> T:
        done, seconds = timed(work)
        self.worked(seconds)
        return done

    async def _timed_in_thread(self, work: Callable[[], T]) -> T:
        threads = _LARGE if self._is_large else None
        done, seconds = await asyncio.get_running_loop().run_in_executor(threads, timed, work)
        self._threaded = max(0, self._threaded - 1)
        self.worked(seconds)
        return done

    def worked(self, seconds: float) -> None:
        """Count work that was done for this table; one that costs too much rests before its next action."""
        self._work.spend(self.id, seconds)
        if seconds > QUICK:
            self._threaded = QUICK_AGAIN

    def broadcast(self, since: int) -> Broadcast | None:
        """The broadcast of all entries after a version; None if they are no longer kept."""
        key = (since, self.version)
        if key not in self._broadcasts:
            transitions = [each for each in self._transitions if each.entry.version > since]
            if not transitions or transitions[0].entry.version != since + 1:
                return None
            if len(self._broadcasts) >= MAX_BROADCASTS:
                self._broadcasts.clear()
            self._broadcasts[key] = Broadcast(transitions)
        return self._broadcasts[key]

    # Members and connections.

    def member(self, id: str) -> Member | None:
        """A member who has not left the table, or the screen of the room."""
        found = SCREEN if id == SCREEN.id else self.state.members.get(id)
        return found if found and found.role != "gone" else None

    def member_at(self, seat: SeatCookie) -> Member:
        """The member at a seat; Forbidden if the link was revoked or the member has left."""
        member = self.member(seat.member)
        if member is None or seat.link not in self.links:
            raise Forbidden(NO_SEAT)
        return member

    @property
    def here(self) -> list[str]:
        """The members with an open connection, in the order of the table."""
        present = {connection.seat.member for connection in self.connections}
        return [id for id in self.state.members if id in present]

    def add(self, connection: Connection) -> None:
        """Add an open connection; the others learn who is here."""
        before = self.here
        self.connections.add(connection)
        self._notify_presence(before, connection)

    def remove(self, connection: Connection) -> None:
        """Remove a closed connection; the others learn who is here."""
        before = self.here
        self.connections.discard(connection)
        self.last_used = monotonic()
        self._notify_presence(before, connection)

    def _notify_presence(self, before: list[str], source: Connection) -> None:
        if self.here != before:
            for connection in self.connections:
                if connection is not source:
                    connection.send_presence()

    def show_knocks(self, knocks: list[KnockShown]) -> None:
        """Tell the GMs who waits at the door, if that has changed."""
        if knocks != self.knocks:
            self.knocks = knocks
            for connection in self.connections:
                connection.send_knocks()

    def disconnect_link(self, id: str) -> None:
        """Close the connections of everybody who came by a link, at once."""
        for connection in list(self.connections):
            if connection.seat.link == id:
                connection.close(1008, REVOKED, "revoked")


class TableRegistry:
    """The hubs of all tables in use, by table id. ``Upkeep`` looks after them."""

    def __init__(self, repository: Repository, signer: Signer, settings: ServerSettings, metrics: Metrics) -> None:
        self.hubs: dict[str, Hub] = {}
        self._repository = repository
        self._signer = signer
        self._settings = settings
        self._metrics = metrics
        self._work = Work(settings.table_work, settings.all_work)
        self._opening: dict[str, asyncio.Task[Hub]] = {}

    async def open(self, table: str) -> Hub:
        """The hub of a table, opened if need be; Unknown if there is no such table."""
        hub = self.hubs.get(table)
        if hub is None:
            if not _TABLE_ID(table):
                raise Unknown(f'There is no table "{table[:64]}".')
            if table not in self._opening:  # all who ask meanwhile wait for the same task
                self._opening[table] = asyncio.create_task(self._open(table))
            hub = await asyncio.shield(self._opening[table])
        hub.last_used = monotonic()
        return hub

    async def _open(self, table: str) -> Hub:
        try:
            self.make_room(0)  # this one is among those that are being opened
            stored_table, links = await asyncio.to_thread(self._load, table)
            self.hubs[table] = Hub(stored_table, links, self._metrics, self._work, asyncio.get_running_loop())
            return self.hubs[table]
        finally:
            del self._opening[table]

    def _load(self, table: str) -> tuple[StoredTable, Links]:
        links = Links(self._repository.store, self._signer, table, self._settings.limits.links)
        return self._repository.open(table), links

    def make_room(self, wanted: int = 1) -> None:
        """Close tables, the longest idle first, until the wanted ones fit; Unavailable if all are in use."""
        while (open := len(self.hubs) + len(self._opening)) + wanted > self._settings.limits.open_tables:
            idle = [hub for hub in self.hubs.values() if hub.is_idle(IN_USE)]
            if not idle:
                raise Unavailable(f"{open} tables are in use, and no more fit. Try again later.")
            self.shut(min(idle, key=lambda hub: hub.last_used))

    def shut(self, hub: Hub) -> None:
        """Close a table that nobody uses."""
        hub.close()
        del self.hubs[hub.id]
        self._repository.release(hub.id)

    def drop(self, hub: Hub, message: str) -> None:
        """Forget a table whose memory is out of date; whoever is connected comes back by themselves."""
        for connection in list(hub.connections):
            connection.close(1001, message, "stop")
        hub.close()
        if self.hubs.get(hub.id) is hub:
            del self.hubs[hub.id]
        self._repository.release(hub.id)

    def replace(self, stored_table: StoredTable) -> None:
        """Forget the hub of an earlier table with the id of a new one."""
        hub = self.hubs.get(stored_table.id)
        if hub and hub.stored_table is not stored_table:
            self.drop(hub, DELETED)

    async def close(self, message: str) -> None:
        """Close every connection with a farewell, wait a moment until they are gone, and close the hubs."""
        for hub in self.hubs.values():
            for connection in list(hub.connections):
                connection.close(1001, message, "stop")
        deadline = monotonic() + CLOSE_TIMEOUT
        while self.sockets and monotonic() < deadline:
            await asyncio.sleep(0.01)
        for hub in self.hubs.values():
            hub.close()

    @property
    def sockets(self) -> int:
        """The number of open connections."""
        return sum(len(hub.connections) for hub in self.hubs.values())
