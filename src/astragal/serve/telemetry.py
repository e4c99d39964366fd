"""Reports of the server about itself: request ids, a log with a JSON line for each request, and metrics."""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from platform import python_version
from random import Random, SystemRandom
from time import process_time, time
from typing import TYPE_CHECKING, Any, TextIO

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astragal import __version__
from astragal.storage.sqlite.writer import Commits, Histogram

if TYPE_CHECKING:
    from astragal.games.outside import Broken
    from astragal.questions.wire_games import BrokenDeclared

MAX_FRAMES = 6
"""Stack frames in the log line of a bug, the innermost ones."""


PAGE_SIZE = 4096 if sys.platform == "win32" else os.sysconf("SC_PAGE_SIZE")


def memory_in_use(pid: int | str = "self") -> int:
    """Bytes of memory of this process or another one; 0 if the system does not report them."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * PAGE_SIZE
    except (OSError, ValueError):
        return 0


def open_files() -> int:
    """The number of open files and connections of this process; 0 if the system does not report it."""
    try:
        with os.scandir("/proc/self/fd") as found:
            return sum(1 for _ in found)
    except OSError:
        return 0


class Metrics:
    """The counters of a server. No label contains a visitor's text."""

    def __init__(self, info: Mapping[str, str] | None = None, commits: Commits | None = None) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        """By method, path template and status."""
        self.actions: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.sockets_cut: Counter[str] = Counter()
        self.frames = 0
        self.broadcast_delay = Histogram()
        self.request_times: dict[str, Histogram] = {}
        """By kind of request: an action, a read, a question and so on."""
        self.loop_delay = Histogram()
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        """Help text and value of each gauge, by name."""
        self.counters: dict[str, tuple[str, Callable[[], float]]] = {}
        """Help text and value of each counter that is kept elsewhere, by name."""
        self.histograms: dict[str, tuple[str, Histogram]] = {}
        """Help text and value of each histogram that is kept elsewhere, by name."""
        self.info = {"version": __version__, "python": python_version(), **(info or {})}
        started = time()
        self.gauges["process_start_time_seconds"] = ("When the server started, since 1970.", lambda: started)
        self.counters["process_cpu_seconds_total"] = ("Processor time used.", process_time)
        self.gauges["process_open_fds"] = ("Open files and connections.", open_files)
        if commits:
            self._add_commits(commits)

    def observe_request(self, kind: str, seconds: float) -> None:
        """Count how long a request took."""
        if kind not in self.request_times:
            self.request_times[kind] = Histogram()
        self.request_times[kind].observe(seconds)

    def _add_commits(self, commits: Commits) -> None:
        self.histograms["astragal_commit_seconds"] = ("How long a commit takes.", commits.seconds)
        self.histograms["astragal_commit_writes"] = ("Writes that share a commit.", commits.sizes)
        for name, help, count in (
            ("stale", "Writes that lost against another's and were decided again.", lambda: commits.stale),
            ("repeated", "Writes with a key that was already stored.", lambda: commits.repeated),
            ("failed", "Writes that the database or the disk rejected.", lambda: commits.failed),
        ):
            self.counters[f"astragal_writes_{name}_total"] = (help, count)


HEADER = b"x-request-id"
LENGTH = 8
"""Characters of an id: 40 random bits are enough for a day's requests, and a person can read them out."""
SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ2"
"""No two look alike. Each stands for five bits; one is there twice to make 32."""
_PAIRS = [first + second for first in SIGNS for second in SIGNS]
_bits = Random(SystemRandom().getrandbits(256)).getrandbits
"""An id is not a secret, so it does not need the system's random numbers."""
_WELL_FORMED = re.compile(rb"[A-Za-z0-9._-]{1,64}").fullmatch

_current: ContextVar[str] = ContextVar("request_id", default="")


def new_request_id() -> str:
    """A random id."""
    bits = _bits(5 * LENGTH)
    return _PAIRS[bits & 1023] + _PAIRS[bits >> 10 & 1023] + _PAIRS[bits >> 20 & 1023] + _PAIRS[bits >> 30]


def current_request_id() -> str:
    """The id of the current request; empty outside a request."""
    return _current.get()


class RequestIds:
    """Middleware that gives every request an id and puts the id into the answer's headers.

    A proxy's own id is used if it is well formed. ``BoundedHttp`` drops the ids of other clients.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        id = _given(scope) or new_request_id()
        header = (HEADER, id.encode())

        async def send_with_id(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start", "websocket.accept"):
                message = {**message, "headers": [*message.get("headers", ()), header]}
            await send(message)

        _current.set(id)  # every request has its own task, so there is nothing to reset
        await self.app(scope, receive, send_with_id)


def _given(scope: Scope) -> str:
    """The id that a proxy gave; empty if there is none or it is malformed."""
    given = [value for name, value in scope["headers"] if name == HEADER]
    return given[0].decode() if len(given) == 1 and _WELL_FORMED(given[0]) else ""


class RequestLog:
    """Writes JSON lines to a stream, and ignores errors of the stream.

    Paths are templates, so the log has no tokens and no ids of tables. Lines about a request have its id.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._broken: set[tuple[str, str, str]] = set()
        self._troubles: dict[str, str] = {}

    def write(self, event: str, **fields: Any) -> None:
        """Write a line with the time, the event and these fields."""
        line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event}
        if id := current_request_id():
            line["request"] = id
        line.update(fields)
        try:
            self._stream.write(msgspec.json.encode(line).decode() + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            pass

    def trouble(self, part: str, why: str) -> None:
        """Write why a part of the installation fails, once until the reason changes; empty: it works again."""
        if why == self._troubles.get(part, ""):
            return
        self._troubles[part] = why
        self.write("trouble", part=part, why=why) if why else self.write("well again", part=part)

    def broken(self, games: Iterable[Broken | BrokenDeclared]) -> None:
        """Write which games cannot be used and why, each mistake once until it is fixed."""
        found = {(game.name, game.package, game.error) for game in games}
        for name, package, error in sorted(found - self._broken):
            self.write("broken game", name=name, package=package, error=error)
        self._broken = found

    def error(self, error: BaseException, path: str) -> None:
        """Write the location of a bug, without its message or variables, which could contain a secret."""
        frames = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
        where = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        self.write("error", path=path, error=type(error).__name__, where=where)


class NoRequestLog(RequestLog):
    """Writes nothing."""

    def write(self, event: str, **fields: Any) -> None:
        """Write nothing."""
