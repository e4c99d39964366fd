"""The watch: what others have changed at open tables. A notice tells of it at once, and a check every few seconds.

Both look at the same: who has the table, its last version, its links, who waits at its door, and whether it was deleted
or an operator rewrote what is stored. A notice may be lost, which the check makes up for.
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
"""Seconds between two checks while notices come."""
RETRY = 0.5
"""Seconds until the connection for notices is tried again."""
PATIENCE = 15.0
"""Seconds without the database after which sockets are closed: another server may reach it."""
AWAY = "This server cannot reach its database. Reconnecting …"
PROBE = "live/probe"
"""A setting that does not exist. Deleting it tells the store that its connection is lost, so that actions are refused
immediately; otherwise the first of them waits until its outcome is known."""


class Watch:
    """Compares the tables of a registry with the store. Used in the event loop only."""

    def __init__(
        self, registry: TableRegistry, repository: Repository, claims: Claims, door: Door, *, every: float
    ) -> None:
        """``every``: seconds between two checks while no notices come."""
        self.listening = False
        """True while notices come."""
        self.seconds = Histogram()
        """How long checks take."""
        self.on_rewritten: Callable[[str], None] = lambda why: None
        """Called with the reason when what was stored before has been changed by an operator."""
        self._registry = registry
        self._repository = repository
        self._claims = claims
        self._door = door
        self._every = every
        self._rewritten = repository.store.setting(REWRITTEN)
        self._changed: set[str] = set()
        self._soon = asyncio.Event()
        self._looking = asyncio.Lock()
        self._away: float | None = None
        """Since when the database cannot be read."""

    async def run(self) -> None:
        """Check all open tables every few seconds, and those of which a notice tells at once."""
        clock = asyncio.get_running_loop().time
        checked = clock() - self._pause
        while True:
            changed, self._changed = self._changed, set()
            if "" in changed or clock() >= checked + self._pause:
                checked = clock()
                await self.check()
            elif hubs := [hub for table in changed if (hub := self._registry.hubs.get(table))]:
                with suppress(Refusal):  # the check finds it
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
        """Take in notices, for as long as the server runs; a connection that was lost is made again."""
        while True:
            try:
                await self._repository.store.listen(self.take)
            except Exception as error:  # whatever a driver raises: the check finds what no notice tells
                getLogger("astragal").debug("No notices: %s", error)
            if self.listening:
                self.listening = False
                self._tell("")
            await asyncio.sleep(RETRY)

    def take(self, notice: str) -> None:
        """Take in a notice. The first on a new connection is empty: others may have been lost before."""
        if not notice:
            self.listening = True
            self._tell("")
            return
        what, table, *claim = msgspec.json.decode(notice)
        if what == "moved":
            server, epoch = claim
            hub = self._registry.hubs.get(table)
            if hub and server != self._claims.server and hub.owned and (hub.stored_table.epoch or 0) < epoch:
                self._registry.lose(hub)
        else:
            self._door.wake()
            self._tell(table)

    def _tell(self, table: str) -> None:
        self._changed.add(table)
        self._soon.set()

    # Looking.

    async def check(self) -> None:
        """Look at all open tables."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        try:
            await self._look(list(self._registry.hubs.values()))
            self._away = None
            self.seconds.observe(clock() - begun)
        except Refusal:
            self._give_up(begun)
        except Exception:  # a bug in one check must not end them all
            getLogger("astragal").exception("A check failed.")

    def _give_up(self, now: float) -> None:
        """Close all sockets, once, when the database has been gone for a while: browsers go to another server.

        If no server has the database, they come back here, and may read on.
        """
        if self._away == 0.0:
            return
        if self._away is None:
            self._away = now
            with suppress(Refusal):
                self._repository.store.delete_setting(PROBE).add_done_callback(lambda probe: probe.exception())
        if now - self._away >= PATIENCE:
            self._away = 0.0
            self._registry.close_sockets(1012, AWAY, "away")

    async def _look(self, hubs: Sequence[Hub]) -> None:
        """Take in what is new at some tables, found in two queries for all of them."""
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
                    with suppress(Refusal):  # the others may be luckier
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
