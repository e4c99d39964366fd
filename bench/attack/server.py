"""A server of our own for the attack: in a process of its own, pinned to its core."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CORES = sorted(os.sched_getaffinity(0))
"""Those of this process at its start."""
LAUNCH = """
import os, resource, sys
core, size, *words = sys.argv[1:]
os.sched_setaffinity(0, {int(core)})
if int(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
os.execv(sys.executable, [sys.executable, *words])
"""
"""Pins a process to its core, perhaps with a limit on the size of files, and becomes the server."""
DISCORD_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
"""A public key, so that there is a path for chats to be attacked; nobody signs with it here."""


def cores() -> tuple[set[int], set[int]]:
    """A core for the server, and one for everybody else; the same if there is only one."""
    return {_CORES[-1]}, {_CORES[0]}


class Server:
    """A server of our own, in a process of its own, pinned to its core."""

    def __init__(self, folder: Path, file_bytes: int = 0) -> None:
        options = ["--port", "0", "--data", str(folder), "--discord-key", DISCORD_KEY]
        words = [str(*cores()[0]), str(file_bytes), "-m", "astragal", "serve", *options]
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1].strip("/\n "))

    @property
    def peak_memory(self) -> tuple[int, int]:
        """The most memory that it has had, in bytes, and that all its workers have had together."""
        lists = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        workers = [pid for each in lists for pid in each.read_text("ascii").split()]
        return _peak(str(self.process.pid)), sum(map(_peak, workers))

    def stop(self) -> None:
        """Stop it as an operator would."""
        self.process.terminate()
        self.process.wait(30)
        if self.process.stdout:
            self.process.stdout.close()


def _peak(pid: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


@contextmanager
def serving(folder: Path, file_bytes: int = 0) -> Iterator[Server]:
    """A server for as long as it is used."""
    server = Server(folder, file_bytes)
    try:
        yield server
    finally:
        server.stop()
