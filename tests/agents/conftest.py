"""One server with seats for assistants, for the tests that need nothing special of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.agents.seats import running
from tests.serve.running import Guest, Running


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("agents") / "tables.db") as found:
        yield found


@pytest.fixture
def gm(server: Running) -> Guest:
    """The GM of a new table."""
    return server.found()
