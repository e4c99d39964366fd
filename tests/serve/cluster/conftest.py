"""Fleets: one with hints and almost no sweeps, for each kind of bus; one with sweeps only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.databases import Databases
from tests.serve.cluster.fleet import QUICK, Fleet, Nats
from tests.serve.running import Guest


@pytest.fixture(scope="module")
def nats() -> Iterator[Nats]:
    server = Nats()
    yield server
    server.stop()


@pytest.fixture(scope="module", params=["postgresql", "nats"])
def hinted(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Fleet]:
    """Three servers that hear of everything by the bus: they sweep only once a minute."""
    bus = request.getfixturevalue("nats").address if request.param == "nats" else ""
    with databases.lent() as lend, Fleet(lend(), settings=QUICK._replace(poll_every=60), bus=bus) as fleet:
        yield fleet


@pytest.fixture(scope="module")
def swept(databases: Databases) -> Iterator[Fleet]:
    """Three servers without a bus."""
    with databases.lent() as lend, Fleet(lend(), bus="none") as fleet:
        yield fleet


@pytest.fixture(scope="module", params=["hints", "sweeps"])
def fleet(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Fleet]:
    """Three servers, with hints or with sweeps."""
    if request.param == "sweeps":
        yield request.getfixturevalue("swept")
        return
    with databases.lent() as lend, Fleet(lend()) as fleet:
        yield fleet


@pytest.fixture
def gm(fleet: Fleet) -> Guest:
    """The GM of a new table, at the first server."""
    return fleet[0].found()
