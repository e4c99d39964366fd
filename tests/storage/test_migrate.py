"""Everything goes from a file into a database and back, and into and out of backups, and nothing changes on the way."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from astragal.errors import Malformed, Refusal, Unavailable
from astragal.storage import Database, Record, Store, TableInfo, open_store
from astragal.storage.backup import REWRITTEN, backup, restore
from astragal.storage.migrate import Migrated, migrate
from astragal.storage.postgres import parts
from astragal.storage.sqlite.lock import lock_store
from tests.storage.stores import add, record_at

LARGE = b"large " * 10_000


def fill(store: Store) -> None:
    """Two tables with all that a table may have, a gap in the numbers, and settings."""
    add(store, "gone", 1)
    store.create("a", "tgimh", "Ä title", 12, [record_at(1)._replace(seen=(("", 1),))]).result(10)
    store.append("a", Record(2, "key 2", LARGE, (("m", 1), ("n", 1)))).result(10)
    store.append("a", record_at(3)._replace(seen=(("", 2),))).result(10)
    store.save_snapshot("a", 2, LARGE * 2).result(10)
    store.drop("gone").result(10)
    add(store, "b")
    for name, body in (("serve/secret", bytes(range(256))), ("link/a/x", b"{}"), ("Ünique", b"")):
        store.set_setting(name, body).result(10)


Contents = tuple[list[TableInfo], list[list[Record]], list[object], dict[str, bytes | None]]


def contents(store: Store) -> Contents:
    """All that can be asked for."""
    tables = store.tables()
    names = [name for name in store.setting_names() if name != REWRITTEN]
    seen: list[object] = [store.seen("a", "", 1, 2), store.seen("a", "m", 1, 1), store.seen("a", "n", 1, 1)]
    seen += [(store.snapshot(info.table), store.size(info.table)) for info in tables]
    return tables, [store.read(info.table) for info in tables], seen, {name: store.setting(name) for name in names}


def quiet(n: int, total: int) -> None:
    """No progress is shown."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with open_store(tmp_path / "tables.db") as store:
        fill(store)
    return tmp_path / "tables.db"


