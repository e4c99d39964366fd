"""A caller: the person behind one interaction, with the rights of their seat, or of a visitor without one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec import Raw
from starlette.requests import Request

from astragal.errors import Forbidden, Unknown
from astragal.serve.chat.discord.bindings import Bindings
from astragal.serve.chat.discord.interaction import Interaction
from astragal.serve.live.hub import Hub
from astragal.serve.state import ServerState
from astragal.storage.tables.stored_table import Acted
from astragal.table.action import Action, with_nonce
from astragal.table.entry import Entry, decode_entry
from astragal.table.rolls.hand import machine
from astragal.table.state import Member

NO_TABLE = (
    "This channel is not connected to a table. A GM takes their seat here with /table sit, and can then connect it."
)
NO_SEAT = "You have no seat here. Take yours with /table sit and your own link to the table."


class Seated(NamedTuple):
    """A member at the table of the channel."""

    hub: Hub
    member: Member


class Caller:
    """The person behind one interaction, at one server."""

    def __init__(self, server: ServerState, request: Request, interaction: Interaction) -> None:
        self.server = server
        self.request = request
        self.interaction = interaction
        self.person = interaction.person
        self.bindings = Bindings(server.repository.store)

    @property
    def client(self) -> str:
        """Their name for turns and rates."""
        return f"discord/{self.person.id}"

    @property
    def seed(self) -> str:
        """The seed of dice without a table: secret, and the same for the same interaction."""
        return self.server.signer.sign("discord dice", self.interaction.id)

    async def table(self) -> str | None:
        """The table of the channel, if it has one."""
        return await asyncio.to_thread(self.bindings.table_of, self.interaction.channel_id)

    async def hub(self) -> Hub:
        """The table of the channel; Unknown if it has none."""
        table = await self.table()
        if table is None:
            raise Unknown(NO_TABLE)
        return await self.server.registry.open_for_guest(table)

    async def seated(self, limit: str = "actions") -> Seated:
        """Their member at the table of the channel; Forbidden without a valid seat."""
        hub = await self.hub()
        member = await self.member_at(hub)
        self.server.rates.take(limit, f"{hub.id}/{member.id}")
        return Seated(hub, member)

    async def member_at(self, hub: Hub) -> Member:
        """Their member at a table; Forbidden without a valid seat."""
        seat = await asyncio.to_thread(self.bindings.seat_of, hub.id, self.person.id)
        if seat is None:
            raise Forbidden(NO_SEAT)
        try:
            return await hub.seated(seat)
        except Forbidden:
            raise Forbidden(NO_SEAT) from None

    async def act(self, hub: Hub, by: str, action: Action) -> Acted:
        """Act at a table, once for each interaction, at any server."""
        settings = self.server.settings
        key, name = self._key(by), f"discord-{self.interaction.id}"
        dice = settings.dice(key) if settings.dice else machine
        # Discord made the id after the seat's ticket was shown, so the id serves as a nonce.
        acted = await hub.submit(by, with_nonce(action, name), key, settings.clock(), dice)
        self.server.metrics.actions[acted.entry.do] += 1
        return acted

    async def done(self, seated: Seated) -> Entry | None:
        """The entry that this interaction made, if it arrived before, here or at another server."""
        store = self.server.repository.store
        record = await asyncio.to_thread(store.find, seated.hub.id, self._key(seated.member.id))
        return decode_entry(record.body) if record else None

    def _key(self, by: str) -> str:
        return f"{by}/discord-{self.interaction.id}"

    async def ask(self, work: Callable[..., Any], *args: Any) -> Raw:
        """The answer to a question as JSON, with the limits of every question."""
        return await self.server.visitors.answer(self.client, self.request, work, *args)

    async def ask_as(self, seated: Seated, work: Callable[..., Any], *args: Any) -> Raw:
        """The same for a member of a table."""
        asker = f"{seated.hub.id}/{seated.member.id}"
        return await self.server.members.answer(asker, self.request, work, *args)
