"""A stored table: one table of a store, opened, acted on and listened to.

An action is decided on the state as it will be once everything before it is stored, so that many
can be stored together; it is answered, and published to listeners, only when it is on the disk. If
another program was faster, the action is decided again, with the same dice.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import takewhile
from logging import getLogger
from secrets import token_urlsafe
from threading import Lock, Thread
from typing import NamedTuple, TypeAlias

from astragal.errors import Refusal, Stale, Unknown
from astragal.repository.head_key import load_head_key
from astragal.repository.limits import Limits
from astragal.repository.pending import UNDECIDED, Acted, PendingAction
from astragal.repository.quota import Quota
from astragal.repository.seat_log import SeatLog, index_older
from astragal.repository.table_log import TableLog
from astragal.repository.ticket_secret import load_tickets
from astragal.store import Appended, Record, Store, packed_record
from astragal.table.access import GM
from astragal.table.action import Action, RedoAction, UndoAction
from astragal.table.entry import Entry, decode_entry, encode_entry
from astragal.table.fold import seen_by
from astragal.table.log.export import export_lines
from astragal.table.rolls.hand import Roller, SameDice, machine
from astragal.table.rolls.ticket import Tickets
from astragal.table.state import Member, State, encode_state
from astragal.table.table import Table

SNAPSHOT_EVERY = 500
"""Entries between snapshots, and so the most that are folded when a table is opened."""
MAX_RETRIES = 200
"""Retries after a write conflict. Each conflict means that another writer succeeded, so this only stops a loop."""

PATIENCE = 0.01
"""Seconds that the store's writer waits for an event loop before it looks who holds the lock now."""
MAX_LOOKS = 3
"""How often such an action is decided while others act, before they have to wait for it."""
STEP = 0.025
"""Seconds, of which a player's undo takes a whole number until it is queued; mostly one."""
SLOW = (UndoAction, RedoAction)
"""Actions that read the log back, perhaps from the disk."""


def now() -> int:
    """Milliseconds since 1970: the time of an entry."""
    return time.time_ns() // 1_000_000


def new_key() -> str:
    """A random idempotency key."""
    return token_urlsafe(16)


Listener: TypeAlias = Callable[[Entry, State], None]
"""Receives a stored entry and the state after it; must neither block nor act."""
CallSoon: TypeAlias = Callable[[Callable[[], None]], object]
"""Has something called in an event loop, from any thread."""


class _Answer(NamedTuple):
    """What the store's writer says of an action's entry."""

    pending: PendingAction
    entry: Entry
    generation: int
    outcome: Appended | Exception

    @property
    def is_stored(self) -> bool:
        return isinstance(self.outcome, Appended) and not self.outcome.repeated


def _decided_on(table: Table, pending: PendingAction, tickets: Tickets) -> Entry | Exception:
    """The entry of an action on this table, or why there is none."""
    pending.dice.again()
    ours = tickets if pending.dice.by_machine else None
    try:
        return table.decide(pending.by, pending.action, pending.key, pending.at, pending.dice, tickets=ours)
    except Exception as error:
        return error


