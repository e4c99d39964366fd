"""A table in memory: decides actions, applies entries, and goes back for an undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from itertools import chain
from typing import Any, NamedTuple

from msgspec.structs import replace

from astragal.errors import Illegal
from astragal.rule.inputs.visible import check_plain
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
    pool,
    prefill,
    resume,
    reveal,
    roll,
    scenes,
    sheets,
    turn,
    undo,
)
from astragal.table.decide.ledger import Context, History, Ledger, no_history
from astragal.table.decide.undo import told_to_all_who_notice
from astragal.table.entry import VERSION, Entry, id_of, weight_of
from astragal.table.event import Event
from astragal.table.fold import fold_about, fold_world
from astragal.table.rolls.hand import Roller, machine
from astragal.table.rolls.ticket import Tickets
from astragal.table.state import State

CHECKPOINT = 256
"""Entries between remembered states. These share their common parts, so they cost little."""
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
    a.SetAction: members.set_dice,
    a.CreateAction: sheets.create,
    a.EditAction: sheets.edit,
    a.ChangeAction: sheets.change,
    a.HoldAction: sheets.hold,
    a.TakeAction: sheets.take,
    a.RetireAction: sheets.retire,
    a.MoveAction: move.move,
    a.SceneAction: scenes.open_scene,
    a.CloseAction: scenes.close_scene,
    a.TurnAction: turn.turn,
    a.NoteAction: scenes.note,
    a.DescribeAction: scenes.describe,
    a.AskAction: ask.ask,
    a.SaveAction: pool.save,
    a.OpenAction: prefill.open_roll,
    a.RollAction: roll.roll,
    a.BuildAction: build.build,
    a.AssistAction: assist.assist,
    a.ThrowAction: resume.throw,
    a.AnswerAction: resume.answer,
    a.WithdrawAction: ask.withdraw,
    a.RevealAction: reveal.reveal,
    a.UndoAction: undo.undo,
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
) -> Decided:
    """The events of an action by a member, or a refusal; ``id`` will be the entry's."""
    for field in action.__struct_fields__:
        _check_text(getattr(action, field), field in SEVERAL_LINES)
    if isinstance(action, a.FoundAction):
        return Decided(members.found(state, action, id))
    if isinstance(action, a.JoinAction):
        return Decided(members.join(state, action, id))
    member = member_of(state, by)
    if not (isinstance(action, a.LeaveAction) and not action.member):
        refuse_onlooker(member)
    found = DECIDERS[type(action)](Context(state, member, id, dice, history, tickets), action)
    decided = Decided(found.events, found.state) if isinstance(found, Ledger) else Decided(found)
    if not decided.events:
        raise Illegal("That changes nothing, so nothing was written.")
    return decided


def _check_text(value: Any, lines: bool) -> None:
    """Refuse signs in any text of an action that nobody sees but that change how it looks; names are one line each."""
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

    @classmethod
    def replayed(cls, entries: Iterable[Entry], stored: History = no_history) -> Table:
        """The table that a whole log makes, folded once with what is undone left out."""
        entries = list(entries)
        return cls(folded(entries), stored if stored is not no_history else lambda since: entries[since:])

    def fork(self) -> Table:
        """A copy to decide on elsewhere, while this one goes on."""
        twin = copy(self)
        twin._tail, twin._checkpoints = list(self._tail), list(self._checkpoints)
        return twin

    def adopt(self, fork: Table) -> bool:
        """Take over what a fork has decided, so that applying it is quick; False if this table has gone on since."""
        if fork.state is not self.state:
            return False
        self._decided = fork._decided
        return True

    def back_to(self, state: State, key: str) -> bool:
        """Forget what was applied after a state; False if its last entry, which has this key, is not known here."""
        if state.version != self._base:
            last = next((entry for entry in reversed(self._tail) if entry.version <= state.version), None)
            if last is None or (last.version, last.key) != (state.version, key):
                return False
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
        events, after = decide(self.state, by, action, id, dice, history=self.history, tickets=tickets)
        by = by or next((event.member for event in events if isinstance(event, e.Joined)), "")
        entry = Entry(self.state.version + 1, id, key, by, at, str(action.__struct_config__.tag), events, VERSION)
        if _since(entry):
            after = self._gone_back(entry)
            entry = replace(entry, events=told_to_all_who_notice(events, self.state, after))
        self._decided = (entry, self.state, after)
        return entry

    def apply(self, entry: Entry) -> State:
        """Apply an entry; returns the new state."""
        decided, before, after = self._decided
        since = _since(entry)
        if after is None or decided is not entry or before is not self.state:
            after = self._gone_back(entry) if since else fold_world(self.state, entry)
        if since:
            self._checkpoints = [state for state in self._checkpoints if state.version < since] or [State()]
        self._tail.append(entry)
        self._tail_weight += weight_of(entry)
        self.state = fold_about(after, entry)
        if self.state.version - self._checkpoints[-1].version >= CHECKPOINT:
            self._checkpoints.append(self.state)
            if len(self._checkpoints) > CHECKPOINTS:
                del self._checkpoints[1 : CHECKPOINTS // 2 : 2]
        return self.state

    def _gone_back(self, entry: Entry) -> State:
        """The state after an entry that strikes or restores others: folded again from before the earliest of them."""
        struck, since = fold_world(self.state, entry).struck, _since(entry)
        state = next((state for state in reversed(self._checkpoints) if state.version < since), State())
        for earlier in self.history(state.version):
            state = fold_about(fold_world(state, earlier, struck), earlier)
        return fold_world(state, entry)

    def history(self, since: int = 0) -> Iterator[Entry]:
        """The entries after a version."""
        stored = (entry for entry in self._stored(since) if entry.version <= self._base) if since < self._base else ()
        return chain(stored, (entry for entry in self._tail if entry.version > since))

    def forget(self, stored: int) -> None:
        """Drop the older half of the entries in memory once there is too much; only what is stored up to a version."""
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


def _since(entry: Entry) -> int:
    """The version of the earliest entry that this one strikes or restores, 0 if there is none."""
    for event in entry.events:
        if type(event) in (e.Struck, e.Restored):
            return min(event.since for event in entry.events if isinstance(event, (e.Struck, e.Restored)))
    return 0


def folded(entries: Iterable[Entry]) -> State:
    """The state of a whole log, which is gone through twice; entries that end up undone are never folded."""
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
        state = fold_about(fold_world(state, entry, struck), entry)
    return state
