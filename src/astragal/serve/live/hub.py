"""Hubs: one for each open table, with its owner, its links and its connections. Used in the event loop only."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from heapq import merge
from logging import getLogger
from operator import attrgetter
from time import monotonic, thread_time
from typing import TYPE_CHECKING, TypeVar

from astragal.errors import Forbidden, Unavailable
from astragal.serve.access.auth import INVALID_LINK, NO_SEAT, SCREEN_ID, Link, Links, SeatCookie
from astragal.serve.limits.gate import Gate, WorkShares
from astragal.serve.live.broadcast import Broadcast
from astragal.serve.live.owner import LARGE, Owner, in_thread
from astragal.serve.live.presence import Presence
from astragal.serve.problems import Busy
from astragal.storage.tables.stored_table import Acted, Step, StoredTable
from astragal.table.access import EVERYBODY, GM, seat_version
from astragal.table.action import Action
from astragal.table.entry import Entry, weight_of
from astragal.table.rolls.hand import Roller, machine
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


if TYPE_CHECKING:
    from astragal.serve.live.connection import Connection

T = TypeVar("T")
AT_A_TIME = 10
"""Connections that get their frame in one round of the event loop."""
HEAVY = 16 << 10
"""Approximate bytes of an entry above which its frames are made in a thread."""
MANY_PARTS = 300
"""Characters and rolls of a table above which its views are made in a thread."""
STORED_WITHIN = 15.0
"""Seconds that a database has to store an entry; later, the key shows if the entry was stored anyway."""
NO_ANSWER = (
    "The database does not answer, so it is not known whether this was stored. Send the same again: it is stored once."
)

SCREEN = Member(SCREEN_ID, "Screen", "onlooker")
"""The viewer of a screen of the room: not a member, with an onlooker's rights."""


