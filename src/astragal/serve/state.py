"""State shared by all request handlers."""

from __future__ import annotations

import asyncio
from functools import partial

from astragal.serve.auth import load_signer
from astragal.serve.door import Door
from astragal.serve.health import Health
from astragal.serve.limits.addresses import Networks
from astragal.serve.limits.bodies import Bodies
from astragal.serve.limits.count import ConnectionCount
from astragal.serve.limits.long_reads import LongReads
from astragal.serve.limits.shared import SharedRate
from astragal.serve.limits.threads import Threads
from astragal.serve.live.claims import Claims
from astragal.serve.live.registry import TableRegistry
from astragal.serve.live.upkeep import Upkeep
from astragal.serve.live.watch import Watch
from astragal.serve.places import Place
from astragal.serve.replays import Replays
from astragal.serve.security import Gate, RateLimit
from astragal.serve.settings import ServerSettings
from astragal.serve.telemetry import Metrics, RequestLog, memory_in_use
from astragal.storage.sqlite.guest import GuestStore
from astragal.storage.tables.repository import Repository

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
WARM_AFTER = 2.0
"""Seconds after the start when a worker for questions is made ready: the first pages are served before."""
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
        self.claims = Claims(repository.store)
        self.is_guest = isinstance(repository.store, GuestStore)
        """Whether another server may have the file, so that every look at a table is one at the file."""
        self.replays = Replays()
        self.metrics = Metrics({"store": repository.store.kind}, repository.store.commits)
        self.leaving = False
        """Whether it was told to stop, and serves only until a balancer has noticed."""
        self.health = Health(repository.store, repository.quota)
        self.connections = ConnectionCount(settings.limits, Networks(settings.proxies))
        self.gate = Gate(settings.strangers, settings.patience)
        self.registry = TableRegistry(repository, self.signer, settings, self.gate, self.claims)
        self.watch = Watch(self.registry, repository, self.claims, self.door, every=settings.poll_every)
        self.upkeep = Upkeep(self.registry, repository, settings, self.metrics.loop_delay)
        self.upkeep.trouble = partial(request_log.trouble, "store")
        self.watch.on_rewritten = lambda why: request_log.write("rewritten", why=why)
        self.limits = {name: RateLimit(getattr(settings, name)) for name in LIMITS}
        self.shared_limits = {
            name: SharedRate(repository.store, name, getattr(settings, name), self.signer.sign, settings.clock)
            for name in (() if self.claims.alone else SHARED_LIMITS)
        }
        # One at a time: they would otherwise take all threads, and every table's views wait for these.
        self.founding, self.importing, self.uploading = (asyncio.Semaphore() for _ in range(3))
        self.bodies, self.uploads = Bodies(settings.limits.bodies), Bodies(settings.limits.imports)
        self.long_reads = LongReads()
        self.visitors = Place("visitors", VISITORS, settings.question_timeout, settings.reckoners)
        self.members = Place("members", MEMBERS, settings.question_timeout, settings.reckoners)
        self._measure()

    def _measure(self) -> None:
        """Let whoever watches the server read what is here."""
        places = (self.visitors, self.members)
        self.metrics.gauges |= {
            "astragal_sockets": ("Open sockets.", lambda: self.registry.sockets),
            "astragal_connections": ("Open connections, sockets included.", lambda: self.connections.total),
            "astragal_waiting": ("Requests that wait for their turn.", lambda: self.gate.waiting),
            "astragal_tables_open": ("Tables in memory.", lambda: len(self.registry.hubs)),
            "astragal_memory_bytes": ("Memory in use.", memory_in_use),
            "astragal_reckoners": ("Processes that answer questions.", lambda: sum(len(each.pids) for each in places)),
            "astragal_thinking": ("Questions being computed or waiting.", lambda: sum(each.taken for each in places)),
        }
        if not self.claims.alone:
            self.metrics.histograms["astragal_check_seconds"] = (
                "How long a check of all open tables takes.",
                self.watch.seconds,
            )
            self.metrics.gauges["astragal_listening"] = (
                "Whether notices of other servers come.",
                lambda: int(self.watch.listening),
            )
            self.metrics.counters |= {
                "astragal_claims_total": ("Tables claimed, counted again each time.", lambda: self.claims.made),
                "astragal_moved_total": ("Tables that other servers claimed from this one.", lambda: self.claims.lost),
            }

    async def limit(self, name: str, client: str) -> None:
        """Take from a rate, here and, where it holds for all servers, in the store; Limited if it is used up."""
        self.limits[name].take(client)
        if shared := self.shared_limits.get(name):
            await shared.take(client)

    async def begin(self) -> list[asyncio.Task[None]]:
        """Begin what goes on for as long as the server runs."""
        asyncio.get_running_loop().set_default_executor(Threads(thread_name_prefix="astragal thread"))
        tasks = [asyncio.create_task(self.upkeep.maintain())]
        for place in (self.visitors, self.members):
            asyncio.get_running_loop().call_later(WARM_AFTER, place.warm)
        if not self.claims.alone:
            tasks += [asyncio.create_task(self.watch.run()), asyncio.create_task(self.watch.listen())]
        return tasks

    async def pause(self) -> None:
        """Wait before somebody is refused who asked too often."""
        await asyncio.sleep(self.settings.pause)

    async def disconnect_all(self) -> None:
        """Close every socket with a farewell, so that browsers reconnect later."""
        self.door.close()
        await self.registry.disconnect(STOPPING)

    async def close(self) -> None:
        """Close every socket and drop what waits to be computed."""
        self.upkeep.close()
        await self.disconnect_all()
        self.visitors.close()
        self.long_reads.close()
        self.members.close()
