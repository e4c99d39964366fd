"""A campaign: one table of a store, opened, acted on and watched.

An action is decided on the state as it will be once everything before it is stored,
so that many can be stored together; it is answered, and told to watchers, only when it
is on the disk. If somebody else was faster, it is decided again, with the same dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from logging import getLogger
from threading import RLock
from typing import NamedTuple

from astragal.errors import Refusal, Stale
from astragal.store import Appended, Promise, Record, Store
from astragal.table.action import Action
from astragal.table.decide.context import Roller, SameDice, machine
from astragal.table.entry import VERSION, Entry, decode_entry, encode_entry
from astragal.table.state import State, decode_state, encode_state
from astragal.table.table import Table
from astragal.table.upcast import upcast

SNAPSHOT = 500
"""So many entries at the most are folded when a table is opened."""
TRIES = 200
"""So often somebody else may be faster. Each time somebody got on, so this is only against going round for ever."""


_NOTHING = State()


class Acted(NamedTuple):
    """An entry that is stored, and the state after it; ``repeated`` if it had been done before."""

    entry: Entry
    state: State
    repeated: bool = False


Watcher = Callable[[Entry, State], None]


class _Job:
    """An action on its way into the log."""

    __slots__ = ("action", "after", "at", "by", "dice", "done", "key", "tries")

    def __init__(self, by: str, action: Action, key: str, at: int, dice: Roller) -> None:
        self.by = by
        self.action = action
        self.key = key
        self.at = at
        self.dice = SameDice(dice)
        self.after = _NOTHING
        self.tries = 0
        self.done: Promise[Acted] = Promise()


class StoredTable:
    """A table and its log. Every method may be called from every thread.

    Everything happens under one lock. Of the store, only calls that do not wait for its
    writer are made under it, since the writer's thread comes here with its answers.
    """

    def __init__(self, store: Store, id: str) -> None:
        self.id = id
        self._store = store
        self._lock = RLock()
        self._watchers: list[Watcher] = []
        self._pending: dict[str, _Job] = {}
        self._generation = 0
        self._state = self._snapshot() or State()
        if not self._state.version:
            self._upcast()
        self._saved = self._state.version
        self._table, self._key = self._opened()
        self._save(self._state.version, self._state)

    def _snapshot(self) -> State | None:
        """The last snapshot; if it cannot be read, or has another format, the log has all that was in it."""
        found = self._store.snapshot(self.id)
        try:
            return decode_state(found[1]) if found else None
        except ValueError:
            return None

    def _upcast(self) -> None:
        """A table of an older Astragal is brought up to date once, when it is first opened."""
        first = self._store.read(self.id, 0, 1)
        if first and decode_entry(first[0].body).v < VERSION:
            entries = upcast(list(self._read(0)))
            rows = [Record(entry.version, entry.key, encode_entry(entry)) for entry in entries]
            self._store.rewrite(self.id, rows).result()

    def _opened(self) -> tuple[Table, str]:
        """The table as it is stored, and the key of its last entry; what is new is told."""
        since = self._state.version
        table, key = Table(self._state if since else None, self._read), ""
        for entry in self._read(max(since - 1, 0)):
            key = entry.key
            if entry.version > since:
                self._tell(entry, table.apply(entry))
        return table, key

    def _read(self, since: int) -> Iterator[Entry]:
        return (decode_entry(row.body) for row in self._store.read(self.id, since))

    @property
    def state(self) -> State:
        """The state as it is stored."""
        return self._state

    @property
    def idle(self) -> bool:
        """Nobody watches, and nothing is on its way."""
        return not self._watchers and not self._pending

    def history(self, since: int = 0) -> list[Entry]:
        """The entries after a version, as they are stored."""
        return self.record(since)[1]

    def record(self, since: int = 0) -> tuple[State, list[Entry]]:
        """The state and the entries that led to it."""
        with self._lock:
            return self._state, [one for one in self._table.history(since) if one.version <= self._state.version]

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Be told of every entry, in order, once it is stored; what is returned ends it.

        A watcher is called on the store's thread, so it must neither wait nor act.
        """
        with self._lock:
            self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def act(self, by: str, action: Action, key: str, at: int, *, dice: Roller = machine) -> Acted:
        """Do it and wait until it is stored."""
        return self.submit(by, action, key, at, dice=dice).result()

    def submit(self, by: str, action: Action, key: str, at: int, *, dice: Roller = machine) -> Future[Acted]:
        """Decide it now; the future is done when it is stored. The same key is never done twice."""
        with self._lock:
            waiting = self._pending.get(key)
            if waiting:
                return waiting.done
            job = _Job(by, action, key, at, dice)
            self._try(job)
            return job.done

    def _try(self, job: _Job) -> None:
        """Decide and hand in; whatever goes wrong, the one who acts is told."""
        self._pending[job.key] = job
        job.dice.again()
        generation = self._generation
        try:
            entry = self._table.decide(job.by, job.action, job.key, job.at, job.dice)
            row = Record(entry.version, job.key, encode_entry(entry))
            # The answer waits for the lock, so it finds the entry applied.
            self._store.hand_in(self.id, row, self._key, lambda answer: self._stored(job, entry, generation, answer))
        except Refusal as refusal:
            self._refuse(job, refusal)
        except Exception as error:
            self._end(job, error)
        else:
            job.after = self._table.apply(entry)
            self._key = job.key

    def _refuse(self, job: _Job, refusal: Refusal) -> None:
        """What is refused now may have been done before, by the same key; or others have changed what it was about."""
        del self._pending[job.key]
        try:
            row = self._store.find(self.id, job.key)
            if row:
                self._end(job, Acted(decode_entry(row.body), self._state, repeated=True))
            elif self.refresh():
                self._try(job)
            else:
                self._end(job, refusal)
        except Refusal:
            self._end(job, refusal)

    def _end(self, job: _Job, how: Acted | Exception) -> None:
        self._pending.pop(job.key, None)
        job.done.answer(how)

    def _stored(self, job: _Job, entry: Entry, generation: int, answer: Appended | Exception) -> None:
        """The store's answer, in the order in which entries were handed in."""
        with self._lock:
            if isinstance(answer, Appended) and not answer.repeated:
                self._tell(entry, job.after)
                self._end(job, Acted(entry, job.after))
                self._save(entry.version, job.after)
            else:
                self._not_stored(job, generation, answer)

    def _not_stored(self, job: _Job, generation: int, answer: Appended | Exception) -> None:
        """Done before, or refused: what was decided after it was decided on a state that never came to be."""
        try:
            self._start_over(generation)
            if isinstance(answer, Appended):
                self._end(job, Acted(decode_entry(answer.row.body), self._state, repeated=True))
            else:
                self._try_again(job, answer)
        except Exception as trouble:
            self._end(job, answer if isinstance(answer, Exception) else trouble)

    def _try_again(self, job: _Job, error: Exception) -> None:
        """Somebody was faster: decide again on what they left. Anything else is told to the one who acted."""
        job.tries += 1
        if isinstance(error, Stale) and job.tries <= TRIES:
            self._try(job)
        else:
            self._end(job, error)

    def _start_over(self, generation: int) -> None:
        """Back to what is stored, once for all that was decided on a state that never came to be."""
        if generation == self._generation:
            self._table, self._key = self._opened()
            self._generation += 1

    def refresh(self) -> bool:
        """Take in what others have stored meanwhile; whether that was anything."""
        with self._lock:
            if self._pending or self._store.last(self.id) <= self._state.version:
                return False
            for entry in self._read(self._state.version):
                self._tell(entry, self._table.apply(entry))
                self._key = entry.key
            return True

    def _tell(self, entry: Entry, state: State) -> None:
        """Each entry once, in order, each with the state after it."""
        if entry.version <= self._state.version:
            return
        self._state = state
        for watcher in list(self._watchers):
            try:
                watcher(entry, state)
            except Exception:
                getLogger("astragal").exception("Somebody who watches a table failed; the others go on.")

    def _save(self, version: int, state: State) -> None:
        """A snapshot now and then; a store that is being closed takes none."""
        if version - self._saved >= SNAPSHOT:
            with suppress(Refusal):
                self._store.save_snapshot(self.id, version, encode_state(state))
                self._saved = version
                self._table.forget(version)
