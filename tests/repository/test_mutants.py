"""Promises of the repository that a mutant once broke without any test noticing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from threading import Thread

import pytest

from astragal.repository import stored_table
from astragal.repository.pending import Acted
from astragal.repository.repository import Repository
from astragal.store import open_store
from astragal.table.action import FoundAction, NoteAction
from astragal.table.state import decode_state
from tests.repository.repositories import seated
from tests.serve.running import until


def test_a_snapshot_holds_only_what_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class AtOnce(Thread):
        def start(self) -> None:
            self.run()

    monkeypatch.setattr(stored_table, "SNAPSHOT_EVERY", 3)
    monkeypatch.setattr(stored_table, "Thread", AtOnce)
    with open_store(tmp_path / "tables.db") as store:
        table = Repository(store).create(FoundAction(game="tgimh", title="T", name="Mira"))
        gm = next(iter(table.state.members))
        saved: list[tuple[int, int, int]] = []
        real = store.save_snapshot

        def save(id: str, version: int, body: bytes) -> object:
            saved.append((version, decode_state(body).version, store.last(id)))
            return real(id, version, body)

        def decide_more(work: Callable[[], None]) -> None:
            """What an event loop may do between an answer of the writer and its snapshot."""
            if len(futures) < 50:
                futures.append(table.submit(gm, NoteAction(text="More."), f"k{len(futures)}", 1))
            work()

        monkeypatch.setattr(store, "save_snapshot", save)
        futures: list[Future[Acted]] = []
        table.subscribe(lambda entry, state: None, decide_more)
        table.submit(gm, NoteAction(text="First."), "first", 1)
        until(lambda: len(futures) == 50 and futures[-1].done())
        assert saved and all(version == state <= stored for version, state, stored in saved)


def test_an_entry_that_comes_in_twice_is_published_once(tmp_path: Path) -> None:
    """As when the writer's answer and a look at the disk both bring it."""
    with open_store(tmp_path / "twice.db") as store:
        seats = seated(Repository(store))
        heard: list[int] = []
        seats.stored_table.subscribe(lambda entry, state: heard.append(entry.version))
        acted = seats.act(seats.gm, NoteAction(text="once"))
        seats.stored_table._publish(acted.entry, acted.state)
        assert heard == [acted.entry.version]
