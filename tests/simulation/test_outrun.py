"""An undo that others outrun until the store fails: nobody misses what the store kept without saying so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import Any, cast

import pytest

from astragal.errors import Unavailable
from astragal.serve.live.owner import LOOKS, SHORT_LOGS, Owner
from astragal.storage import Appended, Record
from astragal.storage.tables.stored_table import Step, StoredTable
from astragal.table import action as a
from tests.simulation.evening import Evening, Plan
from tests.simulation.loop import VirtualLoop
from tests.simulation.servers import TICKETS
from tests.simulation.store import MemoryStore


class LosesAnAnswer(MemoryStore):
    """Stores an entry without saying so, and cannot be read right afterwards."""

    shaken = False
    unread = 0

    def append(self, *entry: Any, **more: Any) -> Future[Appended]:
        answer = super().append(*entry, **more)
        if not self.shaken:
            return answer
        self.shaken, self.unread = False, 1
        lost: Future[Appended] = Future()
        lost.set_exception(Unavailable("No answer."))
        return lost

    def read(self, *what: Any, **more: Any) -> list[Record]:
        if self.unread:
            self.unread -= 1
            raise Unavailable("The disk cannot be read.")
        return super().read(*what, **more)


def test_an_undo_that_is_outrun_reads_first_what_was_stored_without_an_answer() -> None:
    loop = VirtualLoop(1)
    told: list[int] = []
    looks = 0

    async def publish(steps: Sequence[Step]) -> None:
        told.extend(step.entry.version for step in steps)

    async def play(evening: Evening) -> None:
        store = LosesAnAnswer(evening.rows)
        table = StoredTable(cast(Any, store), "t", tickets=TICKETS)
        first = table.state.version + 1

        async def run(threads: Executor | None, work: Callable[[], Any]) -> Any:
            """Somebody acts during each look; the last time the store's answer is lost."""
            nonlocal looks
            looks += threads is SHORT_LOGS
            if threads is SHORT_LOGS and looks < LOOKS:
                await owner.act(evening.gm, a.NoteAction(text=f"{looks}"), f"note {looks}", 1)
            elif threads is SHORT_LOGS and looks == LOOKS:
                store.shaken = True
                with pytest.raises(Unavailable):
                    await owner.act(evening.gm, a.NoteAction(text="lost"), "lost", 1)
            return work()

        owner = Owner(table, publish, run=run)
        await owner.act(evening.gm, a.NoteAction(text="first"), "first", 1)
        undone = await owner.act(evening.gm, a.UndoAction(), "undo", 1)
        await owner.stop()
        assert looks > LOOKS and "lost" in evening.rows.keys
        assert told == list(range(first, undone.entry.version + 1))

    loop.run_until_complete(play(Evening(Plan(1), loop)))
    loop.close()
