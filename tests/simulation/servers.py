"""Servers of an evening: one that has the table alone, or one of several that claim it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, cast

import msgspec

from astragal.serve.access.auth import Link, Links, SeatCookie, Signer
from astragal.serve.access.door import Door
from astragal.serve.limits.gate import Gate, WorkShares
from astragal.serve.live.connection import Connection
from astragal.serve.live.hub import Hub
from astragal.serve.live.registry import Claims, TableRegistry
from astragal.serve.live.watch import Watch
from astragal.serve.settings import UNLIMITED, ServerSettings
from astragal.serve.telemetry import Metrics
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import Acted, StoredTable
from astragal.table.action import Action
from astragal.table.rolls.ticket import Tickets
from tests.simulation.loop import Process, VirtualLoop
from tests.simulation.store import MemoryStore, Rows
from tests.table.tables import seeded_dice

TICKETS = Tickets("t", b"simulation")
LINK = Link("link", "gm", None, 1)
RATE = 0.06
"""The share of writes that fail."""


class AllLinks:
    """Links that are never revoked."""

    def __contains__(self, link: str) -> bool:
        return True

    def is_revoked(self, link: str) -> bool:
        return False


class Server:
    """A program that serves the table. Its methods are called by ``process.start``."""

    def __init__(self, rows: Rows, loop: VirtualLoop, faults: Sequence[str]) -> None:
        self.process = Process(loop)
        self.store = MemoryStore(rows, loop)
        self.store.faults = faults
        self.hubs: list[Hub] = []
        """All that it ever had."""
        self.sockets: list[Any] = []

    async def hub(self) -> Hub:
        """The table, claimed if need be."""
        raise NotImplementedError

    async def act(self, by: str, action: Action, key: str) -> Acted:
        """Answer somebody who sends an action."""
        hub = await self.hub()
        return await hub.submit(by, action, key, 1, seeded_dice(key))

    async def show(self, socket: Any, member: str, since: int | None, metrics: Metrics) -> None:
        """Serve a socket until it ends."""
        seat = SeatCookie("t", member, LINK.id)
        hub = await self.hub()
        await hub.seated(seat)
        await Connection(socket, hub, seat, metrics).run(since)

    def known(self, hub: Hub) -> Hub:
        if hub not in self.hubs:
            self.hubs.append(hub)
        return hub


class Lone(Server):
    """A server that has the table to itself, as in a file."""

    def __init__(self, rows: Rows, loop: VirtualLoop, faults: Sequence[str]) -> None:
        super().__init__(rows, loop, faults)
        table = StoredTable(cast(Any, self.store), "t", tickets=TICKETS)
        work = WorkShares(UNLIMITED, UNLIMITED)
        self._hub = self.known(Hub(table, cast(Links, AllLinks()), work, Gate(UNLIMITED)))
        self._hub.owned = True
        self.store.rate = RATE

    async def hub(self) -> Hub:
        return self._hub


class OneOfSeveral(Server):
    """A server that claims the table and takes in notices of the others."""

    def __init__(self, rows: Rows, loop: VirtualLoop, faults: Sequence[str]) -> None:
        super().__init__(rows, loop, faults)
        rows.settings[f"link/t/{LINK.id}"] = msgspec.json.encode(LINK)
        store, signer, settings = (
            cast(Any, self.store),
            Signer(b"simulation"),
            ServerSettings()._replace(table_work=UNLIMITED, all_work=UNLIMITED),
        )
        repository = Repository(store, tickets=lambda table: TICKETS)
        claims = Claims(store)
        self.registry = TableRegistry(repository, signer, settings, Gate(UNLIMITED), claims)
        watch = Watch(self.registry, repository, claims, Door(store, signer, settings.clock), every=1.0)
        self.store.rate = RATE
        self.watching: list[asyncio.Task[None]] = [self.process.start(each) for each in (watch.run(), watch.listen())]

    async def hub(self) -> Hub:
        hub = self.registry.hubs.get("t")
        return self.known(hub if hub and hub.owned else await self.registry.open("t"))

    async def act_as_guest(self, by: str, action: Action, key: str) -> Acted:
        """Answer somebody who came to this server by chance, as an assistant does."""
        hub = self.known(await self.registry.open_for_guest("t"))
        return await hub.submit(by, action, key, 1, seeded_dice(key))
