"""Links: exchange one for a seat; list, create and revoke them as a GM."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta, Struct

from astragal.errors import Forbidden, Illegal, Malformed, Unknown
from astragal.serve.access.auth import Link, Role, SeatCookie, seat_of
from astragal.serve.http.operation import Call, Reply
from astragal.serve.live.hub import Hub
from astragal.storage.tables.stored_table import new_key
from astragal.table.access import find_member
from astragal.table.action import JoinAction, Name, Ref
from astragal.table.state import Member

NAME_NEEDED = "This link makes a new seat. Give your name."


class SeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A link's token, and a name if the link makes a new seat."""

    token: Annotated[str, Meta(min_length=1, max_length=200)]
    name: Name | None = None


class SeatShown(Struct, frozen=True):
    """Your seat."""

    table: str
    member: str
    role: Role


class NewLink(Struct, frozen=True, forbid_unknown_fields=True):
    """A link for new seats, or for one member."""

    role: Role = "player"
    member: Ref | None = None


class LinkShown(Struct, frozen=True):
    """A link; ``path`` is the address to hand out."""

    id: str
    role: Role
    member: str | None
    path: str


class LinksShown(Struct, frozen=True):
    """Every link of the table."""

    links: list[LinkShown]


async def take_seat(call: Call) -> Reply:
    """Exchange a link's token for a seat; the cookie that comes with the reply is the seat."""
    asked: SeatRequest = call.body
    hub = call.hub
    link = await hub.find_link(asked.token)
    member = link.member
    if member is None and asked.name is None:
        seat = await seat_here(call)
        member = seat.member if seat and seat.link == link.id else None  # this browser has used the link before
    if member is None:
        member = await _join(call, link, asked.name)
    found = await hub.seated_by(link, member)
    call.request.scope["astragal.member"] = found.id
    return Reply(SeatShown(hub.id, found.id, found.role), 200, SeatCookie(hub.id, found.id, link.id))  # type: ignore[arg-type]


async def seat_here(call: Call) -> SeatCookie | None:
    """This browser's seat at the table, if it has one."""
    try:
        seat = seat_of(call.server.signer, call.request, call.hub.id)
        await call.hub.seated(seat)
    except Forbidden:
        return None
    return seat


async def _join(call: Call, link: Link, name: str | None) -> str:
    if name is None or not name.strip():
        raise Malformed(NAME_NEEDED)
    server = call.server
    action = JoinAction(name=name, role=link.role)
    acted = await call.hub.submit("", action, new_key(), server.settings.clock())
    server.metrics.actions["join"] += 1
    return acted.entry.by  # by now, the hub knows the new member


def show_link(hub: Hub, link: Link) -> LinkShown:
    """A link with the address to hand out."""
    return LinkShown(link.id, link.role, link.member, hub.links.path(link))


async def list_links(call: Call) -> Reply:
    """The table's links."""
    await asyncio.to_thread(call.hub.links.reload)
    return Reply(LinksShown([show_link(call.hub, link) for link in call.hub.links.all()]))


async def create_link(call: Call) -> Reply:
    """Create a link: for new seats of a role, or for one member's own seat."""
    asked: NewLink = call.body
    role, member = asked.role, None
    if asked.member is not None:
        found = member_named(call.hub, asked.member)
        role, member = found.role, found.id  # type: ignore[assignment]
    link = await asyncio.to_thread(call.hub.links.create, role, member, call.server.settings.clock())
    return Reply(show_link(call.hub, link), 201)


def member_named(hub: Hub, ref: str) -> Member:
    """A member who is at the table, by id or by name."""
    try:
        found = find_member(hub.state, ref)
    except Unknown as refusal:
        raise Illegal(refusal.sentence) from None  # the table exists, so this is not 404
    if found.role == "gone":
        raise Illegal(f"{found.name} has left the table.")
    return found


async def revoke_link(call: Call) -> Reply:
    """Revoke a link: all its seats are lost, and their sockets close immediately."""
    id = call.path("link")
    if id == call.seat.link:
        raise Illegal("This is your own link; revoke it from another seat.")
    await asyncio.to_thread(call.hub.links.revoke, id)
    call.hub.presence.disconnect_link(id)
    return Reply(None, 204)
