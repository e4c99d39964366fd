"""A cluster on this machine: a PostgreSQL of its own, servers, a load balancer, one address. ``make play-cluster``.

It is a library too: tests kill its parts and start them again. Nothing is left behind when it is closed.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from pathlib import Path
from urllib.request import urlopen

from tools.balancer import Balancer
from tools.postgres import Postgres
from tools.program import Block, Program, free_port

SERVERS = 3
LEAVING = 2
"""Seconds that a server which is told to stop goes on; the balancer asks each server every second."""
WITHOUT = 5.0
"""Seconds that ``make play-cluster`` leaves out what somebody killed."""


class Member(Program):
    """One server of a cluster; it can be killed, and started again at the same port."""

    name = "A server"

    def __init__(self, number: int, folder: Path, storage: Sequence[str], options: Sequence[str] = ()) -> None:
        super().__init__(folder / f"server{number}.log")
        self.number = number
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._options = [*storage, *options]

    def command(self) -> list[str]:
        serve = [sys.executable, "-m", "astragal", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        return [*serve, "--time", f"leaving={LEAVING}", *self._options]

    def is_ready(self) -> bool:
        """Whether it would store an action now."""
        try:
            with urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (OSError, HTTPException):
            return False


class Cluster(Block):
    """Servers behind a balancer, on a database that it starts itself unless it is given another's address."""

    def __init__(
        self,
        servers: int = SERVERS,
        *,
        database: str = "",
        options: Sequence[str] = (),
        settings: Mapping[str, str] | None = None,
        port: int = 0,
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="astragal-", dir="/tmp"))
        self.postgres = None if database else Postgres(settings=settings)
        self._database = database
        self._options = options
        self._servers = servers
        self._port = port or free_port()
        self.members: list[Member] = []
        self.balancer: Balancer | None = None

    @property
    def address(self) -> str:
        """Where everybody goes."""
        assert self.balancer
        return self.balancer.address

    @property
    def database(self) -> str:
        """The database's address."""
        return self._database or (self.postgres.url() if self.postgres else "")

    def begin(self) -> None:
        """Start the database, then the servers, the first of which makes the schema, then the balancer."""
        if self.postgres:
            self.postgres.create()
            self.postgres.start()
        storage = ["--database", self.database]
        self.members = [Member(n, self.folder, storage, self._options) for n in range(1, self._servers + 1)]
        for place, member in enumerate(self.members):
            member.start(wait=place == 0)
        for member in self.members:
            member.wait()
        self.balancer = Balancer(self.folder, self._port, [f"127.0.0.1:{member.port}" for member in self.members])
        self.balancer.start()

    def parts(self) -> dict[str, tuple[Program, str]]:
        """Everything that runs here by its name, each with its address."""
        found: dict[str, tuple[Program, str]] = {}
        if self.postgres:
            found["PostgreSQL"] = self.postgres, self.database
        found |= {f"server {member.number}": (member, member.url) for member in self.members}
        if self.balancer:
            found["HAProxy"] = self.balancer, self.address
        return found

    def close(self) -> None:
        """End everything, and delete what it left."""
        if self.balancer:
            self.balancer.stop()
        for member in self.members:
            member.end(signal.SIGINT)  # nobody is there any more, so it need not go on for a while
        if self.postgres:
            self.postgres.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def main() -> int:
    """Run a cluster until Ctrl+C."""
    ended = False

    def end(*_: object) -> None:
        nonlocal ended
        ended = True

    port = wanted_port(os.environ.get("PORT", ""))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    say(f"Starting PostgreSQL, {SERVERS} servers and HAProxy …")
    with Cluster(port=port) as cluster:
        say(f"The cluster is at {cluster.address}/")
        for name, (part, address) in cluster.parts().items():
            say(f"  {name:<10}  process {part.pid:<7}  {address}")
        say(f"  logs        {cluster.folder}/server*.log, haproxy.log")
        say("Kill any of them (kill -9 PROCESS): after a while it is started again.")
        say("Stop with Ctrl+C; the tables are gone then.")
        while not ended:
            time.sleep(0.2)
            start_again(cluster)
        say("Stopping …")
    return 0


def wanted_port(text: str) -> int:
    """The port that somebody asked for, 0 for any; ends with a sentence where it cannot be had."""
    if not text:
        return 0
    if not (text.isascii() and text.isdigit() and 0 < int(text[:6]) < 65_536):
        sys.exit(f'PORT must be a whole number from 1 to 65,535, not "{text[:40]}".')
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", int(text)))
        except OSError as error:
            sys.exit(f"Port {text} cannot be used: {error.strerror}. Choose another with PORT=….")
    return int(text)


def start_again(cluster: Cluster) -> None:
    """Start what was killed, after a while in which people can see how it is without."""
    for name, (part, _) in cluster.parts().items():
        if not part.running:
            say(f"{name} was killed.")
            time.sleep(WITHOUT)
            part.start()
            say(f"{name} is there again, as process {part.pid}.")


def say(words: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
