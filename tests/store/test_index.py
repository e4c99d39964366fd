"""The index of what each audience may see: found without reading what others see, kept as the log grows."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from astragal.errors import Unavailable
from astragal.store import Record, SqliteStore, Store, open_store
from astragal.store.sqlite import SEEN, SEEN_BY_ALL, SETTING_NAMES
from tests.store.old_schema import downgraded
from tests.store.stores import add, record_at


def seen_record(version: int, *seen: tuple[str, int]) -> Record:
    return record_at(version)._replace(seen=seen)


def test_each_audience_finds_its_own_records(any_store: Store) -> None:
    add(any_store, "a")
    rows: list[tuple[tuple[str, int], ...]] = [(("", 1),), (), (("m", 1), ("n", 1)), (("", 2),), (("m", 2),)]
    for version, seen in enumerate(rows, 1):
        any_store.append("a", seen_record(version, *seen)).result(30)
    assert any_store.seen("a", "", 1, 2) == [1, 4]
    assert any_store.seen("a", "m", 1, 2) == [3, 5]
    assert any_store.seen("a", "n", 1, 1) == [3]
    assert any_store.seen("a", "m", 2, 2) == [5]
    assert any_store.seen("a", "", 1, 0) == []
    assert [record.version for record in any_store.read_some("a", [1, 3, 5])] == [1, 3, 5]


def test_records_of_a_new_table_are_indexed_with_it(any_store: Store) -> None:
    any_store.create("a", "narraject", "", 1, [seen_record(1, ("", 1)), seen_record(2, ("m", 1))]).result(30)
    assert (any_store.seen("a", "", 1, 1), any_store.seen("a", "m", 1, 1)) == ([1], [2])
    assert any_store.unindexed("a") == 0


def test_a_gap_in_the_index_is_damage(any_store: Store) -> None:
    add(any_store, "a", 2)
    with pytest.raises(Unavailable, match="is damaged"):
        any_store.seen("a", "", 1, 2)
    with pytest.raises(Unavailable, match="is damaged"):
        any_store.read_some("a", [1, 3])


def test_a_dropped_table_takes_its_index_and_its_links_along(store: SqliteStore, path: Path) -> None:
    store.create("a", "narraject", "", 1, [seen_record(1, ("m", 1))]).result(30)
    for name in ("link/a/x", "link/a-b/x", "link/b/a/x", "serve/secret"):
        store.set_setting(name, b"1").result(30)
    store.drop("a").result(30)
    assert store.setting_names() == ["link/a-b/x", "link/b/a/x", "serve/secret"]
    with sqlite3.connect(path) as file:
        assert file.execute("SELECT count(*) FROM seen").fetchone() == (0,)


def test_a_new_table_does_not_inherit_links_that_an_older_version_left(any_store: Store) -> None:
    any_store.set_setting("link/a/x", b"1").result(30)
    add(any_store, "a", 1)
    assert any_store.setting_names("link/a/") == []


@pytest.mark.parametrize(("sql", "values"), [(SEEN, 4), (SEEN_BY_ALL, 3), (SETTING_NAMES, 1)])
def test_what_is_looked_up_is_searched_and_never_scanned(store: SqliteStore, path: Path, sql: str, values: int) -> None:
    with sqlite3.connect(path) as file:
        plan = str(file.execute(f"EXPLAIN QUERY PLAN {sql}", (1,) * values).fetchall())
    assert "SEARCH" in plan
    assert "SCAN" not in plan


# Upgrading.


def test_a_file_of_schema_1_is_upgraded_and_kept_beside_the_new_one(path: Path) -> None:
    downgraded(path, {"a": 3, "b": 0})
    with open_store(path) as store:
        assert (store.unindexed("a"), store.unindexed("b")) == (3, 0)
        assert [record.version for record in store.read("a")] == [1, 2, 3]
        store.index("a", [seen_record(1, ("", 1)), seen_record(2, ("m", 1))], 3).result(30)
        store.index("a", [seen_record(3, ("", 2))], 0).result(30)
        assert (store.seen("a", "", 1, 2), store.seen("a", "m", 1, 1), store.unindexed("a")) == ([1, 3], [2], 0)
    old = path.with_name(f"{path.name}.schema-1")
    assert old.stat().st_mode & 0o777 == 0o600
    with sqlite3.connect(old) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (1,)
        assert file.execute("SELECT count(*) FROM log").fetchone() == (3,)


def test_an_older_version_refuses_a_newer_file_with_a_sentence(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And opens the file that was kept, as it was before the upgrade."""
    downgraded(path, {"a": 2})
    with open_store(path) as store:
        add(store, "new", 1)
    monkeypatch.setattr("astragal.store.file.SCHEMA", 1)
    with pytest.raises(Unavailable, match="was written by a newer Astragal"):
        open_store(path)
    with sqlite3.connect(path.with_name(f"{path.name}.schema-1")) as file:
        assert [name for (name,) in file.execute("SELECT name FROM tables")] == ["a"]


def test_the_sizes_of_older_tables_are_measured_once(path: Path) -> None:
    downgraded(path, {"a": 3, "b": 0})
    with sqlite3.connect(path) as file:
        file.execute("INSERT INTO snapshots VALUES (1, 2, 0, x'00')")
    with open_store(path) as store:
        assert (store.size("a"), store.size("b")) == (3 * len(b"body"), 0)
    with sqlite3.connect(path) as file:
        assert file.execute("SELECT size FROM snapshots").fetchall() == [(2 * len(b"body"),)]
