"""Hubs: one for each table in use, with its stored state, its links and its connections.

Its feed brings stored entries to the connections, in rounds that all of these share. Everything here runs in the
event loop, except ``_on_entry``, which threads call too.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future
from functools import partial
from itertools import islice
from time import monotonic, thread_time
from typing import TYPE_CHECKING, TypeVar

from astragal.errors import Forbidden, Unavailable
from astragal.repository.pending import Acted
from astragal.repository.stored_table import SLOW, StoredTable
from astragal.serve.auth import NO_SEAT, SCREEN_ID, Links, SeatCookie
from astragal.serve.limits.threads import Threads
from astragal.serve.live.broadcast import Broadcast, Transition
from astragal.serve.live.look_back import LookBack
from astragal.serve.live.presence import Presence
from astragal.serve.live.recent import RecentEntries
from astragal.serve.problems import Busy
from astragal.serve.security import Gate, WorkShares
from astragal.table.action import Action
from astragal.table.entry import Entry, weight_of
from astragal.table.rolls.hand import Roller, machine
from astragal.table.state import Member, State

if TYPE_CHECKING:
    from astragal.serve.live.connection import Connection
    from astragal.serve.live.others import Others

T = TypeVar("T")
MAX_BEHIND, BEHIND_WEIGHT = 512, 2 << 20
"""Entries kept for slow connections, and about how many bytes of them; a connection further behind is closed, and gets
a full view when it reconnects."""
MAX_BROADCASTS, MAX_FRAMES = 64, 16 << 20
"""Broadcasts cached with their frames, and bytes of these; connections that keep up share one."""
WOKEN = 10
"""Connections woken in one turn of the event loop."""
FEW, MAX_REST = 3, 0.02
"""Entries of a round after which the next follows at once, and the seconds that a round waits at most."""
QUICK = 0.004
"""Seconds of work; after a decision or frame that took more, a table's of the same kind are made in a thread."""
QUICK_AGAIN = 24
"""Works of a kind in a row that must be quick in the thread before a table does without it again."""
MANY = 100
"""A number of this size in what is put into a roll may be so many dice, which are thrown in the thread."""
HEAVY = 16 << 10
"""About how many bytes of one entry make a frame that is made in the thread."""
LOOK, FRAME = "look", "frame"
"""Kinds of work that are no actions; the others are named after the action."""
STORED_WITHIN = 15.0
"""Seconds that a database has to store an entry; it may have done so all the same, which its key tells later."""
NO_ANSWER = (
    "The database does not answer, so it is not known whether this was stored. Send the same again: it is stored once."
)
TOO_SLOW = "Connection too slow. Reconnecting …"

SCREEN = Member(SCREEN_ID, "Screen", "onlooker")
"""Whoever looks at a screen of the room: nobody in particular, with an onlooker's rights."""

