"""An owner and its store in one thread, as in a browser: a file or the memory answers in the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from astragal.errors import Refusal
from astragal.serve.live.owner import Owner, at_once
from astragal.storage import open_store
from astragal.storage.sqlite import writer
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import Step, StoredTable
from astragal.table import action as a
from tests.simulation.evening import Evening, Plan, small_limits
from tests.simulation.loop import VirtualLoop
from tests.simulation.servers import TICKETS
from tests.simulation.store import MemoryStore


@pytest.fixture(params=["file", "memory"])
def no_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the store is made of; a thread can no more be started."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a thread was asked for")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(VirtualLoop, "run_in_executor", refuse)
    monkeypatch.setattr(writer, "HAS_THREADS", False)
    return str(request.param)


@contextmanager
def opened(kind: str, folder: Path, evening: Evening) -> Iterator[StoredTable]:
    """The first entries of an evening in a store."""
    if kind == "memory":
        yield StoredTable(cast(Any, MemoryStore(evening.rows, evening.loop)), "t", tickets=TICKETS)
        return
    with open_store(folder / "tables.db") as store:
        records = [record._replace(stored=b"") for record in evening.rows.records]
        store.create("t", "narraject", "T", 1, records).result(0)
        yield StoredTable(store, "t", tickets=TICKETS)


def test_an_owner_and_its_store_need_no_thread(no_threads: str, tmp_path: Path) -> None:
    loop = VirtualLoop(1)
    versions: list[int] = []

    async def publish(steps: Sequence[Step]) -> None:
        versions.extend(step.entry.version for step in steps)

    async def play(evening: Evening) -> None:
        with opened(no_threads, tmp_path, evening) as table:
            owner = Owner(table, publish, run=at_once)
            many = [a.NoteAction(text=f"{n}") for n in range(20)]
            large = a.RollAction(who="Ysolde", inputs={"d6": 500, "difficulty": 2}, answers=["settle"])
            actions: list[a.Action] = [*many, large, a.UndoAction(), a.RedoAction()]
            done = [owner.act(evening.gm, action, f"k{n}", 1) for n, action in enumerate(actions)]
            acted = await asyncio.gather(*done)
            with pytest.raises(Refusal):
                await owner.act(evening.gm, a.RetireAction(holder="Nobody"), "refused", 1)
            await owner.stop()
            assert sorted(each.entry.version for each in acted) == versions == list(range(5, 5 + len(actions)))
            assert [entry.version for entry in table.history(4)] == versions

    with small_limits():
        loop.run_until_complete(play(Evening(Plan(1), loop)))
    loop.close()


def test_tables_are_created_exported_and_imported_without_a_thread(no_threads: str, tmp_path: Path) -> None:
    if no_threads == "memory":
        pytest.skip("the memory has one table")
    with open_store(tmp_path / "tables.db") as store:
        repository = Repository(store)
        table = repository.create_sample("narraject")
        copy = repository.import_table(list(table.export()))
        assert copy.id != table.id
        assert copy.state.version == table.state.version + 1 == len(copy.history())
        repository.delete(table.id)
        assert [info.table for info in store.tables()] == [copy.id]
