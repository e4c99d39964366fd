"""The registry of open tables: it opens and claims tables on request, and closes idle ones to make room.

A request or a socket at a table claims the table for its server. Rows stay the truth: a claim keeps servers out of each
other's way, and its number in every append prevents a former owner from storing anything.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from secrets import token_urlsafe
from time import monotonic

from msgspec import Struct, field

from astragal.errors import Unavailable, Unknown
from astragal.serve.access.auth import Links, Signer
from astragal.serve.access.door import waiting
from astragal.serve.limits.gate import Gate, WorkShares
from astragal.serve.live.connection import MOVED
from astragal.serve.live.frames import KnockShown
from astragal.serve.live.hub import Hub
from astragal.serve.problems import Busy
from astragal.serve.settings import ServerSettings
from astragal.storage import Store
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import StoredTable

TRIES = 5
"""Attempts to claim a table while other servers claim it."""


class Claims:
    """The claims of one server. Used in the event loop only."""

    def __init__(self, store: Store) -> None:
        self.server = token_urlsafe(9)
        """The id of this server, new at each start."""
        self.alone = store.kind == "sqlite"
        """True if no other server can serve the tables of this store."""
        self.made = self.lost = 0
        """Claims made, and tables that other servers claimed from this one."""
        self._store = store

    async def claim(self, table: str) -> int | None:
        """Claim a table; the claim's number. Waits if another server has just claimed the table."""
        if self.alone:
            return None
        for _ in range(TRIES):
            epoch, wait = await asyncio.to_thread(self._store.claim, table, self.server)
            if not wait:
                self.made += 1
                return epoch
            await asyncio.sleep(wait)
        raise Busy


LIVE = "live/"


class LiveRows(Struct):
    """The rows about one table, besides its entries."""

    links: bytes = b""
    """A stamp that changes with every change of the table's links."""
    knocks: list[bytes] = field(default_factory=list)


def live_prefix(table: str) -> str:
    """The prefix of all rows about a table."""
    return f"{LIVE}{table}/"


def live_rows(rows: dict[str, bytes]) -> dict[str, LiveRows]:
    """The rows by table; other rows are ignored."""
    found: dict[str, LiveRows] = defaultdict(LiveRows)
    for name, body in rows.items():
        if name.startswith(LIVE):
            table, what, *_ = name[len(LIVE) :].split("/")
            if what == "knock":
                found[table].knocks.append(body)
            elif what == "links":
                found[table].links = body
    return found


CLOSE_TIMEOUT = 1.0
"""Seconds to wait for connections to close when the server stops."""
IN_USE = 5.0
"""Seconds after a request in which its table stays open, even if the server is full."""
DELETED = "This table was deleted."
RESTORED = "The operator of this server has changed its tables. Reconnecting …"

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch


