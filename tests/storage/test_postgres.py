"""The store in a database: what holds for PostgreSQL alone."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import psycopg
import pytest

from astragal.errors import Malformed, Refusal, Unavailable
from astragal.serve.app import app
from astragal.storage import Database, Record, open_store, parse_address
from astragal.storage import open as opening
from astragal.storage.postgres import readers
from astragal.storage.postgres.append import APPEND
from astragal.storage.postgres.connector import with_defaults
from astragal.storage.postgres.schema import SCHEMA
from astragal.storage.postgres.store import READ, PostgresStore
from astragal.storage.sql import SEEN
from tests.storage.stores import add, locked, record_at


@pytest.fixture
def store(database: Database) -> PostgresStore:
    return PostgresStore(database)


def run(database: Database, sql: str) -> list[tuple[object, ...]]:
    with psycopg.connect(database.url, autocommit=True) as connection:
        cursor = connection.execute(sql)
        return cursor.fetchall() if cursor.description else []


@pytest.mark.parametrize("schema", [SCHEMA - 1, SCHEMA + 1])
def test_a_schema_of_another_version_is_refused_and_left_unchanged(database: Database, schema: int) -> None:
    open_store(database).close()
    run(database, f"UPDATE astragal.about SET schema = {schema}")
    with pytest.raises(Unavailable, match="written by another version of Astragal"):
        open_store(database)
    assert run(database, "SELECT schema FROM astragal.about") == [(schema,)]


def test_tables_that_changed_under_a_store_are_refused_with_a_sentence_to_update(database: Database) -> None:
    with open_store(database) as store:
        for n in range(5):  # often enough that it is prepared
            store.set_setting("a", b"%d" % n).result(10)
            assert store.setting("a") == b"%d" % n
        run(database, "ALTER TABLE astragal.settings RENAME COLUMN body TO value")
        with pytest.raises(Unavailable, match="were changed by another program"):
            store.setting("a")
        with pytest.raises(Unavailable, match="restart this server"):
            store.set_setting("a", b"new").result(10)
    assert run(database, "SELECT value FROM astragal.settings WHERE name = 'a'") == [(b"4",)]


def test_a_prepared_statement_whose_columns_changed_is_refused_with_the_same_sentence(database: Database) -> None:
    with open_store(database) as store:
        for _ in range(5):
            store.setting_names()
        run(database, "ALTER TABLE astragal.settings ALTER name TYPE varchar(500)")
        with pytest.raises(Unavailable, match="restart this server"):
            store.setting_names()


def test_a_schema_of_something_else_is_refused_and_left_unchanged(database: Database) -> None:
    run(database, "CREATE SCHEMA astragal; CREATE TABLE astragal.tables (x int)")
    with pytest.raises(Unavailable, match="of another program"):
        open_store(database)
    assert run(database, "SELECT count(*) FROM pg_class WHERE relnamespace = 'astragal'::regnamespace") == [(1,)]


def test_many_that_start_together_make_one_schema(database: Database) -> None:
    found: list[object] = []

    def start() -> None:
        try:
            with open_store(database) as store:
                found.append(store.tables())
        except Refusal as refusal:
            found.append(refusal)

    threads = [Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[]] * 8


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("postgresql://nobody@/{name}?host={folder}", "refuses this user"),
        ("postgresql://astragal@/none?host={folder}", "no such database"),
        ("postgresql://astragal@/{name}?host={folder}&port=1", "cannot be reached"),
        ("postgresql://astragal@/{name}?host={folder}&nonsense=1", "looks like postgresql"),
    ],
)
def test_a_wrong_address_is_a_sentence(database: Database, url: str, sentence: str) -> None:
    name, _, rest = database.url.partition("@/")[2].partition("?host=")
    folder = rest.partition("&")[0]
    with pytest.raises(Refusal, match=sentence):
        open_store(url.format(name=name, folder=folder))


def test_a_user_who_may_only_read_may_read_and_is_told_that_it_cannot_serve(database: Database) -> None:
    reader = database.url.replace("astragal@", "only_reads@")
    with open_store(database) as store:
        add(store, "t")
        store.check_rights()
    run(database, "DROP ROLE IF EXISTS only_reads; CREATE ROLE only_reads LOGIN")
    run(database, "GRANT USAGE ON SCHEMA astragal TO only_reads")
    run(database, "GRANT SELECT ON ALL TABLES IN SCHEMA astragal TO only_reads")
    try:
        with open_store(reader) as store:
            assert [table.table for table in store.tables()] == ["t"]
            with pytest.raises(Unavailable, match="read but not write"):
                store.check_rights()
        with pytest.raises(Unavailable, match="read but not write"):
            app(reader)
    finally:
        run(database, "DROP OWNED BY only_reads; DROP ROLE only_reads")


def test_the_name_of_our_connections_is_ours_whatever_the_address_says(database: Database) -> None:
    assert "application_name=astragal " in f"{with_defaults(f'{database.url}&application_name=mine')} "


def test_an_address_is_shown_without_its_password() -> None:
    url = "postgresql://user:pass%40word@h1:1,h2:2/name?sslmode=require&password=p2&sslpassword=p3"
    database = parse_address(url)
    assert str(database) == "postgresql://user@h1:1,h2:2/name?sslmode=require"
    assert isinstance(database, Database) and database.url == url
    assert parse_address("tables.db") == Path("tables.db")
    for wrong in ("mysql://user:secret@h/x", "http://x", "postgresql://user:secret@[/x"):
        with pytest.raises(Malformed) as refused:
            parse_address(wrong)
        assert "secret" not in str(refused.value)


def test_without_the_driver_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "find_spec", lambda name: None)
    with pytest.raises(Unavailable, match=r"pip install .astragal\[postgresql\]"):
        open_store("postgresql://h/x")


def test_what_is_written_at_once_is_one_commit(database: Database, store: PostgresStore) -> None:
    with store:
        for table in ("t", "u"):
            add(store, table, 1)
        with locked(database):
            first = store.append("t", record_at(2))  # the writer may take this one alone
            rest = [store.append("u", record_at(v), f"key {v - 1}") for v in range(2, 200)]
            rest += [store.append("t", record_at(v)._replace(seen=(("m", v),))) for v in range(3, 200)]
        assert not any(future.result(10).repeated for future in (first, *rest))
        ((commits,),) = run(database, "SELECT count(DISTINCT xmin::text) FROM astragal.log WHERE version > 1")
        assert commits in (1, 2)
        assert store.read("t") == store.read("u") == [record_at(v) for v in range(1, 200)]
        assert store.seen("t", "m", 3, 199) == list(range(3, 200))


def test_two_servers_that_append_to_the_same_tables_never_wait_in_a_circle(database: Database) -> None:
    tables = [f"t{n}" for n in range(20)]
    with open_store(database) as one, open_store(database) as two:
        for table in tables:
            add(one, table)
        for version in range(1, 15):
            futures = [
                store.append(table, Record(version, f"{name} {version}", b""))
                for store, name, order in ((one, "one", tables), (two, "two", tables[::-1]))
                for table in order
            ]
            stored = [future.exception(10) is None for future in futures]
            assert sum(stored) == len(tables)
    found = run(database, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    assert found == [(0,)]


def test_a_record_for_a_table_that_is_being_dropped_is_not_left_behind(database: Database) -> None:
    with open_store(database) as one, open_store(database) as two:
        for turn in range(30):
            add(one, "t", 1)
            futures = [two.append("t", record_at(v)) for v in range(2, 12)]
            one.drop("t").result(10)
            for future in futures:
                future.exception(10)
            assert run(database, "SELECT count(*) FROM astragal.log") == [(0,)], turn


@pytest.mark.parametrize("sql", [READ, PostgresStore.FIND, SEEN, PostgresStore.SEEN_BY_ALL])
def test_no_query_scans_the_log(database: Database, store: PostgresStore, sql: str) -> None:
    with store, psycopg.connect(database.url) as connection:
        store.create("t", "g", "", 1, [record_at(v) for v in range(1, 3000)]).result(30)
        connection.execute("ANALYZE astragal.log; ANALYZE astragal.tables")
        all_values: dict[int, list[object]] = {1: ["k", "t"], 2: [1, 2, "t"], 3: ["m", 1, 2, "t"]}
        values = all_values[sql.count("%s") - 1]
        plan = "\n".join(line for (line,) in connection.execute(f"EXPLAIN {sql}", values))
    assert "Seq Scan on log" not in plan
    assert "Seq Scan on seen" not in plan


def test_a_prepared_statement_that_a_pooler_loses_is_no_harm(store: PostgresStore) -> None:
    with store:
        add(store, "t", 1)
        for version in range(2, 8):
            store.append("t", record_at(version)).result(10)
            store.info("t")
        connection = store._writer._connection
        assert connection and store._readers._idle
        for each in (connection, *store._readers._idle):
            each.pgconn.exec_(b"DEALLOCATE ALL")  # behind the driver's back
        assert store.append("t", record_at(8)).result(10).record == record_at(8)
        assert store.info("t").version == 8
        assert not store._connector.prepares


def test_readers_beyond_the_pool_wait_for_their_turn(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "PATIENCE", 0.1)
    with store:
        found: list[object] = []
        threads = [Thread(target=lambda: found.append(store.tables())) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [[]] * 40
        assert len(store._readers.pids()) <= readers.MOST
        for _ in range(readers.MOST):
            store._readers._free.acquire()
        with pytest.raises(Unavailable, match="no connection free"):
            store.tables()


def test_commits_reach_the_disk_also_where_the_database_says_otherwise(database: Database) -> None:
    name = database.url.partition("@/")[2].partition("?")[0]
    run(database, f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    try:
        with PostgresStore(database) as store:
            connection = store._writer._connection
            assert connection
            assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)
            assert connection.execute("SHOW statement_timeout").fetchone() == ("30s",)
    finally:
        run(database, f'ALTER DATABASE "{name}" RESET synchronous_commit')


def test_the_time_of_an_append_does_not_grow_with_the_log(database: Database) -> None:
    """As many pages are looked at for a table of many records as for one of few."""

    def pages(n: int) -> int:
        with open_store(database) as store:
            store.create(f"t{n}", "g", "", 1, [record_at(v) for v in range(1, n + 1)]).result(30)
        values: tuple[list[object], ...] = ([f"t{n}"], [None], [None], [n + 1], ["new"], [0], [b"b"], [1])
        empty: tuple[list[object], ...] = ([],) * 10
        with psycopg.connect(database.url) as connection:
            rows = connection.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {APPEND}", (*values, *empty)).fetchone()
        assert rows
        plan = rows[0][0]["Plan"]
        return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])

    assert pages(8000) < 2 * pages(200)
