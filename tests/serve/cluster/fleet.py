"""Several real servers on one real PostgreSQL, and guests who go from one to another."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Any, Self

import pytest

from astragal.serve.app import Extra
from astragal.serve.settings import ServerSettings
from astragal.store import Database
from tests.serve.running import FREE, WAIT, Guest, LiveSocket, Running, until
from tools.program import free_port

QUICK = FREE._replace(poll_every=0.5)
SOON = 2.0
"""Seconds within which a server learns of everything, also where nobody tells it."""
NO_NATS = "nats-server is not installed here; on Debian, make nats installs it."


class Fleet:
    """Servers of one database."""

    def __init__(
        self,
        database: Database,
        n: int = 3,
        settings: ServerSettings = QUICK,
        bus: str = "",
        extras: Iterable[Extra] = (),
    ) -> None:
        self.database = database
        self.extras = extras
        self.settings = settings._replace(bus=bus or database.url)
        self._stack = ExitStack()
        self.servers = [self.start() for _ in range(n)]
        for server in self.servers:
            until(lambda server=server: bus == "none" or server.server.others.bus.connected)  # type: ignore[misc]

    def start(self) -> Running:
        """One more server."""
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


class Watching(LiveSocket):
    """A socket that remembers who is here."""

    here: list[str]

    def next(self, type: str = "", seconds: float = WAIT) -> Any:
        while True:
            frame = json.loads(self.raw(seconds))
            self.here = frame.get("here", getattr(self, "here", []))
            if not type or frame["type"] == type:
                return frame

    def until_here(self, members: list[str], seconds: float = 20) -> None:
        """Wait until it was told that these members are here, and no others."""
        while self.here != members:
            self.next("here", seconds)


def opened(server: Running, guest: Guest) -> Watching:
    """A socket of a guest at a server, which has said hello and is listened to by the bus."""
    found = Watching(at(server, guest).connection().socket)
    found.next("hello")
    others = server.server.others
    assert others
    until(lambda: not (others.bus.connected and others.bus._wake.is_set()))
    time.sleep(0.05)
    return found


def seen(watcher: LiveSocket, n: int, seconds: float = 30) -> list[dict[str, Any]]:
    """The next n entries that a watcher is sent."""
    entries: list[dict[str, Any]] = []
    while len(entries) < n:
        entries += watcher.next("news", seconds)["entries"]
    return entries


class Nats:
    """A NATS server of our own, which can be stopped and started again at the same port."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"nats://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        program = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/bin")
        if program is None:
            if os.environ.get("CI") == "true":
                pytest.fail(NO_NATS)
            pytest.skip(NO_NATS)
        words = [program, "--addr", "127.0.0.1", "--port", str(self.port)]
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self._answers)

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)
