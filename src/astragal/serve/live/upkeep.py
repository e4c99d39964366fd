"""Upkeep: tables in use are looked after, for as long as the server runs.

Connections that are too slow or silent are closed, and so are idle tables; what other programs changed is taken in.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from contextlib import suppress
from logging import getLogger
from operator import itemgetter
from time import monotonic

from astragal.errors import Refusal
from astragal.repository.repository import Repository
from astragal.serve.codes import forget_old_codes
from astragal.serve.live import registry as registries
from astragal.serve.live.hub import TOO_SLOW, Hub
from astragal.serve.live.registry import TableRegistry
from astragal.serve.live.sweep import Sweep
from astragal.serve.settings import ServerSettings
from astragal.serve.telemetry import memory_in_use
from astragal.store.writer import Histogram

CHECK_EVERY = 1.0
"""Seconds between two checks of the connections, at most."""
QUIET = 2.0
"""Seconds without a request to any table, after which a pause disturbs nobody."""
COLLECT_EVERY = 60.0
COLLECT_AT_LAST = 3600.0
"""Seconds between two large garbage collections, at least and at most."""
SILENT = "Connection lost: nothing was received for a while."
FORGET_EVERY = 60.0
"""Seconds between two looks for codes that have ended."""


class Upkeep:
    """Looks after the tables of a registry."""

    def __init__(
        self,
        registry: TableRegistry,
        repository: Repository,
        sweep: Sweep,
        settings: ServerSettings,
        loop_delay: Histogram,
    ) -> None:
        self._registry = registry
        self._repository = repository
        self._sweep = sweep
        self._settings = settings
        self._loop_delay = loop_delay
        self.trouble: Callable[[str], None] = lambda why: None
        """Called with what is wrong with the store, for whoever runs the server; with nothing once all is well."""
        self._collected = monotonic()
        self._polling: asyncio.Task[None] | None = None
        self._forgot = monotonic()
        self.soon = asyncio.Event()
        """Set by whoever wants a sweep at once."""

    async def maintain(self) -> None:
        """Check connections, close idle tables and poll the store, for as long as the server runs."""
        polled = monotonic()
        while True:
            slept = monotonic() + (pause := min(CHECK_EVERY, self._settings.ping_every / 4, self._settings.poll_every))
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self.soon.wait()
            now = monotonic()
            self._loop_delay.observe(max(0.0, now - slept))
            for hub in list(self._registry.hubs.values()):
                self._check(hub, now)
            self._bound_unsent()
            short = memory_in_use() > self._settings.limits.memory
            if short:
                self._relieve()
            self._collect_garbage(now, short)
            if self.soon.is_set() or now - polled >= self._settings.poll_every:
                self.soon.clear()
                polled = now
                if self._polling is None or self._polling.done():  # else the store takes long; nobody else waits for it
                    self._polling = asyncio.create_task(self._poll())

    def _bound_unsent(self) -> None:
        """Close those who read the least, if too much is kept for them all."""
        connections = [each for hub in self._registry.hubs.values() for each in hub.presence.connections]
        most_first = sorted(((each.unsent, each) for each in connections), key=itemgetter(0), reverse=True)
        total, most = sum(unsent for unsent, _ in most_first), self._settings.limits.unsent
        for unsent, connection in most_first if total > most else ():
            if total <= most // 2:
                return
            connection.close(1013, TOO_SLOW, "slow")
            total -= unsent

    def _relieve(self) -> None:
        """Close every table without visitors, since memory is short."""
        for hub in list(self._registry.hubs.values()):
            if hub.is_idle(registries.IN_USE):
                self._registry.shut(hub)

    def _collect_garbage(self, now: float, short: bool) -> None:
        """Go through all memory for garbage while nobody acts, or because memory is short or it is long ago."""
        since = now - self._collected
        quiet = all(now - hub.last_used > QUIET for hub in self._registry.hubs.values())
        if since > COLLECT_EVERY and (quiet or short or since > COLLECT_AT_LAST):
            gc.collect()
            self._collected = now

    def _check(self, hub: Hub, now: float) -> None:
        for connection in list(hub.presence.connections):
            if connection.sending_since and now - connection.sending_since > self._settings.send_timeout:
                connection.close(1013, TOO_SLOW, "slow")
            elif now - connection.last_received > self._settings.receive_timeout:
                connection.close(1001, SILENT, "silent")
            elif now - connection.last_ping >= self._settings.ping_every:
                connection.ping()
        if hub.is_idle(self._settings.keep_idle):
            self._registry.shut(hub)

    async def _poll(self) -> None:
        """Measure the store, and take in what other programs and servers changed."""
        try:
            with suppress(Refusal):  # the store is busy or gone; the sweep tells that
                await asyncio.to_thread(self._repository.quota.measure)
            await self._look()
            if monotonic() - self._forgot > FORGET_EVERY:
                self._forgot = monotonic()
                with suppress(Refusal):
                    await asyncio.to_thread(forget_old_codes, self._repository.store, self._settings.clock())
        except Exception:  # a bug in one sweep must not end them all
            getLogger("astragal").exception("A sweep failed.")

    async def _look(self) -> None:
        """Sweep all open tables; whoever reads the log is told when the store is gone, and when it is back."""
        why = ""
        try:
            await self._sweep.all(self._settings.poll_every)
        except Refusal as refusal:
            why = refusal.public
        self.trouble(why)

    def close(self) -> None:
        """End what is going on."""
        if self._polling:
            self._polling.cancel()
