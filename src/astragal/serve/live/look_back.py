"""Looking back: undos and redos, which may read a whole log, in threads of their own.

A table's are decided one after the other, and those of tables with long logs keep to themselves: however many somebody
asks for, at however many tables, an undo at an ordinary table waits for ordinary ones only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial

from astragal.repository.pending import Acted
from astragal.serve.limits.threads import Threads
from astragal.serve.problems import Limited

LONG = 20_000
"""Entries of a log that takes long to read back: more than a tenth of a second."""
MAX_WAITING = 20
"""Undos of one table that wait for each other."""
_SHORT_LOGS = Threads(2, "astragal undo")
_LONG_LOGS = Threads(1, "astragal long undo")
"""Few threads, so that they leave the others their share of the machine. An undo that others outrun holds its table's
lock in the end, so this also bounds for how many tables other threads may have to wait."""


Submit = Callable[[], tuple[Future[Acted], Iterator[float]]]
"""Begins an action: what it will come to, and the work for it, which gives the seconds to pause before it goes on."""


class LookBack:
    """The undos and redos of one table."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting: set[asyncio.Task[Future[Acted]]] = set()

    async def submit(self, entries: int, submit: Submit) -> Future[Acted]:
        """Submit an action of a table with so many entries when it is its turn; Limited if too many wait.

        What has begun is gone through with, also if nobody waits for it any more.
        """
        if len(self._waiting) >= MAX_WAITING:
            raise Limited(1)
        task = asyncio.create_task(self._in_turn(_LONG_LOGS if entries > LONG else _SHORT_LOGS, submit))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)
        return await asyncio.shield(task)

    async def _in_turn(self, threads: Threads, submit: Submit) -> Future[Acted]:
        run = partial(asyncio.get_running_loop().run_in_executor, threads)
        async with self._turn:
            decided, work = await run(submit)
            while (pause := await run(next, work, None)) is not None:
                await asyncio.sleep(pause)
            return decided
