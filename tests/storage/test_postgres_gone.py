"""The database goes away and comes back: nothing is lost, nothing is stored twice, and nobody restarts anything."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import psycopg
import pytest

from astragal.errors import Unavailable, Unknown
from astragal.storage import Appended, Database, Store, open_store
from astragal.storage.postgres import failures, writer
from tests.crash import acknowledged
from tests.databases import own_postgres
from tests.share import record, share
from tests.storage.cable import Cable
from tests.storage.hammer import body_of
from tests.storage.stores import add, locked, record_at, start
from tools.postgres import Postgres


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with own_postgres() as postgres:
        yield postgres


@pytest.fixture
def address(postgres: Postgres, request: pytest.FixtureRequest) -> Database:
    """An empty database of a PostgreSQL that the test may stop."""
    if not postgres.running:
        postgres.start()
    name = f"t{abs(hash(request.node.name))}"
    return Database(postgres.new_database(name))


@pytest.fixture
def cable(postgres: Postgres, address: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cable]:
    name = address.url.partition("@/")[2].partition("?")[0]
    folder = Path(tmp_path_factory.mktemp("c"))
    with Cable(postgres, folder, name) as cable:
        yield cable


def wait_for(work: Callable[[], Any]) -> Any:
    """What the work returns once the database is there again."""
    until = time.monotonic() + 30
    while True:
        try:
            return work()
        except Unavailable:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def rows(address: Database) -> list[tuple[int, str]]:
    with psycopg.connect(address.url) as connection:
        return connection.execute("SELECT version, key FROM astragal.log ORDER BY number, version").fetchall()


def test_a_database_that_is_too_old_is_refused_and_left_unchanged(address: Database, cable: Cable) -> None:
    with psycopg.connect(address.url) as connection:
        version = connection.info.server_version // 10_000
    cable.edit = lambda answer: answer.replace(b"server_version\0%d" % version, b"server_version\x0014")
    with pytest.raises(Unavailable, match="is PostgreSQL 14, and Astragal needs 15 or newer"):
        open_store(cable.database)
    with psycopg.connect(address.url) as connection:
        assert connection.execute("SELECT to_regnamespace('astragal')").fetchone() == (None,)


@pytest.mark.parametrize("how", ["fast", "immediate", "kill"])
def test_a_database_that_is_gone_is_a_sentence_and_afterwards_all_is_well(
    postgres: Postgres, address: Database, how: str
) -> None:
    with open_store(address) as store:
        add(store, "t", 2)
        assert store.read("t", 1) == [record_at(2)]
        if how == "kill":
            postgres.kill()
        else:
            postgres.stop(how)
        with pytest.raises(Unavailable, match="cannot be reached"):
            store.read("t")
        waiting = store.append("t", record_at(3))  # nobody knows whether it was stored, until the database is back
        postgres.start()
        assert waiting.result(30) == Appended(record_at(3), False)
        assert store.append("t", record_at(4)).result(30).record == record_at(4)
        assert wait_for(lambda: store.read("t")) == [record_at(v) for v in (1, 2, 3, 4)]


def test_writes_are_refused_at_once_while_the_database_is_gone(
    postgres: Postgres, address: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "HOLD", 0.5)
    with open_store(address) as store:
        add(store, "t", 1)
        postgres.stop("immediate")
        refused: list[Exception] = []
        begun = time.monotonic()
        with pytest.raises(Unavailable, match="the outcome is not known"):
            store.append("t", record_at(2)).result(30)  # the connection broke under it
        for _ in range(50):
            with pytest.raises(Unavailable, match="Nothing was changed") as refusal:
                store.append("t", record_at(2)).result(30)
            refused.append(refusal.value)
        assert time.monotonic() - begun < 5
        assert len(refused) == 50
        postgres.start()
        assert wait_for(lambda: store.append("t", record_at(2)).result(30)).record == record_at(2)
        assert rows(address) == [(1, "key 1"), (2, "key 2")]


def test_no_sentence_tells_an_address_or_a_password(postgres: Postgres, address: Database) -> None:
    secret = Database(address.url.replace("@/", ":s3cret@/"))
    said: list[str] = []
    with open_store(secret) as store:
        add(store, "t", 1)
        postgres.stop("immediate")
        for work in (lambda: store.read("t"), lambda: store.append("t", record_at(2)).result(0.2)):
            with pytest.raises((Unavailable, TimeoutError)) as refused:
                work()
            said.append(f"{refused.value!r}{refused.value.__cause__!r}")
        postgres.start()
    for url in (
        "postgresql://u:s3cret@127.0.0.1:1/x",
        "postgresql://u:s3cret@[::bad/x",
        "postgresql://u:s3cret@h/x?y=1",
    ):
        with pytest.raises(Exception) as refused:
            open_store(url)
        said.append(f"{refused.value!r}{refused.value.__cause__!r}")
        assert refused.type.__module__ == "astragal.errors"
    assert not any(word in each for each in said for word in ("s3cret", "127.0.0.1", "/tmp", "host="))
    assert "s3cret" not in f"{secret!r}{secret}"


def in_flight(cable: Cable, store: Store, write: Callable[[], Future[Any]]) -> Any:
    """The outcome of a write that the database did, and whose answer was lost with the connection."""
    cable.swallow()
    future = write()
    assert cable.swallowed.wait(10)
    assert not future.done()
    cable.cut()
    return future.result(30)


def test_a_commit_whose_answer_was_lost_is_found_by_its_key(cable: Cable, address: Database) -> None:
    with open_store(cable.database) as store:
        add(store, "t", 1)
        done = in_flight(cable, store, lambda: store.append("t", record_at(2), "key 1"))
        assert done == Appended(record_at(2), False)
        assert rows(address) == [(1, "key 1"), (2, "key 2")]
        assert store.append("t", record_at(3), "key 2").result(10) == Appended(record_at(3), False)


def test_of_a_batch_whose_answer_was_lost_each_record_is_stored_once(cable: Cable, address: Database) -> None:
    with open_store(cable.database) as store:
        for table in ("t", "u"):
            add(store, table, 1)
        with locked(address):
            first = store.append("t", record_at(2))
            rest = [store.append(table, record_at(v)) for v in range(3, 9) for table in ("t", "u")]
            cable.swallow()
        assert cable.swallowed.wait(10)
        cable.cut()
        assert first.result(30) == Appended(record_at(2), False)
        stored = [future.exception(30) is None for future in rest]
        assert stored == [True, False] * 6  # u lacks its second record
        assert store.read("t") == [record_at(v) for v in range(1, 9)]
        assert store.read("u") == [record_at(1)]


def test_any_other_write_whose_answer_was_lost_is_done_once(cable: Cable, address: Database) -> None:
    with open_store(cable.database) as store:
        in_flight(cable, store, lambda: store.create("t", "g", "Title", 1, [record_at(1)]))
        assert store.read("t") == [record_at(1)]
        assert in_flight(cable, store, lambda: store.swap_setting("s", None, b"1")) is True
        assert in_flight(cable, store, lambda: store.swap_setting("s", b"1", b"2")) is True
        in_flight(cable, store, lambda: store.save_snapshot("t", 1, b"state"))
        assert store.snapshot("t") == (1, b"state")
        in_flight(cable, store, lambda: store.drop("t"))
        with pytest.raises(Unknown):
            store.read("t")
        assert rows(address) == []


def test_a_commit_that_was_not_made_when_the_connection_was_cut_is_made_once(cable: Cable, address: Database) -> None:
    with open_store(cable.database) as store:
        add(store, "t", 1)
        with locked(address):
            future = store.append("t", record_at(2))
            time.sleep(0.2)
            cable.cut()
            time.sleep(0.2)
            assert not future.done()
        assert future.result(30) == Appended(record_at(2), False)
        assert rows(address) == [(1, "key 1"), (2, "key 2")]


def test_a_process_of_the_database_that_is_ended_is_replaced(address: Database) -> None:
    end = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
    """
    with open_store(address) as store, psycopg.connect(address.url, autocommit=True) as other:
        add(store, "t", 1)
        for version in range(2, 12):
            assert len(other.execute(end).fetchall()) >= 1
            assert store.append("t", record_at(version)).result(30).record.version == version
            assert store.info("t").version == version


