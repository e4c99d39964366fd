"""A real server in its own process, with tables in a folder."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

UNHURRIED = [
    f"--rate={name}=1000,1000"
    for name in ("actions", "reads", "questions", "new-tables", "joins", "codes", "all-codes", "all-new-tables")
]
"""All tests come from one address, and act as fast as they can."""


def lasting_port() -> int:
    """A free port that no outgoing connection takes while the server is down."""
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no free port was found")


class Server:
    """One server; it can be killed, and started again at the same address."""

    def __init__(
        self,
        folder: Path,
        packages: Path | None = None,
        games: Path | None = None,
        hosts: str = "",
        address: str = "",
        *,
        workers: bool = False,
    ) -> None:
        self.address = address
        self._workers = workers
        self._folder = folder
        self._packages = packages
        self._games = games
        self._hosts = hosts
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        port = self.address.rpartition(":")[2] or str(lasting_port())
        command = [sys.executable, "-m", "astragal", "serve", "--port", port, "--data", str(self._folder / "tables")]
        # A long question lets every other process go first, and a test run keeps all cores busy.
        command += ["--time", "question_timeout=60"]
        command += [] if self._workers else ["--reckoners", "0"]
        command += ["--games", str(self._games)] if self._games else []
        command += ["--hosts", self._hosts] if self._hosts else []
        # One server keeps the tables of all tests.
        command += ["--limit", f"memory={8 << 30}", *UNHURRIED]
        with (self._folder / "server.log").open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=self._environment()
            )
        said = self._output.readline()
        found = re.search(r"http://\S+:\d+", said)
        assert found, f"The server did not say where it is: {said}{(self._folder / 'server.log').read_text('utf-8')}"
        self.address = found[0]

    def kill(self) -> None:
        """End it without warning, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        if self._process is not None:
            self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait()
        self._output.close()
        self._process = None

    @property
    def _output(self) -> IO[str]:
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout

    def _environment(self) -> dict[str, str]:
        if self._packages is None:
            return dict(os.environ)
        known = os.environ.get("PYTHONPATH")
        return {**os.environ, "PYTHONPATH": os.pathsep.join([str(self._packages), *([known] if known else [])])}


@contextmanager
def running_server(
    folder: Path, packages: Path | None = None, games: Path | None = None, hosts: str = "", *, workers: bool = False
) -> Iterator[Server]:
    """A server that runs until the end of the block, with packages and a folder of games if there are any."""
    server = Server(folder, packages, games, hosts, workers=workers)
    server.start()
    try:
        yield server
    finally:
        server.stop()
