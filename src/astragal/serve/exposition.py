"""Metrics in Prometheus' text format."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.serve.telemetry import Metrics
from astragal.storage.sqlite.writer import Histogram

METRICS_MEDIA = "text/plain; version=0.0.4; charset=utf-8"


def exposition_text(metrics: Metrics) -> str:
    """All of it."""
    return "\n".join(exposition(metrics)) + "\n"


def exposition(metrics: Metrics) -> Iterator[str]:
    """All lines."""
    yield from _head("astragal_info", "gauge", "What runs here; always 1.")
    labels = ",".join(f'{name}="{_escaped(value)}"' for name, value in metrics.info.items())
    yield f"astragal_info{{{labels}}} 1"
    yield from _request_lines(metrics)
    for name, help, label, counts in (
        ("astragal_actions_total", "Actions stored, by kind of action.", "do", metrics.actions),
        ("astragal_refusals_total", "Refusals by kind.", "kind", metrics.refusals),
        ("astragal_sockets_cut_total", "Sockets that the server closed, by reason.", "why", metrics.sockets_cut),
    ):
        yield from _head(name, "counter", help)
        yield from (f'{name}{{{label}="{value}"}} {n}' for value, n in sorted(counts.items()))
    yield from _head("astragal_frames_total", "counter", "Frames sent to sockets.")
    yield f"astragal_frames_total {metrics.frames}"
    for kind, numbers in (("counter", metrics.counters), ("gauge", metrics.gauges)):
        for name, (help, value) in numbers.items():
            yield from _head(name, kind, help)
            yield f"{name} {value()}"
    yield from _histogram_lines(metrics)


def _request_lines(metrics: Metrics) -> Iterator[str]:
    yield from _head("astragal_requests_total", "counter", "Requests by method, path template and status.")
    for (method, path, status), n in sorted(metrics.requests.items()):
        yield f'astragal_requests_total{{method="{method}",path="{path}",status="{status}"}} {n}'


def _histogram_lines(metrics: Metrics) -> Iterator[str]:
    own = {
        "astragal_broadcast_seconds": ("From stored to passed to a socket.", metrics.broadcast_delay),
        "astragal_loop_delay_seconds": ("How late the event loop wakes up.", metrics.loop_delay),
    }
    for name, (help, histogram) in {**own, **metrics.histograms}.items():
        yield from _head(name, "histogram", help)
        yield from _buckets(name, histogram)
    yield from _head("astragal_request_seconds", "histogram", "From request to response, by kind of request.")
    for kind, histogram in sorted(metrics.request_times.items()):
        yield from _buckets("astragal_request_seconds", histogram, f'kind="{kind}"')


def _head(name: str, kind: str, help: str) -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} {kind}"


def _buckets(name: str, histogram: Histogram, label: str = "") -> Iterator[str]:
    """A histogram in Prometheus' text format."""
    cumulated, before = 0, f"{label}," if label else ""
    for bound, n in zip((*histogram.bounds, "+Inf"), list(histogram.counts), strict=True):
        cumulated += n
        yield f'{name}_bucket{{{before}le="{bound}"}} {cumulated}'
    labels = f"{{{label}}}" if label else ""
    yield f"{name}_sum{labels} {histogram.total:.6f}"
    yield f"{name}_count{labels} {cumulated}"


def _escaped(value: str) -> str:
    """A label's value as the text format wants it."""
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
