"""Upkeep: closes slow and silent connections and idle tables, and collects garbage in quiet moments."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from operator import itemgetter
from time import monotonic

from astragal.errors import Refusal
from astragal.serve.access.codes import forget_old_codes
from astragal.serve.live import registry as registries
from astragal.serve.live.connection import TOO_SLOW
from astragal.serve.live.registry import TableRegistry
from astragal.serve.settings import ServerSettings
from astragal.serve.telemetry import memory_in_use
from astragal.storage.sqlite.writer import Histogram
from astragal.storage.tables.repository import Repository

CHECK_EVERY = 1.0
"""Maximum seconds between two checks of the connections."""
QUIET = 2.0
"""Seconds without a request to any table, after which a pause is harmless."""
COLLECT_EVERY = 60.0
COLLECT_AT_LAST = 3600.0
"""Minimum and maximum seconds between two large garbage collections."""
SILENT = "Connection lost: nothing was received for some time."
FORGET_EVERY = 60.0
"""Seconds between two cleanups of expired codes."""


class Upkeep:
    """Maintains the open tables of a registry."""

    def __init__(
        self, registry: TableRegistry, repository: Repository, settings: ServerSettings, loop_delay: Histogram
    ) -> None:
        self._registry = registry
        self._repository = repository
        self._settings = settings
        self._loop_delay = loop_delay
        self._collected = monotonic()
        self.trouble: Callable[[str], None] = lambda why: None
        """Called with the problem of the store; with "" when it works again."""
        self._measuring: asyncio.Task[None] | None = None
        self._forgot = monotonic()

    async def maintain(self) -> None:
        """Check connections, close idle tables and measure the store, for as long as the server runs."""
        measured = monotonic()
        while True:
            slept = monotonic() + (pause := min(CHECK_EVERY, self._settings.ping_every / 4, self._settings.poll_every))
            await asyncio.sleep(pause)
            now = monotonic()
            self._loop_delay.observe(max(0.0, now - slept))
            self._check(now)
            self._bound_unsent()
            short = memory_in_use() > self._settings.limits.memory
            if short:
                self._relieve()
            self._collect_garbage(now, short)
            if now - measured >= self._settings.poll_every:
                measured = now
                if (
                    self._measuring is None or self._measuring.done()
                ):  # otherwise the last one still waits for the store
                    self._measuring = asyncio.create_task(self._measure())

    def _bound_unsent(self) -> None:
        """Close the slowest readers, if too many unread bytes are kept for all."""
        connections = [each for hub in self._registry.hubs.values() for each in hub.presence.connections]
        most_first = sorted(((each.unsent, each) for each in connections), key=itemgetter(0), reverse=True)
        total, most = sum(unsent for unsent, _ in most_first), self._settings.limits.unsent
        for unsent, connection in most_first if total > most else ():
            if total <= most // 2:
                return
            connection.close(1013, TOO_SLOW, "slow")
            total -= unsent

    def _relieve(self) -> None:
        """Close every table without connections, since memory is short."""
        for hub in list(self._registry.hubs.values()):
            if hub.is_idle(registries.IN_USE):
                self._registry.shut(hub)

    def _collect_garbage(self, now: float, short: bool) -> None:
        """Collect garbage from all memory in a quiet moment, if memory is short, or after a long time."""
        since = now - self._collected
        quiet = all(now - hub.last_used > QUIET for hub in self._registry.hubs.values())
        if since > COLLECT_EVERY and (quiet or short or since > COLLECT_AT_LAST):
            gc.collect()
            self._collected = now

    def _check(self, now: float) -> None:
        for hub in list(self._registry.hubs.values()):
            for connection in list(hub.presence.connections):
                if connection.sending_since and now - connection.sending_since > self._settings.send_timeout:
                    connection.close(1013, TOO_SLOW, "slow")
                elif now - connection.last_received > self._settings.receive_timeout:
                    connection.close(1001, SILENT, "silent")
                elif now - connection.last_ping >= self._settings.ping_every:
                    connection.ping()
            if hub.is_idle(self._settings.keep_idle):
                self._registry.shut(hub)

    async def _measure(self) -> None:
        """Measure the store and delete expired codes; report when the store fails and when it works again."""
        why = ""
        try:
            await asyncio.to_thread(self._repository.quota.measure)
            if monotonic() - self._forgot > FORGET_EVERY:
                self._forgot = monotonic()
                await asyncio.to_thread(forget_old_codes, self._repository.store, self._settings.clock())
        except Refusal as refusal:
            why = refusal.public
        self.trouble(why)

    def close(self) -> None:
        """Cancel the measurement."""
        if self._measuring:
            self._measuring.cancel()
