"""A stored table: one table of a store in memory, with its log.

It has one owner, which calls one method at a time: a server's owner object (``serve.live.owner``), or a command.
``write`` decides an action on the stored and the written entries before it, and queues the new entry; ``keep`` is
called when the store has confirmed. After a failure, ``read_on`` returns to the stored state. Nothing here starts a
thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import takewhile
from secrets import token_urlsafe
from threading import Lock
from typing import NamedTuple

from astragal.errors import Refusal, Stale, Unknown
from astragal.storage import Appended, Record, Store, packed
from astragal.storage.tables.keys import load_head_key, load_tickets
from astragal.storage.tables.limits import Limits, Quota
from astragal.storage.tables.log import SeatLog, TableLog
from astragal.table.action import Action, AnnounceAction
from astragal.table.entry import Entry, decode_entry, encode_entry
from astragal.table.fold import seen_by
from astragal.table.log.export import export_lines
from astragal.table.rolls.hand import Roller, SameDice, machine
from astragal.table.rolls.ticket import Tickets
from astragal.table.state import Member, State, encode_state
from astragal.table.table import Table, undoes_since

SNAPSHOT_EVERY = 500
"""Entries between snapshots."""
BEHIND = 256
"""Entries after a snapshot when it is saved, so that an undo of these starts from the snapshot. Opening a table folds
these and the entries between two snapshots."""
MAX_RETRIES = 200
"""Retries after a write conflict. Each conflict means that another writer succeeded, so this only stops a loop."""
OUTRUN = "Other programs keep acting at this table. Nothing was stored; try again."


def now() -> int:
    """Milliseconds since 1970: the time of an entry."""
    return time.time_ns() // 1_000_000


def new_key() -> str:
    """A random idempotency key."""
    return token_urlsafe(16)


def announcement_key(tickets: Tickets) -> str:
    """The key of the entry that announces a book: the same at every server, so there is only one entry."""
    return f"tickets/{tickets.book}"


class Act(NamedTuple):
    """A member's action with its key; deciding it again throws the same dice."""

    by: str
    action: Action
    key: str
    at: int
    dice: SameDice


class Acted(NamedTuple):
    """A stored entry and the state after it; ``repeated`` if its key was used before."""

    entry: Entry
    state: State
    repeated: bool = False


class Step(NamedTuple):
    """An entry, the states before and after it, and its bytes as they are stored."""

    entry: Entry
    before: State
    after: State
    size: int = 0


class Written(NamedTuple):
    """A step that is queued in the store, and the store's answer."""

    step: Step
    answer: Future[Appended]


