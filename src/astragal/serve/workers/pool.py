"""WorkerPool from the server's side: kept ready, and replaced when one ends or has grown."""

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
"""Bytes of memory that a worker may have; the largest questions need a third of it."""
START = 60.0
"""Seconds in which a worker must be there; a busy machine lets it wait."""
LOST = "The process that worked on this question has ended. Ask again."
NO_START = "The server cannot work on long questions at the moment. Try again later."
MAIN = "astragal.serve.workers.main"


class Worker:
    """One process that answers questions, one at a time."""

    def __init__(self, memory: int, quick: bool = False) -> None:
        ours, theirs = socket.socketpair()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}  # where games of others are found
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
        """Its process."""
        return self._process.pid

    @property
    def lives(self) -> bool:
        """Whether it is there."""
        return self._process.poll() is None

    def wait_ready(self) -> None:
        """Wait until it can be asked."""
        self._channel.settimeout(START)
        if receive(self._channel) != READY:
            raise EOFError

    def ask(self, question: list[bytes]) -> bytes:
        """Its reply; EOFError or OSError if it has ended."""
        self._channel.settimeout(None)
        send(self._channel, *question)
        return receive(self._channel)

    def interrupt(self) -> None:
        """Stop the question that it works on; its reply comes soon, and it goes on living."""
        self._process.send_signal(STOP)

    def kill(self) -> None:
        """Have it end now, whatever it does; whoever waits for its reply learns of it."""
        self._process.kill()

    def end(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        self._channel.close()


class WorkerPool:
    """The workers of one place: slow ones, or ``quick`` ones, which wait for nobody and give up soon.

    As many live as questions are asked at a time; once ``warm`` was called, at least one.
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
        """The processes of those that live."""
        return [each.pid for each in tuple(self._all) if each.lives]

    def warm(self) -> None:
        """Have one ready before it is asked, from now on; it starts in a thread."""
        self._warm = True
        Thread(target=self._make_ready, name="astragal warm", daemon=True).start()

    def _make_ready(self) -> None:
        with self._starting, suppress(Unavailable):  # then the next question tries it again
            if not self.pids:
                self.give_back(self._start())

    def replace(self, worker: Worker) -> None:
        """End this one, and start another if one is to be ready."""
        self.end(worker)
        if self._warm and not self._closed:
            self.warm()

    def take(self) -> Worker:
        """One that is ready to be asked, for this question alone."""
        with self._starting:
            pass  # one may be on its way
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
        """Let others ask this one, unless it has grown: what it remembers would leave too little for a question."""
        if self._closed or memory_in_use(worker.pid) > self._memory // 2:
            self.replace(worker)
            return
        with self._lock:
            self._idle.append(worker)

    def end(self, worker: Worker) -> None:
        """End this one; the next question starts another."""
        with self._lock:
            self._all.discard(worker)
        worker.end()

    def close(self) -> None:
        """End all of them, also those that work."""
        self._closed = True
        for each in tuple(self._all):
            self.end(each)
