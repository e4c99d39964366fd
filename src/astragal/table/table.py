"""A table in memory: decides actions, applies entries, and goes back for an undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from itertools import chain
from typing import Any, NamedTuple

from msgspec.structs import replace

from astragal.errors import Illegal
from astragal.explain.visible import check_plain
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import member_of, refuse_onlooker
from astragal.table.action import Action
from astragal.table.decide import (
    ask,
    assist,
    build,
    members,
    move,
    prefill,
    resume,
    reveal,
    roll,
    scenes,
    sheets,
    undo,
)
from astragal.table.decide.follow import follow
from astragal.table.decide.ledger import Context, History, Ledger, no_history
from astragal.table.decide.members import announce, confirm, with_announced
from astragal.table.decide.undo import with_empty_events_for_affected_seats
from astragal.table.entry import VERSION, Entry, id_of, weight_of
from astragal.table.event import Event
from astragal.table.fold import fold_about, fold_events, fold_world
from astragal.table.rolls.basis import Bases
from astragal.table.rolls.hand import Roller, machine
from astragal.table.rolls.ticket import Tickets
from astragal.table.state import State

CHECKPOINT = 256
"""Entries between remembered states. These share their common parts, so they cost little. An undo of a recent entry
folds at most as many entries before it again."""
CHECKPOINTS = 64
"""Remembered states, at most; of the older ones every second goes then."""
TAIL, TAIL_WEIGHT = 4096, 4 << 20
"""Entries kept in memory, and about how many bytes of them; older ones are read again for an undo."""

SEVERAL_LINES = frozenset({"text", "note", "faces", "to", "sheet", "inputs"})
"""Fields of actions in which a text may have line breaks; all others are names and the like."""

Decider = Callable[[Context, Any], list[Event] | Ledger]


class Decided(NamedTuple):
    """Events, and the state after them where the decision has already folded them."""

    events: list[Event]
    after: State | None = None


DECIDERS: dict[type, Decider] = {
    a.SeatAction: members.seat,
    a.LeaveAction: members.leave,
    a.SetAction: members.change_settings,
    a.ConfirmAction: confirm,
    a.CreateAction: sheets.create,
    a.EditAction: sheets.edit,
    a.ChangeAction: sheets.change,
    a.HoldAction: sheets.hold,
    a.TakeAction: sheets.take,
    a.RetireAction: sheets.retire,
    a.MoveAction: move.move,
    a.SceneAction: scenes.open_scene,
    a.CloseAction: scenes.close_scene,
    a.TurnAction: scenes.turn,
    a.NoteAction: scenes.note,
    a.DescribeAction: scenes.describe,
    a.AskAction: ask.ask,
    a.SaveAction: prefill.save,
    a.OpenAction: prefill.open_roll,
    a.RollAction: roll.roll,
    a.BuildAction: build.build,
    a.ReadyAction: assist.ready,
    a.AssistAction: assist.assist,
    a.ThrowAction: resume.throw,
    a.AnswerAction: resume.answer,
    a.WithdrawAction: ask.withdraw,
    a.RevealAction: reveal.reveal,
    a.CorrectAction: resume.correct,
    a.UndoAction: undo.undo,
    a.AllowAction: undo.allow,
    a.DeclineAction: undo.decline,
    a.RedoAction: undo.redo,
}
"""The function that decides each kind of action."""


def decide(
    state: State,
    by: str,
    action: a.Action,
    id: str,
    dice: Roller,
    *,
    history: History = no_history,
    tickets: Tickets | None = None,
    at: int = 0,
) -> Decided:
    """The events of an action by a member at a time, or a refusal; ``id`` will be the entry's."""
    for field in action.__struct_fields__:
        if value := getattr(action, field):
            _check_text(value, field in SEVERAL_LINES)
    if isinstance(action, a.FoundAction):
        return Decided(members.found(state, action, id))
    if isinstance(action, a.JoinAction):
        return Decided(members.join(state, action, id))
    if isinstance(action, a.AnnounceAction):
        return Decided(announce(state, action, tickets))
    if tickets is not None:
        tickets.refuse_other_book(state, action)
    member = member_of(state, by)
    if not (isinstance(action, a.LeaveAction) and not action.member):
        refuse_onlooker(member)
    bases = Bases()
    found = DECIDERS[type(action)](Context(state, member, id, dice, history, bases, tickets, at), action)
    events = found.events if isinstance(found, Ledger) else found
    if not events:
        raise Illegal("That changes nothing, so nothing was written.")
    if isinstance(action, (a.UndoAction, a.RedoAction)):
        return Decided(events)
    ledger = found if isinstance(found, Ledger) else Ledger(state, bases=bases)
    if ledger is not found:
        ledger.events.extend(events)
    follow(state, ledger, member, at)
    return Decided(ledger.events, ledger.state)