_LARGE = Threads(1, "astragal large")
"""A thread for large decisions, views and frames: one, so that it leaves the others most of the interpreter."""


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What the work returns, and the seconds that it took."""
    began = thread_time()
    return work(), thread_time() - began


def _kind_of(action: Action) -> str:
    return str(action.__struct_config__.tag)


def _asks_much(action: Action) -> bool:
    """Whether so much is put into a roll that it may take long to throw, so that the event loop does not find out."""
    inputs = getattr(action, "inputs", None) or {}
    return any(isinstance(n, int) and n >= MANY for value in inputs.values() for n in _numbers(value))


def _numbers(value: object) -> Iterable[object]:
    """A value that is put in, or those that it is made of."""
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)


class Feed:
    """The entries of one table as they are stored, and the broadcasts that connections send of them."""

    def __init__(
        self,
        stored_table: StoredTable,
        loop: asyncio.AbstractEventLoop,
        connections: Collection[Connection],
        is_large: Callable[[], bool],
    ) -> None:
        self.on_news: Callable[[int], None] | None = None
        """Told the version once entries were taken in, for whoever tells other servers."""
        self._connections = connections
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
                self._keep(Transition(entry, self.state, state, stored_at, weight_of(entry)))
                self.state = state
        if self.on_news:
            self.on_news(self.state.version)
        if not self._in_round:
            self._begin_round()

    def _keep(self, transition: Transition) -> None:
        """Keep the next transition for connections that are behind, and drop the oldest ones."""
        self._transitions.append(transition)
        self._weight += transition.weight
        while len(self._transitions) > MAX_BEHIND or (self._weight > BEHIND_WEIGHT and len(self._transitions) > 1):
            self._weight -= self._transitions.popleft().weight

    def _begin_round(self) -> None:
        self._in_round, self._round_began = True, monotonic()
        self._in_this_round, self.version = self.state.version - self.version, self.state.version
        self._forget_broadcasts()
        self._wake(list(self._connections))

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


class Hub:
    """One table in use: its stored state, its links and its connections."""

    def __init__(
        self,
        stored_table: StoredTable,
        links: Links,
        work: WorkShares,
        gate: Gate,
        loop: asyncio.AbstractEventLoop,
        *,
        others: Others | None = None,
    ) -> None:
        self.stored_table = stored_table
        self.links = links
        self.last_used = monotonic()
        self._work = work
        self._gate = gate
        self._turn, self._looks, self._look_back = asyncio.Lock(), asyncio.Lock(), LookBack()
        self._threaded: dict[str, int] = {}
        """Works of each kind that are still to be done in the thread."""
        self.presence = Presence(lambda: self.state.members, self._on_move)
        self._feed = Feed(stored_table, loop, self.presence.connections, lambda: self._is_slow(FRAME))
        self._latest = RecentEntries(self.state.version)
        self.heard = self.state.version
        """The highest version that other servers told of: what is beyond it, they are told."""
        self._others = others
        if others:
            self._feed.on_news = partial(others.stored, self)

    @property
    def id(self) -> str:
        """The table's id."""
        return self.stored_table.id

    def close(self) -> None:
        """Stop listening to the table."""
        self._feed.close()

    def is_idle(self, seconds: float) -> bool:
        """Whether nobody is connected, and nobody asked for so long."""
        return not self.presence.connections and monotonic() - self.last_used > seconds

    @property
    def state(self) -> State:
        """The table after the last entry that was stored."""
        return self._feed.state

    @property
    def version(self) -> int:
        """The version of the last entry that connections may send."""
        return self._feed.version

    @property
    def recent(self) -> RecentEntries:
        """The latest entries in memory, brought up to date when somebody looks."""
        new = self._feed.entries_after(self._latest.version)
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
        if isinstance(action, SLOW):
            submit_slow = partial(self.stored_table.submit_slow, *arguments, dice=dice)
            return await asyncio.wrap_future(await self._look_back.submit(self.state.version, submit_slow))
        submit = partial(self.stored_table.submit, *arguments, dice=dice)
        async with self._turn:
            await self._rest()
            kind = _kind_of(action)
            large = self._is_slow(kind) or _asks_much(action)
            attempt = partial(self.stored_table.try_submit, *arguments, dice=dice, large=large)
            decided = await self._run_in(_LARGE, kind, attempt) if large else self._timed(kind, attempt)
            if decided is None:  # it may wait for the table's lock, and there is one thread for all large tables
                decided = await self._run_in(None, kind, submit)
        return await self._stored(decided)

    async def _stored(self, decided: Future[Acted]) -> Acted:
        """Wait until an entry is stored; Unavailable if a database takes so long that people would give up."""
        if not self._others:
            return await asyncio.wrap_future(decided)
        try:
            async with asyncio.timeout(STORED_WITHIN):
                return await asyncio.wrap_future(decided)
        except TimeoutError:
            raise Unavailable(NO_ANSWER) from None

    async def look(self, work: Callable[[], T]) -> T:
        """What somebody reads of the table, encoded; at a large table one after the other, with rests."""
        if not self._is_slow(LOOK):
            return self._timed(LOOK, work)
        try:
            async with asyncio.timeout(self._gate.patience), self._looks:
                await self._rest()
                return await self._run_in(_LARGE, LOOK, work)
        except TimeoutError:
            raise Busy from None

    async def frame(self, broadcast: Broadcast, member: Member) -> bytes | None:
        """The frame of a broadcast for a seat; large ones are made in a thread, once for all who see the same."""
        if not broadcast.has_frame_for(member):
            async with broadcast.turn:
                if not broadcast.has_frame_for(member):
                    large = self._is_slow(FRAME) or broadcast.weight > HEAVY
                    make = partial(broadcast.frame_for, member)
                    self._feed.count(await self._run_in(_LARGE, FRAME, make) if large else self._timed(FRAME, make))
        return broadcast.frame_for(member)

    async def turn_to_send(self) -> None:
        """Wait until this table may send a large frame."""
        await self._gate.send(self.id)

    async def _rest(self) -> None:
        if rest := self._work.rest(self.id):
            await asyncio.sleep(rest)

    def _is_slow(self, kind: str) -> bool:
        """Whether work of this kind took long here not long ago, and may again."""
        return kind in self._threaded

    def _timed(self, kind: str, work: Callable[[], T]) -> T:
        done, seconds = timed(work)
        self.worked(kind, seconds)
        return done

    async def _run_in(self, threads: Threads | None, kind: str, work: Callable[[], T]) -> T:
        done, seconds = await asyncio.get_running_loop().run_in_executor(threads, timed, work)
        if self._threaded.get(kind, 0) > 1:
            self._threaded[kind] -= 1
        else:
            self._threaded.pop(kind, None)
        self.worked(kind, seconds)
        return done

    def worked(self, kind: str, seconds: float) -> None:
        """Count work that was done for this table; one that costs too much rests before its next action."""
        self._work.spend(self.id, seconds)
        if seconds > QUICK:
            self._threaded[kind] = QUICK_AGAIN

    def broadcast(self, since: int) -> Broadcast | None:
        """The broadcast of the entries after a version; None if they are no longer kept."""
        return self._feed.broadcast(since)

    # Members and connections.

    def member(self, id: str) -> Member | None:
        """A member who has not left the table, or the screen of the room."""
        found = SCREEN if id == SCREEN.id else self.state.members.get(id)
        return found if found and found.role != "gone" else None

    def member_at(self, seat: SeatCookie) -> Member:
        """The member at a seat, who uses the table now; Forbidden if the link was revoked or the member has left."""
        self.last_used = monotonic()
        member = self.member(seat.member)
        if member is None or seat.link not in self.links:
            raise Forbidden(NO_SEAT)
        return member

    async def seated(self, seat: SeatCookie) -> Member:
        """The same after a look at the store where the link or the member is not known: another server may have
        made the one and taken in the other, and its word may not have come here yet."""
        if seat.link not in self.links and not self.links.is_gone(seat.link):
            for id in await asyncio.to_thread(self.links.look_for, seat.link):
                self.presence.disconnect_link(id)
        if seat.link in self.links and seat.member not in self.state.members and seat.member != SCREEN.id:
            await self.catch_up()
        return self.member_at(seat)

    async def catch_up(self) -> bool:
        """Take in what is stored, in a thread; whether anything was new."""
        return await asyncio.to_thread(self.stored_table.refresh)

    def _on_move(self) -> None:
        """Somebody came or went here: other servers are told."""
        self.last_used = monotonic()
        if self._others:
            self._others.moved(self)
