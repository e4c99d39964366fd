"""How a test run is shared among its processes; and a PostgreSQL for tests that want one, one for each process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from astragal.games import folder
from astragal.storage import Address, Database
from tests.databases import Databases, started

if TYPE_CHECKING:
    from tests.workers import FolderScheduling


settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")  # how fast examples are depends on what else the machine does


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    from tests.workers import cores, workers

    return workers(cores())


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FolderScheduling | None:
    from tests.workers import FolderScheduling

    return FolderScheduling(config, log) if config.getvalue("dist") == "loadfile" else None


SLOW = {
    "tests/cli": ("lint", "table_commands", "watch"),
    "tests/games": ("chronicles_foresight", "chronicles_odds", "contract", "narraject"),
    "tests/notation": ("endless_odds", "odds", "parser"),
    "tests/rule": ("odds", "theorem"),
    "tests/table": ("effects", "hidden", "leaving", "old_rules", "pairs", "sequences", "undo_search", "verify"),
    "tests/written": ("options",),
}
"""Files that take more than three seconds, and are left out by `make quick`."""
_slow = {f"{folder}/test_{name}.py" for folder, names in SLOW.items() for name in names}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.partition("::")[0] in _slow:
            item.add_marker(pytest.mark.slow)
        if "databases" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.system)


@pytest.fixture(autouse=True)
def _no_progress(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a command may take longer than a second; what it prints must not depend on that."""
    if not request.node.nodeid.startswith("tests/cli/test_watch.py"):
        monkeypatch.setenv("ASTRAGAL_PROGRESS", "0")


@pytest.fixture(autouse=True)
def _no_named_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that a test named by its file is known to that test alone."""
    monkeypatch.setattr(folder, "_named", {})


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
