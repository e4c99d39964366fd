"""Seats and channels: how a person of Discord takes their seat, and how a GM ties a channel to a table."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any

from astragal.errors import Forbidden, Illegal, Malformed, Unknown
from astragal.serve.auth import INVALID_LINK, Link, SeatCookie
from astragal.serve.chat.discord.message import Button, message
from astragal.serve.chat.discord.visit import NO_SEAT, NO_TABLE, Visit
from astragal.serve.chat.text import plain
from astragal.serve.live.hub import Hub
from astragal.table.access import GM
from astragal.table.action import JoinAction
from astragal.table.state import Member

BAD_LINK = "That is no link to a table; it looks like https://…/t/TABLE#…, and the page shows it to you."
NAME_NEEDED = "This link makes a new seat, so say with name what you are called."
ONLY_GM = "Only a GM of the table may do that, or whoever may manage this channel."
NOT_YOURS = "Only a GM who has taken their seat here may tie a channel to that table."

_LINK = re.compile(r"/t/([A-Za-z0-9_-]{1,64})/?#([A-Za-z0-9_-]{20,180})(?![A-Za-z0-9_-])").search


async def sit(visit: Visit, texts: dict[str, str]) -> dict[str, Any]:
    """Take a seat with a link to it: one's own, or a new one."""
    await visit.server.limit("joins", visit.party)
    found = _LINK(texts.get("link", ""))
    if found is None:
        raise Malformed(BAD_LINK)
    hub = await _open(visit, found[1], INVALID_LINK)
    link = await hub.find_link(found[2])
    member = await _member(visit, hub, link, texts.get("name", ""))
    seat = SeatCookie(hub.id, member.id, link.id)
    at = visit.server.settings.clock()
    await asyncio.to_thread(visit.ties.tie_user, seat, visit.person.id, visit.person.name, at)
    lines = [f"You sit at **{plain(hub.state.title)}** as {plain(member.name)}."]
    if await visit.table() == hub.id:
        return message(lines, private=True)
    if member.role == GM:
        lines.append("This channel is not tied to the table yet. What everybody there may see would be told here.")
        return message(lines, [Button(f"here/{hub.id}", "Tie this channel to the table", True)], private=True)
    return message([*lines, "A GM of the table can tie a channel to it; this one is not."], private=True)


async def _open(visit: Visit, table: str, refusal: str) -> Hub:
    """A table; whether there is one, nobody learns who has no seat there."""
    try:
        return await visit.server.registry.visit(table)
    except Unknown:
        raise Forbidden(refusal) from None


async def _member(visit: Visit, hub: Hub, link: Link, name: str) -> Member:
    """Whose seat a link gives: one's own, the one that this person took by it before, or a new one."""
    if link.member is not None:
        return await hub.seated_by(link, link.member)
    earlier = await asyncio.to_thread(visit.ties.seat_of, hub.id, visit.person.id)
    if earlier and earlier.link == link.id:
        with suppress(Forbidden):
            return await hub.seated_by(link, earlier.member)
    if not name.strip():
        raise Malformed(NAME_NEEDED)
    joined = await visit.act(hub, "", JoinAction(name=name[:80], role=link.role))
    return await hub.seated_by(link, joined.entry.by)


async def stand(visit: Visit) -> dict[str, Any]:
    """Give up the seat in this chat; it stays a seat at the table."""
    hub = await visit.hub()
    await asyncio.to_thread(visit.ties.untie, hub.id, "user", visit.person.id)
    return message(["You have no seat here any more; at the table it is still yours."], private=True)


async def tie_here(visit: Visit, table: str) -> dict[str, Any]:
    """Tie this channel to a table, as its GM."""
    hub = await _open(visit, table, NO_SEAT)
    member = await visit.member_at(hub)
    if member.role != GM:
        raise Forbidden(NOT_YOURS)
    at = visit.server.settings.clock()
    await asyncio.to_thread(visit.ties.tie_channel, hub.id, visit.interaction.channel_id, member.id, at)
    said = f"This channel is tied to **{plain(hub.state.title)}** now. Take your seats with /table sit."
    return message([said], private=False)


async def free(visit: Visit) -> dict[str, Any]:
    """End the tie of the channel, as a GM of the table or as whoever manages the channel."""
    table = await visit.table()
    if table is None:
        raise Illegal(NO_TABLE)
    if not visit.interaction.manages:
        hub = await visit.server.registry.visit(table)
        if (await visit.member_at(hub)).role != GM:
            raise Forbidden(ONLY_GM)
    await asyncio.to_thread(visit.ties.untie, table, "channel", visit.interaction.channel_id)
    return message(["This channel is tied to no table any more."])
