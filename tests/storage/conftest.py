"""A store in a file or a database of its own, closed afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.storage import Address, SqliteStore, Store, open_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "tables.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """A store in a file."""
    with open_store(path) as store:
        yield store


@pytest.fixture
def address(either: Address) -> Address:
    return either


@pytest.fixture
def any_store(address: Address) -> Iterator[Store]:
    """A store there."""
    with open_store(address) as store:
        yield store
