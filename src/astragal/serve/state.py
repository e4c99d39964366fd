"""State shared by all request handlers."""

from __future__ import annotations

import asyncio
from functools import partial

from astragal.repository.repository import Repository
from astragal.serve.auth import load_signer
from astragal.serve.bus.message import Changed
from astragal.serve.bus.opening import open_bus
from astragal.serve.door import Door
from astragal.serve.exposition import exposition_text
from astragal.serve.health import Health
from astragal.serve.limits.addresses import Networks
from astragal.serve.limits.bodies import Bodies
from astragal.serve.limits.connections import ConnectionCount
from astragal.serve.limits.shared import SharedRate
from astragal.serve.limits.threads import Threads
from astragal.serve.live.others import Others
from astragal.serve.live.registry import TableRegistry
from astragal.serve.live.sweep import Sweep
from astragal.serve.live.upkeep import Upkeep
from astragal.serve.places import Place
from astragal.serve.replays import Replays
from astragal.serve.security import Gate, RateLimit
from astragal.serve.settings import ServerSettings
from astragal.serve.telemetry import Metrics, RequestLog, memory_in_use
from astragal.serve.worker_metrics import WorkerMetrics

VISITORS = 1
"""Threads for questions of people without a seat."""
MEMBERS = 2
"""Threads for questions at tables. All threads share one interpreter, so more would only take turns."""
LIMITS = (
    "actions", "reads", "questions", "new_tables", "all_new_tables", "joins", "codes", "all_codes", "chats",
)  # fmt: skip
"""The rates of settings that are counted here, for each who asks."""
SHARED_LIMITS = ("codes", "all_codes", "new_tables", "all_new_tables")
"""Rates that hold for all servers together: tries of codes, which protect seats, and what fills the store."""
LEAVING = "This server is stopping; others go on."
STOPPING = "The server is stopping. Reconnecting when it is back …"


