"""A stored table: one table of a store, opened, acted on and listened to.

An action is decided on the state as it will be once everything before it is stored, so that many
can be stored together; it is answered, and published to listeners, only when it is on the disk. If
another program was faster, the action is decided again, with the same dice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from logging import getLogger
from secrets import token_urlsafe
from threading import RLock
from typing import NamedTuple, TypeAlias

from astragal.errors import Refusal, Stale
from astragal.repository.limits import Limits
from astragal.repository.quota import Quota
from astragal.store import Appended, Record, Store, WriteFuture
from astragal.table.action import Action
from astragal.table.entry import VERSION, Entry, decode_entry, encode_entry
from astragal.table.rolls.playback import Roller, SameDice, machine
from astragal.table.state import State, decode_state, encode_state
from astragal.table.table import Table
from astragal.table.upcast import upcast

SNAPSHOT_EVERY = 500
"""Entries between snapshots, and so the most that are folded when a table is opened."""
MAX_RETRIES = 200
"""Retries after a write conflict. Each conflict means that another writer succeeded, so this only stops a loop."""


def now() -> int:
    """Milliseconds since 1970: the time of an entry."""
    return time.time_ns() // 1_000_000


def new_key() -> str:
    """A random idempotency key."""
    return token_urlsafe(16)


class Acted(NamedTuple):
    """A stored entry and the state after it; ``repeated`` if its key was used before."""

    entry: Entry
    state: State
    repeated: bool = False


Listener: TypeAlias = Callable[[Entry, State], None]
"""Receives a stored entry and the state after it; must neither block nor act."""

_EMPTY = State()


class _PendingAction:
    """An action that is not stored yet."""

    __slots__ = ("action", "after", "at", "by", "dice", "future", "key", "retries", "size")

    def __init__(self, by: str, action: Action, key: str, at: int, dice: Roller) -> None:
        self.by = by
        self.action = action
        self.key = key
        self.at = at
        self.dice = SameDice(dice)
        self.after = _EMPTY
        """The state after it, as decided last."""
        self.size = 0
        """Bytes of its entry."""
        self.retries = 0
        self.future: WriteFuture[Acted] = WriteFuture()


class StoredTable:
    """A table and its log. Every method may be called from every thread.

    One lock guards everything. Under it, only calls of the store are made that do not wait for its
    writer, since the writer's thread takes the same lock in its callbacks.
    """

    def __init__(self, store: Store, id: str, quota: Quota | None = None) -> None:
        self.id = id
        self._store = store
        self._quota = quota or Quota(store, Limits())
        self._lock = RLock()
        self._listeners: list[Listener] = []
        self._pending: dict[str, _PendingAction] = {}
        self._generation = 0
        """Counts reloads: actions of an earlier generation were decided on a state that was never stored."""
        self._state = self._snapshot() or State()
        if not self._state.version:
            self._upcast()
        self._saved = self._state.version
        self._table, self._key = self._load()
        self._bytes = store.size(id)
        """Bytes of the log, and of what was queued for it."""
        self._save_snapshot(self._state.version, self._state)

    def _snapshot(self) -> State | None:
        """The last snapshot; None if it cannot be read or has another format, since the log can replace it."""
        found = self._store.snapshot(self.id)
        try:
            return decode_state(found[1]) if found else None
        except ValueError:
            return None

    def _upcast(self) -> None:
        """Rewrite the log of an older Astragal in today's version, once, when the table is first opened."""
        first = self._store.read(self.id, 0, 1)
        if first and decode_entry(first[0].body).v < VERSION:
            entries = upcast(list(self._read(0)))
            records = [Record(entry.version, entry.key, encode_entry(entry)) for entry in entries]
            self._store.rewrite(self.id, records).result()

    def _load(self) -> tuple[Table, str]:
        """The table as it is stored, and the key of its last entry; new entries are published."""
        since = self._state.version
        table, key = Table(self._state if since else None, self._read), ""
        for entry in self._read(max(since - 1, 0)):
            key = entry.key
            if entry.version > since:
                self._publish(entry, table.apply(entry))
        return table, key

    def _read(self, since: int) -> Iterator[Entry]:
        return (decode_entry(record.body) for record in self._store.read(self.id, since))

    @property
    def state(self) -> State:
        """The state as it is stored."""
        return self._state

    @property
    def idle(self) -> bool:
        """Whether nobody listens and no action is pending."""
        return not self._listeners and not self._pending

    def history(self, since: int = 0) -> list[Entry]:
        """The stored entries after a version."""
        return self.state_and_history(since)[1]

    def state_and_history(self, since: int = 0) -> tuple[State, list[Entry]]:
        """The stored state and the entries after a version that led to it."""
        with self._lock:
            return self._state, [one for one in self._table.history(since) if one.version <= self._state.version]

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call the listener for every entry once it is stored, in order; returns a function that ends this.

        Listeners run on the store's thread, so they must neither block nor act.
        """
        with self._lock:
            self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def act(self, by: str, action: Action, key: str, at: int, *, dice: Roller = machine) -> Acted:
        """Submit an action and wait until it is stored."""
        return self.submit(by, action, key, at, dice=dice).result()

    def submit(self, by: str, action: Action, key: str, at: int, *, dice: Roller = machine) -> Future[Acted]:
        """Decide an action now; the future is done when it is stored. A key is never acted on twice."""
        with self._lock:
            pending = self._pending.get(key)
            if pending is None:
                pending = _PendingAction(by, action, key, at, dice)
                self._decide(pending)
            return pending.future

    def _decide(self, pending: _PendingAction) -> None:
        """Decide the action and queue its entry; every failure ends in its future."""
        self._pending[pending.key] = pending
        pending.dice.again()
        generation = self._generation
        try:
            entry = self._table.decide(pending.by, pending.action, pending.key, pending.at, pending.dice)
            record = Record(entry.version, pending.key, encode_entry(entry))
            pending.size = len(record.body)
            self._check_room(entry.version, self._bytes + pending.size)
            # The callback waits for the lock, so it finds the entry applied.
            self._store.enqueue(
                self.id, record, self._key, lambda outcome: self._on_written(pending, entry, generation, outcome)
            )
        except Refusal as refusal:
            self._on_refused(pending, refusal)
        except Exception as error:
            self._finish(pending, error)
        else:
            pending.after = self._table.apply(entry)
            self._key = pending.key
            self._bytes += pending.size

    def _check_room(self, version: int, size: int) -> None:
        """Refuse an entry for which the limits leave no room."""
        limits = self._quota.limits
        if self._quota.disk_full or version > limits.table_entries or size > limits.table_bytes:
            self._quota.check_entry(version, size)

    def _on_refused(self, pending: _PendingAction, refusal: Refusal) -> None:
        """Handle a refusal: the action may be a repeat with the same key, or the table may have changed."""
        del self._pending[pending.key]
        try:
            record = self._store.find(self.id, pending.key)
            if record:
                self._finish(pending, Acted(decode_entry(record.body), self._state, repeated=True))
            elif self.refresh():
                self._decide(pending)
            else:
                self._finish(pending, refusal)
        except Refusal:
            self._finish(pending, refusal)

    def _finish(self, pending: _PendingAction, outcome: Acted | Exception) -> None:
        self._pending.pop(pending.key, None)
        pending.future.resolve(outcome)

    def _on_written(
        self, pending: _PendingAction, entry: Entry, generation: int, outcome: Appended | Exception
    ) -> None:
        """The store's callback, in the order in which entries were queued."""
        with self._lock:
            if isinstance(outcome, Appended) and not outcome.repeated:
                self._publish(entry, pending.after)
                self._finish(pending, Acted(entry, pending.after))
                self._save_snapshot(entry.version, pending.after)
            else:
                self._on_not_written(pending, generation, outcome)

    def _on_not_written(self, pending: _PendingAction, generation: int, outcome: Appended | Exception) -> None:
        """Handle a repeated or refused write: later actions were decided on a state that was never stored."""
        self._bytes -= pending.size
        try:
            self._reload(generation)
            if isinstance(outcome, Appended):
                self._finish(pending, Acted(decode_entry(outcome.record.body), self._state, repeated=True))
            else:
                self._retry(pending, outcome)
        except Exception as error:
            self._finish(pending, outcome if isinstance(outcome, Exception) else error)

    def _retry(self, pending: _PendingAction, error: Exception) -> None:
        """Decide again after a write conflict; any other error ends the action."""
        pending.retries += 1
        if isinstance(error, Stale) and pending.retries <= MAX_RETRIES:
            self._decide(pending)
        else:
            self._finish(pending, error)

    def _reload(self, generation: int) -> None:
        """Go back to what is stored, once for all actions of a generation."""
        if generation == self._generation:
            self._table, self._key = self._load()
            self._generation += 1

    def refresh(self) -> bool:
        """Read what other programs have stored meanwhile; returns whether there was anything."""
        with self._lock:
            if self._pending or self._store.last(self.id) <= self._state.version:
                return False
            for entry in self._read(self._state.version):
                self._publish(entry, self._table.apply(entry))
                self._key = entry.key
            return True

    def _publish(self, entry: Entry, state: State) -> None:
        """Pass an entry to the listeners: each entry once, in order, with the state after it."""
        if entry.version <= self._state.version:
            return
        self._state = state
        for listener in list(self._listeners):
            try:
                listener(entry, state)
            except Exception:
                getLogger("astragal").exception("A listener of a table failed.")

    def _save_snapshot(self, version: int, state: State) -> None:
        """Save a snapshot if one is due; a store that is being closed takes none."""
        if version - self._saved >= SNAPSHOT_EVERY:
            with suppress(Refusal):
                self._store.save_snapshot(self.id, version, encode_state(state))
                self._saved = version
                self._table.forget(version)
