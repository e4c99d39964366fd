"""A cluster on this machine: a PostgreSQL of its own, servers, a load balancer, one address. ``make play-cluster``.

It is a library too: tests kill its parts and start them again. Nothing is left behind when it is closed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.request import urlopen

from tools.balancer import Balancer
from tools.postgres import Postgres, free_port

SERVERS = 3
PATIENCE = 30.0
"""Seconds until a server must be ready."""


class Member:
    """One server of a cluster; it can be killed, and started again at the same port."""

    def __init__(self, number: int, folder: Path, storage: Sequence[str], options: Sequence[str] = ()) -> None:
        self.number = number
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = folder / f"server{number}.log"
        self._storage = [*storage]
        self._options = [*options]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its process; 0 while it does not run."""
        return self._process.pid if self._process else 0

    def start(self, wait: bool = True) -> None:
        """Start it, and wait until it would store an action."""
        serve = [sys.executable, "-m", "astragal", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                ["setpriv", "--pdeathsig=KILL", *serve, *self._storage, *self._options],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        if wait:
            self.wait()

    def wait(self) -> None:
        """Wait until it is ready."""
        until = time.monotonic() + PATIENCE
        while not self.is_ready():
            if time.monotonic() > until or self._process is None or self._process.poll() is not None:
                raise RuntimeError(f"A server did not start: {self.log()[-2000:]}")
            time.sleep(0.05)

    def is_ready(self) -> bool:
        """Whether it would store an action now."""
        try:
            with urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def log(self) -> str:
        """What it wrote."""
        return self._log.read_text("utf-8", "replace")

    def kill(self) -> None:
        """End it without warning, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in good order: it says goodbye to everybody."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait(PATIENCE)


class Cluster:
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

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
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

    def close(self) -> None:
        """End everything, and delete what it left."""
        if self.balancer:
            self.balancer.stop()
        for member in self.members:
            member.stop()
        if self.postgres:
            self.postgres.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def main() -> int:
    """Run a cluster until Ctrl+C."""
    ended = False

    def end(*_: object) -> None:
        nonlocal ended
        ended = True

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    say(f"Starting PostgreSQL, {SERVERS} servers and HAProxy …")
    with Cluster(port=int(os.environ.get("PORT", "0"))) as cluster:
        say(f"The cluster is at {cluster.address}/")
        say("Tables are gone when it ends. Stop with Ctrl+C.")
        while not ended:
            time.sleep(0.2)
        say("Stopping …")
    return 0


def say(words: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
