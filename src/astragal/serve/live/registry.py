"""The hall: the tables that are in use, each with its hub; it pings lines and shuts tables that nobody looks at."""

from __future__ import annotations

import asyncio
import re
from time import monotonic

from astragal.errors import Refusal, Unknown
from astragal.repository.repository import Desk
from astragal.repository.stored_table import Campaign
from astragal.serve.auth.links import Links
from astragal.serve.auth.signer import Seal
from astragal.serve.live.hub import Hub
from astragal.serve.metrics import Metrics
from astragal.serve.settings import Settings

TICK = 1.0
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch


class Hall:
    """Hubs by the table's id."""

    def __init__(self, desk: Desk, seal: Seal, settings: Settings, metrics: Metrics) -> None:
        self.hubs: dict[str, Hub] = {}
        self._desk = desk
        self._seal = seal
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
            campaign, links = await asyncio.to_thread(self._read, table)
            self.hubs[table] = Hub(campaign, links, self._metrics, asyncio.get_running_loop())
            return self.hubs[table]
        finally:
            del self._opening[table]

    def _read(self, table: str) -> tuple[Campaign, Links]:
        return self._desk.open(table), Links(self._desk.store, self._seal, table)

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
        for line in list(hub.lines):
            if line.sending_since and now - line.sending_since > self._settings.patience:
                line.end(1013, "This line was too slow; it comes back by itself.", "slow")
            elif now - line.heard > self._settings.silence:
                line.end(1001, "Nothing was heard from this line for a while.", "silent")
            elif now - line.pinged >= self._settings.ping_every:
                line.ping()
        if not hub.lines and now - hub.used > self._settings.keep_idle:
            hub.close()
            del self.hubs[hub.id]

    async def _poll(self) -> None:
        """Another program may have acted at a table that somebody watches here."""
        for hub in list(self.hubs.values()):
            if hub.lines:
                try:
                    await asyncio.to_thread(hub.campaign.refresh)
                except Refusal:
                    continue  # the store is busy or gone; whoever acts is told so

    async def close(self, why: str) -> None:
        """Say goodbye on every line, and wait a moment until they are gone."""
        for hub in self.hubs.values():
            for line in list(hub.lines):
                line.end(1001, why, "stop")
        for _ in range(100):
            if not self.sockets:
                break
            await asyncio.sleep(0.01)
        for hub in self.hubs.values():
            hub.close()

    @property
    def sockets(self) -> int:
        return sum(len(hub.lines) for hub in self.hubs.values())
