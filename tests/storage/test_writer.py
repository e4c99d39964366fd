"""The writer: batches that share a commit, writes refused one by one, a disk that is full for a while."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.errors import Unavailable
from astragal.storage import SqliteStore, open_store
from astragal.storage.sqlite import writer
from tests.storage.stores import add, locked, record_at, run


def commits(store: SqliteStore) -> list[str]:
    """A list that grows with every commit."""
    seen: list[str] = []
    store._log.connection.set_trace_callback(lambda sql: seen.append(sql) if sql == "COMMIT" else None)
    return seen


def test_queued_writes_share_a_commit(path: Path, store: SqliteStore) -> None:
    add(store, "t")
    seen = commits(store)
    with locked(path):
        futures = [store.append("t", record_at(v)) for v in range(1, 1001)]
        assert not any(future.done() for future in futures)
    assert [future.result(10).record.version for future in futures] == list(range(1, 1001))
    assert len(seen) <= 4


def test_a_batch_waits_for_more_only_while_many_write(
    path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(writer, "sleep", waits.append)
    add(store, "t")
    for v in range(1, 6):
        store.append("t", record_at(v)).result(10)
    assert not waits
    with locked(path):
        futures = [store.append("t", record_at(v)) for v in range(6, 16)]
    assert futures[-1].result(10)
    for v in range(16, 19):
        store.append("t", record_at(v)).result(10)
    assert waits and set(waits) == {writer.LINGER}
    assert len(waits) <= 2


def test_a_file_that_stays_locked_is_refused_and_works_later(path: Path, store: SqliteStore) -> None:
    add(store, "t")
    store._log.connection.execute("PRAGMA busy_timeout = 20")
    with locked(path), pytest.raises(Unavailable, match="Another program has locked"):
        store.append("t", record_at(1)).result(10)
    assert store.append("t", record_at(1)).result(10).record == record_at(1)


def test_a_bug_does_not_end_the_writer(store: SqliteStore) -> None:
    add(store, "t")
    with pytest.raises(ZeroDivisionError):
        store._writer.submit(lambda: 1 // 0).result(10)
    assert store.append("t", record_at(1)).result(10).record == record_at(1)


def check_full(said: str, sentence: str) -> None:
    """The writes that did not fit were refused, nothing else was lost, and it went on when there was room."""
    written, refused, again, reopened = said.splitlines()
    _, acknowledged, _, stored, _, read = written.split()
    assert 0 < int(acknowledged) == int(stored) == int(read)
    assert refused.startswith("refused True ")
    assert sentence in refused
    assert (again, reopened) == ("again True", "reopened True")


def test_no_more_room_for_the_file_is_refused_until_there_is(path: Path) -> None:
    check_full(run("fuller", path), "Nothing was changed; ")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real disk of one megabyte, where one may be had."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_refused_until_there_is_room(small_disk: Path) -> None:
    said = run("fuller", small_disk / "tables.db", small_disk / "ballast")
    check_full(said, "There is no space left for ")


def test_a_store_cannot_be_made_on_a_full_disk(small_disk: Path) -> None:
    with pytest.raises(OSError, match="No space"):
        (small_disk / "ballast").write_bytes(bytes(2 << 20))
    with pytest.raises(Unavailable, match="There is no space left"):
        open_store(small_disk / "tables.db")
    (small_disk / "ballast").unlink()
    with open_store(small_disk / "tables.db") as store:
        add(store, "t", 1)
