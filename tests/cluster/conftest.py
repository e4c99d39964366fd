"""A cluster for these tests: PostgreSQL, three servers and a balancer, started when a test first asks for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.page.chromium import chromium
from tests.serve.discord import PUBLIC_KEY
from tools.cluster import Cluster
from tools.postgres import binaries

ABSENT = "There is no {} here, so the cluster's tests are left out; make postgresql haproxy installs it."


@pytest.fixture(scope="package")
def tools() -> None:
    """PostgreSQL and HAProxy must be there; on CI their absence is a failure."""
    for name, found in (("PostgreSQL", binaries()), ("HAProxy", shutil.which("haproxy", path="/usr/sbin:/usr/bin"))):
        if not found and os.environ.get("CI") == "true":
            pytest.fail(ABSENT.format(name))
        if not found:
            pytest.skip(ABSENT.format(name))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Closed after these tests: while it runs, no other test can start an event loop."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="package")
def cluster(tools: None) -> Iterator[Cluster]:
    """Servers without limits for each address, since everybody here comes from one."""
    with Cluster(options=FREE) as made:
        yield made


FREE = [
    "--rate", "new-tables=1000,1000", "--rate", "joins=1000,1000", "--rate", "all-new-tables=1000,1000",
    "--rate", "strangers=10000,10000", "--rate", "actions=10000,10000", "--rate", "reads=10000,10000",
    "--rate", "chats=1000,1000", "--reckoners", "0", "--discord-key", PUBLIC_KEY,
]  # fmt: skip
