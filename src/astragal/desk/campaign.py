"""A campaign: one table of a store, opened, acted on and watched.

An action is decided on the state as it will be once everything before it is stored,
so that many can be stored together; it is answered, and told to watchers, only when it
is on the disk. If somebody else was faster, it is decided again, with the same dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from threading import RLock
from typing import NamedTuple

from astragal.errors import Refusal, Stale
from astragal.store import Appended, Row, Store
from astragal.table.action import Action
from astragal.table.entry import Entry, decode_entry, encode_entry
from astragal.table.moment import Roller, SameDice, machine
from astragal.table.state import State, decode_state, encode_state
from astragal.table.table import Table

SNAPSHOT = 500
"""So many entries at the most are folded when a table is opened."""
TRIES = 50


class Acted(NamedTuple):
    """An entry that is stored, and the state after it; ``repeated`` if it had been done before."""

    entry: Entry
    state: State
    repeated: bool = False


Watcher = Callable[[Entry, State], None]


class _Job:
    """An action on its way into the log."""

    def __init__(self, by: str, action: Action, key: str, at: int, dice: Roller) -> None:
        self.by = by
        self.action = action
        self.key = key
        self.at = at
        self.dice = SameDice(dice)
        self.tries = 0
        self.done: Future[Acted] = Future()


class Campaign:
    """A table and its log. Every method may be called from every thread."""

    def __init__(self, store: Store, id: str) -> None:
        self.id = id
        self._store = store
        self._lock = RLock()
        self._watchers: list[Watcher] = []
        self._pending: dict[str, _Job] = {}
        self._generation = 0
        self._table = self._opened()
        self._told = self._table.state.version
        snapshot = store.snapshot(id)
        self._saved = snapshot[0] if snapshot else 0

    def _opened(self) -> Table:
        """From the last snapshot and the few entries after it; if the snapshot cannot be read, from the whole log."""
        state = self._snapshot()
        table = Table(state, self._read)
        for entry in self._read(state.version if state else 0):
            table.apply(entry)
        return table

    def _snapshot(self) -> State | None:
        found = self._store.snapshot(self.id)
        if found is None:
            return None
        try:
            return decode_state(found[1])
        except ValueError:
            return None

    def _read(self, since: int) -> Iterator[Entry]:
        return (decode_entry(row.body) for row in self._store.read(self.id, since))

    @property
    def state(self) -> State:
        """The state with everything that was handed in."""
        return self._table.state

    @property
    def idle(self) -> bool:
        """Nobody watches, and nothing is on its way."""
        return not self._watchers and not self._pending

    def history(self, since: int = 0) -> list[Entry]:
        with self._lock:
            return list(self._table.history(since))

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Be told of every entry, in order, once it is stored; what is returned ends it."""
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
        with self._lock:
            job.dice.again()
            try:
                entry = self._table.decide(job.by, job.action, job.key, job.at, job.dice)
            except Refusal as refusal:
                self._refuse(job, refusal)
                return
            state = self._table.apply(entry)
            self._pending[job.key] = job
            generation = self._generation
            stored = self._store.append(self.id, Row(entry.version, job.key, encode_entry(entry)))
        stored.add_done_callback(lambda future: self._stored(job, Acted(entry, state), generation, future))

    def _refuse(self, job: _Job, refusal: Refusal) -> None:
        """What is refused now may have been done before, by the same key."""
        self._pending.pop(job.key, None)
        row = self._store.find(self.id, job.key)
        if row:
            job.done.set_result(Acted(decode_entry(row.body), self.state, repeated=True))
        else:
            job.done.set_exception(refusal)

    def _stored(self, job: _Job, acted: Acted, generation: int, future: Future[Appended]) -> None:
        error = future.exception()
        if error is None and not future.result().repeated:
            self._pending.pop(job.key, None)
            self._tell(acted.entry, acted.state)
            job.done.set_result(acted)
            self._save(acted)
        elif error is None:
            self._start_over(generation)
            self._pending.pop(job.key, None)
            job.done.set_result(Acted(decode_entry(future.result().row.body), self.state, repeated=True))
        else:
            self._failed(job, generation, error)

    def _failed(self, job: _Job, generation: int, error: BaseException) -> None:
        """Somebody was faster: decide again on what they left. Anything else is told to the one who acted."""
        self._start_over(generation)
        job.tries += 1
        if isinstance(error, Stale) and job.tries <= TRIES:
            self._try(job)
        else:
            self._pending.pop(job.key, None)
            job.done.set_exception(error)

    def _start_over(self, generation: int) -> None:
        """Read the table anew, once for all that was decided on a state that never came to be."""
        with self._lock:
            if generation == self._generation:
                self._generation += 1
                self._table = self._opened()
                self._catch_up()

    def refresh(self) -> None:
        """Take in what others have stored meanwhile."""
        with self._lock:
            if not self._pending and self._store.last(self.id) > self._table.state.version:
                for entry in self._read(self._table.state.version):
                    self._tell(entry, self._table.apply(entry))

    def _catch_up(self) -> None:
        """Tell what others stored; each seat is shown the state as it is now."""
        for entry in list(self._table.history(self._told)):
            self._tell(entry, self._table.state)

    def _tell(self, entry: Entry, state: State) -> None:
        with self._lock:
            if entry.version <= self._told:
                return
            self._told = entry.version
            for watcher in list(self._watchers):
                watcher(entry, state)

    def _save(self, acted: Acted) -> None:
        version = acted.entry.version
        if version - self._saved >= SNAPSHOT:
            self._saved = version
            self._store.save_snapshot(self.id, version, encode_state(acted.state))
            with self._lock:
                self._table.forget(version)
