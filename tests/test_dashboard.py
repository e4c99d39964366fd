"""The dashboard: it is the one that the program makes, and every query is about a metric that a server has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.databases import Databases
from tests.serve.running import Running
from tools.dashboard import FILE, dashboard

WORDS = {"histogram_quantile", "label_values"}
"""Functions, which look like metrics."""


@pytest.fixture(scope="module")
def told(databases: Databases) -> set[str]:
    """The names of all samples that a server's metrics can have."""
    with databases.lent() as lend, Running(lend()) as server:
        text = server.guest().http.get("/metrics").text
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    parts = ("_bucket", "_sum", "_count")
    return {name + part for name, kind in kinds.items() for part in (parts if kind == "histogram" else ("",))}


def queries() -> list[str]:
    made = json.loads(FILE.read_text("utf-8"))
    return [target["expr"] for panel in made["panels"] for target in panel["targets"]] + [
        each["definition"] for each in made["templating"]["list"] if "definition" in each
    ]


def metrics_of(query: str) -> set[str]:
    bare = re.sub(r'"[^"]*"|\[[^\]]*\]', "", query)
    return {word for word in re.findall(r"[a-z_][a-z0-9_]*", bare) if "_" in word} - WORDS


def test_the_file_is_what_the_program_makes() -> None:
    assert json.loads(FILE.read_text("utf-8")) == dashboard(), "run python -m tools.dashboard"


@pytest.mark.parametrize("query", queries())
def test_every_query_names_a_metric_that_a_server_has(query: str, told: set[str]) -> None:
    assert (named := metrics_of(query))
    assert named <= told


def test_every_metric_on_the_operators_page_is_one_that_a_server_has(told: set[str]) -> None:
    page = (Path(FILE).parents[1] / "docs" / "monitoring.md").read_text("utf-8")
    named = set(re.findall(r"`((?:astragal|process)_[a-z_]+)`", page))
    families = {re.sub("_(bucket|sum|count)$", "", name) for name in told} | told
    assert len(named) > 15 and named <= families
