"""A program that runs beside us: started, waited for, killed and started again, and never left behind."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from types import TracebackType
from typing import ClassVar, Self

PORTS = range(20_000, 32_000)
"""Below those that the system gives to outgoing connections: one of these could take the port of a program that was
killed, before it is started again."""
TRIES = 200
LOOK_EVERY = 0.02
TAIL = 2000


def free_port() -> int:
    """A port of this machine that nobody uses now."""
    for port in SystemRandom().sample(PORTS, TRIES):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"No port from {PORTS[0]} to {PORTS[-1]} seems to be free.")


class Block(ABC):
    """Something that begins with a block and is closed after it, also if it could not begin."""

    @abstractmethod
    def begin(self) -> None:
        """Start all of it."""

    @abstractmethod
    def close(self) -> None:
        """End all of it, and delete what it left."""

    def __enter__(self) -> Self:
        try:
            self.begin()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Program(ABC):
    """One process, with a file for what it says. The system ends it when the thread that started it ends."""

    name: ClassVar[str]
    """What it is called where it does not start."""
    patience: ClassVar[float] = 30.0
    """Seconds to wait for it to start or to stop."""
    wrapper: Sequence[str] = ("setpriv", "--pdeathsig=KILL")
    """What runs it."""
    cwd: Path | None = None
    """Where it runs; ours without one."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def command(self) -> Sequence[str | Path]:
        """What is run."""

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether it does what it is for."""

    @property
    def pid(self) -> int:
        """Its process; 0 while it does not run."""
        return self._process.pid if self._process else 0

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def log(self) -> str:
        """What it said."""
        return self._log.read_text("utf-8", "replace") if self._log.exists() else ""

    def start(self, wait: bool = True) -> None:
        """Start it, and wait until it is ready."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self.wrapper, *self.command()],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.cwd, start_new_session=True,
            )  # fmt: skip
        if wait:
            self.wait()

    def wait(self) -> None:
        """Wait until it is ready."""
        until = time.monotonic() + self.patience
        while not self.is_ready():
            if time.monotonic() > until or not (self.running or self.start_again()):
                raise RuntimeError(f"{self.name} did not start: {self.log()[-TAIL:]}")
            time.sleep(LOOK_EVERY)

    def start_again(self) -> bool:
        """Start it again if it ended for a reason that goes away; whether that was so."""
        return False

    def kill(self) -> None:
        """End it without warning, as a power cut would."""
        self.end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in good order."""
        self.end(signal.SIGTERM)

    def end(self, number: int) -> None:
        """Send it a signal that ends it, and wait for the end."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.send_signal(number)
            process.wait(self.patience)
