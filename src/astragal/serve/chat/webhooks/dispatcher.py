"""The dispatcher: posts new entries to the webhooks, in a thread with its own event loop.

No table ever waits for it. Each webhook's entries are posted in order; a failed post is retried with growing delays.
Waiting entries are not kept in memory: the log is the queue, and a cursor has the position of each webhook.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from secrets import token_urlsafe
from threading import Thread
from typing import Any

from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.serve.chat.webhooks.address import parse_address, resolve
from astragal.serve.chat.webhooks.cursor import Cursor, CursorClaim
from astragal.serve.chat.webhooks.payload import entry_body, headers_for, note_body
from astragal.serve.chat.webhooks.post import MAX_WAIT, Answer, post
from astragal.serve.chat.webhooks.webhook import WEBHOOKS, Webhook, decode_webhook
from astragal.serve.settings import ServerSettings
from astragal.storage import Store
from astragal.storage.backup import REWRITTEN
from astragal.storage.tables.log import SeatLog
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import StoredTable
from astragal.table.log.lines import shown
from astragal.table.state import State

MAX_BEHIND = 1000
"""Entries that wait for a receiver; older ones are dropped, with a notice."""
MAX_TRIES = 20
"""Tries of one entry, over more than an hour; then it is dropped, with a notice."""
GIVE_UP = 3 * 24 * 3600 * 1000
"""Milliseconds without success until a webhook is stopped."""
AT_ONCE = 8
"""Webhooks that are posted to at the same time."""
BATCH = 20
"""Entries read at a time."""
MAX_OPEN = 16
"""Tables that are kept in memory."""
STOP_WAIT = 5.0
GONE = 410
REDIRECTED = "The address answered with a redirect, which is not followed."


class Dispatcher:
    """Posts new entries to every webhook of a store, while the server runs."""

    def __init__(
        self, repository: Repository, settings: ServerSettings, on_error: Callable[[BaseException, str], Any]
    ) -> None:
        self._store = repository.store
        self._tables = Tables(repository.store)
        self._settings = settings
        self._on_error = on_error
        self._owner = token_urlsafe(9)
        self._webhooks: dict[str, Webhook] = {}
        self._looked: dict[str, int] = {}
        """The table's version up to which each webhook has every entry of its audience."""
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._main: asyncio.Task[None] | None = None
        self._thread = Thread(target=self._run, name="astragal dispatcher", daemon=True)

    def start(self) -> None:
        """Start, unless the server posts to no webhooks."""
        if self._settings.webhooks != "nobody":
            self._thread.start()

    def stop(self) -> None:
        """Stop; another server posts the rest."""
        if self._loop and self._main:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._main.cancel)
        if self._thread.is_alive():
            self._thread.join(STOP_WAIT)

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._work())

    async def _work(self) -> None:
        self._loop, self._main = asyncio.get_running_loop(), asyncio.current_task()
        turns = asyncio.Semaphore(AT_ONCE)
        while True:
            try:
                self._look(turns)
            except Refusal:
                pass  # the store is busy or unreachable; actions report that
            except Exception as error:
                self._on_error(error, "webhooks")
            await asyncio.sleep(self._settings.webhook_every)

    def _look(self, turns: asyncio.Semaphore) -> None:
        """Find the webhooks of tables with new entries, and begin to post."""
        self._find()
        idle = {name: webhook for name, webhook in self._webhooks.items() if name not in self._busy}
        standing = self._store.last_versions(sorted({webhook.table for webhook in idle.values()}))
        for name, webhook in idle.items():
            found = standing.get(webhook.table)
            if found and found.version != self._looked.get(name):
                self._busy[name] = asyncio.create_task(self._serve(name, webhook, turns))

    def _find(self) -> None:
        """Find webhooks that were added or removed, here or by another program."""
        names = set(self._store.setting_names(WEBHOOKS))
        for name in self._webhooks.keys() - names:
            del self._webhooks[name]
            self._looked.pop(name, None)
        for name in names - self._webhooks.keys():
            if body := self._store.setting(name):
                self._webhooks[name] = decode_webhook(body)

    async def _serve(self, name: str, webhook: Webhook, turns: asyncio.Semaphore) -> None:
        try:
            async with turns:
                version = await self._deliver(webhook)
            if version is not None:
                self._looked[name] = version
        except Refusal:
            pass  # the store, or the table, cannot be read now
        except Exception as error:
            self._on_error(error, "webhooks")
        finally:
            self._busy.pop(name, None)

    async def _deliver(self, webhook: Webhook) -> int | None:
        """Post new entries; the table's version up to which all are posted, or None if some are left."""
        claim = CursorClaim(self._store, webhook.table, webhook.id, self._owner)
        if not claim.is_free(self._settings.clock()):
            return None
        stored_table = self._tables.open(webhook.table)
        state = stored_table.state
        log = stored_table.seat_log(state, webhook.viewer)
        if claim.cursor.n == log.last and not claim.cursor.untold:
            return state.version
        done = await Round(self, webhook, claim, state, log).post_all()
        return state.version if done else None

    @property
    def now(self) -> int:
        """Milliseconds since 1970."""
        return self._settings.clock()

    async def send(self, webhook: Webhook, about: str, body: bytes) -> Answer:
        """Send one post, about an entry or about dropped entries."""
        address = parse_address(webhook.address, self._settings.webhooks)
        ip = await resolve(address, self._settings.webhooks)
        return await post(address, ip, headers_for(webhook, about, body, self.now), body)


