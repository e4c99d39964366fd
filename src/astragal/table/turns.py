"""The turn order: who is in it for everybody, and whose turn it is."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from astragal.table import event as e
from astragal.table.access import EVERYBODY, GM, holder_audience
from astragal.table.event import TurnTold
from astragal.table.state import Member, State, Turns, World


def turned(world: World, event: e.Turned) -> World:
    """The turn order is another, or the turn goes on; it is nobody's if what put them into the order was undone."""
    order = world.turns.order if event.order is None else tuple(event.order)
    now = event.now if any(place[0] == event.now for place in order) else ""
    return replace(world, turns=Turns(order, now, event.round))


def present(state: State, turns: Turns) -> Turns:
    """The order without characters that have left the table."""
    return _only(turns, lambda place: not place[2] or place[2] in state.world.holders)


def seen_turns(state: State, member: Member | None, turns: Turns | None = None) -> Turns:
    """The order as a seat sees it. While somebody acts of whom it may not know, it is still the turn before."""
    turns = present(state, state.world.turns if turns is None else turns)
    if member is not None and member.role == GM:
        return turns
    return _only(turns, lambda place: not is_secret(state, place))


def is_secret(state: State, place: TurnTold) -> bool:
    """Whether only GMs may know of somebody in the order: a secret one, or a character that not all may see."""
    _, _, who, secret = place
    return secret or (bool(who) and holder_audience(state.world.holders[who]) != EVERYBODY)


def _only(turns: Turns, which: Callable[[TurnTold], bool]) -> Turns:
    """The order with some of its places; whose turn it is goes back to the nearest of them that was before."""
    order = tuple(filter(which, turns.order))
    if len(order) == len(turns.order):
        return turns
    ids = [place[0] for place in turns.order]
    at = ids.index(turns.now) if turns.now in ids else -1
    before = [place[0] for place in turns.order[: at + 1] if place in order]
    if before or not turns.now:
        return Turns(order, before[-1] if before else "", turns.round)
    wraps = turns.round > 1 and bool(order)
    return Turns(order, order[-1][0] if wraps else "", turns.round - wraps)
