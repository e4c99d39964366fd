"""Long reads: answers from a whole log, such as a story or an export, made piece by piece in one thread.

They take turns piece by piece, and the thread rests after each piece for as long as it worked. So all of them together
use at most half of the interpreter's time.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from time import sleep, thread_time
from typing import Self
from weakref import finalize

from astragal.errors import Unavailable
from astragal.serve.limits.threads import Threads
from astragal.serve.problems import Limited

MAX_WAITING = 64
"""Long reads at a time on one server; more are refused, since each would take too long."""
MAX_OF_ONE = 4
"""Long reads of one asker at a time; more are refused."""
BUSY = "The server is busy with other stories and exports. Try again in a moment."


class LongReads:
    """The long reads of one server, in turn."""

    def __init__(self) -> None:
        self._thread = Threads(1, "astragal long read")
        self._askers: Counter[str] = Counter()

    async def stream(self, asker: str, pieces: Iterator[bytes]) -> LongRead:
        """The pieces as they are made, without the empty ones. The first one is ready when this returns.

        So if the store fails, or there are too many long reads, the client gets a refusal and not half an answer.
        """
        if self._askers[asker] >= MAX_OF_ONE:
            raise Limited(1)
        if self._askers.total() >= MAX_WAITING:
            raise Unavailable(BUSY)
        self._askers[asker] += 1
        read = LongRead(self._thread, pieces)
        finalize(read, self._leave, asker)
        await read.prepare()
        return read

    def _leave(self, asker: str) -> None:
        self._askers -= Counter((asker,))

    def close(self) -> None:
        """Drop waiting pieces."""
        self._thread.shutdown(wait=False, cancel_futures=True)


class LongRead:
    """One long read; it stops counting when it is garbage-collected, however it ended."""

    def __init__(self, thread: Threads, pieces: Iterator[bytes]) -> None:
        self._thread = thread
        self._pieces = pieces
        self._ready: bytes | None = None

    async def prepare(self) -> None:
        """Make the next non-empty piece; None at the end."""
        loop = asyncio.get_running_loop()
        while (piece := await loop.run_in_executor(self._thread, _with_rest, self._pieces)) == b"":
            pass
        self._ready = piece

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        if self._ready is None:
            await self.prepare()
        piece, self._ready = self._ready, None
        if piece is None:
            raise StopAsyncIteration
        return piece


def _with_rest(pieces: Iterator[bytes]) -> bytes | None:
    """Make a piece, then rest for the same time; None at the end."""
    begun = thread_time()
    try:
        return next(pieces, None)
    finally:
        sleep(thread_time() - begun)
