"""A real server in its own process, with tables in a folder."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


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
        rate: str = "",
    ) -> None:
        self.address = address
        self._rate = rate
        self._folder = folder
        self._packages = packages
        self._games = games
        self._hosts = hosts
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        port = self.address.rpartition(":")[2] or "0"
        command = [sys.executable, "-m", "astragal", "serve", "--port", port, "--data", str(self._folder / "tables")]
        command += ["--games", str(self._games)] if self._games else []
        command += ["--hosts", self._hosts] if self._hosts else []
        command += ["--rate", self._rate] if self._rate else []
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
    folder: Path, packages: Path | None = None, games: Path | None = None, hosts: str = "", rate: str = ""
) -> Iterator[Server]:
    """A server that runs until the end of the block, with packages and a folder of games if there are any."""
    server = Server(folder, packages, games, hosts, rate=rate)
    server.start()
    try:
        yield server
    finally:
        server.stop()