class ServerState:
    """The repository, the tables in use, metrics, log and limits of one running server."""

    def __init__(self, repository: Repository, settings: ServerSettings, request_log: RequestLog) -> None:
        self.repository = repository
        self.settings = settings
        self.request_log = request_log
        self.signer = load_signer(repository.store)
        self.door = Door(repository.store, self.signer, settings.clock)
        self.others = self._find_others()
        self.replays = Replays()
        self.metrics = Metrics({"store": repository.store.kind}, repository.store.commits)
        self.workers: WorkerMetrics | None = None
        """The other processes behind the same address, where this is one of several."""
        self.leaving = False
        """Whether it was told to stop, and serves only until a balancer has noticed."""
        self.health = Health(repository.store, repository.quota)
        self.connections = ConnectionCount(settings.limits, Networks(settings.proxies))
        self.gate = Gate(settings.strangers, settings.patience)
        self.registry = TableRegistry(repository, self.signer, settings, self.gate, self.others)
        self.sweep = Sweep(self.registry, repository, self.signer, self.others)
        self.upkeep = Upkeep(self.registry, repository, self.sweep, settings, self.metrics.loop_delay)
        self.upkeep.trouble = partial(request_log.trouble, "store")
        self.limits = {name: RateLimit(getattr(settings, name)) for name in LIMITS}
        self.shared_limits = {
            name: SharedRate(repository.store, name, getattr(settings, name), self.signer.sign, settings.clock)
            for name in (SHARED_LIMITS if self.others else ())
        }
        # One at a time: they would otherwise take all threads, and every table's views wait for these.
        self.founding, self.importing, self.uploading = (asyncio.Semaphore() for _ in range(3))
        self.bodies, self.uploads = Bodies(settings.limits.bodies), Bodies(settings.limits.imports)
        self.visitors = Place("visitors", VISITORS, settings.question_timeout, settings.reckoners)
        self.members = Place("members", MEMBERS, settings.question_timeout, settings.reckoners)
        self._measure()
        if self.others:
            self._measure_bus(self.others)

    def _measure(self) -> None:
        """Let whoever watches the server read what is here."""
        self.metrics.gauges |= {
            "astragal_sockets": ("Open sockets.", lambda: self.registry.sockets),
            "astragal_connections": ("Open connections, sockets included.", lambda: self.connections.total),
            "astragal_waiting": ("Requests that wait for their turn.", lambda: self.gate.waiting),
            "astragal_tables_open": ("Tables in memory.", lambda: len(self.registry.hubs)),
            "astragal_memory_bytes": ("Memory in use.", memory_in_use),
            "astragal_reckoners": ("Processes for long questions.", self._reckoners),
            "astragal_thinking": ("Questions being computed or waiting.", self._thinking),
        }
        self.metrics.counters["astragal_hints_missed_total"] = (
            "Tables that a sweep found to be behind, of which no message told.",
            lambda: self.sweep.missed,
        )
        refreshed = self.registry.refresher.seconds
        self.metrics.histograms |= {
            "astragal_sweep_seconds": ("How long a sweep of all open tables takes.", self.sweep.seconds),
            "astragal_refresh_seconds": ("From word of entries stored elsewhere until they are here.", refreshed),
        }

    def _measure_bus(self, others: Others) -> None:
        """The same for what only several servers have."""
        self.metrics.gauges |= {
            "astragal_bus_connected": ("Whether the bus is there.", lambda: int(others.bus.connected)),
            "astragal_servers": ("Servers of the same store that run.", lambda: others.running),
        }
        self.metrics.counters |= {
            "astragal_bus_lost_total": ("How often the bus was lost.", lambda: others.bus.lost),
            "astragal_bus_sent_total": ("Batches of messages sent.", lambda: others.bus.sent),
            "astragal_bus_received_total": ("Batches of messages received.", lambda: others.bus.received),
        }

    def _find_others(self) -> Others | None:
        """The other servers of the store; None where there can be none."""
        store = self.repository.store
        if not self.settings.shared and store.kind == "sqlite":
            return None
        others = Others(store, open_bus(self.settings.bus, store))
        others.on_door = self.door.wake
        others.bus.trouble = partial(self.request_log.trouble, "bus")
        return others

    def tell(self, message: Changed) -> None:
        """Tell other servers, if there are any, that links or knocks of a table have changed."""
        if self.others:
            self.others.changed(message)

    async def limit(self, name: str, client: str) -> None:
        """Take from a rate, here and, where it holds for all servers, in the store; Limited if it is used up."""
        self.limits[name].take(client)
        if shared := self.shared_limits.get(name):
            await shared.take(client)

    async def begin(self) -> list[asyncio.Task[None]]:
        """Begin what goes on for as long as the server runs."""
        asyncio.get_running_loop().set_default_executor(Threads(thread_name_prefix="astragal thread"))
        tasks = [asyncio.create_task(self.upkeep.maintain())]
        if self.others:
            self.others.bus.on_connected = self.upkeep.soon.set
            self.others.beat()
            tasks.append(asyncio.create_task(self.others.bus.run(self.others.receive)))
        if self.workers:
            own = partial(exposition_text, self.metrics)
            tasks.append(asyncio.create_task(self.workers.run(own, self.request_log)))
        return tasks

    def _thinking(self) -> int:
        return self.visitors.taken + self.members.taken

    def _reckoners(self) -> int:
        return sum(len(place.reckoners.pids) for place in (self.visitors, self.members) if place.reckoners)

    async def pause(self) -> None:
        """Wait before somebody is refused who asked too often."""
        await asyncio.sleep(self.settings.pause)

    async def disconnect_all(self) -> None:
        """Close every socket with a farewell, so that browsers reconnect later."""
        self.door.close()
        await self.registry.disconnect(STOPPING)
        if self.others:
            await self.others.close()

    async def close(self) -> None:
        """Close every socket and drop what waits to be computed."""
        self.upkeep.close()
        await self.disconnect_all()
        self.registry.close()
        self.visitors.close()
        self.members.close()
