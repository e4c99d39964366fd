"""The Grafana dashboard for a fleet of servers, written to deploy/grafana.json: ``python -m tools.dashboard``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).parents[1] / "deploy" / "grafana.json"
WIDTH, HEIGHT, ACROSS = 8, 8, 3
SOURCE = {"type": "prometheus", "uid": "${source}"}
SERVERS = 'instance=~"$server"'
WHICH = "{{instance}}"
"""A server's name."""


class Panel(NamedTuple):
    """A chart: its title, unit, what it tells an operator, and its queries by legend."""

    title: str
    unit: str
    help: str
    queries: dict[str, str]


def rate(metric: str, by: str = "") -> str:
    """A counter as a rate, for the chosen servers."""
    return f"sum{f' by ({by})' if by else ''} (rate({metric}{{{SERVERS}}}[$__rate_interval]))"


def late(metric: str, part: float, labels: str = "", by: str = "le") -> str:
    """A quantile of a histogram, for the chosen servers."""
    chosen = f"{SERVERS}{',' if labels else ''}{labels}"
    return f"histogram_quantile({part}, sum by ({by}) (rate({metric}_bucket{{{chosen}}}[$__rate_interval])))"


def each(metric: str) -> str:
    """A gauge for every chosen server."""
    return f"{metric}{{{SERVERS}}}"


def quantiles(metric: str, labels: str = "") -> dict[str, str]:
    """The middle and the slow end of a histogram."""
    return {name: late(metric, part, labels) for name, part in (("p50", 0.5), ("p99", 0.99))}


PANELS = (
    Panel(
        "Servers",
        "short",
        "One for each process that answers, by version.",
        {"{{version}}": "count by (version) (astragal_info)"},
    ),
    Panel("Actions", "ops", "What people do, by kind.", {"{{do}}": rate("astragal_actions_total", "do")}),
    Panel(
        "Refusals",
        "ops",
        "unavailable is the one to worry about.",
        {"{{kind}}": rate("astragal_refusals_total", "kind")},
    ),
    Panel(
        "Time of an action",
        "s",
        "From the post to the answer, commit included.",
        quantiles("astragal_request_seconds", 'kind="actions"'),
    ),
    Panel(
        "From stored to the sockets",
        "s",
        "On the server that took the action.",
        quantiles("astragal_broadcast_seconds"),
    ),
    Panel(
        "Time of requests",
        "s",
        "p99 by kind of request.",
        {"{{kind}}": late("astragal_request_seconds", 0.99, by="le, kind")},
    ),
    Panel("Time of a commit", "s", "The database's part of an action.", quantiles("astragal_commit_seconds")),
    Panel(
        "Writes in a commit",
        "short",
        "Grows with the load: many tables share a commit.",
        {"mean": f"{rate('astragal_commit_writes_sum')} / {rate('astragal_commit_writes_count')}"},
    ),
    Panel(
        "Writes that were not the first",
        "ops",
        "stale: another server was faster, decided again; repeated: a browser tried again; failed: see the database.",
        {name: rate(f"astragal_writes_{name}_total") for name in ("stale", "repeated", "failed")},
    ),
    Panel(
        "Tables that change servers",
        "ops",
        "claimed: a server was asked for a table; moved: another one took it. Many, time and again: the balancer does "
        "not go by the table.",
        {"claimed": rate("astragal_claims_total"), "moved": rate("astragal_moved_total")},
    ),
    Panel("Notices", "short", "0: a server looks for changes every second.", {WHICH: each("astragal_listening")}),
    Panel("Time of a check", "s", "Of all open tables, every five seconds.", quantiles("astragal_check_seconds")),
    Panel("Sockets", "short", "Browsers that are connected.", {WHICH: each("astragal_sockets")}),
    Panel(
        "Sockets that the server closed",
        "ops",
        "slow: does not read; silent: does not answer.",
        {"{{why}}": rate("astragal_sockets_cut_total", "why")},
    ),
    Panel("Tables in memory", "short", "", {WHICH: each("astragal_tables_open")}),
    Panel("Memory", "bytes", "", {WHICH: each("astragal_memory_bytes")}),
    Panel(
        "Processor",
        "percentunit",
        "1 is a whole core; a server uses one.",
        {WHICH: rate("process_cpu_seconds_total", "instance")},
    ),
    Panel(
        "How late the event loop is",
        "s",
        "Above 0.1 people notice: add servers.",
        quantiles("astragal_loop_delay_seconds"),
    ),
    Panel(
        "Requests that wait for their turn",
        "short",
        "A flood of strangers, or too few servers.",
        {WHICH: each("astragal_waiting")},
    ),
    Panel("Long questions", "short", "Being computed or waiting.", {WHICH: each("astragal_thinking")}),
    Panel("Answers by status", "reqps", "5xx are ours.", {"{{status}}": rate("astragal_requests_total", "status")}),
)


def dashboard() -> dict[str, Any]:
    """The whole dashboard as Grafana imports it."""
    return {
        "title": "Astragal",
        "uid": "astragal-fleet",
        "schemaVersion": 39,
        "tags": ["astragal"],
        "timezone": "browser",
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": [_source(), _server()]},
        "panels": [_panel(place, panel) for place, panel in enumerate(PANELS)],
    }


def _source() -> dict[str, Any]:
    return {"name": "source", "type": "datasource", "query": "prometheus", "label": "Prometheus"}


def _server() -> dict[str, Any]:
    query = "label_values(astragal_info, instance)"
    return {
        "name": "server",
        "label": "Server",
        "type": "query",
        "datasource": SOURCE,
        "query": {"query": query, "refId": "server"},
        "definition": query,
        "refresh": 2,
        "multi": True,
        "includeAll": True,
        "current": {"text": "All", "value": "$__all"},
    }


def _panel(place: int, panel: Panel) -> dict[str, Any]:
    row, column = divmod(place, ACROSS)
    return {
        "id": place + 1,
        "type": "timeseries",
        "title": panel.title,
        "description": panel.help,
        "datasource": SOURCE,
        "gridPos": {"x": column * WIDTH, "y": row * HEIGHT, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {"refId": chr(ord("A") + n), "datasource": SOURCE, "expr": query, "legendFormat": legend}
            for n, (legend, query) in enumerate(panel.queries.items())
        ],
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(dashboard(), indent=1, ensure_ascii=False) + "\n", "utf-8")
