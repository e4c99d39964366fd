"""Health: whether the server would store an action now."""

from __future__ import annotations

import asyncio
from secrets import token_bytes
from time import monotonic

from astragal.errors import Unavailable
from astragal.storage import Store
from astragal.storage.tables.quota import Quota

READY = "serve/ready"
"""Name of the setting that is written to find out."""
EVERY = 1.0
"""Seconds between two tries; whoever asks meanwhile gets the last answer."""
PAGES = 4 * 4096
"""Bytes that are written: an action with its indexes takes about as much room. They are new each time, since
SQLite writes nothing where nothing has changed, and then a full disk would go unnoticed."""
TOKEN = 16
"""The same for a database elsewhere, whose write-ahead log grows with every byte: what it takes, it takes."""
PATIENCE = 5.0
"""Seconds after which a disk that does not answer counts as broken."""
LATELY = 5.0
"""Seconds for which writes that were not taken count, although the small one is: a full disk may have room for that."""
REFUSED = "Actions could not be stored a moment ago, although small writes can; the log says why. Look at the disk."
NO_ANSWER = "The disk does not answer. Actions wait."


class Health:
    """Tries a small write, one for all who ask at the same time, in the same queue as everybody's actions."""

    def __init__(self, store: Store, quota: Quota) -> None:
        self._store = store
        self._quota = quota
        self._bytes = PAGES if store.kind == "sqlite" else TOKEN
        self._tried = 0.0
        self._try: asyncio.Task[None] | None = None
        self._failed: int | None = store.commits.failed
        """Writes that had failed when the last try worked; None if it did not."""
        self._not_before = 0.0

    async def check(self) -> None:
        """Unavailable unless a write works, and everybody's writes lately did, and the limits leave room for it."""
        self._quota.check_disk()
        if self._try is None or (self._try.done() and monotonic() - self._tried > EVERY):
            self._tried = monotonic()
            self._try = asyncio.create_task(self._write())
        await asyncio.shield(self._try)

    async def _write(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.wrap_future(self._store.set_setting(READY, token_bytes(self._bytes)))
        except TimeoutError:
            raise Unavailable(NO_ANSWER) from None
        finally:
            before, self._failed = self._failed, None
        self._check_lately(before)

    def _check_lately(self, before: int | None) -> None:
        """Unavailable if others' writes failed while tries worked; what failed together with a try is over."""
        self._failed = self._store.commits.failed
        if before is None:
            self._not_before = 0.0
        elif self._failed > before:
            self._not_before = monotonic() + LATELY
        if monotonic() < self._not_before:
            raise Unavailable(REFUSED)
