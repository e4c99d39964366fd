"""A PostgreSQL for the tests that want one: one for each process of the test run, with a fresh database each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from astragal.store import Address, Database
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


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    """Where a store may be, whatever it is made of: the test runs with each."""
    if request.param == "sqlite":
        return tmp_path / "store" / "tables.db"
    database: Database = request.getfixturevalue("database")
    return database
