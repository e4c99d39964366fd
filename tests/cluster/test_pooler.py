"""PgBouncer between the servers and the database, where each transaction may have another connection."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from astragal.errors import Unavailable
from astragal.storage import Database, open_store
from astragal.storage.migrate import THROUGH_POOLER, migrate
from astragal.storage.postgres.failures import POOLED as CARELESS
from astragal.storage.postgres.notices import POOLED, listen
from tests.cluster.conftest import FREE
from tests.cluster.party import Party
from tests.databases import own_postgres
from tests.share import SOAK, record, share
from tests.storage.stores import race_of_programs
from tools.cluster import Cluster
from tools.pooler import MISSING, Pooler, pooler_program
from tools.postgres import Postgres

BACK = share(5, 30)
"""Seconds until everybody is back: the promise in the soak, and a bound beside a whole test run."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A database of our own. Without PgBouncer these tests are skipped, but not by CI or make soak."""
    if pooler_program() is None:
        if os.environ.get("CI") == "true" or os.environ.get(SOAK):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    with own_postgres() as found:
        yield found


@pytest.fixture(scope="module")
def pooler(postgres: Postgres) -> Iterator[Pooler]:
    found = Pooler(postgres)
    try:
        found.start()
        yield found
    finally:
        found.kill()


def test_four_programs_that_share_three_connections_mix_up_nothing(postgres: Postgres, pooler: Pooler) -> None:
    """A prepared statement that another program made under the same name would be run in its place."""
    postgres.new_database("race")
    pooled, n = Database(pooler.url("race")), share(100, 15)
    won, _ = race_of_programs(pooled, n)
    with open_store(Database(postgres.url("race"))) as store:
        assert won == [(one.version, one.key) for one in store.read("t")]
    assert [version for version, _ in won] == list(range(1, 16 * n + 1))


def test_people_play_through_a_pooler_that_is_killed_now_and_then(
    tools: None, postgres: Postgres, pooler: Pooler
) -> None:
    postgres.new_database("cluster")
    times, worst = share(10, 1), 0.0
    with (
        Cluster(2, database=pooler.url("cluster"), options=FREE) as cluster,
        Party(cluster.address, tables=2, players=share(16, 4)) as party,
    ):
        for _ in range(times):
            party.all_see_mark(BACK)
            pooler.kill()
            pooler.start()
            worst = max(worst, party.all_see_mark(BACK))
        acknowledged = party.settle()
    assert worst < BACK
    record(
        "PgBouncer between servers and database",
        f"killed {times} times, {acknowledged:,} acknowledged entries, none lost; all caught up within {worst:.1f} s",
    )


def test_connections_that_do_not_wait_for_the_disk_are_refused(postgres: Postgres, pooler: Pooler) -> None:
    postgres.new_database("careless")
    postgres.psql('ALTER DATABASE "careless" SET synchronous_commit = off')
    with pytest.raises(Unavailable, match=CARELESS[:40]):
        open_store(Database(pooler.url("careless")))


def test_migrating_wants_the_databases_own_address(postgres: Postgres, pooler: Pooler, tmp_path: Path) -> None:
    postgres.new_database("moves")
    with pytest.raises(Unavailable, match=THROUGH_POOLER[:40]):
        migrate(Database(pooler.url("moves")), tmp_path / "tables.db", lambda n, total: None)
    open_store(tmp_path / "mine.db").close()
    postgres.new_database("target")
    with pytest.raises(Unavailable, match=THROUGH_POOLER[:40]):
        migrate(tmp_path / "mine.db", Database(pooler.url("target")), lambda n, total: None)
    assert "astragal" not in postgres.psql("SELECT nspname FROM pg_namespace", "target")


def test_notices_through_a_pooler_are_not_waited_for(pooler: Pooler) -> None:
    with ThreadPoolExecutor(1) as thread:  # the browser of other tests has an event loop in this one
        listening = thread.submit(lambda: asyncio.run(listen(pooler.url(), lambda notice: None)))
        with pytest.raises(Unavailable, match=POOLED[:40]):
            listening.result(30)
