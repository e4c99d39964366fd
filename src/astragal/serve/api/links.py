"""Sitting down by a link, and the links themselves: listed, made and revoked by a GM."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta, Struct

from astragal.errors import Forbidden, Illegal, Malformed
from astragal.repository.stored_table import new_key
from astragal.serve.auth.cookie import SeatCookie, seat_in
from astragal.serve.auth.links import DEAD, Link, Role
from astragal.serve.http.operation import Call, Reply
from astragal.serve.live.hub import Hub
from astragal.table.access import find_member
from astragal.table.action import JoinAction, Name, Ref

NAME_NEEDED = "Say what you want to be called; this link makes a new seat."


class Sitting(Struct, frozen=True, forbid_unknown_fields=True):
    """A link's token, and a name if the link makes a new seat."""

    token: Annotated[str, Meta(min_length=1, max_length=200)]
    name: Name | None = None


class Sat(Struct, frozen=True):
    """Your seat."""

    table: str
    member: str
    role: Role


class NewLink(Struct, frozen=True, forbid_unknown_fields=True):
    """A link for everybody who gets it, or for one member."""

    role: Role = "player"
    member: Ref | None = None


class LinkShown(Struct, frozen=True):
    """A link; ``path`` is what to hand out."""

    id: str
    role: Role
    member: str | None
    path: str


class LinksShown(Struct, frozen=True):
    """Every link of the table."""

    links: list[LinkShown]


async def sit_down(call: Call) -> Reply:
    """Exchange a link's token for a seat; the cookie that comes with the answer is the seat."""
    asked: Sitting = call.body
    hub = call.hub
    link = hub.links.find(asked.token)
    member = link.member or _seated_before(call, link) if asked.name is None else link.member
    if member is None:
        member = await _join(call, link, asked.name)
    found = hub.member(member)
    if found is None:
        raise Forbidden(DEAD)
    call.request.scope["astragal.member"] = found.id
    return Reply(Sat(hub.id, found.id, found.role), 200, SeatCookie(hub.id, found.id, link.id))  # type: ignore[arg-type]


def _seated_before(call: Call, link: Link) -> str | None:
    """Whoever opens the same link again in the same browser has a seat already."""
    try:
        seat = seat_in(call.server.signer, call.request, call.hub.id)
    except Forbidden:
        return None
    return seat.member if seat.link == link.id and call.hub.member(seat.member) else None


async def _join(call: Call, link: Link, name: str | None) -> str:
    if name is None or not name.strip():
        raise Malformed(NAME_NEEDED)
    server = call.server
    action = JoinAction(name=name, role=link.role)
    future = call.hub.stored_table.submit("", action, new_key(), server.settings.clock())
    acted = await asyncio.wrap_future(future)
    server.metrics.actions["join"] += 1
    return acted.entry.by  # the hub has heard of it already: watchers are told before the one who acts


def show_link(hub: Hub, link: Link) -> LinkShown:
    return LinkShown(link.id, link.role, link.member, hub.links.path(link))


async def list_links(call: Call) -> Reply:
    """The table's links."""
    return Reply(LinksShown([show_link(call.hub, link) for link in call.hub.links.all()]))


async def make_link(call: Call) -> Reply:
    """Make a link: for new seats of a role, or for one member's own seat."""
    asked: NewLink = call.body
    role, member = asked.role, None
    if asked.member is not None:
        found = find_member(call.hub.state, asked.member)
        if found.role == "gone":
            raise Illegal(f"{found.name} has left the table.")
        role, member = found.role, found.id  # type: ignore[assignment]
    link = await asyncio.to_thread(call.hub.links.make, role, member, call.server.settings.clock())
    return Reply(show_link(call.hub, link), 201)


async def revoke_link(call: Call) -> Reply:
    """Revoke a link: every seat that came by it is lost, and its sockets drop at once."""
    id = call.path("link")
    if id == call.seat.link:
        raise Illegal("You came by this link yourself; revoke it from another seat.")
    await asyncio.to_thread(call.hub.links.revoke, id)
    call.hub.drop_link(id, "The link that you came by was revoked.")
    return Reply(None, 204)
