"""Chats of a table, for its GMs: connections to Discord, called ties, and webhooks."""

from __future__ import annotations

import asyncio
from typing import Annotated, cast

from msgspec import Meta, Struct

from astragal.errors import Unknown
from astragal.serve.chat.discord.bindings import Bindings, Kind
from astragal.serve.chat.webhooks.address import MAX_ADDRESS, parse_address
from astragal.serve.chat.webhooks.cursor import CursorClaim
from astragal.serve.chat.webhooks.webhook import (
    VIEWERS,
    Audience,
    Form,
    Webhook,
    add_webhook,
    remove_webhook,
    webhooks_of,
)
from astragal.serve.http.operation import Call, Reply
from astragal.storage import Store
from astragal.table.access import seat_version


class TieShown(Struct, frozen=True):
    """A channel or a person of Discord; ``member`` is the seat's member, or the GM who connected the channel."""

    id: str
    """Such as ``channel-123`` or ``user-456``."""
    member: str
    name: str
    at: int


class WebhookShown(Struct, frozen=True):
    """A webhook. Only the host of its address is shown, since the rest may be secret; its own secret is never shown."""

    id: str
    host: str
    audience: Audience
    form: Form
    made: int
    behind: int
    """Entries that are still to be posted."""
    dropped: int
    """Entries that were never posted."""
    stopped: bool
    said: str
    """The reason why the last try failed."""


class ChatShown(Struct, frozen=True):
    """If the server answers Discord, and the table's ties and webhooks."""

    discord: bool
    ties: list[TieShown]
    webhooks: list[WebhookShown]


class NewWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """An address, the audience and the form of posts, and the secret that signs them; without one, it is generated."""

    address: Annotated[str, Meta(min_length=1, max_length=MAX_ADDRESS)]
    audience: Audience = "all"
    form: Form = "astragal"
    secret: Annotated[str, Meta(max_length=100, pattern="^([!-~]{16,})?$")] = ""


class WebhookMade(Struct, frozen=True):
    """A new webhook, with its secret, which is shown only now."""

    id: str
    host: str
    audience: Audience
    form: Form
    secret: str


async def show_chat(call: Call) -> Reply:
    """The table's ties to Discord, and its webhooks."""
    return Reply(await asyncio.to_thread(_shown, call))


def _shown(call: Call) -> ChatShown:
    store, state = call.server.repository.store, call.hub.state
    ties = [TieShown(f"{tie.kind}-{tie.id}", tie.member, tie.name, tie.at) for tie in Bindings(store).all(call.hub.id)]
    last = {audience: seat_version(state, viewer) for audience, viewer in VIEWERS.items()}
    webhooks = [show_webhook(store, each, last[each.audience]) for each in webhooks_of(store, call.hub.id)]
    return ChatShown(bool(call.server.settings.discord_key), ties, webhooks)


def show_webhook(store: Store, webhook: Webhook, last: int) -> WebhookShown:
    """A webhook as its GM may see it; ``last`` is the number of entries that its audience may see."""
    cursor = CursorClaim(store, webhook.table, webhook.id, "").cursor
    return WebhookShown(
        webhook.id,
        parse_address(webhook.address, "any").shown,
        webhook.audience,
        webhook.form,
        webhook.made,
        max(0, last - cursor.n),
        cursor.dropped,
        cursor.stopped,
        cursor.said,
    )


async def untie(call: Call) -> Reply:
    """Disconnect a channel or a person of Discord."""
    kind, _, id = call.path("tie").partition("-")
    if kind not in ("channel", "user"):
        raise Unknown("The name of a tie is channel- or user-, and a number.")
    await asyncio.to_thread(Bindings(call.server.repository.store).unbind, call.hub.id, cast("Kind", kind), id[:20])
    return Reply(None, 204)


async def create_webhook(call: Call) -> Reply:
    """Add a webhook: new entries are posted there, as everyone or as a GM may see them."""
    asked: NewWebhook = call.body
    address = parse_address(asked.address, call.server.settings.webhooks)
    made = await asyncio.to_thread(
        add_webhook,
        call.server.repository.store,
        call.hub.id,
        asked.address,
        audience=asked.audience,
        form=asked.form,
        secret=asked.secret,
        at=call.server.settings.clock(),
        after=seat_version(call.hub.state, VIEWERS[asked.audience]),
    )
    return Reply(WebhookMade(made.id, address.shown, made.audience, made.form, made.secret), 201)


async def delete_webhook(call: Call) -> Reply:
    """Remove a webhook."""
    await asyncio.to_thread(remove_webhook, call.server.repository.store, call.hub.id, call.path("webhook"))
    return Reply(None, 204)
