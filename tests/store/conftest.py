"""A store in a file of its own, closed afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.store import SqliteStore, open_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "tables.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with open_store(path) as store:
        yield store
