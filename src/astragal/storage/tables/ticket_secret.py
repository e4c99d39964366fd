"""The secret that a table's tickets are made of: random, kept beside its links, and in no export."""

from __future__ import annotations

from secrets import token_bytes

from astragal.storage import Store
from astragal.table.rolls.ticket import SECRET_BYTES, Tickets

KIND = "tickets"
"""Settings of this kind belong to a table and go with it (``storage.sql.TABLE_SETTINGS``); what is restored from a
backup gets new ones (``storage.backup.USED_ONCE``)."""


def _name(table: str) -> str:
    return f"{KIND}/{table}/secret"


def load_tickets(store: Store, table: str) -> Tickets:
    """The tickets of a table; its secret is made once, also if several servers open the table at the same time."""
    return Tickets(table, store.setting_once(_name(table), token_bytes(SECRET_BYTES)))


def new_tickets(table: str) -> Tickets:
    """The tickets of a table that is about to be created."""
    return Tickets(table, token_bytes(SECRET_BYTES))


def keep_tickets(store: Store, table: str, tickets: Tickets) -> None:
    """Keep the secret of a table that was just created: creating a table clears what an older one of its id left."""
    store.swap_setting(_name(table), None, tickets.secret).result()
