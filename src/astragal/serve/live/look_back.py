"""Looking back: undos and redos, which may read a whole log, in threads of their own.

A table's are decided one after the other, and those of tables with long logs keep to themselves: however many somebody
asks for, at however many tables, an undo at an ordinary table waits for ordinary ones only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future

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


class LookBack:
    """The undos and redos of one table."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def submit(self, entries: int, submit: Callable[[], Future[Acted]]) -> Future[Acted]:
        """Submit an action of a table with so many entries when it is its turn; Limited if too many wait."""
        if self._waiting >= MAX_WAITING:
            raise Limited(1)
        self._waiting += 1
        try:
            async with self._turn:
                threads = _LONG_LOGS if entries > LONG else _SHORT_LOGS
                return await asyncio.get_running_loop().run_in_executor(threads, submit)
        finally:
            self._waiting -= 1
