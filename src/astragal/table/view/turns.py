"""The turn order as a seat sees it."""

from __future__ import annotations

from astragal.table.state import Member, State
from astragal.table.turns import is_secret, seen_turns
from astragal.table.view.model import TurnsView, TurnView


def turns_view(state: State, member: Member | None) -> TurnsView | None:
    """The order without those of whom the seat may not know; None if nobody is in it."""
    turns = seen_turns(state, member)
    if not turns.order:
        return None
    holders = state.world.holders
    order = [
        TurnView(place[0], holders[place[2]].name if place[2] else place[1], place[2], is_secret(state.world, place))
        for place in turns.order
    ]
    return TurnsView(order, turns.now, turns.round)
