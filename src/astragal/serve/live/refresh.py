"""Refreshing: reading what other servers stored at tables, each table's once at a time, outside the event loop."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic

from astragal.errors import Refusal
from astragal.serve.limits.threads import Threads
from astragal.serve.live.hub import Hub
from astragal.store.writer import Histogram

THREADS = 2
"""Threads that read; one may wait for a table at which somebody decides something large."""
TRIES, PAUSE = 20, 0.005
"""How often a table is tried at which entries of ours are on their way, and the seconds between; then a sweep does."""


class Refresher:
    """Brings tables up to a version. Used in the event loop only."""

    def __init__(self) -> None:
        self.seconds = Histogram()
        """From a message or a sweep that told of entries until they were here."""
        self._threads = Threads(THREADS, "astragal refresh")
        self._wanted: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def want(self, hub: Hub, version: int) -> None:
        """Have a table read on until it is at this version."""
        if hub.stored_table.state.version >= version:
            return
        running = hub.id in self._wanted
        self._wanted[hub.id] = max(version, self._wanted.get(hub.id, 0))
        if not running:
            task = asyncio.create_task(self._refresh(hub))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _refresh(self, hub: Hub) -> None:
        begun = monotonic()
        try:
            with suppress(Refusal):  # the store is busy or gone; a later sweep tries again
                for _ in range(TRIES):
                    await self.now(hub)
                    if hub.stored_table.state.version >= self._wanted[hub.id]:
                        self.seconds.observe(monotonic() - begun)
                        return
                    await asyncio.sleep(PAUSE)
        finally:
            del self._wanted[hub.id]

    async def now(self, hub: Hub) -> bool:
        """Read on, once; whether there was anything."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, hub.stored_table.refresh)

    def close(self) -> None:
        """Read nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
