"""A repository with a store in a file of its own, closed afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.storage import Address, open_store
from astragal.storage.tables.repository import Repository
from tests.storage.tables.repositories import Seats, seated


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def address(path: Path) -> Address:
    """Where the tables are; the modules that run with every kind of store say so."""
    return path


@pytest.fixture
def repository(address: Address) -> Iterator[Repository]:
    with open_store(address) as store:
        yield Repository(store)


@pytest.fixture
def seats(repository: Repository) -> Seats:
    return seated(repository)
