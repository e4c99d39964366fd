"""One browser and one server for all tests of the page; each test has a table of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.page.chromium import chromium
from tests.page.group import Gather, Group
from tests.page.server import Server, running_server

AT = "ASTRAGAL_AT"
"""Set, it is the address of a server or a cluster that runs already, for the tests that need no server of their own."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Closed after these tests: while it runs, no other test can start an event loop."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if address := os.environ.get(AT):
        yield Server(tmp_path_factory.mktemp("server"), address=address)
        return
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def fragile_server(tmp_path: Path) -> Iterator[Server]:
    """A server for a single test, which may kill it."""
    with running_server(tmp_path) as server:
        yield server


@pytest.fixture
def gather(browser: Browser, server: Server) -> Iterator[Gather]:
    """Makes groups around new tables. At the end, none of their browsers may have logged an error."""
    groups: list[Group] = []

    def gathered(game: str, phone: str = "", **more: Any) -> Group:
        groups.append(Group(browser, server, game, phone, **more))
        return groups[-1]

    yield gathered
    for group in groups:
        group.leave()
    assert [trouble for group in groups for trouble in group.troubles] == []
