"""What the server reports about itself: metrics for Prometheus, and a log with a JSON line for every request."""

from __future__ import annotations

import os
import sys
import traceback
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, TextIO

import msgspec

BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the histograms, in seconds: half of them below 0.1, where people notice no delay."""
METRICS_MEDIA = "text/plain; version=0.0.4; charset=utf-8"
MAX_FRAMES = 6
"""Stack frames in the log line of a bug; the innermost ones tell where it is."""


PAGE_SIZE = 4096 if sys.platform == "win32" else os.sysconf("SC_PAGE_SIZE")


def memory_in_use(pid: int | str = "self") -> int:
    """Bytes of memory that this process or another one has; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * PAGE_SIZE
    except (OSError, ValueError):
        return 0


class Histogram:
    """Durations, counted by bucket."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Count one duration."""
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds

    def lines(self, name: str) -> Iterator[str]:
        """The histogram in Prometheus' text format."""
        cumulated = 0
        for bound, n in zip((*BUCKETS, "+Inf"), self.counts, strict=True):
            cumulated += n
            yield f'{name}_bucket{{le="{bound}"}} {cumulated}'
        yield f"{name}_sum {self.total:.6f}"
        yield f"{name}_count {cumulated}"


class Metrics:
    """What a server counts. No label holds anything that a visitor wrote."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        """By method, path template and status."""
        self.actions: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.sockets_cut: Counter[str] = Counter()
        self.frames = 0
        self.broadcast_delay = Histogram()
        self.request_time = Histogram()
        self.gauges: dict[str, tuple[str, Callable[[], int]]] = {}
        """Help text and value of each gauge, by name."""

    def lines(self) -> Iterator[str]:
        """All metrics in Prometheus' text format."""
        yield from _head("astragal_requests_total", "counter", "Requests by method, path template and status.")
        for (method, path, status), n in sorted(self.requests.items()):
            yield f'astragal_requests_total{{method="{method}",path="{path}",status="{status}"}} {n}'
        for name, help, label, counts in (
            ("astragal_actions_total", "Actions stored, by kind of action.", "do", self.actions),
            ("astragal_refusals_total", "Refusals by kind.", "kind", self.refusals),
            ("astragal_sockets_cut_total", "Sockets that the server closed, by reason.", "why", self.sockets_cut),
        ):
            yield from _head(name, "counter", help)
            yield from (f'{name}{{{label}="{value}"}} {n}' for value, n in sorted(counts.items()))
        yield from _head("astragal_frames_total", "counter", "Frames sent to sockets.")
        yield f"astragal_frames_total {self.frames}"
        for name, (help, value) in self.gauges.items():
            yield from _head(name, "gauge", help)
            yield f"{name} {value()}"
        yield from _head("astragal_broadcast_seconds", "histogram", "From stored to passed to a socket.")
        yield from self.broadcast_delay.lines("astragal_broadcast_seconds")
        yield from _head("astragal_request_seconds", "histogram", "From request to response.")
        yield from self.request_time.lines("astragal_request_seconds")


def _head(name: str, kind: str, help: str) -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} {kind}"


class HasFault(Protocol):
    """A game that cannot be used, where it comes from, and why."""

    @property
    def name(self) -> str:
        """What the game is called."""

    @property
    def package(self) -> str:
        """Its package or file."""

    @property
    def error(self) -> str:
        """What is wrong."""


class RequestLog:
    """Writes JSON lines to a stream; a stream that cannot be written to is ignored.

    Paths are templates, so that no token and no id is in the log.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._broken: set[tuple[str, str, str]] = set()

    def write(self, event: str, **fields: Any) -> None:
        """Write a line with the time, the event and these fields."""
        line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, **fields}
        try:
            self._stream.write(msgspec.json.encode(line).decode() + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            pass

    def broken(self, games: Iterable[HasFault]) -> None:
        """Write which games cannot be used and why, each mistake once until it is mended."""
        found = {(game.name, game.package, game.error) for game in games}
        for name, package, error in sorted(found - self._broken):
            self.write("broken game", name=name, package=package, error=error)
        self._broken = found

    def error(self, error: BaseException, path: str) -> None:
        """Write where a bug is, but neither the message nor any variable, which could hold a secret."""
        frames = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
        where = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        self.write("error", path=path, error=type(error).__name__, where=where)


class NoRequestLog(RequestLog):
    """Writes nothing, for tests and measurements."""

    def write(self, event: str, **fields: Any) -> None:
        """Write nothing."""
