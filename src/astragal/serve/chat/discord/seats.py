"""Seats and channels: a person of Discord takes a seat, and a GM connects a channel to a table."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any

from astragal.errors import Forbidden, Illegal, Malformed, Unknown
from astragal.serve.access.auth import INVALID_LINK, Link, SeatCookie
from astragal.serve.chat.discord.caller import NO_SEAT, NO_TABLE, Caller
from astragal.serve.chat.discord.message import Button, message
from astragal.serve.chat.text import plain
from astragal.serve.live.hub import Hub
from astragal.table.access import GM
from astragal.table.action import JoinAction
from astragal.table.state import Member

BAD_LINK = "That is not a link to a table. A link looks like https://…/t/TABLE#…; the page shows yours."
NAME_NEEDED = "This link makes a new seat. Add your name with the option name."
ONLY_GM = "Only a GM of the table may do that, or anyone who may manage this channel."
NOT_CONNECTED = (
    "This channel is not connected to the table yet. A connected channel shows what everyone at the table may see."
)
NOT_YOURS = "Only a GM who has taken their seat here may connect a channel to that table."

_LINK = re.compile(r"/t/([A-Za-z0-9_-]{1,64})/?#([A-Za-z0-9_-]{20,180})(?![A-Za-z0-9_-])").search


async def sit(caller: Caller, texts: dict[str, str]) -> dict[str, Any]:
    """Take a seat with a link: one's own seat, or a new one."""
    await caller.server.rates.take_everywhere("joins", caller.client)
    found = _LINK(texts.get("link", ""))
    if found is None:
        raise Malformed(BAD_LINK)
    hub = await _open(caller, found[1], INVALID_LINK)
    link = await hub.find_link(found[2])
    member = await _member(caller, hub, link, texts.get("name", ""))
    seat = SeatCookie(hub.id, member.id, link.id)
    at = caller.server.settings.clock()
    await asyncio.to_thread(caller.bindings.bind_user, seat, caller.person.id, caller.person.name, at)
    lines = [f"You sit at **{plain(hub.state.title)}** as {plain(member.name)}."]
    if await caller.table() == hub.id:
        return message(lines, private=True)
    if member.role == GM:
        lines.append(NOT_CONNECTED)
        return message(lines, [Button(f"here/{hub.id}", "Connect this channel to the table", True)], private=True)
    return message([*lines, "A GM of the table can connect this channel to it."], private=True)


async def _open(caller: Caller, table: str, refusal: str) -> Hub:
    """A table. The refusal does not reveal if there is such a table."""
    try:
        return await caller.server.registry.open_for_guest(table)
    except Unknown:
        raise Forbidden(refusal) from None


async def _member(caller: Caller, hub: Hub, link: Link, name: str) -> Member:
    """The member of a link: its own, the one that this person got from it before, or a new one."""
    if link.member is not None:
        return await hub.seated_by(link, link.member)
    earlier = await asyncio.to_thread(caller.bindings.seat_of, hub.id, caller.person.id)
    if earlier and earlier.link == link.id:
        with suppress(Forbidden):
            return await hub.seated_by(link, earlier.member)
    if not name.strip():
        raise Malformed(NAME_NEEDED)
    joined = await caller.act(hub, "", JoinAction(name=name[:80], role=link.role))
    return await hub.seated_by(link, joined.entry.by)


async def stand(caller: Caller) -> dict[str, Any]:
    """Give up the seat in this chat; at the table it stays theirs."""
    hub = await caller.hub()
    await asyncio.to_thread(caller.bindings.unbind, hub.id, "user", caller.person.id)
    return message(["You gave up your seat here. At the table it is still yours."], private=True)


async def connect_channel(caller: Caller, table: str) -> dict[str, Any]:
    """Connect this channel to a table, as its GM."""
    hub = await _open(caller, table, NO_SEAT)
    member = await caller.member_at(hub)
    if member.role != GM:
        raise Forbidden(NOT_YOURS)
    at = caller.server.settings.clock()
    await asyncio.to_thread(caller.bindings.bind_channel, hub.id, caller.interaction.channel_id, member.id, at)
    said = f"This channel is now connected to **{plain(hub.state.title)}**. Take your seats with /table sit."
    return message([said], private=False)


async def free(caller: Caller) -> dict[str, Any]:
    """Disconnect the channel, as a GM of the table or as anyone who manages the channel."""
    table = await caller.table()
    if table is None:
        raise Illegal(NO_TABLE)
    if not caller.interaction.manages:
        hub = await caller.server.registry.open_for_guest(table)
        if (await caller.member_at(hub)).role != GM:
            raise Forbidden(ONLY_GM)
    await asyncio.to_thread(caller.bindings.unbind, table, "channel", caller.interaction.channel_id)
    return message(["This channel is no longer connected to a table."])
