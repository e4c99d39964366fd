"""A desk with a store in a file of its own, closed afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.repository.repository import Desk
from astragal.store import open_store
from tests.desk.desks import Seats, seated


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def desk(path: Path) -> Iterator[Desk]:
    with open_store(path) as store:
        yield Desk(store)


@pytest.fixture
def seats(desk: Desk) -> Seats:
    return seated(desk)
