"""Backups: made and put back while the store is in use, checked by opening the copy."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from astragal.errors import Unavailable
from astragal.storage import SqliteStore, open_store
from astragal.storage.backup import REWRITTEN, backup, check, restore
from astragal.storage.sqlite.file import SCHEMA, connect_reader
from astragal.storage.sqlite.lock import lock_store
from tests.storage.stores import add, record_at


def test_a_closed_store_is_one_file(path: Path, tmp_path: Path) -> None:
    """Even if somebody forgot a reader: whoever copies only that file has everything."""
    store = open_store(path)
    add(store, "a", 50)
    reader = connect_reader(path)
    reader.execute("BEGIN")
    store.close()
    store.close()
    reader.close()
    alone = tmp_path / "alone.db"
    shutil.copyfile(path, alone)
    with open_store(alone) as copy:
        assert len(copy.read("a")) == 50


def test_a_closed_store_leaves_no_log_beside_it(path: Path) -> None:
    with open_store(path) as store:
        add(store, "a", 50)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_backup_is_made_while_others_write(path: Path, store: SqliteStore, tmp_path: Path) -> None:
    add(store, "a", 1)
    stop = Event()

    def write() -> None:
        version = 2
        while not stop.is_set():
            store.append("a", record_at(version)).result(30)
            version += 1

    writer = Thread(target=write)
    writer.start()
    try:
        tables = [backup(store, tmp_path / f"{n}.db") for n in range(3)]
    finally:
        stop.set()
        writer.join()
    assert [len(found) for found in tables] == [1, 1, 1]
    assert (tmp_path / "0.db").stat().st_mode & 0o777 == 0o600
    for n, (info,) in enumerate(tables):
        with open_store(tmp_path / f"{n}.db") as copy:
            assert len(copy.read("a")) == info.version


def test_a_backup_overwrites_nothing(store: SqliteStore, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")
    with pytest.raises(Unavailable, match="There is already a file"):
        backup(store, tmp_path / "x")
    assert (tmp_path / "x").read_text() == "mine"
    with pytest.raises(Unavailable, match="cannot be opened"):
        backup(store, tmp_path / "no" / "x")


def test_a_restored_store_is_that_of_the_backup_for_everybody_who_has_it_open(
    path: Path, store: SqliteStore, tmp_path: Path
) -> None:
    add(store, "a", 3)
    store.set_setting("serve/secret", b"old").result(30)
    backup(store, tmp_path / "b.db")
    store.append("a", record_at(4)).result(30)
    store.append("a", record_at(5)).result(30)
    store.set_setting("serve/secret", b"new").result(30)
    add(store, "b", 1)
    kept = restore(tmp_path / "b.db", path)
    assert [info.table for info in store.tables()] == ["a"]
    assert (store.info("a").version, store.setting("serve/secret")) == (3, b"old")
    assert store.setting(REWRITTEN)
    store.append("a", record_at(4, "after")).result(30)
    assert [record.key for record in store.read("a")] == ["key 1", "key 2", "key 3", "after"]
    assert kept
    with open_store(kept) as before:
        assert (before.info("a").version, before.info("b").version, before.setting("serve/secret")) == (5, 1, b"new")


def test_what_was_queued_for_the_old_contents_leaves_no_gap(path: Path, store: SqliteStore, tmp_path: Path) -> None:
    """The writer remembers the last record of each table; that is checked against the file, and not believed."""
    add(store, "a", 3)
    backup(store, tmp_path / "b.db")
    for version in (4, 5):
        store.append("a", record_at(version), after=f"key {version - 1}").result(30)
    restore(tmp_path / "b.db", path)
    with pytest.raises(Exception, match="another writer was faster"):
        store.append("a", record_at(6), after="key 5").result(30)
    assert len(store.read("a")) == 3


def test_a_backup_is_restored_where_there_is_nothing(store: SqliteStore, tmp_path: Path) -> None:
    add(store, "a", 2)
    backup(store, tmp_path / "b.db")
    assert restore(tmp_path / "b.db", tmp_path / "new" / "tables.db") is None
    with open_store(tmp_path / "new" / "tables.db") as new:
        assert new.info("a").version == 2


def test_a_backup_of_another_version_is_refused_and_stays_as_it_is(store: SqliteStore, tmp_path: Path) -> None:
    add(store, "a", 2)
    backup(store, tmp_path / "b.db")
    with sqlite3.connect(tmp_path / "b.db") as file:
        file.execute(f"PRAGMA user_version = {SCHEMA - 1}")
    file.close()
    before = (tmp_path / "b.db").read_bytes()
    with pytest.raises(Unavailable, match=r'b\.db" was written by another version of Astragal'):
        restore(tmp_path / "b.db", tmp_path / "new" / "tables.db")
    assert (tmp_path / "b.db").read_bytes() == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("junk", [b"", b"junk" * 100])
def test_what_is_no_backup_is_refused_and_changes_nothing(
    path: Path, store: SqliteStore, tmp_path: Path, junk: bytes
) -> None:
    add(store, "a", 2)
    (tmp_path / "x.db").write_bytes(junk)
    with pytest.raises(Unavailable, match="is not an Astragal store"):
        restore(tmp_path / "x.db", path)
    with pytest.raises(Unavailable, match="There is no file"):
        restore(tmp_path / "nothing.db", path)
    assert store.info("a").version == 2


def test_a_damaged_backup_is_refused(path: Path, store: SqliteStore, tmp_path: Path) -> None:
    add(store, "a", 200)
    backup(store, tmp_path / "b.db")
    data = bytearray((tmp_path / "b.db").read_bytes())
    place = data.rindex(b"body")
    data[place : place + 4] = b"BODY"
    (tmp_path / "b.db").write_bytes(data)
    with pytest.raises(Unavailable, match="is damaged"):
        restore(tmp_path / "b.db", path)
    assert store.info("a").version == 200


def test_damage_of_an_index_is_found_too(store: SqliteStore, tmp_path: Path) -> None:
    add(store, "a", 200)
    backup(store, tmp_path / "b.db")
    data = bytearray((tmp_path / "b.db").read_bytes())
    place = data.rindex(b"key 150", 0, data.rindex(b"key 150"))  # once in the log, once in the index of keys
    for at in (place, data.rindex(b"key 150")):
        changed = bytearray(data)
        changed[at : at + 7] = b"KEY 150"
        (tmp_path / "b.db").write_bytes(changed)
        with pytest.raises(Unavailable, match="is damaged"):
            check(tmp_path / "b.db")


def _junk(path: Path) -> None:
    path.write_bytes(b"junk" * 100)


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:20_000])


def _overwritten(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes(len(data) - 4096))


def _newer(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[60:64] = (SCHEMA + 1).to_bytes(4, "big")
    path.write_bytes(data)


@pytest.mark.parametrize("ruin", [_junk, _truncated, _overwritten, _newer])
def test_a_backup_takes_the_place_of_a_file_that_cannot_be_read(
    path: Path, tmp_path: Path, ruin: Callable[[Path], None]
) -> None:
    with open_store(path) as store:
        add(store, "a", 200)
        backup(store, tmp_path / "b.db")
    ruin(path)
    ruined = path.read_bytes()
    kept = restore(tmp_path / "b.db", path)
    assert kept and kept.read_bytes() == ruined
    with open_store(path) as store:
        assert len(store.read("a")) == 200
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_cannot_be_read_stays_while_a_server_has_it(path: Path, tmp_path: Path) -> None:
    with open_store(path) as store:
        add(store, "a", 2)
        backup(store, tmp_path / "b.db")
    _junk(path)
    log = path.with_name(f"{path.name}-wal")
    log.write_bytes(b"of the old file")
    with closing(lock_store(path)), pytest.raises(Unavailable, match="stop the server, restore, and start it again"):
        restore(tmp_path / "b.db", path)
    assert path.read_bytes() == b"junk" * 100
    kept = restore(tmp_path / "b.db", path)
    assert kept and kept.with_name(f"{kept.name}-wal").read_bytes() == b"of the old file" and not log.exists()


def test_a_disk_that_has_no_room_puts_nothing_aside(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what can never be read is exchanged; anything else may pass."""
    with open_store(path) as store:
        add(store, "a", 2)
        backup(store, tmp_path / "b.db")
    before = path.read_bytes()
    monkeypatch.setattr("astragal.storage.backup._free_name", lambda path: tmp_path / "no" / "x")
    with pytest.raises(Unavailable, match="cannot be opened"):
        restore(tmp_path / "b.db", path)
    assert path.read_bytes() == before
