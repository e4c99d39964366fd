"""Metrics: counts and one histogram, in the text format that Prometheus reads."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
MEDIA = "text/plain; version=0.0.4; charset=utf-8"


class Histogram:
    """How often something took so long at most."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def lines(self, name: str) -> Iterator[str]:
        so_far = 0
        for bound, n in zip((*BOUNDS, "+Inf"), self.counts, strict=True):
            so_far += n
            yield f'{name}_bucket{{le="{bound}"}} {so_far}'
        yield f"{name}_sum {self.total:.6f}"
        yield f"{name}_count {so_far}"


class Metrics:
    """What a server counts. No label holds anything that a visitor wrote."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.actions: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.sockets_cut: Counter[str] = Counter()
        self.frames = 0
        self.lag = Histogram()
        self.took = Histogram()
        self.gauges: dict[str, tuple[str, Callable[[], int]]] = {}

    def lines(self) -> Iterator[str]:
        yield from _head("astragal_requests_total", "counter", "Requests by method, path template and status.")
        for (method, path, status), n in sorted(self.requests.items()):
            yield f'astragal_requests_total{{method="{method}",path="{path}",status="{status}"}} {n}'
        for name, help, label, counts in (
            ("astragal_actions_total", "Actions stored, by what was done.", "do", self.actions),
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
        yield from _head("astragal_broadcast_seconds", "histogram", "From stored to handed to a watcher's socket.")
        yield from self.lag.lines("astragal_broadcast_seconds")
        yield from _head("astragal_request_seconds", "histogram", "From request to answer.")
        yield from self.took.lines("astragal_request_seconds")


def _head(name: str, kind: str, help: str) -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} {kind}"
