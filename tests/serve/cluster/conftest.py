"""A fleet: two servers of one database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.databases import Databases
from tests.serve.cluster.fleet import Fleet
from tests.serve.running import FREE, Guest


@pytest.fixture(scope="module")
def fleet(databases: Databases) -> Iterator[Fleet]:
    """Two servers that send each other notices, and check their tables only every few seconds."""
    with databases.lent() as lend, Fleet(lend()) as fleet:
        yield fleet


@pytest.fixture(scope="module")
def deaf(databases: Databases) -> Iterator[Fleet]:
    """Two servers that get no notices, and check nothing by themselves either."""
    with databases.lent() as lend, Fleet(lend(), settings=FREE._replace(poll_every=60), deaf=True) as fleet:
        yield fleet


@pytest.fixture
def gm(fleet: Fleet) -> Guest:
    """The GM of a new table, which nobody has claimed yet."""
    return fleet[0].found()
