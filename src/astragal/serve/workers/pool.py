"""Worker processes, from the server's side: started, kept ready, and replaced if they end or grow too large."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import suppress
from threading import Lock, Thread

from astragal.errors import Unavailable
from astragal.serve.telemetry import memory_in_use
from astragal.serve.workers.message import QUICK, READY, STOP, receive, send

MEMORY = 256 << 20
"""Bytes of memory of a worker; the largest questions need a third of it."""
START = 60.0
"""Seconds in which a worker must start, even on a busy machine."""
LOST = "The process that worked on this question has ended. Please ask again."
NO_START = "The server cannot work on long questions at the moment. Try again later."
MAIN = "astragal.serve.workers.main"


class Worker:
    """One process that answers questions, one at a time."""

    def __init__(self, memory: int, quick: bool = False) -> None:
        ours, theirs = socket.socketpair()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}  # for games of other packages
        words = [sys.executable, "-P", "-m", MAIN, str(memory), *([QUICK] if quick else [])]
        try:
            self._process = subprocess.Popen(words, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, env=environment)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._channel = ours

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def lives(self) -> bool:
        """True while the process runs."""
        return self._process.poll() is None

    def wait_ready(self) -> None:
        """Wait until it is ready."""
        self._channel.settimeout(START)
        if receive(self._channel) != READY:
            raise EOFError

    def ask(self, question: list[bytes]) -> bytes:
        """The reply to a question; EOFError or OSError if the process has ended."""
        self._channel.settimeout(None)
        send(self._channel, *question)
        return receive(self._channel)

    def interrupt(self) -> None:
        """Stop the current question; the worker replies soon and keeps running."""
        self._process.send_signal(STOP)

    def kill(self) -> None:
        """Kill the process; ``ask`` then raises."""
        self._process.kill()

    def end(self) -> None:
        """End the process and close the socket."""
        self._process.kill()
        self._process.wait()
        self._channel.close()


class WorkerPool:
    """The slow or the ``quick`` workers of one queue.

    There are as many as simultaneous questions need, and at least one after ``warm`` was called.
    """

    def __init__(self, memory: int = MEMORY, quick: bool = False) -> None:
        self._memory, self.quick = memory, quick
        self._warm = False
        self._lock, self._starting = Lock(), Lock()
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._closed = False

    @property
    def pids(self) -> list[int]:
        """The process ids of running workers."""
        return [each.pid for each in tuple(self._all) if each.lives]

    def warm(self) -> None:
        """Keep one ready from now on; it is started in a thread."""
        self._warm = True
        Thread(target=self._make_ready, name="astragal warm", daemon=True).start()

    def _make_ready(self) -> None:
        with self._starting, suppress(Unavailable):  # the next question tries again
            if not self.pids:
                self.give_back(self._start())

    def replace(self, worker: Worker) -> None:
        """End this worker, and start another one if one must be ready."""
        self.end(worker)
        if self._warm and not self._closed:
            self.warm()

    def take(self) -> Worker:
        """A worker that is ready, for one question."""
        with self._starting:
            pass  # a worker may be starting
        while found := self._pop():
            if found.lives:
                return found
            self.end(found)
        return self._start()

    def _pop(self) -> Worker | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _start(self) -> Worker:
        try:
            started = Worker(self._memory, self.quick)
        except OSError:
            raise Unavailable(NO_START) from None
        with self._lock:
            self._all.add(started)
        try:
            if not self._closed:
                started.wait_ready()
                return started
        except (OSError, EOFError):
            pass
        self.end(started)
        raise Unavailable(NO_START)

    def give_back(self, worker: Worker) -> None:
        """Return a worker for the next question; replace it if its caches leave too little memory."""
        if self._closed or memory_in_use(worker.pid) > self._memory // 2:
            self.replace(worker)
            return
        with self._lock:
            self._idle.append(worker)

    def end(self, worker: Worker) -> None:
        """End this worker; the next question starts another one."""
        with self._lock:
            self._all.discard(worker)
        worker.end()

    def close(self) -> None:
        """End all workers, even busy ones."""
        self._closed = True
        for each in tuple(self._all):
            self.end(each)
