"""Workers: several server processes behind one listening socket, started again when they die, stopped together."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import NamedTuple

WORKER = "ASTRAGAL_WORKER"
"""Tells a worker what it has from its supervisor: two open files, the listening socket and a pipe that ends with it;
its number, and how many there are; and a folder for what workers tell each other."""
SOON, LATER = 0.5, 10.0
"""Seconds until a worker that died is started again; each time twice as many, up to the second."""
STEADY = 10.0
"""Seconds that a worker must run to count as one that works."""
GRACE = 10.0
"""Seconds that workers have to stop, besides those for which they go on."""
LOOK_EVERY = 0.2
DIED = "A worker (process {pid}) ended with {code}; another is started in {seconds:g} s."


class Inherited(NamedTuple):
    """What a worker has from its supervisor."""

    listening: socket.socket
    alive: int
    number: int
    n: int
    folder: Path


def inherited() -> Inherited | None:
    """What this process has from a supervisor, if it is a worker."""
    given = os.environ.pop(WORKER, "")
    if not given:
        return None
    *numbers, folder = given.split(",", 4)
    listening, alive, number, n = map(int, numbers)
    return Inherited(socket.socket(fileno=listening), alive, number, n, Path(folder))


def stop_with(alive: int) -> None:
    """Stop this process in good order once its supervisor is gone, however that ended."""

    def wait() -> None:
        os.read(alive, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="astragal supervisor", daemon=True).start()


class _Place:
    """A place for a worker, which is never empty for long."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.process: subprocess.Popen[bytes] | None = None
        self.since = self.due = 0.0
        self.delay = SOON


class Supervisor:
    """Starts workers, and others for those that die, until it is told to stop."""

    def __init__(self, n: int, command: Sequence[str], listening: socket.socket, leaving: float = 0) -> None:
        """Workers that are told to stop go on for ``leaving`` seconds."""
        self._places = [_Place(number) for number in range(1, n + 1)]
        self._command = list(command)
        self._listening = listening
        self._stop = threading.Event()
        self._signal: int = signal.SIGTERM
        self._grace = GRACE + leaving
        self._failed: int | None = None
        self._ends, self._alive = os.pipe()
        self._folder = tempfile.mkdtemp(prefix="astragal-")

    def run(self) -> int:
        """Keep the workers running until a signal; the exit code. Workers that fail at the start end it too."""
        before = {each: signal.signal(each, self._on_signal) for each in (signal.SIGTERM, signal.SIGINT)}
        try:
            while not self._stop.is_set():
                self._look()
                self._stop.wait(LOOK_EVERY)
        finally:
            self._stop_all()
            for each, handler in before.items():
                signal.signal(each, handler)
        return self._failed or 0

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._signal = number
        self._stop.set()

    def _look(self) -> None:
        """Start every worker that is due, and see which have ended."""
        for place in self._places:
            if place.process is None:
                if monotonic() >= place.due:
                    self._start(place)
            elif (code := place.process.poll()) is not None:
                self._on_end(place, place.process.pid, code)

    def _start(self, place: _Place) -> None:
        files = (self._listening.fileno(), self._ends)
        given = (*files, place.number, len(self._places), self._folder)
        environment = {**os.environ, WORKER: ",".join(map(str, given))}
        place.since = monotonic()
        place.process = subprocess.Popen(
            self._command, pass_fds=files, env=environment, stdin=subprocess.DEVNULL, start_new_session=True
        )

    def _on_end(self, place: _Place, pid: int, code: int) -> None:
        place.process = None
        steady = monotonic() - place.since >= STEADY
        if code > 0 and not steady and not any(self._is_steady(each) for each in self._places):
            self._failed = code  # it said why; another would say the same
            self._stop.set()
            return
        place.delay = SOON if steady else min(LATER, 2 * place.delay)
        place.due = monotonic() + place.delay
        sys.stderr.write(f"astragal: {DIED.format(pid=pid, code=code, seconds=place.delay)}\n")
        sys.stderr.flush()

    @staticmethod
    def _is_steady(place: _Place) -> bool:
        return place.process is not None and monotonic() - place.since >= STEADY

    def _stop_all(self) -> None:
        """Have every worker stop in good order; one that does not is ended."""
        running = [place.process for place in self._places if place.process]
        for process in running:
            process.send_signal(self._signal)
        end = monotonic() + self._grace
        for process in running:
            try:
                process.wait(max(0.0, end - monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        os.close(self._alive)
        os.close(self._ends)
        shutil.rmtree(self._folder, ignore_errors=True)