class TableRegistry:
    """The hubs of all open tables, by table id. ``Upkeep`` maintains them."""

    def __init__(
        self, repository: Repository, signer: Signer, settings: ServerSettings, gate: Gate, claims: Claims
    ) -> None:
        self.hubs: dict[str, Hub] = {}
        self._claims = claims
        self._repository = repository
        self._signer = signer
        self._settings = settings
        self._gate = gate
        self._work = WorkShares(settings.table_work, settings.all_work)
        self._opening: dict[tuple[str, bool], asyncio.Task[Hub]] = {}
        """Tables that are being opened, by id, with True if they are being claimed."""

    async def open(self, table: str) -> Hub:
        """The hub of a table that this server owns, claimed if necessary; Unknown if there is no such table."""
        hub = self.hubs.get(table)
        if hub is None or not hub.owned:
            hub = await self._once(table, True)
        hub.last_used = monotonic()
        return hub

    async def open_for_guest(self, table: str) -> Hub:
        """The hub of a table for a guest, whose requests may arrive at any server and do not claim the table.

        New entries are read first, even by the owner: the guest's last request may have been at another server.
        """
        if self._claims.alone:
            return await self.open(table)
        hub = self.hubs.get(table) or await self._once(table, False)
        hub.last_used = monotonic()
        await hub.catch_up()
        await hub.reload_links()
        return hub

    async def _once(self, table: str, claim: bool) -> Hub:
        """Open or claim a table, in one task for all simultaneous requests."""
        if not _TABLE_ID(table):
            raise Unknown(f'There is no table "{table[:64]}".')
        if (table, claim) not in self._opening:
            self._opening[table, claim] = asyncio.create_task(self._begin(table, claim))
        return await asyncio.shield(self._opening[table, claim])

    async def _begin(self, table: str, claim: bool) -> Hub:
        try:
            if not claim:
                return await self._open(table)
            epoch = await self._claims.claim(table)
            hub = self.hubs.get(table) or await self._once(table, False)
            await hub.own(epoch)
            return hub
        finally:
            del self._opening[table, claim]

    async def _open(self, table: str) -> Hub:
        self.make_room(0)  # this one already counts as being opened
        stored_table, links, rows = await asyncio.to_thread(self._load, table)
        hub = self.hubs[table] = Hub(stored_table, links, self._work, self._gate, self.lose)
        self.show_knocks(hub, rows)
        return hub

    def _load(self, table: str) -> tuple[StoredTable, Links, LiveRows]:
        store = self._repository.store
        links = Links(store, self._signer, table, self._settings.limits.links)
        return self._repository.open(table), links, self._rows_of(table)

    def _rows_of(self, table: str) -> LiveRows:
        return live_rows(self._repository.store.settings_under([live_prefix(table)]))[table]

    async def read_door(self, hub: Hub) -> None:
        """Read the people at a table's door from the store, and show them to the GMs."""
        self.show_knocks(hub, await asyncio.to_thread(self._rows_of, hub.id))

    def show_knocks(self, hub: Hub, rows: LiveRows) -> None:
        """Show the GMs of a table the people at its door."""
        knocks = waiting(rows.knocks, self._settings.clock())
        hub.presence.show_knocks([KnockShown(knock.id, knock.name, knock.at) for knock in knocks])

    def make_room(self, wanted: int = 1) -> None:
        """Close idle tables, the longest idle first, until the wanted number fits; Unavailable if all are in use."""
        most = self._settings.limits.open_tables
        while (n := len(self.hubs.keys() | {id for id, _ in self._opening})) + wanted > most:
            idle = [hub for hub in self.hubs.values() if hub.is_idle(IN_USE)]
            if not idle:
                raise Unavailable(f"This server has {n} tables in use and no room for more. Try again later.")
            self.shut(min(idle, key=lambda hub: hub.last_used))

    def shut(self, hub: Hub) -> None:
        """Close an idle table."""
        del self.hubs[hub.id]

    def lose(self, hub: Hub) -> None:
        """Forget a table that another server has claimed. Waiting actions are rejected, and can be sent again."""
        if self.hubs.get(hub.id) is hub:
            self._claims.lost += 1
            self.drop(hub, MOVED, 1012, "moved")

    def drop(self, hub: Hub, message: str, code: int = 1001, reason: str = "stop") -> None:
        """Forget a table that is out of date in memory; its pages reconnect."""
        hub.owned = False
        for connection in list(hub.presence.connections):
            connection.close(code, message, reason)
        if self.hubs.get(hub.id) is hub:
            del self.hubs[hub.id]

    async def changed(self, table: str) -> None:
        """Read the changes of a command at a table: entries, links, knocks, or that the table was deleted."""
        if opening := [task for (id, _), task in self._opening.items() if id == table]:  # it may have read older data
            await asyncio.wait(opening)
        hub = self.hubs.get(table)
        if hub and not await asyncio.to_thread(hub.stored_table.is_there):
            self.drop(hub, DELETED)
        elif hub:
            hub.owner.resume()
            await hub.reload_links()
            await self.read_door(hub)
            await hub.catch_up()

    async def reopen_all(self) -> None:
        """Forget all tables in memory, since stored data was changed; their pages reconnect."""
        if self._opening:
            await asyncio.wait(self._opening.values())
        await asyncio.to_thread(self._signer.reload, self._repository.store)
        for hub in list(self.hubs.values()):
            self.drop(hub, RESTORED)

    def replace(self, stored_table: StoredTable) -> None:
        """Forget the hub of an earlier table with the id of a new one."""
        hub = self.hubs.get(stored_table.id)
        if hub and hub.stored_table.identity != stored_table.identity:
            self.drop(hub, DELETED)

    def close_sockets(self, code: int, message: str, reason: str) -> None:
        """Close every connection with a reason."""
        for hub in self.hubs.values():
            for connection in list(hub.presence.connections):
                connection.close(code, message, reason)

    async def disconnect(self, message: str) -> None:
        """Close every connection with a reason, and wait a moment until they are closed."""
        self.close_sockets(1001, message, "stop")
        deadline = monotonic() + CLOSE_TIMEOUT
        while self.sockets and monotonic() < deadline:
            await asyncio.sleep(0.01)

    @property
    def sockets(self) -> int:
        """The number of open connections."""
        return sum(len(hub.presence.connections) for hub in self.hubs.values())
