"""State shared by all request handlers."""

from __future__ import annotations

import asyncio
from functools import partial

from astragal.serve.access.auth import load_signer
from astragal.serve.access.door import Door
from astragal.serve.health import Health
from astragal.serve.limits.addresses import ConnectionCount, Networks
from astragal.serve.limits.bodies import Bodies
from astragal.serve.limits.gate import Gate, Rates
from astragal.serve.limits.long_reads import LongReads
from astragal.serve.limits.threads import Threads
from astragal.serve.live.registry import Claims, TableRegistry
from astragal.serve.live.upkeep import Upkeep
from astragal.serve.live.watch import Watch
from astragal.serve.replays import Replays
from astragal.serve.settings import ServerSettings
from astragal.serve.telemetry import Metrics, RequestLog, memory_in_use
from astragal.serve.workers.queue import QuestionQueue
from astragal.storage.sqlite.guest import GuestStore
from astragal.storage.tables.repository import Repository

VISITORS = 1
"""Threads for questions of visitors without a seat."""
MEMBERS = 2
"""Threads for questions at tables. All threads share one interpreter, so more would not help."""
WARM_AFTER = 2.0
"""Seconds after the start until a worker for questions is started, so that the first pages come first."""
LEAVING = "This server is stopping; other servers continue."
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
        """True if another process may write to the file, so every request reads the file again."""
        self.replays = Replays()
        self.metrics = Metrics({"store": repository.store.kind}, repository.store.commits)
        self.leaving = False
        """True while the server waits for balancers before it stops."""
        self.health = Health(repository.store, repository.quota)
        self.connections = ConnectionCount(settings.limits, Networks(settings.proxies))
        self.gate = Gate(settings.strangers, settings.patience)
        self.registry = TableRegistry(repository, self.signer, settings, self.gate, self.claims)
        self.watch = Watch(self.registry, repository, self.claims, self.door, every=settings.poll_every)
        self.upkeep = Upkeep(self.registry, repository, settings, self.metrics.loop_delay)
        self.upkeep.trouble = partial(request_log.trouble, "store")
        self.watch.on_rewritten = lambda why: request_log.write("rewritten", why=why)
        self.rates = Rates(settings, repository.store, self.signer.sign, self.claims.alone)
        # One at a time: otherwise they would use all threads, for which the views of every table wait.
        self.founding, self.importing, self.uploading = (asyncio.Semaphore() for _ in range(3))
        self.bodies, self.uploads = Bodies(settings.limits.bodies), Bodies(settings.limits.imports)
        self.long_reads = LongReads()
        self.visitors = QuestionQueue("visitors", VISITORS, settings.question_timeout, settings.workers)
        self.members = QuestionQueue("members", MEMBERS, settings.question_timeout, settings.workers)
        self._measure()

    def _measure(self) -> None:
        """Add the metrics of the parts of the server."""
        queues = (self.visitors, self.members)
        self.metrics.gauges |= {
            "astragal_sockets": ("Open sockets.", lambda: self.registry.sockets),
            "astragal_connections": ("Open connections, sockets included.", lambda: self.connections.total),
            "astragal_waiting": ("Requests that wait for their turn.", lambda: self.gate.waiting),
            "astragal_tables_open": ("Tables in memory.", lambda: len(self.registry.hubs)),
            "astragal_memory_bytes": ("Memory in use.", memory_in_use),
            "astragal_reckoners": ("Processes that answer questions.", lambda: sum(len(each.pids) for each in queues)),
            "astragal_thinking": ("Questions in progress or waiting.", lambda: sum(each.taken for each in queues)),
        }
        if not self.claims.alone:
            self.metrics.histograms["astragal_check_seconds"] = (
                "How long a check of all open tables takes.",
                self.watch.seconds,
            )
            self.metrics.gauges["astragal_listening"] = (
                "1 while notices of other servers arrive.",
                lambda: int(self.watch.listening),
            )
            self.metrics.counters |= {
                "astragal_claims_total": ("Tables claimed, counted again each time.", lambda: self.claims.made),
                "astragal_moved_total": ("Tables that other servers claimed from this one.", lambda: self.claims.lost),
            }

    async def begin(self) -> list[asyncio.Task[None]]:
        """Start the background tasks of the server."""
        asyncio.get_running_loop().set_default_executor(Threads(thread_name_prefix="astragal thread"))
        tasks = [asyncio.create_task(self.upkeep.maintain())]
        for queue in (self.visitors, self.members):
            asyncio.get_running_loop().call_later(WARM_AFTER, queue.warm)
        if not self.claims.alone:
            tasks += [asyncio.create_task(self.watch.run()), asyncio.create_task(self.watch.listen())]
        return tasks

    async def pause(self) -> None:
        """Wait before the refusal of a client over its rate."""
        await asyncio.sleep(self.settings.pause)

    async def disconnect_all(self) -> None:
        """Close every socket with a reason, so that browsers reconnect later."""
        self.door.close()
        await self.registry.disconnect(STOPPING)

    async def close(self) -> None:
        """Close every socket, and drop waiting questions."""
        self.upkeep.close()
        await self.disconnect_all()
        self.visitors.close()
        self.long_reads.close()
        self.members.close()
