"""Reckoners from the server's side: kept ready, and replaced when one ends or has grown."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import Any

import msgspec

from astragal.errors import Unavailable
from astragal.serve.reckon.message import QUICK, READY, STOP, read_reply, receive, send, write_question
from astragal.serve.telemetry import memory_in_use

MEMORY = 256 << 20
"""Bytes of memory that a reckoner may have; the largest questions need a third of it."""
START = 60.0
"""Seconds in which a reckoner must be there; a busy machine lets it wait."""
LOST = "The process that worked on this question has ended. Ask again."
NO_START = "The server cannot work on long questions at the moment. Try again later."
MAIN = "astragal.serve.reckon.main"


class Reckoner:
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

    def ask(self, question: list[bytes], seconds: float) -> bytes:
        """Its reply; TimeoutError if there is none in time, EOFError or OSError if it has ended."""
        self._channel.settimeout(seconds)
        send(self._channel, *question)
        return receive(self._channel)

    def interrupt(self) -> None:
        """Stop the question that it works on; its reply comes soon, and it goes on living."""
        self._process.send_signal(STOP)

    def end(self) -> None:
        """End it now, whatever it does."""
        self._process.kill()
        self._process.wait()
        self._channel.close()


class Reckoners:
    """The reckoners of one place: slow ones, or ``quick`` ones, which wait for nobody and give up soon.

    As many live as questions are asked at a time; once ``warm`` was called, at least one.
    """

    def __init__(self, memory: int = MEMORY, quick: bool = False) -> None:
        self._memory, self.quick = memory, quick
        self._warm = False
        self._lock, self._starting = Lock(), Lock()
        self._idle: list[Reckoner] = []
        self._all: set[Reckoner] = set()
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

    def replace(self, reckoner: Reckoner) -> None:
        """End this one, and start another if one is to be ready."""
        self.end(reckoner)
        if self._warm and not self._closed:
            self.warm()

    def take(self) -> Reckoner:
        """One that is ready to be asked, for this question alone."""
        with self._starting:
            pass  # one may be on its way
        while found := self._pop():
            if found.lives:
                return found
            self.end(found)
        return self._start()

    def _pop(self) -> Reckoner | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _start(self) -> Reckoner:
        try:
            started = Reckoner(self._memory, self.quick)
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

    def give_back(self, reckoner: Reckoner) -> None:
        """Let others ask this one, unless it has grown: what it remembers would leave too little for a question."""
        if self._closed or memory_in_use(reckoner.pid) > self._memory // 2:
            self.replace(reckoner)
            return
        with self._lock:
            self._idle.append(reckoner)

    def end(self, reckoner: Reckoner) -> None:
        """End this one; the next question starts another."""
        with self._lock:
            self._all.discard(reckoner)
        reckoner.end()

    def close(self) -> None:
        """End all of them, also those that work."""
        self._closed = True
        for each in tuple(self._all):
            self.end(each)


class Errand:
    """One question on its way to a reckoner and back. ``run`` waits for the reply, ``stop`` comes from elsewhere.

    A reckoner has ``seconds`` for it. If no reply comes within ``patience``, the reckoner is ended.
    """

    def __init__(
        self,
        reckoners: Reckoners,
        work: Callable[..., Any],
        args: tuple[Any, ...],
        *,
        seconds: float,
        patience: float,
        too_long: str,
    ) -> None:
        self._reckoners = reckoners
        self._work = work
        self._args = args
        self._seconds, self._patience = seconds, patience
        self._too_long = too_long
        self._lock = Lock()
        self._reckoner: Reckoner | None = None
        self._stopped = ""

    def run(self, begun: Callable[[], Any]) -> msgspec.Raw:
        """The answer; its refusal is raised, or Unavailable if it was stopped or its reckoner has ended.

        Long if a quick reckoner gave up.
        """
        question = write_question(self._work, self._args, self._seconds, self._reckoners.quick)
        reckoner = self._reckoners.take()
        with self._lock:
            self._reckoner = reckoner
        begun()
        try:
            reply = None if self._stopped else reckoner.ask(question, self._patience)
        except TimeoutError:
            self._lose(reckoner)
            raise Unavailable(self._too_long) from None
        except (OSError, EOFError):
            self._lose(reckoner)
            raise Unavailable(self._stopped or LOST) from None
        self._forget()
        self._reckoners.give_back(reckoner)
        if reply is None or self._stopped:
            raise Unavailable(self._stopped)
        return read_reply(reply)

    def stop(self, sentence: str) -> None:
        """Refuse the question with this sentence; its reckoner is told, if it has one."""
        with self._lock:
            self._stopped = sentence
            if self._reckoner:
                self._reckoner.interrupt()

    def _lose(self, reckoner: Reckoner) -> None:
        self._forget()
        self._reckoners.replace(reckoner)

    def _forget(self) -> None:
        """Keep ``stop`` from reaching the next question of the same reckoner."""
        with self._lock:
            self._reckoner = None
