"""The registry of all tables in use: it opens a table for whoever asks, and makes room for others."""

from __future__ import annotations

import asyncio
import re
from time import monotonic

from astragal.errors import Unavailable, Unknown
from astragal.repository.repository import Repository
from astragal.repository.stored_table import StoredTable
from astragal.serve.auth import Links, Signer
from astragal.serve.knock import waiting
from astragal.serve.live.frames import KnockShown
from astragal.serve.live.hub import Hub
from astragal.serve.live.others import Others
from astragal.serve.live.refresh import Refresher
from astragal.serve.live.rows import LiveRows, live_prefix, live_rows
from astragal.serve.security import Gate, WorkShares
from astragal.serve.settings import ServerSettings

CLOSE_TIMEOUT = 1.0
"""Seconds to wait for connections to close when the server stops."""
IN_USE = 5.0
"""Seconds after a request in which its table is not closed, however full the server is."""
SETTLED = 0.25
"""Seconds after which a table that was opened is read again: what was stored before the bus knew of it is taken in."""
DELETED = "This table was deleted."

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch


class TableRegistry:
    """The hubs of all tables in use, by table id. ``Upkeep`` looks after them."""

    def __init__(
        self,
        repository: Repository,
        signer: Signer,
        settings: ServerSettings,
        gate: Gate,
        others: Others | None = None,
    ) -> None:
        self.hubs: dict[str, Hub] = {}
        self.refresher = others.refresher if others else Refresher()
        self._others = others
        if others:
            others.registry = self
        self._repository = repository
        self._signer = signer
        self._settings = settings
        self._gate = gate
        self._work = WorkShares(settings.table_work, settings.all_work)
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
            if self._others:
                self._others.bus.follow(table)
            self.make_room(0)  # this one is among those that are being opened
            stored_table, links, rows = await asyncio.to_thread(self._load, table)
            loop = asyncio.get_running_loop()
            hub = Hub(stored_table, links, self._work, self._gate, loop, others=self._others)
            self.hubs[table] = hub
            self.show_knocks(hub, rows)
            if self._others:
                self._others.see_here(hub, rows.here)
                loop.call_later(SETTLED, self._others.look_again, hub)
            return hub
        except BaseException:
            self._unfollow(table)
            raise
        finally:
            del self._opening[table]

    def _unfollow(self, table: str) -> None:
        if self._others:
            self._others.bus.unfollow(table)

    def _load(self, table: str) -> tuple[StoredTable, Links, LiveRows]:
        store = self._repository.store
        links = Links(store, self._signer, table, self._settings.limits.links)
        return self._repository.open(table), links, self._rows_of(table)

    def _rows_of(self, table: str) -> LiveRows:
        return live_rows(self._repository.store.settings_under([live_prefix(table)]))[table]

    async def read_door(self, hub: Hub) -> None:
        """Show the GMs of a table who waits at its door, as rows say."""
        self.show_knocks(hub, await asyncio.to_thread(self._rows_of, hub.id))

    def show_knocks(self, hub: Hub, rows: LiveRows) -> None:
        """Show the GMs of a table who waits at its door."""
        knocks = waiting(rows.knocks, self._settings.clock())
        hub.presence.show_knocks([KnockShown(knock.id, knock.name, knock.at) for knock in knocks])

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
        self._unfollow(hub.id)
        self._repository.release(hub.id)

    def drop(self, hub: Hub, message: str) -> None:
        """Forget a table whose memory is out of date; whoever is connected comes back by themselves."""
        for connection in list(hub.presence.connections):
            connection.close(1001, message, "stop")
        hub.close()
        if self.hubs.get(hub.id) is hub:
            del self.hubs[hub.id]
            self._unfollow(hub.id)
        self._repository.release(hub.id)

    def replace(self, stored_table: StoredTable) -> None:
        """Forget the hub of an earlier table with the id of a new one."""
        hub = self.hubs.get(stored_table.id)
        if hub and hub.stored_table is not stored_table:
            self.drop(hub, DELETED)

    async def disconnect(self, message: str) -> None:
        """Close every connection with a farewell, and wait a moment until they are gone."""
        for hub in self.hubs.values():
            for connection in list(hub.presence.connections):
                connection.close(1001, message, "stop")
        deadline = monotonic() + CLOSE_TIMEOUT
        while self.sockets and monotonic() < deadline:
            await asyncio.sleep(0.01)

    def close(self) -> None:
        """Close the hubs: nobody is told of what is stored from here on."""
        for hub in self.hubs.values():
            hub.close()

    @property
    def sockets(self) -> int:
        """The number of open connections."""
        return sum(len(hub.presence.connections) for hub in self.hubs.values())
