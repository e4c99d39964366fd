"""Requests: how events change them, and who may see which of the characters that are asked."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from msgspec.structs import replace

from astragal.table import event as e
from astragal.table.access import GM, audience_of, both, holder_audience, seen_and_own
from astragal.table.state import Member, Request, Roll, State, World

WAITING, GATHERING, ROLLED = "waiting", "gathering", "rolled"


def requested(world: World, event: e.Requested) -> World:
    """A request is made, or made to more characters."""
    known = world.requests.get(event.request)
    asked = {**(known.asked if known else {}), **dict.fromkeys(event.who, (WAITING, ""))}
    request = Request(
        event.request,
        event.by,
        event.kind,
        event.title,
        event.seen,
        event.note,
        event.against,
        {**(known.inputs if known else {}), **event.inputs},
        event.use,
        tuple(event.hidden),
        asked=asked,
    )
    kept = {
        id: other  # a member still has to answer it
        for id, other in world.requests.items()
        if any(at[0] != ROLLED for who, at in other.asked.items() if who in world.holders)
    }
    return replace(world, requests={**kept, request.id: request})


def concealed(world: World, event: e.Concealed) -> World:
    """The hidden inputs of a request."""
    known = world.requests.get(event.request)
    if known is None:
        return world
    secret = tuple(name for name in event.inputs if name not in known.hidden)
    return _with(world, replace(known, inputs={**known.inputs, **event.inputs}, secret=secret))


def excused(world: World, event: e.Excused) -> World:
    """Some characters need not answer a request any more."""
    known = world.requests.get(event.request)
    if known is None:
        return world
    return _with(world, replace(known, asked={who: at for who, at in known.asked.items() if who not in event.who}))


def answered(world: World, before: Mapping[str, Roll], ids: Iterable[str]) -> World:
    """The requests after something happened to rolls: each character that a roll answers for is as far as its roll."""
    for id in ids:
        roll = world.rolls.get(id) or before.get(id)
        known = world.requests.get(roll.request) if roll and roll.request else None
        if roll is None or known is None or known.asked.get(roll.who, (WAITING, id))[1] not in ("", id):
            continue
        there = id in world.rolls
        at = (ROLLED if roll.ask is not None else GATHERING, id) if there else (WAITING, "")
        world = _with(world, replace(known, asked={**known.asked, roll.who: at})) if roll.who in known.asked else world
    return world


def _with(world: World, request: Request) -> World:
    """The world with a request as it is now; a request ends when all have answered it."""
    others = {id: other for id, other in world.requests.items() if id != request.id}
    if all(at[0] == ROLLED for at in request.asked.values()):
        return replace(world, requests=others)
    return replace(world, requests={**world.requests, request.id: request})


def asked_audience(state: State, seen: str, who: str) -> str:
    """The audience of a request for a roll with this visibility: those who will see the roll."""
    holder = state.world.holders[who]
    known = holder_audience(holder)
    return known if seen == "all" else both(audience_of("owner", holder.owner), known)


def asked_of(state: State, request: Request, member: Member | None) -> dict[str, tuple[str, str]]:
    """The progress of the asked characters that this seat may see; empty once all of them have rolled."""
    known = _askable(state, request, member)
    seen = {who: at for who, at in request.asked.items() if who in known}
    return {} if all(at[0] == ROLLED for at in seen.values()) else seen


def _askable(state: State, request: Request, member: Member | None) -> Container[str]:
    """The asked characters that this seat may know of: those whose roll it will see."""
    if member is not None and member.role == GM:
        return state.world.holders
    seen, own = seen_and_own(state, member)
    return seen if request.seen == "all" else own


def seen_requests(state: State, member: Member | None) -> list[str]:
    """The ids of the requests that a seat may know of."""
    requests = state.world.requests
    if member is not None and member.role == GM:
        return list(requests)
    known = {id: _askable(state, request, member) for id, request in requests.items()}
    return [id for id, request in requests.items() if any(who in known[id] for who in request.asked)]
