"""The house: everything that one running server has, for those who answer requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from astragal.errors import Unavailable
from astragal.repository.repository import Repository
from astragal.serve.auth.signer import signer_of
from astragal.serve.limits import RateLimit
from astragal.serve.live.registry import TableRegistry
from astragal.serve.metrics import Metrics
from astragal.serve.request_log import RequestLog
from astragal.serve.settings import Settings

WORKERS = 2
"""Threads that compute: they share one interpreter, so more would only take turns."""
MOST_WAITING = 64
BUSY = "Too many questions are being computed just now; try again in a moment."

P = ParamSpec("P")
T = TypeVar("T")


class ServerState:
    """The desk, the tables in use, what is counted and what is limited."""

    def __init__(self, repository: Repository, settings: Settings, request_log: RequestLog) -> None:
        self.repository = repository
        self.settings = settings
        self.request_log = request_log
        self.signer = signer_of(repository.store)
        self.metrics = Metrics()
        self.registry = TableRegistry(repository, self.signer, settings, self.metrics)
        self.limits = {
            "actions": RateLimit(settings.actions),
            "reads": RateLimit(settings.reads),
            "questions": RateLimit(settings.questions),
            "foundings": RateLimit(settings.foundings),
            "sittings": RateLimit(settings.sittings),
        }
        self._workers = ThreadPoolExecutor(WORKERS, "astragal thinker")
        self._computing = 0
        gauges = self.metrics.gauges
        gauges["astragal_sockets"] = ("Open sockets.", lambda: self.registry.sockets)
        gauges["astragal_tables_open"] = ("Tables in memory.", lambda: len(self.registry.hubs))
        gauges["astragal_thinking"] = ("Questions being computed or waiting.", lambda: self._computing)

    async def compute(self, work: Callable[P, T], *values: P.args, **named: P.kwargs) -> T:
        """Compute something in a thread, so that the table stays live meanwhile."""
        if self._computing >= MOST_WAITING:
            raise Unavailable(BUSY)
        self._computing += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._workers, lambda: work(*values, **named))
        finally:
            self._computing -= 1

    async def close(self) -> None:
        """Everybody is told; then what was handed in is finished."""
        await self.registry.close("The server stops; this line comes back when it is up again.")
        self._workers.shutdown(wait=False, cancel_futures=True)
