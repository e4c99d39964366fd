"""Decide: an action into events, or a refusal. Pure: dice come in as a function, time and randomness do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from astragal.errors import Illegal
from astragal.table import action as a
from astragal.table.access import member_of, refuse_onlooker
from astragal.table.decide import build as building
from astragal.table.decide import members as people
from astragal.table.decide import reveal as revealing
from astragal.table.decide import roll as rolling
from astragal.table.decide import scenes as saying
from astragal.table.decide import sheets
from astragal.table.decide import undo as undoing
from astragal.table.decide.context import Context, History, Roller, no_history
from astragal.table.decide.ledger import Ledger
from astragal.table.event import Event
from astragal.table.state import State

Decider = Callable[[Context, Any], list[Event] | Ledger]


class Decided(NamedTuple):
    """Events, and the members and the world after them where the decision has already gone through them."""

    events: list[Event]
    after: State | None = None


DECIDERS: dict[type, Decider] = {
    a.SeatAction: people.seat,
    a.LeaveAction: people.leave,
    a.CreateAction: sheets.create,
    a.EditAction: sheets.edit,
    a.ChangeAction: sheets.change,
    a.HoldAction: sheets.hold,
    a.RetireAction: sheets.retire,
    a.MoveAction: sheets.move,
    a.SceneAction: saying.open_scene,
    a.CloseAction: saying.close_scene,
    a.NoteAction: saying.note,
    a.OpenAction: building.open_roll,
    a.RollAction: rolling.roll,
    a.BuildAction: building.build,
    a.ThrowAction: rolling.throw,
    a.AnswerAction: rolling.answer,
    a.WithdrawAction: building.withdraw,
    a.RevealAction: revealing.reveal,
    a.UndoAction: undoing.undo,
    a.RedoAction: undoing.redo,
}


def decide(state: State, by: str, action: a.Action, id: str, dice: Roller, *, history: History = no_history) -> Decided:
    """What happens if this member does this now; ``id`` will be the entry's."""
    if isinstance(action, a.FoundAction):
        return Decided(people.found(state, action, id))
    if isinstance(action, a.JoinAction):
        return Decided(people.join(state, action, id))
    member = member_of(state, by)
    if not (isinstance(action, a.LeaveAction) and not action.member):
        refuse_onlooker(member)
    found = DECIDERS[type(action)](Context(state, member, id, dice, history), action)
    decided = Decided(found.events, found.state) if isinstance(found, Ledger) else Decided(found)
    if not decided.events:
        raise Illegal("That changes nothing, so nothing was written.")
    return decided