def _check_text(value: Any, lines: bool) -> None:
    """Refuse invisible signs that change how an action's text looks; names are one line each."""
    if type(value) is str:
        if not (value.isascii() and value.isprintable()):
            check_plain(value, f'"{value[:20]}"' if value[:20].isprintable() else "A text", lines)
    elif type(value) is dict:
        for key, part in value.items():
            _check_text(key, lines=False)
            _check_text(part, lines)
    elif type(value) is list:
        for part in value:
            _check_text(part, lines)


class Table:
    """Decides actions and applies entries. ``stored`` reads the entries up to ``state.version`` at the start."""

    def __init__(self, state: State | None = None, stored: History = no_history) -> None:
        self.state = state or State()
        self._stored = stored
        self._base = self.state.version
        self._tail: list[Entry] = []
        self._tail_weight = 0
        self._checkpoints = [self.state] if self.state.version else [State()]
        self._decided: tuple[Entry | None, State, State | None] = (None, self.state, None)
        """The latest decision, the state it was made on, and the world after it if known."""
        self._refold = _Refold()
        """What was folded again last, for an undo that is decided again a moment later."""

    @classmethod
    def replayed(cls, entries: Iterable[Entry], stored: History = no_history) -> Table:
        """The table that a whole log makes, folded once with what is undone left out."""
        entries = list(entries)
        return cls(folded(entries), stored if stored is not no_history else lambda since: entries[since:])

    @classmethod
    def opened(cls, state: State, read: History, stored: History) -> Table | None:
        """The table after a state and the entries that ``read`` gives after it; None if these undo what led to it.

        What is undone in the end is never folded, so opening takes no longer where much was undone. The state says by
        ``struck`` what it was folded without; see ``to_keep``.
        """
        table, before = cls(state, stored), state.version
        struck, new = dict(state.struck), set()
        for entry in read(before):
            new.add(entry.id)
            _strike(struck, entry)
        if before and any(struck.get(id) != state.struck.get(id) for id in (struck.keys() | state.struck.keys()) - new):
            return None
        for entry in read(before):
            table._take(entry, fold_about(fold_world(table.state, entry, struck), entry))
            table.forget(entry.version)
        return table

    def to_keep(self, behind: int) -> State:
        """A state to open this table with, ``behind`` entries old, so that a recent undo need not go back further.

        It is folded without everything that is undone by now.
        """
        before = self.state.version - behind
        found = next((state for state in reversed(self._checkpoints) if state.version <= before), self.state)
        return replace(found, struck=self.state.struck) if found.version else self.state

    def twin(self, earlier: Table | None = None) -> Table:
        """A copy to decide an undo on while this table continues; what an earlier twin folded is used again."""
        twin = copy(self)
        twin._tail, twin._checkpoints = list(self._tail), list(self._checkpoints)
        if earlier is not None:
            twin._refold = earlier._refold
        return twin

    def back_to(self, state: State, key: str) -> bool:
        """Forget what was applied after a state; False if that is not known here: its last entry has this key."""
        if state.version != self._base:
            last = next((entry for entry in reversed(self._tail) if entry.version <= state.version), None)
            if last is None or (last.version, last.key) != (state.version, key):
                return False
        if any(undoes_since(entry) for entry in self._tail if entry.version > state.version):
            return False  # the checkpoints were folded with an undo that is forgotten
        self._tail = [entry for entry in self._tail if entry.version <= state.version]
        self._tail_weight = sum(map(weight_of, self._tail))
        self._checkpoints = [each for each in self._checkpoints if each.version <= state.version] or [state]
        self.state = state
        self._decided = (None, state, None)
        return True

    def decide(
        self, by: str, action: Action, key: str, at: int, dice: Roller = machine, *, tickets: Tickets | None = None
    ) -> Entry:
        """The entry that this action makes, not applied yet; raises a refusal if it is not allowed."""
        id = id_of(key)
        events, after = decide(self.state, by, action, id, dice, history=self.history, tickets=tickets, at=at)
        by = by or next((event.member for event in events if isinstance(event, e.Joined)), "")
        if tickets is not None and any(isinstance(event, (e.Joined, e.Seated)) for event in events):
            events, after = with_announced(events, fold_events(self.state, events), tickets), None
        entry = Entry(self.state.version + 1, id, key, by, at, str(action.__struct_config__.tag), events, VERSION)
        if undoes_since(entry):
            ledger = Ledger(self._gone_back(entry))
            follow(self.state, ledger, self.state.members.get(by), at)
            after = ledger.state
            all_events = with_empty_events_for_affected_seats([*events, *ledger.events], self.state, after)
            entry = replace(entry, events=all_events)
        self._decided = (entry, self.state, after)
        return entry

    def apply(self, entry: Entry) -> State:
        """Apply an entry; returns the new state."""
        decided, before, after = self._decided
        since = undoes_since(entry)
        if after is None or decided is not entry or before is not self.state:
            after = self._gone_back(entry) if since else fold_world(self.state, entry)
        if since:
            before_it = [state for state in self._checkpoints if state.version < since]
            self._checkpoints = [*before_it, *self._refold.states] or [State()]
            self._refold = _Refold()
        return self._take(entry, fold_about(after, entry))

    def _take(self, entry: Entry, state: State) -> State:
        self._tail.append(entry)
        self._tail_weight += weight_of(entry)
        self.state = state
        if self.state.version - self._checkpoints[-1].version >= CHECKPOINT:
            self._checkpoints.append(self.state)
        while len(self._checkpoints) > CHECKPOINTS:
            del self._checkpoints[1 : CHECKPOINTS // 2 : 2]
        return self.state

    def _gone_back(self, entry: Entry) -> State:
        """The state after an entry that strikes or restores others: folded again from before the earliest of them.

        The states on the way are remembered: if it is applied, they take the place of those that it made outdated.
        """
        struck, since = fold_world(self.state, entry).struck, undoes_since(entry)
        if not self._refold.is_for(since, struck):
            state = next((state for state in reversed(self._checkpoints) if state.version < since), State())
            self._refold = _Refold(since, struck, state)
        refold = self._refold
        for earlier in self.history(refold.last.version):
            refold.add(fold_about(fold_world(refold.last, earlier, struck), earlier))
        return fold_world(refold.last, entry)

    def history(self, since: int = 0) -> Iterator[Entry]:
        """The entries after a version."""
        stored = (entry for entry in self._stored(since) if entry.version <= self._base) if since < self._base else ()
        return chain(stored, (entry for entry in self._tail if entry.version > since))

    def forget(self, stored: int) -> None:
        """Drop the older half of the entries in memory if there are too many; only entries up to the stored version."""
        if stored <= self._base or (len(self._tail) <= TAIL and self._tail_weight <= TAIL_WEIGHT):
            return
        self._base = max(self._base, min(stored, self._half_way()))
        self._tail = [entry for entry in self._tail if entry.version > self._base]
        self._tail_weight = sum(map(weight_of, self._tail))

    def _half_way(self) -> int:
        """The latest version that is more than half of the allowed entries or bytes ago, and not the latest of all."""
        weight = 0
        for kept, entry in enumerate(reversed(self._tail)):
            weight += weight_of(entry)
            if kept and (kept >= TAIL // 2 or weight > TAIL_WEIGHT // 2):
                return entry.version
        return self._base


class _Refold:
    """The log folded again without the entries that an undo strikes, with some of the states in between."""

    def __init__(self, since: int = 0, struck: Mapping[str, int] | None = None, first: State | None = None) -> None:
        self.last = first or State()
        self.states: list[State] = []
        self.folded = 0
        self._since, self._struck = since, struck

    def is_for(self, since: int, struck: Mapping[str, int]) -> bool:
        """True if it leaves out the same entries, so that it can be continued."""
        return bool(since) and self._since == since and self._struck == struck

    def add(self, state: State) -> None:
        """Take the next state."""
        self.last = state
        self.folded += 1
        if state.version % CHECKPOINT == 0:
            self.states.append(state)


def undoes_since(entry: Entry) -> int:
    """The version of the earliest entry that this one strikes or restores, 0 if there is none."""
    for event in entry.events:
        if type(event) in (e.Struck, e.Restored):
            return min(event.since for event in entry.events if isinstance(event, (e.Struck, e.Restored)))
    return 0


def folded(entries: Iterable[Entry]) -> State:
    """The state of a whole log, which is gone through twice; entries that end up undone are never folded."""
    struck: dict[str, int] = {}
    for entry in entries:
        _strike(struck, entry)
    state = State()
    for entry in entries:
        state = fold_about(fold_world(state, entry, struck), entry)
    return state


def _strike(struck: dict[str, int], entry: Entry) -> None:
    """Note what an entry undoes or does again."""
    for event in entry.events:
        if isinstance(event, e.Struck):
            struck.update(dict.fromkeys(event.entries, entry.version))
        elif isinstance(event, e.Restored):
            for id in event.entries:
                struck.pop(id, None)