class StoredTable:
    """A table and its log. Every method may be called from every thread.

    One lock guards what is not stored yet. An undo is decided without it, on a copy; where others act all the
    time it may hold it long in the end, and so may whoever throws a thousand dice. The store's writer waits for
    nobody but an event loop: it leaves its answers, and whoever holds the lock takes them in. What is stored is
    read without it.
    """

    def __init__(self, store: Store, id: str, quota: Quota | None = None, tickets: Tickets | None = None) -> None:
        self.id = id
        self.identity = store.identity(id)
        self._store = store
        self._quota = quota or Quota(store, Limits())
        self.tickets = tickets or load_tickets(store, id)
        """What the machine throws with."""
        self._lock = Lock()
        self._slow = False
        """Whether the lock is held for long, by somebody who takes in the answers in the end."""
        self._answers: deque[_Answer] = deque()
        """What the store's writer answered and nobody has taken in yet."""
        self._left_to_loop = False
        """Whether an event loop is about to take them in."""
        self._listeners: list[tuple[Listener, CallSoon | None]] = []
        self._pending: dict[str, PendingAction] = {}
        self._queued = 0
        """Entries that the store's writer has not answered for, or nobody has taken in its answer."""
        self._refused: list[tuple[PendingAction, Refusal]] = []
        """Actions that were refused on a state which others have changed; they are decided again on what is new."""
        self._generation = 0
        """Counts reloads: actions of an earlier generation were decided on a state that was never stored."""
        self._log = TableLog(store, id)
        self._state = self._log.state()
        index_older(store, id)
        self._saved = self._state.version
        self._stored_key = self._log.key_at(self._state.version)
        """The key of the last entry of the state."""
        self._table, self._key = self._table_of(self._state), self._stored_key
        self._bytes = 0
        """Bytes of the log and of what was queued for it, both as they are stored."""
        self._read_on()
        self._bytes = store.size(id)
        if self._is_snapshot_due(self._state.version, self._state):
            self._saved = self._state.version
            self._save_snapshot(self._state)

    def _table_of(self, state: State) -> Table:
        return Table(state if state.version else None, self._log.read)

    def _go_back(self) -> None:
        """Go back to what is known to be stored; entries that never were, or may not have been, are forgotten."""
        if not self._table.back_to(self._state, self._stored_key):
            self._table = self._table_of(self._state)
        self._key = self._stored_key

    def _read_on(self) -> bool:
        """Take in what others have stored, and publish it; whether there was anything. Nothing else may be applied."""
        since = self._state.version
        for entry, size in self._log.read_sizes(since):
            self._bytes += size
            self._key = entry.key
            self._publish(entry, self._table.apply(entry))
        return self._state.version > since

    @property
    def state(self) -> State:
        """The state as it is stored."""
        return self._state

    def is_there(self) -> bool:
        """Whether the table is still stored, and not deleted, nor another one under its id; asks the disk."""
        try:
            return self._store.identity(self.id) == self.identity
        except Unknown:
            return False

    @property
    def idle(self) -> bool:
        """Whether nobody listens and no action is pending."""
        return not self._listeners and not self._pending

    def history(self, since: int = 0) -> list[Entry]:
        """The stored entries after a version."""
        return self.state_and_history(since)[1]

    def state_and_history(self, since: int = 0) -> tuple[State, list[Entry]]:
        """The stored state and the entries after a version that led to it."""
        state = self._state
        return state, list(self.entries(state, since))

    def entries(self, state: State, since: int = 0) -> Iterator[Entry]:
        """The entries after a version that led to a state, read page by page."""
        return takewhile(lambda entry: entry.version <= state.version, self._log.read(since))

    def export(self) -> Iterator[bytes]:
        """The lines of the table's file, with a seal; reading waits for the disk."""
        state = self._state
        return export_lines(self.id, state, self.entries(state), load_head_key(self._store))

    def seat_log(self, state: State, member: Member | None) -> SeatLog:
        """What a member may see of the entries that led to a state."""
        return SeatLog(self._store, self.id, state, member)

    def subscribe(self, listener: Listener, call_soon: CallSoon | None = None) -> Callable[[], None]:
        """Call the listener for every entry once it is stored, in order; returns a function that ends this.

        Listeners run on the store's thread, or in an event loop that takes calls from there, so they must neither
        block nor act.
        """
        self._listeners = [*self._listeners, (listener, call_soon)]

        def end() -> None:
            self._listeners = [each for each in self._listeners if each[0] is not listener]
            self._settle_in_loop()

        return end

    def act(self, by: str, action: Action, key: str, at: int, *, dice: Roller = machine) -> Acted:
        """Submit an action and wait until it is stored."""
        return self.submit(by, action, key, at, dice=dice).result()

    def submit(self, by: str, action: Action, key: str, at: int, *, dice: Roller = machine) -> Future[Acted]:
        """Decide an action now; the future is done when it is stored. A key is never acted on twice."""
        with self._locked():
            pending = self._pending.get(key)
            if pending:
                return pending.future
            pending = self._pending[key] = PendingAction(by, action, key, at, SameDice(dice))
            if not isinstance(action, SLOW):
                self._decide(pending)
                return pending.future
        self._look_back(pending)
        return pending.future

    def submit_slow(
        self, by: str, action: Action, key: str, at: int, *, dice: Roller = machine
    ) -> tuple[Future[Acted], Iterator[float]]:
        """The same for an action that reads the log back: the future, and the work to go through, for a thread.

        It gives the seconds to wait before it goes on, so that no thread is held meanwhile.
        """
        with self._locked():
            pending = self._pending.get(key)
            if pending:
                return pending.future, iter(())
            pending = self._pending[key] = PendingAction(by, action, key, at, SameDice(dice))
        return pending.future, self._looks(pending)

    def _look_back(self, pending: PendingAction) -> None:
        for seconds in self._looks(pending):
            time.sleep(seconds)

    def _looks(self, pending: PendingAction) -> Iterator[float]:
        """Decide an action that reads the log back, so that others can act meanwhile.

        If they did, it is decided again; if they do all the time, while they wait. It goes over entries that the
        member may not see, so it is taken up after a whole number of ``STEP``, but for GMs: time shall not tell.
        """
        member = self._state.members.get(pending.by)
        for _ in range(MAX_LOOKS):
            with self._locked():
                fork = self._table.fork()
            began = time.monotonic()
            found = _decided_on(fork, pending, self.tickets)
            if member is None or member.role != GM:
                yield (began - time.monotonic()) % STEP
            with self._locked():
                if self._table.adopt(fork):
                    self._decide(pending, found)
                    return
        with self._locked():
            self._decide(pending)

    def try_submit(
        self, by: str, action: Action, key: str, at: int, *, dice: Roller = machine, large: bool = False
    ) -> Future[Acted] | None:
        """The same if it needs neither the disk nor a wait, as in an event loop; None if it does, or is refused.

        A ``large`` one takes long all the same, and is for a thread.
        """
        if isinstance(action, SLOW):
            return None
        with self._locked(wait=False, long=large) as locked:
            if not locked:
                return None
            pending = self._pending.get(key)
            if pending is None:
                pending = PendingAction(by, action, key, at, SameDice(dice))
                try:
                    self._queue(pending)
                except Refusal:  # it may have been done before, which only the disk can tell
                    del self._pending[key]
                    return None
            return pending.future

    @contextmanager
    def _locked(self, *, wait: bool = True, long: bool = True) -> Iterator[bool]:
        """Hold the lock, perhaps for long, and take in afterwards what the writer left meanwhile; False without it."""
        if not self._lock.acquire(blocking=wait):
            yield False
            return
        self._slow = long
        try:
            yield True
        finally:
            self._slow = False
            self._lock.release()
            if long:
                self._settle()

    def _settle(self) -> None:
        """Take in the writer's answers, in order, unless somebody who holds the lock for long will."""
        while self._answers and not self._slow:
            if self._lock.acquire(timeout=PATIENCE):
                try:
                    while self._answers:
                        self._take_in(self._answers.popleft())
                finally:
                    self._lock.release()

    def _settle_in_loop(self) -> None:
        """Take in the writer's answers without a wait, unless somebody who holds the lock will.

        What was not stored is for a thread, since the log is read back then; so is what follows something that was.
        """
        self._left_to_loop = False
        if not self._lock.acquire(blocking=False):
            return
        try:
            while self._answers and self._answers[0].is_stored and self._is_next(self._answers[0].entry):
                self._take_in(self._answers.popleft())
        finally:
            self._lock.release()
        if self._answers:
            Thread(target=self._settle, name="astragal retry", daemon=True).start()

    def _is_next(self, entry: Entry) -> bool:
        """Whether everything before an entry is known; not so if the store failed, and had stored something yet."""
        return entry.version <= self._state.version + 1

    def _decide(self, pending: PendingAction, found: Entry | Exception | None = None) -> None:
        """Decide the action, unless that is done, and queue its entry; every failure ends in its future."""
        try:
            self._queue(pending, found)
        except Refusal as refusal:
            self._on_refused(pending, refusal)
        except Exception as error:
            self._finish(pending, error)

    def _queue(self, pending: PendingAction, found: Entry | Exception | None = None) -> None:
        """Decide the action, queue its entry and apply it."""
        self._pending[pending.key] = pending
        generation = self._generation
        entry = _decided_on(self._table, pending, self.tickets) if found is None else found
        if isinstance(entry, Exception):
            raise entry
        seen = seen_by(self._table.state, entry)
        record = packed_record(Record(entry.version, pending.key, encode_entry(entry), seen))
        pending.size = len(record.stored)
        self._check_room(entry.version, self._bytes + pending.size)
        # The answer is taken in under the lock, so it finds the entry applied.
        pending.after = UNDECIDED
        self._store.enqueue(
            self.id, record, self._key, lambda outcome: self._on_answer(_Answer(pending, entry, generation, outcome))
        )
        self._queued += 1
        pending.after = self._table.apply(entry)
        self._key = pending.key
        self._bytes += pending.size

    def _check_room(self, version: int, size: int) -> None:
        """Refuse an entry for which the limits leave no room."""
        limits = self._quota.limits
        if self._quota.disk_full or version > limits.table_entries or size > limits.table_bytes:
            self._quota.check_entry(version, size)

    def _on_refused(self, pending: PendingAction, refusal: Refusal) -> None:
        """Handle a refusal: the action may be a repeat with the same key, or the table may have changed."""
        del self._pending[pending.key]
        try:
            record = self._store.find(self.id, pending.key)
            if record:
                self._finish(pending, Acted(decode_entry(record.body), self._state, repeated=True))
            elif self._take_in_new():
                self._decide_again(pending)
            elif self._queued and self._others_stored():
                self._pending[pending.key] = pending
                self._refused.append((pending, refusal))
            else:
                self._finish(pending, refusal)
        except Refusal:
            self._finish(pending, refusal)

    def _others_stored(self) -> bool:
        """Whether others have stored something that is not taken in yet, since entries of ours are on their way."""
        return any(entry.key not in self._pending for entry in self._log.read(self._state.version))

    def _decide_refused(self) -> None:
        """Decide those again that were refused on an older state; on a thread that may read."""
        refused, self._refused = self._refused, []
        for pending, _ in refused:
            self._decide_again(pending)

    def _look_again(self) -> None:
        """Take in what is new for those who were refused on an older state, now that nothing of ours is on its way."""
        with self._locked():
            try:
                self._take_in_new()
            except Exception:
                getLogger("astragal").debug("The store cannot be read.", exc_info=True)
            self._decide_refused()

    def _finish(self, pending: PendingAction, outcome: Acted | Exception) -> None:
        self._pending.pop(pending.key, None)
        pending.future.resolve(outcome)

    def _on_answer(self, answer: _Answer) -> None:
        """The store's callback, in the order in which entries were queued."""
        self._answers.append(answer)
        if not self._leave_to_loop():
            self._settle()
        if answer.is_stored and self._is_snapshot_due(answer.entry.version, answer.pending.after):
            self._saved = answer.entry.version  # in a thread of its own, since everybody waits for the writer's
            Thread(
                target=self._save_snapshot, args=(answer.pending.after,), name="astragal snapshot", daemon=True
            ).start()

    def _leave_to_loop(self) -> bool:
        """Leave the answers to an event loop that listens: it has the interpreter, for which a thread would wait."""
        call_soon = next((call_soon for _, call_soon in self._listeners if call_soon), None)
        if call_soon is None:
            return False
        if not self._left_to_loop:
            self._left_to_loop = True  # before the loop can say that it has been there
            try:
                call_soon(self._settle_in_loop)
            except RuntimeError:  # the loop has ended
                self._left_to_loop = False
                return False
        return True

    def _take_in(self, answer: _Answer) -> None:
        self._queued -= 1
        if answer.is_stored:
            if not self._is_next(answer.entry):
                self._go_back()
                self._read_on()
            self._publish(answer.entry, answer.pending.after)
            self._finish(answer.pending, Acted(answer.entry, answer.pending.after))
            self._table.forget(self._saved)
        else:
            self._on_not_written(answer.pending, answer.generation, answer.outcome)
        if self._refused and not self._queued:
            Thread(target=self._look_again, name="astragal retry", daemon=True).start()

    def _on_not_written(self, pending: PendingAction, generation: int, outcome: Appended | Exception) -> None:
        """Handle a repeated or refused write: later actions were decided on a state that was never stored."""
        self._bytes -= pending.size
        try:
            self._reload(generation)
            if isinstance(outcome, Appended):
                self._finish(pending, Acted(decode_entry(outcome.record.body), self._state, repeated=True))
            else:
                self._retry(pending, outcome)
        except Exception as error:  # that somebody was faster is for us to handle, and no news to whoever acts
            self._finish(pending, error if isinstance(outcome, (Appended, Stale)) else outcome)

    def _retry(self, pending: PendingAction, error: Exception) -> None:
        """Decide again after a write conflict; any other error ends the action."""
        pending.retries += 1
        if not isinstance(error, Stale) or pending.retries > MAX_RETRIES:
            self._finish(pending, error)
        else:
            self._decide_again(pending)

    def _decide_again(self, pending: PendingAction) -> None:
        """Decide on what is there now; neither the store's writer nor whoever holds the lock reads the log back."""
        if isinstance(pending.action, SLOW):
            Thread(target=self._look_back, args=(pending,), name="astragal retry", daemon=True).start()
        else:
            self._decide(pending)

    def _reload(self, generation: int) -> None:
        """Go back to what is stored, once for all actions of a generation."""
        if generation == self._generation:
            self._go_back()
            self._read_on()
            self._generation += 1
            self._decide_refused()

    def refresh(self, wait: bool = True) -> bool:
        """Read what other programs have stored meanwhile; returns whether there was anything.

        Without waiting, a table that somebody is acting at is left for the next time.
        """
        with self._locked(wait=wait) as locked:
            return locked and self._take_in_new()

    def _take_in_new(self) -> bool:
        """Take in what others have stored, unless entries of ours are on their way: the answer to these tells."""
        if self._queued:
            return False
        if self._table.state is not self._state:  # the store failed before, and nobody could read what it has
            self._go_back()
        return self._read_on()

    def _publish(self, entry: Entry, state: State) -> None:
        """Pass an entry to the listeners: each entry once, in order, with the state after it."""
        if entry.version <= self._state.version:
            return
        self._state, self._stored_key = state, entry.key
        for listener, _ in self._listeners:
            try:
                listener(entry, state)
            except Exception:
                getLogger("astragal").exception("A listener of a table failed.")

    def _is_snapshot_due(self, version: int, state: State) -> bool:
        """Whether it is time for one after the entry of a version, and the state after it is known."""
        return version - self._saved >= SNAPSHOT_EVERY and state.version == version

    def _save_snapshot(self, state: State) -> None:
        """Save a snapshot; a store that is being closed takes none."""
        with suppress(Refusal):
            self._store.save_snapshot(self.id, state.version, encode_state(state))
