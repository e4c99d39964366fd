"""A store in a file or a database of its own, closed afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from astragal.store import Address, Database, SqliteStore, Store, open_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "tables.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """A store in a file."""
    with open_store(path) as store:
        yield store


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest) -> Address:
    """Where a store may be, whatever it is made of: the test runs with each."""
    return cast("Path | Database", request.getfixturevalue("path" if request.param == "sqlite" else "database"))


@pytest.fixture
def any_store(address: Address) -> Iterator[Store]:
    """A store there."""
    with open_store(address) as store:
        yield store
