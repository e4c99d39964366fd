"""The hall: the tables that are in use, each with its hub; it pings lines and shuts tables that nobody looks at."""

from __future__ import annotations

import asyncio
import re
from time import monotonic

from astragal.errors import Refusal, Unknown
from astragal.repository.repository import Repository
from astragal.repository.stored_table import StoredTable
from astragal.serve.auth.links import Links
from astragal.serve.auth.signer import Signer
from astragal.serve.live.hub import Hub
from astragal.serve.metrics import Metrics
from astragal.serve.settings import Settings

TICK = 1.0
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch


class TableRegistry:
    """Hubs by the table's id."""

    def __init__(self, repository: Repository, signer: Signer, settings: Settings, metrics: Metrics) -> None:
        self.hubs: dict[str, Hub] = {}
        self._repository = repository
        self._signer = signer
        self._settings = settings
        self._metrics = metrics
        self._opening: dict[str, asyncio.Task[Hub]] = {}

    async def open(self, table: str) -> Hub:
        """The hub of a table; whoever asks while it is being opened waits for the same one."""
        hub = self.hubs.get(table)
        if hub is None:
            if not _ID(table):
                raise Unknown(f'There is no table "{table[:64]}".')
            if table not in self._opening:
                self._opening[table] = asyncio.create_task(self._open(table))
            hub = await asyncio.shield(self._opening[table])
        hub.used = monotonic()
        return hub

    async def _open(self, table: str) -> Hub:
        try:
            stored_table, links = await asyncio.to_thread(self._read, table)
            self.hubs[table] = Hub(stored_table, links, self._metrics, asyncio.get_running_loop())
            return self.hubs[table]
        finally:
            del self._opening[table]

    def _read(self, table: str) -> tuple[StoredTable, Links]:
        return self._repository.open(table), Links(self._repository.store, self._signer, table)

    async def tend(self) -> None:
        """For as long as the server runs."""
        polled = monotonic()
        while True:
            await asyncio.sleep(min(TICK, self._settings.ping_every / 4, self._settings.poll_every))
            now = monotonic()
            for hub in list(self.hubs.values()):
                self._tend(hub, now)
            if now - polled >= self._settings.poll_every:
                polled = now
                await self._poll()

    def _tend(self, hub: Hub, now: float) -> None:
        for connection in list(hub.connections):
            if connection.sending_since and now - connection.sending_since > self._settings.patience:
                connection.end(1013, "This line was too slow; it comes back by itself.", "slow")
            elif now - connection.heard > self._settings.silence:
                connection.end(1001, "Nothing was heard from this line for a while.", "silent")
            elif now - connection.pinged >= self._settings.ping_every:
                connection.ping()
        if not hub.connections and now - hub.used > self._settings.keep_idle:
            hub.close()
            del self.hubs[hub.id]

    async def _poll(self) -> None:
        """Another program may have acted at a table that somebody watches here."""
        for hub in list(self.hubs.values()):
            if hub.connections:
                try:
                    await asyncio.to_thread(hub.stored_table.refresh)
                except Refusal:
                    continue  # the store is busy or gone; whoever acts is told so

    async def close(self, why: str) -> None:
        """Say goodbye on every line, and wait a moment until they are gone."""
        for hub in self.hubs.values():
            for connection in list(hub.connections):
                connection.end(1001, why, "stop")
        for _ in range(100):
            if not self.sockets:
                break
            await asyncio.sleep(0.01)
        for hub in self.hubs.values():
            hub.close()

    @property
    def sockets(self) -> int:
        return sum(len(hub.connections) for hub in self.hubs.values())