class Tables:
    """The dispatcher's own copies of tables, a few of them in memory, only for reading."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._open: dict[str, StoredTable] = {}
        self._rewritten = store.setting(REWRITTEN)

    def open(self, id: str) -> StoredTable:
        """A table as it is stored now."""
        rewritten = self._store.setting(REWRITTEN)
        if rewritten != self._rewritten:  # a person was erased, or a backup restored
            self._open.clear()
            self._rewritten = rewritten
        table = self._open.pop(id, None)
        if table is None or not table.is_there():
            table = StoredTable(self._store, id)
        table.refresh()
        self._open[id] = table
        if len(self._open) > MAX_OPEN:
            del self._open[next(iter(self._open))]
        return table


class Round:
    """One server's turn at a webhook: its claim, and the log to post."""

    def __init__(
        self, dispatcher: Dispatcher, webhook: Webhook, claim: CursorClaim, state: State, log: SeatLog
    ) -> None:
        self._dispatcher, self._webhook, self._claim, self._state, self._log = dispatcher, webhook, claim, state, log

    async def post_all(self) -> bool:
        """Claim the cursor and post everything up to the end of the log; True if that succeeded."""
        if not self._move(self._bounded(self._claim.cursor)):
            return False
        if self._claim.cursor.untold and not await self._post_note():
            return False
        while (done := self._claim.cursor.n) < self._log.last:
            for n, entry in enumerate(self._log.read(done + 1, done + BATCH), done + 1):
                seen = shown(entry, self._state, self._webhook.viewer)
                if seen is not None and not await self._post(n, entry.id, entry_body(self._webhook, n, seen)):
                    return False
        return self._move(self._claim.cursor, keep=False)

    def _move(self, cursor: Cursor, keep: bool = True) -> bool:
        return self._claim.move(cursor, self._dispatcher.now, keep)

    def _bounded(self, cursor: Cursor) -> Cursor:
        """The cursor, moved past the oldest entries if too many wait, or back if a backup was restored."""
        dropped = max(0, self._log.last - cursor.n - MAX_BEHIND)
        n = min(cursor.n, self._log.last) + dropped
        return replace(cursor, n=n, dropped=cursor.dropped + dropped, untold=cursor.untold + dropped)

    async def _post_note(self) -> bool:
        """Post the number of dropped entries."""
        cursor = self._claim.cursor
        answer = await self._try(f"dropped-{cursor.n}", note_body(self._webhook, cursor.untold))
        return answer and self._move(_succeeded(replace(cursor, untold=0)))

    async def _post(self, n: int, id: str, body: bytes) -> bool:
        """Post an entry, and move the cursor past it."""
        return await self._try(id, body) and self._move(_succeeded(replace(self._claim.cursor, n=n)))

    async def _try(self, about: str, body: bytes) -> bool:
        """True if the receiver accepted a post; otherwise the cursor gets the reason and the time of the next try."""
        try:
            answer = await self._dispatcher.send(self._webhook, about, body)
        except Refusal as refusal:
            answer, said = Answer(0), str(refusal)
        else:
            said = REDIRECTED if 300 <= answer.status < 400 else f"The address answered with status {answer.status}."
        if 200 <= answer.status < 300:
            return True
        self._move(_failed(self._claim.cursor, answer, said, self._dispatcher.now), keep=False)
        return False


def _succeeded(cursor: Cursor) -> Cursor:
    return replace(cursor, failures=0, failing_since=0, retry=0, said="")


def _failed(cursor: Cursor, answer: Answer, said: str, now: int) -> Cursor:
    """The cursor after a failure: with a later try, without an entry that failed too often, or stopped."""
    failures, since = cursor.failures + 1, cursor.failing_since or now
    wait = max(answer.wait, min(2 ** min(cursor.failures, 9), MAX_WAIT))
    failed = replace(cursor, failures=failures, failing_since=since, retry=now + 1000 * wait, said=said[:300])
    if answer.status == GONE or now - since > GIVE_UP:
        return replace(failed, stopped=True)
    if failures % MAX_TRIES == 0 and not cursor.untold:
        return replace(failed, n=cursor.n + 1, dropped=cursor.dropped + 1, untold=1)
    return failed
