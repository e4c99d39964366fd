"""Metrics: correct in Prometheus' text format, and counting what an operator of many servers asks."""

from __future__ import annotations

import re
from pathlib import Path

from astragal import __version__
from astragal.serve.api.exposition import exposition_text
from astragal.serve.telemetry import Metrics
from astragal.storage import open_store
from astragal.storage.sqlite.writer import Commits, Histogram
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import now
from astragal.table.action import NoteAction
from tests.serve.prometheus import Sample, parse
from tests.serve.running import FREE, Running, until


def value(samples: list[Sample], name: str, **labels: str) -> float:
    """The one sample of this name that has these labels among its own."""
    found = [each for each in samples if each.name == name and labels.items() <= each.labels.items()]
    assert len(found) == 1, (name, labels, found)
    return found[0].value


def test_all_that_a_server_tells_is_in_prometheus_text_format(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        with gm.connection() as connection:
            connection.next("hello")
            gm.act("note", text="Hello.")
            connection.next("news")
            gm.act("throw", 404)
            gm.http.get("/nowhere")
            until(lambda: sum(server.server.metrics.loop_delay.counts))
            answer = server.guest().http.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    samples = parse(answer.text)
    assert value(samples, "astragal_info", version=__version__, store="sqlite") == 1
    assert value(samples, "astragal_request_seconds_count", kind="actions") == 2
    assert value(samples, "astragal_sockets") == 1
    assert value(samples, "astragal_commit_seconds_count") == value(samples, "astragal_commit_writes_count") >= 2
    assert value(samples, "astragal_commit_writes_sum") >= 2
    assert value(samples, "astragal_loop_delay_seconds_count") >= 1
    assert value(samples, "process_start_time_seconds") > 1_600_000_000
    assert value(samples, "process_open_fds") > 3 and value(samples, "process_cpu_seconds_total") > 0


def test_a_repeated_key_and_a_lost_race_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with Running(path, FREE._replace(poll_every=600)) as server, open_store(path) as other:
        gm = server.found()
        for _ in range(4):
            gm.act("note", text="Hello.", key="same")
        founder = next(iter(server.server.registry.hubs[gm.table].state.members))
        Repository(other).open(gm.table).act(founder, NoteAction("First."), "first", now())
        gm.act("note", text="Second.")
        samples = parse(server.guest().http.get("/metrics").text)
    assert value(samples, "astragal_writes_repeated_total") == 3
    assert value(samples, "astragal_writes_stale_total") == 1
    assert value(samples, "astragal_writes_failed_total") == 0


def test_no_label_can_break_a_line() -> None:
    metrics = Metrics({"server": 'a "quoted"\\name\nof two lines'}, Commits())
    (info,) = [each for each in parse(exposition_text(metrics)) if each.name == "astragal_info"]
    assert info.labels["server"] == 'a "quoted"\\name\nof two lines'


def test_a_histogram_counts_up_to_its_bounds() -> None:
    histogram = Histogram((1, 2, 4))
    for number in (0.5, 1, 2, 3, 100):
        histogram.observe(number)
    assert (histogram.counts, histogram.total) == ([2, 1, 1, 1], 106.5)


def test_every_metric_is_explained_once(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        text = server.guest().http.get("/metrics").text
    helps = re.findall(r"^# HELP (\S+) (.+)$", text, re.MULTILINE)
    assert len(helps) == len({name for name, _ in helps})
    assert all(help.endswith(".") for _, help in helps)
