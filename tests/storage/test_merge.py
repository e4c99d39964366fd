"""Merging: what was written goes into the one file beside the writer, who waits for none of it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from threading import Event

import pytest

from astragal.storage import Record, open_store
from astragal.storage.sqlite import writer as writing
from astragal.storage.sqlite.file import connect
from astragal.storage.sqlite.writer import PIECE, Merger
from tests.storage.stores import add

BODY = os.urandom(PIECE // 4)


def test_what_was_written_is_merged_a_little_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with open_store(path) as store:
        add(store, "t")
        for version in range(1, 9):
            store.append("t", Record(version, f"k{version}", BODY)).result(60)
        store._writer.close()
        assert path.stat().st_size > PIECE, "most of it is in the file, though the writer has not merged"
        assert len(store.read("t")) == 8


def test_the_writer_goes_on_while_something_is_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began, go_on = Event(), Event()

    def held(path: Path) -> sqlite3.Connection:
        began.set()
        assert go_on.wait(60)
        return connect(path)

    monkeypatch.setattr(writing, "connect", held)
    with open_store(tmp_path / "tables.db") as store:
        add(store, "t")
        for version in range(1, 12):
            store.append("t", Record(version, f"k{version}", BODY)).result(60)
        assert began.is_set()
        go_on.set()
    with open_store(tmp_path / "tables.db") as store:
        assert store.info("t").version == 11


def test_a_file_that_cannot_be_merged_now_is_left_for_the_next_time(tmp_path: Path) -> None:
    merger = Merger(tmp_path / "not there.db")
    for _ in range(2):
        merger.merge()
        merger.close()
