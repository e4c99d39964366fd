"""The other servers of the same store: what this one tells them, and what it learns from them.

Rows are the truth; messages on the bus only save time. Who has a table open at which server is a row, written when it
changes. A server that runs changes a row of its own all the time; the members at one that no longer does are not here.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from logging import getLogger
from secrets import token_bytes
from time import monotonic
from typing import TYPE_CHECKING, Any

from astragal.errors import Refusal
from astragal.serve.bus.bus import Bus
from astragal.serve.bus.message import Batch, Changed, HereNow, Message, Notice
from astragal.serve.live.hub import Hub
from astragal.serve.live.refresh import Refresher
from astragal.serve.live.rows import encode_members, here_name
from astragal.store import Store

if TYPE_CHECKING:
    from astragal.serve.live.registry import TableRegistry

SERVER = "server/"
"""How the names of the rows begin by which servers show that they run."""
DEAD = 5.0
"""Seconds without a change of its row, as others see it, after which a server counts as gone."""
FORGOTTEN = 60.0
"""Seconds after which the row of such a server is deleted."""
MOVE = 0.02
"""Seconds in which who comes and goes is collected, since a page that is loaded again closes and opens a socket."""
FAREWELL = 1.0
"""Seconds that a server that stops has to say so."""


class Others:
    """What this server and the others of its store tell each other. Used in the event loop only."""

    def __init__(self, store: Store, bus: Bus) -> None:
        self.bus = bus
        self.refresher = Refresher()
        self.registry: TableRegistry
        self.on_door: Any = lambda: None
        """Called when somebody knocked or was answered at another server."""
        self._store = store
        self._moved: set[str] = set()
        self._closed = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._looked = monotonic()
        self._clock = 0.0
        """Seconds in which the store could be read: while it is gone, no server can show that it runs."""
        self._rows: dict[str, tuple[bytes, float]] = {}
        """The row of each other server, and when it last changed."""

    # What is told.

    def stored(self, hub: Hub, version: int) -> None:
        """Tell of new entries, unless others told us."""
        if version > hub.heard:
            hub.heard = version
            self.bus.send(Notice(hub.id, version))

    def changed(self, message: Changed) -> None:
        """Tell that links or knocks have changed; rows say how."""
        self.bus.send(message)

    def moved(self, hub: Hub) -> None:
        """Tell who has the table open here, in a moment."""
        if not self._moved:
            asyncio.get_running_loop().call_later(MOVE, self._tell_moved)
        self._moved.add(hub.id)

    def _tell_moved(self) -> None:
        moved, self._moved = self._moved, set()
        for table in moved:
            if hub := self.registry.hubs.get(table):
                self.bus.send(HereNow(table, tuple(hub.presence.here_at_this_server)))
                self._write_here(hub)

    def _write_here(self, hub: Hub) -> None:
        """Write who has the table open here; should it fail, the next sweep sees it and writes again."""
        name, members = here_name(hub.id, self.bus.server), hub.presence.here_at_this_server
        with suppress(Refusal):
            written = (
                self._store.set_setting(name, encode_members(members)) if members else self._store.delete_setting(name)
            )
            written.add_done_callback(lambda future: future.exception())

    def beat(self) -> None:
        """Show that this server runs."""
        with suppress(Refusal):
            written = self._store.set_setting(SERVER + self.bus.server, token_bytes(6))
            written.add_done_callback(lambda future: future.exception())

    # What is learned.

    def receive(self, batch: Batch) -> None:
        """Take in messages of another server, about tables that are open here."""
        for message in batch.messages:
            if hub := self.registry.hubs.get(message.table):
                self._receive(hub, message, batch.server)

    def _receive(self, hub: Hub, message: Message, server: str) -> None:
        if isinstance(message, Notice):
            hub.heard = max(hub.heard, message.version)
            self.refresher.want(hub, message.version)
        elif isinstance(message, HereNow):
            known = {id: members for id, members in hub.presence.elsewhere.items() if id != server}
            hub.presence.set_elsewhere({**known, server: message.members} if message.members else known)
        elif message.what == "links":
            self._start(self.reload_links(hub))
        else:
            self.on_door()
            self._start(self.registry.read_door(hub))

    def _start(self, work: Any) -> None:
        """Do something that waits for the store; should that fail, the next sweep does it."""

        async def done() -> None:
            try:
                await work
            except Refusal:
                getLogger("astragal").debug("The store could not be read.")

        task = asyncio.create_task(done())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def look_again(self, hub: Hub) -> None:
        """Read on at a table that was opened a moment ago."""
        if self.registry.hubs.get(hub.id) is hub and not self._closed:
            self._start(self.refresher.now(hub))

    async def reload_links(self, hub: Hub) -> None:
        """Read a table's links again; the connections of those that were revoked are closed."""
        for id in await asyncio.to_thread(hub.links.reload):
            hub.presence.disconnect_link(id)

    # Who runs, as a sweep sees it.

    def look(self, rows: dict[str, bytes], every: float) -> None:
        """Look at the rows of all servers, of which there should be news every so often."""
        now = monotonic()
        self._clock += min(now - self._looked, 2 * every)
        self._looked = now
        for name, body in rows.items():
            server = name.removeprefix(SERVER)
            if name.startswith(SERVER) and server != self.bus.server:
                if self._rows.get(server, (b"", 0.0))[0] != body:
                    self._rows[server] = (body, self._clock)
                elif self._clock - self._rows[server][1] > FORGOTTEN:
                    with suppress(Refusal):
                        self._store.swap_setting(name, body, None)
        self._rows = {id: row for id, row in self._rows.items() if SERVER + id in rows}

    def runs(self, server: str) -> bool:
        """Whether another server runs."""
        return server in self._rows and self._clock - self._rows[server][1] <= DEAD

    @property
    def running(self) -> int:
        """How many servers run, this one included."""
        return 1 + sum(map(self.runs, self._rows))

    def see_here(self, hub: Hub, here: dict[str, tuple[str, ...]]) -> None:
        """Take in the rows of who has a table open where; those of servers that are gone are deleted."""
        for server in here:
            if server != self.bus.server and not self.runs(server):
                with suppress(Refusal):
                    self._store.delete_setting(here_name(hub.id, server))
        hub.presence.set_elsewhere(
            {id: members for id, members in here.items() if id != self.bus.server and self.runs(id)}
        )
        if here.get(self.bus.server, ()) != tuple(hub.presence.here_at_this_server):
            self._write_here(hub)

    async def close(self) -> None:
        """Say that nobody is here any more, and that this server no longer runs."""
        self._closed = True
        self.refresher.close()
        names = [here_name(table, self.bus.server) for table in self.registry.hubs]
        with suppress(Refusal, TimeoutError):
            written = [self._store.delete_setting(name) for name in (SERVER + self.bus.server, *names)]
            async with asyncio.timeout(FAREWELL):
                await asyncio.gather(*map(asyncio.wrap_future, written), return_exceptions=True)
