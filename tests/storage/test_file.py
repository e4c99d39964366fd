"""Opening: a new file is private; a file that is not ours, too new, or without permission is refused and unchanged."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from astragal.errors import Unavailable
from astragal.storage import open_store
from astragal.storage.sqlite.file import APPLICATION, SCHEMA
from tests.storage.stores import add, contents, run


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def execute(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def refuse(path: Path, sentence: str) -> None:
    """Opening is refused with this, and nothing in the folder is different afterwards."""
    before = contents(path.parent)
    with pytest.raises(Unavailable, match=sentence):
        open_store(path)
    assert contents(path.parent) == before


def test_a_new_store_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "tables.db"
    old = os.umask(0)
    try:
        with open_store(path) as store:
            add(store, "t", 1)
            assert {file.name: mode(file) for file in path.parent.iterdir()} == dict.fromkeys(
                ("tables.db", "tables.db-wal", "tables.db-shm"), 0o600
            )
    finally:
        os.umask(old)
    assert mode(path.parent) == 0o700
    assert list(contents(path.parent)) == ["tables.db"]


def test_a_closed_store_is_whole_in_its_one_file_while_another_program_still_reads(path: Path, tmp_path: Path) -> None:
    store = open_store(path)
    add(store, "t", 3)
    other = sqlite3.connect(path)  # without it SQLite would merge the write-ahead log by itself
    assert other.execute("SELECT count(*) FROM log").fetchone() == (3,)
    store.close()
    copied = Path(shutil.copyfile(path, tmp_path / "copy.db"))
    other.close()
    with open_store(copied) as copy:
        assert copy.info("t").version == 3


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with open_store(str(path)) as store:
        assert store.tables() == []


def test_every_commit_reaches_the_disk(path: Path) -> None:
    with open_store(path) as store:
        ask = store._log.connection.execute
        assert ask("PRAGMA synchronous").fetchone() == (2,)
        assert ask("PRAGMA journal_mode").fetchone() == ("wal",)
        assert ask("PRAGMA application_id").fetchone() == (APPLICATION,)
        assert ask("PRAGMA user_version").fetchone() == (SCHEMA,)


def foreign(path: Path) -> None:
    execute(path, "CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('mine')")


def foreign_ahead(path: Path) -> None:
    foreign(path)
    execute(path, "PRAGMA journal_mode = WAL")


def other_application(path: Path) -> None:
    execute(path, "PRAGMA application_id = 77", "CREATE TABLE log (place)")


@pytest.mark.parametrize("make", [foreign, foreign_ahead, other_application])
def test_another_programs_database_is_refused(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "foreign.db"
    make(path)
    refuse(path, "not an Astragal store. It was left unchanged")


@pytest.mark.parametrize("data", [b"x", b"text " * 1000, b"SQLite format 3\0", b"SQLite format 3\0" + bytes(4080)])
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(data)
    refuse(path, "not an Astragal store. It was left unchanged")


def test_a_store_of_another_version_is_refused(path: Path) -> None:
    with open_store(path) as store:
        add(store, "t", 3)
    execute(path, f"PRAGMA user_version = {SCHEMA + 1}")
    refuse(path, "another version of Astragal. It was left unchanged; open")


def test_what_a_newer_store_has_still_to_merge_is_left_alone(path: Path, tmp_path: Path) -> None:
    """As after a crash: whoever opens such a file and closes it merges its write-ahead log."""
    open_store(path).close()
    newer = sqlite3.connect(path, isolation_level=None)
    try:
        newer.execute(f"PRAGMA user_version = {SCHEMA + 1}")
        newer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        newer.execute("INSERT INTO settings VALUES ('new', x'00')")
        crashed = tmp_path / "crashed"
        crashed.mkdir()
        for name in (path.name, f"{path.name}-wal"):
            shutil.copy(path.with_name(name), crashed / name)
    finally:
        newer.close()
    assert (crashed / f"{path.name}-wal").stat().st_size
    refuse(crashed / path.name, "another version of Astragal. It was left unchanged; open")


def test_a_newer_store_that_is_in_use_is_refused(path: Path) -> None:
    open_store(path).close()
    newer = sqlite3.connect(path, isolation_level=None)
    try:
        newer.execute(f"PRAGMA user_version = {SCHEMA + 1}")
        with pytest.raises(Unavailable, match="another version of Astragal"):
            open_store(path)
        assert newer.execute("PRAGMA user_version").fetchone() == (SCHEMA + 1,)
    finally:
        newer.close()


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="is a folder; name a file in it"):
        open_store(tmp_path)
    assert contents(tmp_path) == {}


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(Unavailable, match="cannot be opened: "):
        open_store(tmp_path / "file" / "tables.db")
    with pytest.raises(Unavailable, match="cannot be opened: "):
        open_store(tmp_path / ("x" * 300))


def test_a_pipe_is_no_store(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unavailable, match="not an Astragal store"):
        open_store(tmp_path / "pipe")


def test_a_name_with_a_null_character_is_refused() -> None:
    with pytest.raises(Unavailable, match="character 0"):
        open_store("a\0b")


@pytest.mark.parametrize("name", ["a b?mode=memory#c%41.db", ":memory:", "ä ✓.db", "file:x.db", "\udcff.db"])
def test_any_name_is_the_name_of_a_file(tmp_path: Path, name: str) -> None:
    with open_store(tmp_path / name) as store:
        add(store, "t", 2)
        assert store.info("t").version == 2
    assert list(contents(tmp_path)) == [name]


def test_a_removed_file_is_not_created_again(path: Path) -> None:
    with open_store(path) as store:
        add(store, "t", 2)
        path.unlink()
        with pytest.raises(Unavailable, match="cannot be opened"):
            store.read("t")
        assert not path.exists()


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that strangers can reach, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        with open_store(folder / "tables.db") as store:
            add(store, "t", 3)
        yield folder
        folder.chmod(0o755)


@pytest.mark.parametrize(
    ("file", "folder", "said"),
    [
        (0o444, 0o777, "is read-only. Nothing was changed; make it writable"),
        (0o444, 0o555, "Nothing was changed; "),
        (0o000, 0o777, "cannot be opened: Permission denied. Nothing was changed."),
        (0o644, 0o000, "cannot be opened: Permission denied. Nothing was changed."),
    ],
)
def test_a_file_without_permission_is_refused(public: Path, file: int, folder: int, said: str) -> None:
    path = public / "tables.db"
    before = path.read_bytes()
    path.chmod(file)
    public.chmod(folder)
    answer = run("stranger", path)
    public.chmod(0o755)
    path.chmod(0o644)
    assert answer.startswith("unavailable: ")
    assert said in answer
    assert path.read_bytes() == before
