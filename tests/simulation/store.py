"""A store in memory with the contract of ``storage.store``, as far as tables need it, which fails at times.

It answers in the event loop and starts no thread. Among several servers it has the claims, the fence and the notices
of a database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextvars import Context, copy_context

import msgspec

from astragal.errors import Refusal, Stale, Unavailable
from astragal.storage import Appended, Claim, Moved, Record, Standing, TableInfo
from tests.simulation.loop import VirtualLoop

FAULTS = ("nothing stored", "answer lost", "some stored", "disk full", "read fails")
HOLD = 1.0
FULL = 0.1
"""Seconds that the disk is full, in the mean."""
SHAKEN = 0.02
"""Seconds after a failure in which half of what is read fails, in the mean."""


class Rows:
    """What is on the disk, and who listens there."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.keys: dict[str, Record] = {}
        self.seen: dict[str, list[int]] = {}
        self.snapshot: tuple[int, bytes] | None = None
        self.settings: dict[str, bytes] = {}
        self.epoch, self.server, self.claimed = 0, "", -HOLD
        self.full_until = 0.0
        self.listeners: list[asyncio.Queue[str]] = []

    def append(self, record: Record, after: str | None, epoch: int | None = None) -> Appended | Refusal:
        if record.key in self.keys:
            return Appended(self.keys[record.key], True)
        if epoch not in (None, self.epoch):
            return Moved()
        last = self.records[-1].key if self.records else ""
        if record.version != len(self.records) + 1 or after not in (None, last):
            return Stale("Somebody was faster.")
        self.records.append(record)
        self.keys[record.key] = record
        for audience, nth in record.seen:
            self.seen.setdefault(audience, []).append(record.version)
            assert len(self.seen[audience]) == nth, "the index of audiences has no gap"
        return Appended(record, False)

    def claim(self, server: str, now: float) -> Claim:
        if server != self.server:
            if self.claimed >= now - HOLD:
                return Claim(self.epoch, max(0.001, self.claimed + HOLD - now))
            self.server, self.epoch, self.claimed = server, self.epoch + 1, now
            self.tell("moved", "t", server, self.epoch)
        return Claim(self.epoch)

    def tell(self, *notice: str | int) -> None:
        for listener in self.listeners:
            listener.put_nowait(msgspec.json.encode(notice).decode())


class MemoryStore:
    """One program's way to the rows: a queue, commits that take time, and faults. Without a loop it answers at once."""

    kind = "memory"

    def __init__(self, rows: Rows, loop: VirtualLoop | None = None) -> None:
        self.rows = rows
        self.faults: Sequence[str] = ()
        self.rate = 0.0
        self.sent = 0.5
        """The share of commits that go on while their program is stopped; it sends the others when it continues."""
        self._loop = loop
        self._shaken_until = 0.0
        self._queue: list[tuple[Record, str | None, int | None, Future[Appended]]] = []
        self._changed = False
        """Whether a notice follows what is queued."""

    def append(
        self, table: str, record: Record, after: str | None = None, epoch: int | None = None
    ) -> Future[Appended]:
        answer: Future[Appended] = Future()
        self._queue.append((record, after, epoch, answer))
        if self._loop is None:
            self._commit("")
        elif len(self._queue) == 1:
            context = Context() if self._loop.random.random() < self.sent else copy_context()
            self._loop.call_later(self._loop.random.expovariate(500), self._commit, self._fault(), context=context)
        return answer

    @property
    def is_writing(self) -> bool:
        """Whether anything waits for the disk."""
        return bool(self._queue)

    def _fault(self) -> str:
        assert self._loop
        return self._loop.random.choice(self.faults or [""]) if self._loop.random.random() < self.rate else ""

    def _commit(self, fault: str) -> None:
        queue, self._queue = self._queue, []
        if fault and self._loop:
            self._shaken_until = self._loop.time() + self._loop.random.expovariate(1 / SHAKEN)
        if fault == "disk full" and self._loop:
            self.rows.full_until = self._loop.time() + self._loop.random.expovariate(1 / FULL)
        full = self._loop is not None and self._loop.time() < self.rows.full_until
        for n, (record, after, epoch, answer) in enumerate(queue):
            if full or fault == "nothing stored" or (fault == "some stored" and n):
                answer.set_exception(Unavailable("The disk failed."))
                continue
            outcome = self.rows.append(record, after, epoch)
            if fault in ("answer lost", "some stored"):
                answer.set_exception(Unavailable("No answer."))
            elif isinstance(outcome, Appended):
                answer.set_result(outcome)
            else:
                answer.set_exception(outcome)
        if self._changed:
            self._changed = False
            self.rows.tell("changed", "t")

    # Claims and notices.

    def claim(self, table: str, server: str) -> Claim:
        assert self._loop
        self._read()
        return self.rows.claim(server, self._loop.time())

    def notify_changed(self, table: str) -> None:
        self._changed = bool(self._queue)
        if not self._queue:
            self.rows.tell("changed", table)

    async def listen(self, take: Callable[[str], None]) -> None:
        """Take in notices, in order; each may be late or lost, and so may the connection."""
        assert self._loop
        random, mine = self._loop.random, asyncio.Queue[str]()
        self.rows.listeners.append(mine)
        try:
            take("")
            while random.random() > self.rate:
                notice = await mine.get()
                await asyncio.sleep(random.choice([0.002, 0.002, 0.1, 2]))
                if random.random() > 4 * self.rate:
                    take(notice)
        finally:
            self.rows.listeners.remove(mine)

    def last_versions(self, tables: Sequence[str]) -> dict[str, Standing]:
        self._read()
        return {table: Standing(1, len(self.rows.records), self.rows.epoch) for table in tables}

    # Reading.

    def _read(self) -> None:
        if self._loop and self.rate and "read fails" in self.faults:
            shaken = self._loop.time() < self._shaken_until
            if self._loop.random.random() < (0.5 if shaken else self.rate / 2):
                raise Unavailable("The disk cannot be read.")

    def read(self, table: str, since: int = 0, limit: int | None = None) -> list[Record]:
        self._read()
        return self.rows.records[since:][:limit]

    def read_some(self, table: str, versions: Sequence[int]) -> list[Record]:
        self._read()
        return [self.rows.records[version - 1] for version in versions]

    def seen(self, table: str, audience: str, first: int, last: int) -> list[int]:
        self._read()
        return self.rows.seen.get(audience, [])[first - 1 : last]

    def find(self, table: str, key: str) -> Record | None:
        self._read()
        return self.rows.keys.get(key)

    def identity(self, table: str) -> int:
        return 1

    def info(self, table: str) -> TableInfo:
        self._read()
        return TableInfo(table, "narraject", "T", 1, len(self.rows.records))

    def size(self, table: str) -> int:
        return sum(len(record.stored) for record in self.rows.records)

    def snapshot(self, table: str) -> tuple[int, bytes] | None:
        return self.rows.snapshot

    def save_snapshot(self, table: str, version: int, body: bytes) -> Future[None]:
        if self.rows.snapshot is None or self.rows.snapshot[0] < version:
            self.rows.snapshot = (version, body)
        done: Future[None] = Future()
        done.set_result(None)
        return done

    def setting(self, name: str) -> bytes | None:
        self._read()
        return self.rows.settings.get(name)

    def delete_setting(self, name: str) -> Future[None]:
        done: Future[None] = Future()
        done.set_result(None)
        return done

    def settings_under(self, prefixes: Sequence[str]) -> dict[str, bytes]:
        self._read()
        return {name: body for name, body in self.rows.settings.items() if name.startswith(tuple(prefixes))}
