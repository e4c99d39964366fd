"""What every store promises holds for a guest, too, whose writes a server does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.storage import Address, Store, open_as_guest
from tests.storage.other_end import Server
from tests.storage.test_contract import *  # noqa: F403


@pytest.fixture
def address(path: Path) -> Address:
    return path


@pytest.fixture  # type: ignore[no-redef]
def store(path: Path) -> Iterator[Store]:
    with Server(path), open_as_guest(path) as store:
        yield store