class StoredTable:
    """A table and its log. Its owner calls one method at a time; anyone may use ``state`` and read the log."""

    def __init__(self, store: Store, id: str, quota: Quota | None = None, tickets: Tickets | None = None) -> None:
        self.id = id
        self.identity = store.identity(id)
        self.epoch: int | None = None
        """The number of the claim under which entries are stored; None for a guest, and where there are no claims."""
        self._store = store
        self._quota = quota or Quota(store, Limits())
        self.tickets = tickets or load_tickets(store, id)
        """The tickets for the machine's throws."""
        self._log = TableLog(store, id)
        self._lock = Lock()
        snapshot = self._log.state()
        self._saved = snapshot.version
        self._snapshot_outdated = False
        """True if an entry before the snapshot was undone."""
        self._tip = self._opened(snapshot)
        """The table with all written entries, stored or not."""
        self.state: State = self._tip.state
        """The stored state."""
        self._key = self._stored_key = self._log.key_at(self.state.version)
        """The keys of the last written entry and of the last stored one."""
        self._bytes = self._stored_bytes = store.size(id)
        """Bytes of the log with all written entries, and with the stored ones."""
        self.save_snapshot(self.due_snapshot())

    def _opened(self, snapshot: State) -> Table:
        """The table from its snapshot and later entries, or from the whole log if an undo goes back further."""
        after = list(self._log.read(snapshot.version)) if snapshot.version else []
        found = Table.opened(snapshot, lambda since: after, self._log.read) if snapshot.version else None
        if found is None:
            self._snapshot_outdated = bool(snapshot.version)
            found = Table.opened(State(), self._log.read, self._log.read)
        assert found is not None
        return found

    # For the owner: deciding and storing.

    def decide(self, act: Act, on: Table) -> Entry:
        """The entry of an action, decided on this table or a copy of it."""
        act.dice.again()
        tickets = self.tickets if act.dice.by_machine else None
        return on.decide(act.by, act.action, act.key, act.at, act.dice, tickets=tickets)

    def write(self, act: Act) -> Written:
        """Decide an action and queue its entry; the next action is decided on the state after it."""
        return self._queue(self.decide(act, self._tip))

    def twin(self, earlier: Table | None = None) -> Table:
        """A copy to decide an undo on while others act; it reuses the folded entries of an earlier copy."""
        return self._tip.twin(earlier)

    def has_moved_on(self, twin: Table) -> bool:
        """True if others have acted since a copy was made."""
        return twin.state is not self._tip.state

    def write_decided(self, twin: Table, entry: Entry) -> Written:
        """Queue an entry that was decided on a current copy."""
        self._tip = twin
        return self._queue(entry)

    @property
    def is_settled(self) -> bool:
        """True if all written entries are kept; if not, call ``read_on`` before anything else is written."""
        return self._tip.state is self.state

    def _queue(self, entry: Entry) -> Written:
        before = self._tip.state
        body = encode_entry(entry)
        record = Record(entry.version, entry.key, body, seen_by(before, entry), packed(body))
        size = len(record.stored)
        self._check_room(entry.version, self._bytes + size)
        answer = self._store.append(self.id, record, self._key, self.epoch)
        if self.epoch is None:  # notify the server that has claimed the table
            self._store.notify_changed(self.id)
        self._key, self._bytes = entry.key, self._bytes + size
        return Written(Step(entry, before, self._tip.apply(entry), size), answer)

    def _check_room(self, version: int, size: int) -> None:
        """Refuse an entry above the limits."""
        limits = self._quota.limits
        if self._quota.disk_full or version > limits.table_entries or size > limits.table_bytes:
            self._quota.check_entry(version, size)

    def keep(self, steps: Sequence[Step]) -> None:
        """Take over stored steps, in order. Other readers of the state see all of them or none."""
        for entry, _, _, size in steps:
            self._stored_bytes += size
            self._snapshot_outdated = self._snapshot_outdated or 0 < undoes_since(entry) <= self._saved
        if steps:
            self.state, self._stored_key = steps[-1].after, steps[-1].entry.key
            self._tip.forget(self.state.version)

    def read_on(self) -> list[Step]:
        """Forget written entries that are not kept, and read later entries of the log from the disk.

        Everything is read before anything is changed, so a failure leaves the table unchanged.
        """
        new = list(self._log.read_sizes(self.state.version))
        if not self.is_settled and not self._tip.back_to(self.state, self._stored_key):
            self._tip = Table(self.state if self.state.version else None, self._log.read)
        steps: list[Step] = []
        for entry, size in new:
            steps.append(Step(entry, self._tip.state, self._tip.apply(entry), size))
        self.keep(steps)
        self._key, self._bytes = self._stored_key, self._stored_bytes
        return steps

    def done_before(self, key: str) -> Acted | None:
        """The earlier result of a key, or None. Reads the disk."""
        record = self._store.find(self.id, key)
        return Acted(decode_entry(record.body), self.state, repeated=True) if record else None

    def due_snapshot(self) -> State | None:
        """The state to save now, if a snapshot is due and no entry is on its way to the disk."""
        if not self.is_settled:
            return None
        if not self._snapshot_outdated and self.state.version - self._saved < SNAPSHOT_EVERY + BEHIND:
            return None
        state = self._tip.to_keep(BEHIND)
        state = self.state if state.version <= self._saved else state  # the store keeps no older one
        self._saved, self._snapshot_outdated = state.version, False
        return state

    def save_snapshot(self, state: State | None) -> None:
        """Save a snapshot, if one is due; a store that is being closed takes none."""
        if state is not None:
            with suppress(Refusal):
                self._store.save_snapshot(self.id, state.version, encode_state(state))

    # For commands and others without an event loop.

    def act(self, by: str, action: Action, key: str, at: int, *, dice: Roller = machine) -> Acted:
        """Act, and wait until the entry is stored. A key acts only once."""
        with self._lock:
            acted = self._act(Act(by, action, key, at, SameDice(dice)))
            self.save_snapshot(self.due_snapshot())
            return acted

    def _act(self, act: Act) -> Acted:
        for _ in range(MAX_RETRIES):
            if not self.is_settled:  # the store failed before
                self.read_on()
            try:
                written = self.write(act)
            except Refusal:  # final, unless the key was used before or another program changed the table
                if done := self.done_before(act.key):
                    return done
                if not self.read_on():
                    raise
                continue
            if acted := self._answered(written):
                return acted
        raise Stale(OUTRUN)

    def _answered(self, written: Written) -> Acted | None:
        """The result of an action; None if another program was faster, so it must be decided again."""
        try:
            appended = written.answer.result()
        except Stale:
            self.read_on()
            return None
        except Exception:
            with suppress(Refusal):
                self.read_on()
            raise
        if not appended.repeated:
            self.keep([written.step])
            return Acted(written.step.entry, written.step.after)
        self.read_on()
        return Acted(decode_entry(appended.record.body), self.state, repeated=True)

    def refresh(self) -> bool:
        """Read the entries of other programs; True if there were any."""
        with self._lock:
            return bool(self.read_on())

    def announce(self) -> None:
        """Announce the book of tickets in the log, unless it is there; a restored table has a new book.

        If nothing can be stored, the table stays readable, and the machine throws no dice.
        """
        if self.state.book != self.tickets.book:
            with suppress(Refusal):
                self.act("", AnnounceAction(), announcement_key(self.tickets), now())

    # For all readers.

    def is_there(self) -> bool:
        """True if the table still exists, and is not another one of its id; asks the disk."""
        try:
            return self._store.identity(self.id) == self.identity
        except Unknown:
            return False

    def history(self, since: int = 0) -> list[Entry]:
        """The stored entries after a version."""
        return list(self.entries(self.state, since))

    def entries(self, state: State, since: int = 0) -> Iterator[Entry]:
        """The entries after a version that led to a state, read page by page."""
        return takewhile(lambda entry: entry.version <= state.version, self._log.read(since))

    def export(self) -> Iterator[bytes]:
        """The lines of the table's file, with a seal; reading waits for the disk."""
        state = self.state
        return export_lines(self.id, state, self.entries(state), load_head_key(self._store))

    def seat_log(self, state: State, member: Member | None) -> SeatLog:
        """A member's log up to a state."""
        return SeatLog(self._store, self.id, state, member)
