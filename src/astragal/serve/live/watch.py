"""The watch: finds changes of others at open tables, immediately by a notice, or by a check every few seconds.

Both compare the same: the owner of the table, its last version, its links, the people at its door, and if the table was
deleted or rewritten by an operator. A notice may be lost; the next check finds the change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from logging import getLogger

import msgspec

from astragal.errors import Refusal
from astragal.serve.access.door import Door
from astragal.serve.live.hub import Hub
from astragal.serve.live.registry import DELETED, Claims, LiveRows, TableRegistry, live_prefix, live_rows
from astragal.storage import Standing
from astragal.storage.backup import REWRITTEN, why_rewritten
from astragal.storage.sqlite.writer import Histogram
from astragal.storage.tables.repository import Repository

EVERY = 5.0
"""Seconds between two checks while notices arrive."""
RETRY = 0.5
"""Seconds between two attempts to connect for notices."""
PATIENCE = 15.0
"""Seconds without the database until sockets are closed, since another server may reach it."""
UNREACHABLE = "This server cannot reach its database. Reconnecting …"
PROBE = "live/probe"
"""A setting that does not exist. Deleting it makes the store notice that its connection is lost, so actions are refused
immediately; otherwise the first one would wait until its outcome is known."""


class Watch:
    """Compares the tables of a registry with the store. Used in the event loop only."""

    def __init__(
        self, registry: TableRegistry, repository: Repository, claims: Claims, door: Door, *, every: float
    ) -> None:
        """``every``: seconds between two checks while no notices arrive."""
        self.listening = False
        """True while notices arrive."""
        self.seconds = Histogram()
        """The duration of checks."""
        self.on_rewritten: Callable[[str], None] = lambda why: None
        """Called with the reason when an operator has changed stored data."""
        self._registry = registry
        self._repository = repository
        self._claims = claims
        self._door = door
        self._every = every
        self._rewritten = repository.store.setting(REWRITTEN)
        self._changed: set[str] = set()
        self._soon = asyncio.Event()
        self._looking = asyncio.Lock()
        self._lost_at: float | None = None
        """The time when the database became unreachable; 0 once the sockets are closed."""

    async def run(self) -> None:
        """Check all open tables every few seconds, and the table of a notice immediately."""
        clock = asyncio.get_running_loop().time
        checked = clock() - self._pause
        while True:
            changed, self._changed = self._changed, set()
            if "" in changed or clock() >= checked + self._pause:
                checked = clock()
                await self.check()
            elif hubs := [hub for table in changed if (hub := self._registry.hubs.get(table))]:
                with suppress(Refusal):  # the next check finds it
                    await self._look(hubs)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(checked + self._pause):
                    await self._soon.wait()
            self._soon.clear()

    @property
    def _pause(self) -> float:
        return EVERY if self.listening else self._every

    # Notices.

    async def listen(self) -> None:
        """Receive notices while the server runs, and reconnect when the connection is lost."""
        while True:
            try:
                await self._repository.store.listen(self.take)
            except Exception as error:  # any error of a driver: checks replace the notices
                getLogger("astragal").debug("No notices: %s", error)
            if self.listening:
                self.listening = False
                self._check_soon("")
            await asyncio.sleep(RETRY)

    def take(self, notice: str) -> None:
        """Handle a notice. The first on a new connection is empty: others may have been lost before."""
        if not notice:
            self.listening = True
            self._check_soon("")
            return
        what, table, *claim = msgspec.json.decode(notice)
        if what == "moved":
            server, epoch = claim
            hub = self._registry.hubs.get(table)
            if hub and server != self._claims.server and hub.owned and (hub.stored_table.epoch or 0) < epoch:
                self._registry.lose(hub)
        else:
            self._door.wake()
            self._check_soon(table)

    def _check_soon(self, table: str) -> None:
        self._changed.add(table)
        self._soon.set()

    # Checks.

    async def check(self) -> None:
        """Check all open tables."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        try:
            await self._look(list(self._registry.hubs.values()))
            self._lost_at = None
            self.seconds.observe(clock() - begun)
        except Refusal:
            self._give_up(begun)
        except Exception:  # a bug in one check must not end them all
            getLogger("astragal").exception("A check failed.")

    def _give_up(self, now: float) -> None:
        """Close all sockets, once, when the database has been unreachable for a while: browsers try another server.

        If no server reaches the database, browsers come back here and can still read.
        """
        if self._lost_at == 0.0:
            return
        if self._lost_at is None:
            self._lost_at = now
            with suppress(Refusal):
                self._repository.store.delete_setting(PROBE).add_done_callback(lambda probe: probe.exception())
        if now - self._lost_at >= PATIENCE:
            self._lost_at = 0.0
            self._registry.close_sockets(1012, UNREACHABLE, "away")

    async def _look(self, hubs: Sequence[Hub]) -> None:
        """Read the changes at some tables, found in two queries for all of them."""
        async with self._looking:
            standings, rows = await asyncio.to_thread(self._find, [hub.id for hub in hubs])
            if rows.get(REWRITTEN) != self._rewritten:
                self._rewritten = rows.get(REWRITTEN)
                self.on_rewritten(why_rewritten(self._rewritten))
                await self._registry.reopen_all()
                return
            noted = live_rows(rows)
            for hub in hubs:
                if self._registry.hubs.get(hub.id) is hub:
                    with suppress(Refusal):  # the others may succeed
                        await self._compare(hub, standings.get(hub.id), noted.get(hub.id, LiveRows()))

    def _find(self, tables: list[str]) -> tuple[dict[str, Standing], dict[str, bytes]]:
        store = self._repository.store
        return store.last_versions(tables), store.settings_under([REWRITTEN, *map(live_prefix, tables)])

    async def _compare(self, hub: Hub, standing: Standing | None, noted: LiveRows) -> None:
        if standing is None or standing.identity != hub.stored_table.identity:
            self._registry.drop(hub, DELETED)
        elif hub.owned and (standing.epoch or 0) > (hub.stored_table.epoch or 0):
            self._registry.lose(hub)
        else:
            if noted.links != hub.links.stamp:
                await hub.reload_links()
            self._registry.show_knocks(hub, noted)
            if standing.version > hub.state.version:
                await hub.catch_up()
