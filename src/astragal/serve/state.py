"""State shared by all request handlers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from astragal.errors import Unavailable
from astragal.repository.repository import Repository
from astragal.serve.auth import load_signer
from astragal.serve.health import Health
from astragal.serve.live.hub import TableRegistry
from astragal.serve.protocol import ConnectionCount
from astragal.serve.security import Networks, RateLimit
from astragal.serve.settings import ServerSettings
from astragal.serve.telemetry import Metrics, RequestLog, memory_in_use

WORKERS = 2
"""Threads that compute; they share one interpreter, so more would only take turns."""
MAX_COMPUTING = 64
"""Computations running or waiting; with more, people would wait too long."""
BUSY = "The server is busy with other questions. Try again in a moment."
STOPPING = "The server is stopping. Reconnecting when it is back …"

P = ParamSpec("P")
T = TypeVar("T")


class ServerState:
    """The repository, the tables in use, metrics, log and limits of one running server."""

    def __init__(self, repository: Repository, settings: ServerSettings, request_log: RequestLog) -> None:
        self.repository = repository
        self.settings = settings
        self.request_log = request_log
        self.signer = load_signer(repository.store)
        self.metrics = Metrics()
        self.health = Health(repository.store)
        self.connections = ConnectionCount(settings.limits, Networks(settings.proxies))
        self.registry = TableRegistry(repository, self.signer, settings, self.metrics)
        self.limits = {
            "actions": RateLimit(settings.actions),
            "reads": RateLimit(settings.reads),
            "questions": RateLimit(settings.questions),
            "new_tables": RateLimit(settings.new_tables),
            "joins": RateLimit(settings.joins),
        }
        self._workers = ThreadPoolExecutor(WORKERS, "astragal worker")
        self._computing = 0
        gauges = self.metrics.gauges
        gauges["astragal_sockets"] = ("Open sockets.", lambda: self.registry.sockets)
        gauges["astragal_connections"] = ("Open connections, sockets included.", lambda: self.connections.total)
        gauges["astragal_tables_open"] = ("Tables in memory.", lambda: len(self.registry.hubs))
        gauges["astragal_memory_bytes"] = ("Memory in use.", memory_in_use)
        gauges["astragal_thinking"] = ("Questions being computed or waiting.", lambda: self._computing)

    async def compute(self, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Compute in a thread, so that tables stay live meanwhile; Unavailable if too much is waiting."""
        if self._computing >= MAX_COMPUTING:
            raise Unavailable(BUSY)
        self._computing += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._workers, lambda: work(*args, **named))
        finally:
            self._computing -= 1

    async def disconnect_all(self) -> None:
        """Close every socket with a farewell, so that browsers reconnect later."""
        await self.registry.close(STOPPING)

    async def close(self) -> None:
        """Close every socket and drop what waits to be computed."""
        await self.disconnect_all()
        self._workers.shutdown(wait=False, cancel_futures=True)