class Hub:
    """One open table: its owner, its links and its connections.

    A guest's hub has no connections and does not own the table: it reads the log before each use, and stores without
    the fence.
    """

    def __init__(
        self,
        stored_table: StoredTable,
        links: Links,
        work: WorkShares,
        gate: Gate,
        lose: Callable[[Hub], None] = lambda hub: None,
    ) -> None:
        """``lose`` is called when another server turns out to have claimed the table."""
        self.stored_table = stored_table
        self.links = links
        self.last_used = monotonic()
        self._work = work
        self._gate = gate
        self._looks = asyncio.Lock()
        self.owned = False
        """True if this server has claimed the table, so its state is the stored one."""
        self.worked = partial(work.spend, stored_table.id)
        """Counts seconds of work for this table; above its share, the table rests before its next action."""
        rest = partial(work.rest, stored_table.id)
        self.owner = Owner(stored_table, self._publish, partial(lose, self), rest=rest, spend=self.worked)
        self.presence = Presence(lambda: self.state.members)
        self.recent = RecentEntries(self.state.version)
        """The latest entries in memory."""

    @property
    def id(self) -> str:
        """The table's id."""
        return self.stored_table.id

    def is_idle(self, seconds: float) -> bool:
        """True without connections, waiting actions, or requests within this number of seconds."""
        return not self.presence.connections and not self.owner.busy and monotonic() - self.last_used > seconds

    @property
    def state(self) -> State:
        """The table after the last stored entry."""
        return self.stored_table.state

    # Acting and looking.

    async def submit(self, by: str, action: Action, key: str, at: int, dice: Roller = machine) -> Acted:
        """Act at the table; returns when the entry is on the disk. Unavailable if a database takes too long."""
        alone = self.owned and self.stored_table.epoch is None
        try:
            async with asyncio.timeout(None if alone else STORED_WITHIN):
                return await self.owner.act(by, action, key, at, dice)
        except TimeoutError:
            raise Unavailable(NO_ANSWER) from None

    async def own(self, epoch: int | None) -> None:
        """Become the owner by a claim, and read the entries that others stored before it."""
        self.stored_table.epoch, self.owned = epoch, True
        if epoch is not None:
            await self.catch_up()

    async def catch_up(self) -> None:
        """Read the entries that others have stored."""
        await self.owner.refresh()

    async def reload_links(self) -> None:
        """Read the links again; connections with revoked links are closed."""
        for id in await asyncio.to_thread(self.links.reload):
            self.presence.disconnect_link(id)

    async def look(self, work: Callable[[], T]) -> T:
        """The result of work that reads the table; for a large table in a thread, one at a time, with rests."""
        world = self.state.world
        if len(world.holders) + len(world.rolls) < MANY_PARTS:
            return self._counted(work)
        try:
            async with asyncio.timeout(self._gate.patience), self._looks:
                if rest := self._work.rest(self.id):
                    await asyncio.sleep(rest)
                return await in_thread(LARGE, partial(self._counted, work))
        except TimeoutError:
            raise Busy from None

    def _counted(self, work: Callable[[], T]) -> T:
        begun = thread_time()
        try:
            return work()
        finally:
            self.worked(thread_time() - begun)

    # Publishing.

    async def _publish(self, steps: Sequence[Step]) -> None:
        """Send every connection its frame of stored steps; connections that see the same share a frame."""
        for step in steps:
            self.recent.add(step.entry)
        try:
            if self.presence.connections:
                await self._send_all(Broadcast(steps), max(weight_of(step.entry) for step in steps) > HEAVY)
        except Exception:
            getLogger("astragal").exception("Entries could not be sent.")
            for connection in list(self.presence.connections):
                connection.start_over()

    async def _send_all(self, broadcast: Broadcast, heavy: bool) -> None:
        connections = list(self.presence.connections)
        for first in range(0, len(connections), AT_A_TIME):
            some = connections[first : first + AT_A_TIME]
            for connection in some if heavy else ():
                if (member := self.member(connection.seat.member)) and member.role == connection.role:
                    await in_thread(LARGE, partial(self._counted, partial(broadcast.frame_for, member)))
            self._counted(partial(self._offer, some, broadcast))
            if len(some) == AT_A_TIME:
                await asyncio.sleep(0)

    def _offer(self, connections: Iterable[Connection], broadcast: Broadcast) -> None:
        for connection in connections:
            member = self.member(connection.seat.member)
            if member is None:
                connection.leave()
            elif member.role != connection.role:
                connection.start_over()
            else:
                connection.offer(broadcast.frame_for(member), broadcast)

    async def turn_to_send(self) -> None:
        """Wait until this table may send a large frame."""
        await self._gate.send(self.id)

    # Members and connections.

    def member(self, id: str) -> Member | None:
        """A present or absent member who has not left the table, or the screen of the room."""
        found = SCREEN if id == SCREEN.id else self.state.members.get(id)
        return found if found and found.role != "gone" else None

    def member_at(self, seat: SeatCookie) -> Member:
        """The member at a seat; Forbidden if the link was revoked or the member has left."""
        self.last_used = monotonic()
        member = self.member(seat.member)
        if member is None or seat.link not in self.links:
            raise Forbidden(NO_SEAT)
        return member

    async def member_who_saw(self, seat: SeatCookie, version: int) -> Member:
        """The member at a seat who has seen this version; a newer version was stored by others and is read."""
        member = self.member_at(seat)
        if version > seat_version(self.state, member):
            await self.catch_up()
            member = self.member_at(seat)
        return member

    async def find_link(self, token: str) -> Link:
        """The link that a token opens; a signed but unknown one may have been made by another program."""
        if self.links.is_signed(token) and not self.links.knows(token):
            await self.reload_links()
        return self.links.find(token)

    async def seated_by(self, link: Link, member: str) -> Member:
        """The member whose seat a link gives."""
        try:
            return await self.seated(SeatCookie(self.id, member, link.id))
        except Forbidden:
            raise Forbidden(INVALID_LINK) from None

    async def seated(self, seat: SeatCookie) -> Member:
        """The member at a seat, after a look at the store if the link or the member is unknown: a guest may have made
        them, and the notice may still be on its way."""
        if seat.link not in self.links and not self.links.is_revoked(seat.link):
            for id in await asyncio.to_thread(self.links.reload_for, seat.link):
                self.presence.disconnect_link(id)
        if seat.link in self.links and seat.member not in self.state.members and seat.member != SCREEN.id:
            await self.catch_up()
        return self.member_at(seat)
