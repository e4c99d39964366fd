"""Health: a test write shows if the server can store an action now."""

from __future__ import annotations

import asyncio
from secrets import token_bytes
from time import monotonic

from astragal.errors import Unavailable
from astragal.storage import Store
from astragal.storage.tables.limits import Quota

READY = "serve/ready"
"""Name of the setting that is written as a test."""
EVERY = 1.0
"""Seconds between two tests; requests between them get the last answer."""
PAGES = 4 * 4096
"""Bytes of a test, about as much as an action with its indexes. They are random: SQLite would not write unchanged
bytes, so a full disk would not be noticed."""
TOKEN = 16
"""Bytes of a test in a database, whose write-ahead log grows with each."""
PATIENCE = 5.0
"""Seconds until a disk that does not answer counts as broken."""
LATELY = 5.0
"""Seconds for which failed writes count even if the test works: a full disk may have room for the test."""
REFUSED = "Actions could not be stored a moment ago, but small writes can. Check the disk; the log has the reason."
NO_ANSWER = "The disk does not answer. Actions wait."


class Health:
    """Tests with a small write in the queue of actions; simultaneous requests share one test."""

    def __init__(self, store: Store, quota: Quota) -> None:
        self._store = store
        self._quota = quota
        self._bytes = PAGES if store.kind == "sqlite" else TOKEN
        self._tried = 0.0
        self._try: asyncio.Task[None] | None = None
        self._failed: int | None = store.commits.failed
        """The number of failed writes when the last test worked; None if the last test failed."""
        self._not_before = 0.0

    async def check(self) -> None:
        """Unavailable unless a test write works, recent writes worked, and the limits leave room."""
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
        """Unavailable if actions failed while tests worked; failures together with a test no longer count."""
        self._failed = self._store.commits.failed
        if before is None:
            self._not_before = 0.0
        elif self._failed > before:
            self._not_before = monotonic() + LATELY
        if monotonic() < self._not_before:
            raise Unavailable(REFUSED)
