"""The sweep: every second or two, what has changed at all open tables, in two questions for all of them together.

It finds whatever no message told: entries, links, knocks, who is here, tables that were deleted or rewritten.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import NamedTuple

from astragal.errors import Refusal
from astragal.repository.repository import Repository
from astragal.serve.auth import Signer
from astragal.serve.live.hub import Hub
from astragal.serve.live.others import SERVER, Others
from astragal.serve.live.registry import DELETED, TableRegistry
from astragal.serve.live.rows import LiveRows, live_prefix, live_rows
from astragal.store import Standing
from astragal.store.backup import REWRITTEN
from astragal.store.writer import Histogram

RESTORED = "The tables were changed by whoever runs the server. Reconnecting …"


class Found(NamedTuple):
    """What a sweep found in the store."""

    standings: dict[str, Standing]
    rows: dict[str, bytes]


class Sweep:
    """Compares the tables of a registry with the store."""

    def __init__(self, registry: TableRegistry, repository: Repository, signer: Signer, others: Others | None) -> None:
        self._registry = registry
        self._repository = repository
        self._signer = signer
        self._others = others
        self._rewritten = repository.store.setting(REWRITTEN)
        self.seconds = Histogram()
        """How long sweeps take."""
        self.missed = 0
        """Tables that a sweep found to be behind, of which no message had told."""

    async def all(self, every: float) -> None:
        """Take in what is new, of all open tables; a sweep should follow every so many seconds."""
        begun = monotonic()
        if self._others:
            self._others.beat()
        hubs = list(self._registry.hubs.values())
        found = await asyncio.to_thread(self._find, [hub.id for hub in hubs])
        if self._others:
            self._others.look(found.rows, every)
        if found.rows.get(REWRITTEN) != self._rewritten:
            await self._open_anew(found.rows.get(REWRITTEN))
            return
        noted = live_rows(found.rows)
        for hub in hubs:
            if self._registry.hubs.get(hub.id) is hub:
                with suppress(Refusal):  # the others may be luckier
                    await self._compare(hub, found.standings.get(hub.id), noted.get(hub.id, LiveRows()))
        self.seconds.observe(monotonic() - begun)

    def _find(self, tables: list[str]) -> Found:
        store = self._repository.store
        store.check_schema()
        prefixes = [SERVER, REWRITTEN, *map(live_prefix, tables)]
        return Found(store.last_versions(tables), store.settings_under(prefixes))

    async def _compare(self, hub: Hub, standing: Standing | None, noted: LiveRows) -> None:
        if standing is None or standing.identity != hub.stored_table.identity:
            self._registry.drop(hub, DELETED)
            return
        if noted.links != hub.links.stamp:
            for id in await asyncio.to_thread(hub.links.reload):
                hub.presence.disconnect_link(id)
        self._registry.show_knocks(hub, noted)
        if self._others:
            self._others.see_here(hub, noted.here)
        self.missed += standing.version > max(hub.heard, hub.stored_table.state.version)
        self._registry.refresher.want(hub, standing.version)

    async def _open_anew(self, rewritten: bytes | None) -> None:
        """Open every table anew once what was stored before has been changed, as by restoring a backup."""
        self._rewritten = rewritten
        await asyncio.to_thread(self._signer.reload, self._repository.store)
        for hub in list(self._registry.hubs.values()):
            self._registry.drop(hub, RESTORED)
        self._repository.forget_all()
