"""Claims: one server at a time owns a table, and the fence refuses appends of a former owner."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path

import psycopg
import pytest

from astragal.errors import Stale, Unknown
from astragal.storage import Database, Moved, Record, Standing, open_store
from astragal.storage.postgres.store import HOLD
from tests.serve.running import until
from tests.storage.stores import add, record_at

LATER = f"UPDATE astragal.tables SET claimed = claimed - interval '{2 * HOLD} seconds'"


def let_hold_end(database: Database) -> None:
    """As if the last claim was made a while ago."""
    with psycopg.connect(database.url) as connection:
        connection.execute(LATER)


def test_a_claim_is_held_for_a_moment_and_then_passes_to_whoever_asks(database: Database) -> None:
    with open_store(database) as store:
        add(store, "t")
        assert store.claim("t", "a") == store.claim("t", "a") == (1, 0)
        epoch, wait = store.claim("t", "b")
        assert epoch == 1 and 0 < wait <= HOLD
        let_hold_end(database)
        assert store.claim("t", "b") == (2, 0)
        assert store.claim("t", "a").wait > 0
        assert store.last_versions(["t"])["t"].epoch == 2
        with pytest.raises(Unknown):
            store.claim("u", "a")


def test_a_former_owner_appends_nothing_and_learns_why(database: Database) -> None:
    with open_store(database) as store:
        add(store, "t", 1)
        old = store.claim("t", "a").epoch
        store.append("t", record_at(2), epoch=old).result(30)
        let_hold_end(database)
        new = store.claim("t", "b").epoch
        for record in (record_at(3), record_at(4), record_at(7)):
            with pytest.raises(Moved):
                store.append("t", record, epoch=old).result(30)
        assert store.append("t", record_at(2), epoch=old).result(30).repeated, (
            "what it stored before is still its answer"
        )
        store.append("t", record_at(3, "ours"), epoch=new).result(30)
        store.append("t", record_at(4, "a guest's")).result(30)
        with pytest.raises(Stale):
            store.append("t", record_at(4, "too late"), epoch=new).result(30)
        assert [record.key for record in store.read("t")] == ["key 1", "key 2", "ours", "a guest's"]


def test_records_of_one_batch_pass_the_fence_by_their_own_claim(database: Database) -> None:
    with open_store(database) as store:
        for table in ("t", "u"):
            add(store, table)
        ours, theirs = store.claim("t", "a").epoch, store.claim("u", "b").epoch
        assert ours == theirs == 1
        let_hold_end(database)
        store.claim("u", "a")
        answers = [store.append("t", record_at(n), epoch=1) for n in (1, 2, 3)]
        fenced = [store.append("u", record_at(n), epoch=1) for n in (1, 2)]
        guests = [store.append("u", record_at(n, f"guest {n}")) for n in (1, 2)]
        assert [answer.result(30).record.version for answer in answers] == [1, 2, 3]
        for answer in fenced:
            with pytest.raises(Moved):
                answer.result(30)
        assert [answer.result(30).record.version for answer in guests] == [1, 2]


def test_a_claim_waits_for_an_append_that_has_begun(database: Database) -> None:
    with open_store(database) as store:
        add(store, "t")
        with psycopg.connect(database.url) as appending:  # an append that takes long: its statement holds this lock
            appending.execute("SELECT 1 FROM astragal.tables WHERE name = 't' FOR KEY SHARE")
            claimed: list[int | None] = []
            claiming = threading.Thread(target=lambda: claimed.append(store.claim("t", "b").epoch))
            claiming.start()
            until(lambda: _waiting(database) == 1)
            assert not claimed
        claiming.join(30)
        assert claimed == [1]


def test_an_append_waits_for_a_claim_that_has_begun_and_is_fenced_by_it(database: Database) -> None:
    with open_store(database) as store:
        add(store, "t")
        old = store.claim("t", "a").epoch
        with psycopg.connect(database.url) as claiming:
            claiming.execute("SELECT 1 FROM astragal.tables FOR UPDATE")
            claiming.execute("UPDATE astragal.tables SET epoch = epoch + 1")
            late = [store.append("t", Record(n, f"late {n}", b"x"), epoch=old) for n in (1, 2)]
            until(lambda: _waiting(database) == 1)
        for each in late:
            with pytest.raises(Moved):
                each.result(30)
        assert store.info("t").version == 0


def _waiting(database: Database) -> int:
    sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with psycopg.connect(database.url) as connection:
        return int((connection.execute(sql).fetchone() or (0,))[0])


def test_claims_and_changes_are_told_to_all_who_listen(database: Database) -> None:
    heard: list[str] = []

    async def go() -> None:
        with open_store(database) as store:
            add(store, "t")
            listening = asyncio.create_task(store.listen(heard.append))
            await _reach(1, heard)
            await asyncio.to_thread(store.claim, "t", "a")
            await asyncio.to_thread(store.claim, "t", "a")
            store.notify_changed("t")
            await _reach(3, heard)
            with psycopg.connect(database.url) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'astragal notices'"
                )
            with pytest.raises(psycopg.Error):
                await asyncio.wait_for(listening, 30)

    asyncio.run(go())
    assert heard[0] == "" and [json.loads(each) for each in heard[1:]] == [["moved", "t", "a", 1], ["changed", "t"]]


async def _reach(n: int, heard: list[str]) -> None:
    async with asyncio.timeout(30):
        while len(heard) < n:
            await asyncio.sleep(0.005)


def test_a_file_has_one_server_which_gets_every_claim(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
        add(store, "t", 1)
        assert store.claim("t", "a") == store.claim("t", "b") == (None, 0)
        assert store.last_versions(["t"]) == {"t": Standing(store.identity("t"), 1)}
