"""The index of what each audience may see: found without reading what others see, kept as the log grows."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from astragal.errors import Unavailable
from astragal.storage import Record, SqliteStore, Store, open_store
from astragal.storage.sql import SEEN, SETTING_NAMES
from astragal.storage.sqlite.file import SCHEMA, own
from tests.storage.stores import add, record_at


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


def test_a_new_table_does_not_inherit_links_that_an_earlier_one_left(any_store: Store) -> None:
    any_store.set_setting("link/a/x", b"1").result(30)
    add(any_store, "a", 1)
    assert any_store.setting_names("link/a/") == []


@pytest.mark.parametrize(
    ("sql", "values"), [(SEEN, 4), (SqliteStore.SEEN_BY_ALL, 3), (SqliteStore.FIND, 2), (SETTING_NAMES, 2)]
)
def test_what_is_looked_up_is_searched_and_never_scanned(store: SqliteStore, path: Path, sql: str, values: int) -> None:
    with sqlite3.connect(path) as file:
        plan = str(file.execute(f"EXPLAIN QUERY PLAN {own(sql)}", (1,) * values).fetchall())
    assert "SEARCH" in plan
    assert "SCAN" not in plan


@pytest.mark.parametrize("schema", [1, SCHEMA - 1, SCHEMA + 1])
def test_a_file_of_another_version_is_refused_and_left_unchanged(path: Path, schema: int) -> None:
    with open_store(path) as store:
        add(store, "a", 2)
    with sqlite3.connect(path) as file:
        file.execute(f"PRAGMA user_version = {schema}")
    file.close()
    before = path.read_bytes()
    with pytest.raises(Unavailable, match="was written by another version of Astragal"):
        open_store(path)
    assert path.read_bytes() == before
