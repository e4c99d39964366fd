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
from astragal.table.decide.context import History, Moment, Roller, no_history
from astragal.table.decide.ledger import Ledger
from astragal.table.event import Event
from astragal.table.state import State

Decider = Callable[[Moment, Any], list[Event] | Ledger]


class Decided(NamedTuple):
    """Events, and the members and the world after them where the decision has already gone through them."""

    events: list[Event]
    after: State | None = None


DECIDERS: dict[type, Decider] = {
    a.Seat: people.seat,
    a.Leave: people.leave,
    a.Create: sheets.create,
    a.Edit: sheets.edit,
    a.Change: sheets.change,
    a.Hold: sheets.hold,
    a.Retire: sheets.retire,
    a.Move: sheets.move,
    a.Scene: saying.open_scene,
    a.Close: saying.close_scene,
    a.Note: saying.note,
    a.Open: building.open_roll,
    a.Roll: rolling.roll,
    a.Build: building.build,
    a.Throw: rolling.throw,
    a.Answer: rolling.answer,
    a.Withdraw: building.withdraw,
    a.Reveal: revealing.reveal,
    a.Undo: undoing.undo,
    a.Redo: undoing.redo,
}


def decide(state: State, by: str, action: a.Action, id: str, dice: Roller, *, history: History = no_history) -> Decided:
    """What happens if this member does this now; ``id`` will be the entry's."""
    if isinstance(action, a.Found):
        return Decided(people.found(state, action, id))
    if isinstance(action, a.Join):
        return Decided(people.join(state, action, id))
    member = member_of(state, by)
    if not (isinstance(action, a.Leave) and not action.member):
        refuse_onlooker(member)
    found = DECIDERS[type(action)](Moment(state, member, id, dice, history), action)
    decided = Decided(found.events, found.state) if isinstance(found, Ledger) else Decided(found)
    if not decided.events:
        raise Illegal("That changes nothing, so nothing was written.")
    return decided
