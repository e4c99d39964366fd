"""Metrics in Prometheus' text format. Loaded at the first request for them, since Prometheus' client is large."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from prometheus_client import Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, InfoMetricFamily

from astragal.serve.telemetry import Metrics
from astragal.storage.sqlite.writer import Histogram


def exposition_text(metrics: Metrics) -> str:
    """All metrics as text."""
    text: bytes = generate_latest(cast(Any, Exposition(metrics)))
    return text.decode()


class Exposition:
    """A server's metrics, for Prometheus' own client."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        """All metrics."""
        metrics = self._metrics
        yield InfoMetricFamily("astragal", "What runs here; always 1.", metrics.info)
        by_path = [(*labels, n) for labels, n in metrics.requests.items()]
        counts: tuple[tuple[str, str, list[str], Iterable[tuple[Any, ...]]], ...] = (
            ("requests", "Requests by method, path template and status.", ["method", "path", "status"], by_path),
            ("actions", "Actions stored, by kind of action.", ["do"], metrics.actions.items()),
            ("refusals", "Refusals by kind.", ["kind"], metrics.refusals.items()),
            ("sockets_cut", "Sockets that the server closed, by reason.", ["why"], metrics.sockets_cut.items()),
        )
        for name, help, labels, rows in counts:
            family = CounterMetricFamily(f"astragal_{name}", help, labels=labels)
            for *values, n in sorted(rows):
                family.add_metric([*map(str, values)], n)
            yield family
        yield CounterMetricFamily("astragal_frames", "Frames sent to sockets.", metrics.frames)
        for name, (help, value) in metrics.counters.items():
            yield CounterMetricFamily(name, help, value())
        for name, (help, value) in metrics.gauges.items():
            yield GaugeMetricFamily(name, help, value())
        own = {
            "astragal_broadcast_seconds": ("From stored to passed to a socket.", metrics.broadcast_delay),
            "astragal_loop_delay_seconds": ("How late the event loop wakes up.", metrics.loop_delay),
        }
        for name, (help, histogram) in {**own, **metrics.histograms}.items():
            yield _histogram(name, help, {(): histogram})
        times = sorted(metrics.request_times.items())
        help = "From request to response, by kind of request."
        yield _histogram("astragal_request_seconds", help, {(kind,): histogram for kind, histogram in times}, "kind")


def _histogram(name: str, help: str, histograms: Mapping[tuple[str, ...], Histogram], *labels: str) -> Metric:
    family = HistogramMetricFamily(name, help, labels=labels)
    for values, histogram in histograms.items():
        n, buckets = 0, []
        for bound, count in zip((*histogram.bounds, "+Inf"), list(histogram.counts), strict=True):
            n += count
            buckets.append((str(bound), n))
        family.add_metric(values, buckets, histogram.total)
    return family
