"""An owner and its store in one thread, as in a browser: the store answers in the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any, cast

import pytest

from astragal.errors import Refusal
from astragal.serve.live.owner import Owner, at_once
from astragal.storage.tables.stored_table import Step, StoredTable
from astragal.table import action as a
from tests.simulation.evening import Evening, Plan, small_limits
from tests.simulation.loop import VirtualLoop
from tests.simulation.servers import TICKETS
from tests.simulation.store import MemoryStore


def test_an_owner_and_its_store_need_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a thread was asked for")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    loop = VirtualLoop(1)
    monkeypatch.setattr(loop, "run_in_executor", refuse)
    versions: list[int] = []

    async def publish(steps: Sequence[Step]) -> None:
        versions.extend(step.entry.version for step in steps)

    async def play(evening: Evening) -> None:
        table = StoredTable(cast(Any, MemoryStore(evening.rows, loop)), "t", tickets=TICKETS)
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

    with small_limits():
        loop.run_until_complete(play(Evening(Plan(1), loop)))
    loop.close()
