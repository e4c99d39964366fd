"""The turn order: who is in it for everybody, and whose turn it is."""

from __future__ import annotations

from msgspec.structs import replace

from astragal.table import event as e
from astragal.table.access import EVERYBODY, GM, holder_audience
from astragal.table.event import TurnTold
from astragal.table.state import Member, State, Turns, World


def turned(world: World, event: e.Turned) -> World:
    """The world after a change of the turn order, or of the turn; it is no one's turn if its place was undone."""
    order = world.turns.order if event.order is None else _ordered(world, event)
    now = event.now if any(place[0] == event.now for place in order) else ""
    return replace(world, turns=Turns(order, now, event.round))


def _ordered(world: World, event: e.Turned) -> tuple[TurnTold, ...]:
    """The order after an event: an open one moves only open places, a GM's only secret ones, whatever was undone since.

    A member who has left the table keeps their place, in case they come back.
    """
    there, told = world.turns.order, tuple(event.order or ())
    if event.audience == GM and not told:
        return ()
    absent = tuple(place for place in there if not _is_here(world, place))
    if event.audience == EVERYBODY:
        kept = tuple(place for place in there if place not in told and (place in absent or is_secret(world, place)))
        return _among(told, kept, there)
    secret = tuple(place for place in told if _is_here(world, place) and is_secret(world, place))
    openly = tuple(place for place in there if place not in absent and not is_secret(world, place))
    return _among(_among(openly, secret, told), absent, there)


def _among(
    order: tuple[TurnTold, ...], others: tuple[TurnTold, ...], as_in: tuple[TurnTold, ...]
) -> tuple[TurnTold, ...]:
    """An order with others in it, each after whom they come in another order."""
    found = list(order)
    for place in others:
        before = [found.index(other) for other in as_in[: as_in.index(place)] if other in found]
        found.insert(before[-1] + 1 if before else 0, place)
    return tuple(found)


def _is_here(world: World, place: TurnTold) -> bool:
    return not place[2] or place[2] in world.holders


def present(state: State, turns: Turns) -> Turns:
    """The order without characters that have left the table."""
    holders = state.world.holders
    return _only(turns, [place for place in turns.order if not place[2] or place[2] in holders])


def seen_turns(state: State, member: Member | None, turns: Turns | None = None) -> Turns:
    """The order as a seat sees it. During a turn that the seat may not know of, it still sees the previous turn."""
    turns = present(state, state.world.turns if turns is None else turns)
    if member is not None and member.role == GM:
        return turns
    return _only(turns, [place for place in turns.order if not is_secret(state.world, place)])


def is_secret(world: World, place: TurnTold) -> bool:
    """True if only GMs may know of this place in the order: a secret place, or a character that not all may see."""
    _, _, who, secret = place
    return secret or (bool(who) and holder_audience(world.holders[who]) != EVERYBODY)


def _only(turns: Turns, places: list[TurnTold]) -> Turns:
    """The order with some of its places; whose turn it is goes back to the nearest of them that was before."""
    order, ids = tuple(places), [place[0] for place in turns.order]
    at = ids.index(turns.now) if turns.now in ids else -1
    before = [place[0] for place in turns.order[: at + 1] if place in order]
    if before or not turns.now:
        return Turns(order, before[-1] if before else "", turns.round)
    wraps = turns.round > 1 and bool(order)
    return Turns(order, order[-1][0] if wraps else "", turns.round - wraps)
