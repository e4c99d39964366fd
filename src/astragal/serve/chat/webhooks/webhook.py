"""A webhook: an address, the audience whose entries are posted to it, and the secret that signs them.

They are settings of their table: ``webhook/TABLE/ID`` is the webhook, ``cursor/TABLE/ID`` its position. Both are
deleted with the table. Any server and the command line may add and remove them; every server's dispatcher finds them.
"""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from astragal.errors import Illegal, Unknown
from astragal.serve.chat.webhooks.cursor import Cursor, cursor_name
from astragal.serve.live.hub import SCREEN
from astragal.storage import Store
from astragal.table.access import GM
from astragal.table.state import Member

MAX_WEBHOOKS = 10
"""Webhooks of one table."""
MAX_ALL = 1000
"""Webhooks of a store."""
SECRET_BYTES = 32
WEBHOOKS = "webhook/"

Audience: TypeAlias = Literal["all", "gm"]
"""Everyone at the table, or the GMs."""
Form: TypeAlias = Literal["astragal", "discord"]
"""Our own JSON, or a message in the form of Discord's webhooks."""


class Webhook(Struct, frozen=True):
    """An address and an audience; ``secret`` signs the posts, and is shown only when the webhook is made."""

    id: str
    table: str
    address: str
    audience: Audience
    form: Form
    secret: str
    made: int
    """Milliseconds since 1970."""

    @property
    def viewer(self) -> Member:
        """A member with exactly the rights of the audience."""
        return VIEWERS[self.audience]


VIEWERS: dict[Audience, Member] = {"all": SCREEN, "gm": Member("", "", GM)}
decode_webhook = msgspec.json.Decoder(Webhook).decode


def webhook_name(table: str, id: str = "") -> str:
    """The name of a webhook's setting."""
    return f"{WEBHOOKS}{table}/{id}"


def webhooks_of(store: Store, table: str) -> list[Webhook]:
    """The webhooks of a table, oldest first."""
    bodies = store.settings_under([webhook_name(table)]).values()
    return sorted(map(decode_webhook, bodies), key=lambda each: (each.made, each.id))


def add_webhook(
    store: Store, table: str, address: str, *, audience: Audience, form: Form, secret: str, at: int, after: int
) -> Webhook:
    """Add a webhook for entries after a number of its audience's log; waits for the disk. No secret: one is made."""
    if len(store.setting_names(webhook_name(table))) >= MAX_WEBHOOKS:
        raise Illegal(f"A table has at most {MAX_WEBHOOKS} webhooks; remove one that is no longer needed.")
    if len(store.setting_names(WEBHOOKS)) >= MAX_ALL:
        raise Illegal(f"A server has at most {MAX_ALL} webhooks. Ask the person who runs this server to remove some.")
    id = token_urlsafe(9)
    webhook = Webhook(id, table, address, audience, form, secret or token_urlsafe(SECRET_BYTES), at)
    # The cursor first: otherwise a dispatcher might find the webhook without its position.
    store.set_setting(cursor_name(table, id), msgspec.json.encode(Cursor(after))).result()
    store.set_setting(webhook_name(table, id), msgspec.json.encode(webhook)).result()
    return webhook


def remove_webhook(store: Store, table: str, id: str) -> None:
    """Remove a webhook; a post in progress may still arrive."""
    if store.setting(webhook_name(table, id)) is None:
        raise Unknown(f'There is no webhook "{id[:40]}" at this table.')
    store.delete_setting(webhook_name(table, id)).result()
    store.delete_setting(cursor_name(table, id)).result()
