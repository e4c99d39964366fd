"""A full disk, a read-only file: actions are refused clearly, nothing is changed, and the table goes on."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from astragal.errors import Refusal, Unavailable
from astragal.storage import open_store
from astragal.storage.tables.repository import Repository
from astragal.table import action as a
from astragal.table.state import encode_state
from tests.share import record
from tests.storage.tables.repositories import DESK, Seats, assert_sound, might, spend, start


def test_a_full_disk_refuses_and_the_table_goes_on_once_there_is_room(path: Path) -> None:
    with start("fuller", path) as program:
        said, _ = program.communicate(timeout=120)
    assert program.returncode == 0
    lines = said.splitlines()
    assert [line.split()[0] for line in lines] == ["True"] * 5, said
    assert "no space left" in lines[0] or "failed to read or write" in lines[0]
    record("disk full, through the repository", "refused, nothing changed, goes on once there is room")


def test_a_file_that_has_become_read_only_is_refused_and_the_table_goes_on_when_it_is_not(
    seats: Seats, repository: Repository
) -> None:
    before = encode_state(seats.stored_table.state)
    connection = repository.store._log.connection  # type: ignore[attr-defined]
    connection.execute("PRAGMA query_only = ON")
    errors = [seats.submit(seats.player, spend()).exception(60) for _ in range(3)]
    assert all(isinstance(error, Unavailable) and "read-only" in str(error) for error in errors)
    assert encode_state(seats.stored_table.state) == before
    connection.execute("PRAGMA query_only = OFF")
    assert might(seats.act(seats.player, spend()).state) == 2
    assert_sound(seats.stored_table)
    record("read-only file, through the repository", "refused, nothing changed, goes on once it can be written")


def test_a_store_that_another_program_holds_back_is_waited_for(seats: Seats, path: Path) -> None:
    """Actions are submitted, none of them shows; then all of them are there at once, in order."""
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    before = seats.stored_table.state
    futures = [seats.submit(seats.player, spend()) for _ in range(3)]
    assert seats.stored_table.state is before
    assert not any(future.done() for future in futures)
    holder.execute("ROLLBACK")
    holder.close()
    assert [might(future.result(60).state) for future in futures] == [2, 1, 0]


def test_what_was_decided_while_the_disk_was_full_is_not_there_afterwards(seats: Seats, repository: Repository) -> None:
    """A table that refuses to write, as SQLite itself does it: the limit on pages is one page short."""
    connection = repository.store._log.connection  # type: ignore[attr-defined]
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    before = encode_state(seats.stored_table.state)
    futures = [seats.submit(seats.gm, a.NoteAction(text="x" * 4000)) for _ in range(20)]
    errors = [future.exception(60) for future in futures]
    assert all(isinstance(error, Refusal) for error in errors if error)
    assert any(errors)
    if all(errors):
        assert encode_state(seats.stored_table.state) == before
    connection.execute("PRAGMA max_page_count = 1073741823")
    assert might(seats.act(seats.player, spend()).state) == 2
    assert_sound(seats.stored_table)


def test_a_table_that_is_gone_is_refused_and_nobody_waits(seats: Seats, repository: Repository) -> None:
    repository.delete(seats.stored_table.id)
    assert isinstance(seats.submit(seats.gm, a.NoteAction(text="Hello?")).exception(60), Refusal)
    assert not DESK.owner(seats.stored_table).busy


def test_a_store_that_fails_after_somebody_was_faster_is_what_is_told(
    seats: Seats, repository: Repository, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody asked for a version, so that somebody was faster is no answer: the next try would do."""
    with open_store(path) as other:
        Repository(other).open(seats.stored_table.id).act(seats.gm, a.NoteAction(text="First."), "first", 1)

    def fails(*_: object) -> None:
        raise Unavailable("The disk is gone.")

    monkeypatch.setattr(repository.store, "read", fails)
    assert str(seats.submit(seats.gm, a.NoteAction(text="Second.")).exception(60)) == "The disk is gone."
    monkeypatch.undo()
    seats.act(seats.gm, a.NoteAction(text="Third."))
    assert_sound(seats.stored_table)
