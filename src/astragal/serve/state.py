"""The house: everything that one running server has, for those who answer requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from astragal.errors import Unavailable
from astragal.repository.repository import Desk
from astragal.serve.auth.signer import seal_of
from astragal.serve.limits import Limit
from astragal.serve.live.registry import Hall
from astragal.serve.metrics import Metrics
from astragal.serve.request_log import Logbook
from astragal.serve.settings import Settings

THINKERS = 2
"""Threads that compute: they share one interpreter, so more would only take turns."""
MOST_WAITING = 64
BUSY = "Too many questions are being computed just now; try again in a moment."

P = ParamSpec("P")
T = TypeVar("T")


class House:
    """The desk, the tables in use, what is counted and what is limited."""

    def __init__(self, desk: Desk, settings: Settings, logbook: Logbook) -> None:
        self.desk = desk
        self.settings = settings
        self.logbook = logbook
        self.seal = seal_of(desk.store)
        self.metrics = Metrics()
        self.hall = Hall(desk, self.seal, settings, self.metrics)
        self.limits = {
            "actions": Limit(settings.actions),
            "reads": Limit(settings.reads),
            "questions": Limit(settings.questions),
            "foundings": Limit(settings.foundings),
            "sittings": Limit(settings.sittings),
        }
        self._thinkers = ThreadPoolExecutor(THINKERS, "astragal thinker")
        self._thinking = 0
        gauges = self.metrics.gauges
        gauges["astragal_sockets"] = ("Open sockets.", lambda: self.hall.sockets)
        gauges["astragal_tables_open"] = ("Tables in memory.", lambda: len(self.hall.hubs))
        gauges["astragal_thinking"] = ("Questions being computed or waiting.", lambda: self._thinking)

    async def think(self, work: Callable[P, T], *values: P.args, **named: P.kwargs) -> T:
        """Compute something in a thread, so that the table stays live meanwhile."""
        if self._thinking >= MOST_WAITING:
            raise Unavailable(BUSY)
        self._thinking += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thinkers, lambda: work(*values, **named))
        finally:
            self._thinking -= 1

    async def close(self) -> None:
        """Everybody is told; then what was handed in is finished."""
        await self.hall.close("The server stops; this line comes back when it is up again.")
        self._thinkers.shutdown(wait=False, cancel_futures=True)