def test_everything_goes_into_a_database_and_back(path: Path, database: Database, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with open_store(path) as store:
        before = contents(store)
    assert migrate(path, database, lambda n, total: told.append((n, total))) == Migrated(2, 3, 3)
    assert told == [(3, 3), (3, 3)]  # copied, compared
    with open_store(database) as store:
        assert contents(store) == before
        assert store.append("a", record_at(4), "key 3").result(10).record.version == 4
        add(store, "c", 1)
        assert len({store.identity(table) for table in "abc"}) == 3
        changed = contents(store)
    assert migrate(database, tmp_path / "back.db", quiet) == Migrated(3, 5, 3)
    with open_store(tmp_path / "back.db") as store:
        assert contents(store) == changed
        assert store.append("a", record_at(5), "key 4").result(10).record.version == 5
    with open_store(path) as store:
        assert contents(store) == before


def test_a_database_that_is_not_empty_is_refused_and_left_as_it_is(path: Path, database: Database) -> None:
    with open_store(database) as store:
        store.set_setting("one", b"1").result(10)
    with pytest.raises(Unavailable, match="is not empty"):
        migrate(path, database, quiet)
    with open_store(database) as store:
        assert (store.setting_names(), store.tables()) == (["one"], [])


def test_a_file_that_is_there_is_refused(database: Database, path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(Unavailable, match="There is already a file"):
        migrate(database, path, quiet)
    assert path.read_bytes() == before


def test_nothing_is_migrated_while_a_server_runs_on_it(path: Path, database: Database, tmp_path: Path) -> None:
    with closing(lock_store(path)), pytest.raises(Unavailable, match=r"A server is running on .*tables\.db"):
        migrate(path, database, quiet)
    with open_store(database), pytest.raises(Unavailable, match="A server is running on the database"):
        migrate(database, tmp_path / "new.db", quiet)
    assert not (tmp_path / "new.db").exists()
    assert migrate(path, database, quiet).tables == 2


@pytest.mark.parametrize("damage", ["log", "settings"])
def test_a_row_that_changes_on_the_way_is_noticed_and_nothing_is_kept(
    path: Path, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    write = parts.write_part

    def wrong(connection: psycopg.Connection, part: parts.Part, rows: object, base: int = 0) -> None:
        write(connection, part, rows, base)  # type: ignore[arg-type]
        if part.name == damage:
            connection.execute(f"UPDATE astragal.{damage} SET body = body || 'x' WHERE body <> ''")

    monkeypatch.setattr(parts, "write_part", wrong)
    with pytest.raises(Unavailable, match=f"The copy differs from the original, in {damage}"):
        migrate(path, database, quiet)
    with open_store(database) as store:
        assert (store.tables(), store.setting_names()) == ([], [])


def test_damage_in_the_source_is_noticed_and_nobody_is_waited_for(
    path: Path, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE log SET body = x'00' WHERE length(body) < 10")
    with pytest.raises(Unavailable, match="is damaged, in log"):
        migrate(path, database, quiet)
    assert caplog.messages == []  # a reader who had not finished would keep the file from being closed in good order


def test_two_of_a_kind_are_refused(path: Path, database: Database, tmp_path: Path) -> None:
    for source, target in ((path, tmp_path / "x.db"), (database, database)):
        with pytest.raises(Malformed, match="a file and a database"):
            migrate(source, target, quiet)
    with pytest.raises(Refusal, match="There is no file"):
        migrate(tmp_path / "none.db", database, quiet)


def test_memory_does_not_grow_with_the_log(new_database: Callable[[], Database], tmp_path: Path) -> None:
    def peak(n: int) -> int:
        path, database = tmp_path / f"{n}.db", new_database()
        with open_store(path) as store:
            store.create("t", "g", "", 1, [record_at(v, body=b"b" * 400) for v in range(1, n + 1)]).result(30)
        tracemalloc.start()
        migrate(path, database, quiet)
        migrate(database, tmp_path / f"{n}-back.db", quiet)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(10)
    assert peak(8000) < 2 * peak(800)


def test_a_backup_of_either_is_restored_into_either(new_database: Callable[[], Database], tmp_path: Path) -> None:
    file, first, second = tmp_path / "tables.db", new_database(), new_database()
    with open_store(first) as store:
        fill(store)
        before = contents(store)
        assert [info.version for info in backup(store, tmp_path / "backup.db")] == [3, 0]
        with pytest.raises(Unavailable, match="There is already a file"):
            backup(store, tmp_path / "backup.db")
    for target in (file, second):
        assert restore(tmp_path / "backup.db", target) is None
        with open_store(target) as store:
            assert contents(store) == before
            assert store.setting(REWRITTEN)


def test_restoring_into_a_database_keeps_what_was_there_and_tells_whoever_uses_it(
    path: Path, database: Database, tmp_path: Path
) -> None:
    with open_store(database) as server:
        add(server, "old", 2)
        number = server.identity("old")
        kept = restore(path, database)
        assert kept and kept.parent == tmp_path
        assert [info.table for info in server.tables()] == ["a", "b"]
        assert min(server.identity("a"), server.identity("b")) > number
        assert server.setting(REWRITTEN)
        assert server.append("a", record_at(4), "key 3").result(10).record.version == 4
    with open_store(kept) as store:
        assert [info.table for info in store.tables()] == ["old"]


def test_a_damaged_backup_changes_nothing_in_the_database(database: Database, tmp_path: Path) -> None:
    (tmp_path / "no.db").write_bytes(b"no backup")
    with open_store(database) as store:
        add(store, "old", 2)
        with pytest.raises(Unavailable, match="is not an Astragal store"):
            restore(tmp_path / "no.db", database)
        assert store.info("old").version == 2


def test_the_command_migrates_and_shows_no_password(path: Path, database: Database) -> None:
    url = database.url.replace("@/", ":s3cret@/")
    done = subprocess.run(
        [sys.executable, "-m", "astragal", "migrate", "--from", str(path.parent), "--to", url],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "has 2 tables with 3 entries" in done.stdout
    assert "s3cret" not in done.stdout + done.stderr
    with open_store(database) as store:
        assert [info.table for info in store.tables()] == ["a", "b"]
