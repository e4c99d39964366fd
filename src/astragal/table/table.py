"""A table in memory: its state, the last of its log, and how to go back for an undo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from astragal.table import event as e
from astragal.table.action import Action
from astragal.table.decide import decide
from astragal.table.entry import Entry, id_of
from astragal.table.fold import fold_about, fold_world
from astragal.table.moment import History, Roller, machine, no_history
from astragal.table.state import State

CHECKPOINT = 256
"""So often the state is remembered; states share what they have in common, so that costs little."""
TAIL = 4096
"""So many entries are kept in memory; older ones are read again when somebody goes back that far."""


class Table:
    """Decides actions and applies entries. ``stored`` reads the entries up to ``state.version`` at the start."""

    def __init__(self, state: State | None = None, stored: History = no_history) -> None:
        self.state = state or State()
        self._stored = stored
        self._base = self.state.version
        self._tail: list[Entry] = []
        self._checkpoints = [self.state] if self.state.version else [State()]
        self._decided: tuple[Entry | None, State, State | None] = (None, self.state, None)

    @classmethod
    def replayed(cls, entries: Iterable[Entry], stored: History = no_history) -> Table:
        """The table that a whole log makes, folded once with what is undone left out."""
        entries = list(entries)
        return cls(folded(entries), stored if stored is not no_history else lambda since: entries[since:])

    def decide(self, by: str, action: Action, key: str, at: int, dice: Roller = machine) -> Entry:
        """The entry that this action would make now."""
        id = id_of(key)
        events, after = decide(self.state, by, action, id, dice, history=self.history)
        by = by or next((event.member for event in events if isinstance(event, e.Joined)), "")
        entry = Entry(self.state.version + 1, id, key, by, at, type(action).__name__.lower(), events)
        self._decided = (entry, self.state, after)
        return entry

    def apply(self, entry: Entry) -> State:
        """Take an entry in."""
        self._tail.append(entry)
        since = [event.since for event in entry.events if isinstance(event, (e.Struck, e.Restored))]
        if since:
            self._go_back(min(since), entry)
        else:
            self.state = fold_about(self._after(entry), entry)
            self._remember()
        return self.state

    def _after(self, entry: Entry) -> State:
        """What was decided just now is folded already."""
        decided, before, after = self._decided
        return after if after and decided is entry and before is self.state else fold_world(self.state, entry)

    def _go_back(self, since: int, entry: Entry) -> None:
        """Fold again from before the earliest entry that is struck or restored."""
        struck = fold_world(self.state, entry).struck
        self._checkpoints = [state for state in self._checkpoints if state.version < since] or [State()]
        self.state = self._checkpoints[-1]
        for earlier in self.history(self.state.version):
            self.state = _folded(self.state, earlier, struck)
            self._remember()

    def _remember(self) -> None:
        if self.state.version - self._checkpoints[-1].version >= CHECKPOINT:
            self._checkpoints.append(self.state)

    def history(self, since: int = 0) -> Iterator[Entry]:
        """The entries after a version."""
        stored = (entry for entry in self._stored(since) if entry.version <= self._base) if since < self._base else ()
        return chain(stored, (entry for entry in self._tail if entry.version > since))

    def forget(self, stored: int) -> None:
        """Drop entries from memory that are stored up to this version and can be read again."""
        if len(self._tail) > TAIL:
            self._base = min(stored, self._tail[-TAIL // 2].version)
            self._tail = [entry for entry in self._tail if entry.version > self._base]


def _folded(state: State, entry: Entry, struck: dict[str, int] | None = None) -> State:
    return fold_about(fold_world(state, entry, struck or ()), entry)


def folded(entries: list[Entry]) -> State:
    """The state that a log makes: what is undone in the end is never folded in."""
    struck: dict[str, int] = {}
    for entry in entries:
        for event in entry.events:
            if isinstance(event, e.Struck):
                struck.update(dict.fromkeys(event.entries, entry.version))
            elif isinstance(event, e.Restored):
                for id in event.entries:
                    struck.pop(id, None)
    state = State()
    for entry in entries:
        state = _folded(state, entry, struck)
    return state
