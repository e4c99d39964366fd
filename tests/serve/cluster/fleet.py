"""Several real servers on one real PostgreSQL, and guests who go from one to another."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self
from unittest.mock import patch

from astragal.serve.app import Extra
from astragal.serve.settings import ServerSettings
from astragal.storage import Database
from astragal.storage.postgres.store import PostgresStore
from tests.serve.running import FREE, Guest, LiveSocket, Running, until

SOON = 4.0
"""Seconds within which a notice comes, on a busy machine; a check comes later than that."""


async def _never(store: PostgresStore, take: object) -> None:
    await asyncio.Event().wait()


class Fleet:
    """Servers of one database."""

    def __init__(
        self,
        database: Database,
        n: int = 2,
        settings: ServerSettings = FREE,
        extras: Iterable[Extra] = (),
        *,
        deaf: bool = False,
    ) -> None:
        """``deaf`` servers get no notices."""
        self.database = database
        self.deaf = deaf
        self.extras = extras
        self.settings = settings
        self._stack = ExitStack()
        self.servers = [self.start() for _ in range(n)]
        for server in self.servers:
            until(lambda server=server: deaf or server.server.watch.listening)  # type: ignore[misc]

    def start(self) -> Running:
        """One more server."""
        listen = _never if self.deaf else PostgresStore.listen
        with patch.object(PostgresStore, "listen", listen):
            return self._stack.enter_context(Running(self.database, self.settings, extras=self.extras))

    def __getitem__(self, n: int) -> Running:
        return self.servers[n]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()


def at(server: Running, guest: Guest) -> Guest:
    """The same person, whose next requests another server gets."""
    moved = server.guest()
    for cookie in guest.http.cookies.jar:
        moved.http.cookies.jar.set_cookie(cookie)
    moved.table, moved.links, moved.member = guest.table, guest.links, guest.member
    return moved


def opened(server: Running, guest: Guest) -> LiveSocket:
    """A socket of a guest at a server, which has said hello."""
    found = at(server, guest).connection()
    found.next("hello")
    return found


def seen(watcher: LiveSocket, n: int, seconds: float = 30) -> list[dict[str, Any]]:
    """The next n entries that a watcher is sent."""
    entries: list[dict[str, Any]] = []
    while len(entries) < n:
        entries += watcher.next("news", seconds)["entries"]
    return entries