def test_a_database_that_stands_still_does_not_make_everybody_wait(
    postgres: Postgres, address: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PATIENCE", 0.2)
    with open_store(address) as store:
        add(store, "t", 1)
        postgres.pause()
        try:
            waiting = store.append("t", record_at(2))
            time.sleep(0.4)
            with pytest.raises(Unavailable) as refused:
                store.append("t", record_at(3))
            assert str(refused.value) == failures.SLOW
        finally:
            postgres.resume()
        assert waiting.result(30) == Appended(record_at(2), False)
        assert store.append("t", record_at(3)).result(30).record.version == 3


def kill(postgres: Postgres, times: int) -> None:
    """Kill the database and start it again, so many times, while somebody uses it."""
    rng = random.Random(5)
    time.sleep(0.5)
    for turn in range(times):
        time.sleep(rng.uniform(0.1, 0.6))
        if turn % 2:
            postgres.stop("immediate")
        else:
            postgres.kill()
        postgres.start()
    time.sleep(1.5)


def test_nothing_acknowledged_is_lost_when_the_database_is_killed(postgres: Postgres, address: Database) -> None:
    times = share(100, 3)
    with open_store(address) as store:
        program = start("hammer", address, "open")  # killed before, it would have told nothing
        told = acknowledged(program, lambda: kill(postgres, times))
        found = wait_for(lambda: {info.table: store.read(info.table) for info in store.tables()})
    for records in found.values():
        assert [each.version for each in records] == list(range(1, len(records) + 1))
        assert all(each.body == body_of(each.key) for each in records)
    assert len(told) > times
    assert all(found[table][version - 1].key == key for table, version, key in told)
    assert len({(table, key) for table, _, key in told}) == len(told)
    record("kill -9 of PostgreSQL while writing", f"{times} times, {len(told):,} acknowledged records, none lost")
