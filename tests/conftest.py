"""A PostgreSQL for the tests that want one: one for each process of the test run, with a fresh database each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from astragal.store import Database
from tests.databases import Databases, started


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    with started() as databases:
        yield databases


@pytest.fixture
def new_database(databases: Databases) -> Iterator[Callable[[], Database]]:
    """Makes an empty database, as often as a test likes."""
    with databases.lent() as lend:
        yield lend


@pytest.fixture
def database(new_database: Callable[[], Database]) -> Database:
    """An empty database."""
    return new_database()
