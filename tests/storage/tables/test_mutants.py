"""Promises of the repository that a mutant once broke without any test noticing."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.storage import open_store
from astragal.storage.tables import stored_table
from astragal.storage.tables.repository import Repository
from astragal.table.action import NoteAction, UndoAction
from astragal.table.state import decode_state
from tests.storage.tables.repositories import DESK, seated, settled


def test_a_snapshot_holds_only_what_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_table, "SNAPSHOT_EVERY", 3)
    monkeypatch.setattr(stored_table, "BEHIND", 0)
    with open_store(tmp_path / "tables.db") as store:
        seats = seated(Repository(store))
        saved: list[tuple[int, int, int]] = []
        real = store.save_snapshot

        def save(id: str, version: int, body: bytes) -> object:
            saved.append((version, decode_state(body).version, store.info(id).version))
            return real(id, version, body)

        monkeypatch.setattr(store, "save_snapshot", save)
        futures = [seats.submit(seats.gm, NoteAction(text="More.")) for _ in range(50)]
        futures += [seats.submit(seats.gm, UndoAction())]
        assert [future.result(60).entry.version for future in futures[:50]] == list(range(4, 54))
        futures[50].result(60)
        settled(store)
        assert saved and all(version == state <= stored for version, state, stored in saved)


def test_an_entry_that_comes_in_twice_is_published_once(tmp_path: Path) -> None:
    """As when the writer's answer and a look at the disk both bring it."""
    with open_store(tmp_path / "twice.db") as store:
        seats = seated(Repository(store))
        heard: list[int] = []
        DESK.listen(seats.stored_table, lambda entry, state: heard.append(entry.version))
        acted = seats.act(seats.gm, NoteAction(text="once"))
        assert not DESK.refresh(seats.stored_table)
        assert heard == [acted.entry.version]
