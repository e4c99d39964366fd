"""The key that signs heads of chains and seals of files: one for an installation, kept in its store."""

from __future__ import annotations

from secrets import token_bytes

import msgspec

from astragal.storage import Store
from astragal.table.log.seal import Handover, HeadKey, handover_text
from astragal.table.rolls.ticket import SECRET_BYTES, Tickets

KEY = "serve/head-key"
"""Name of the setting with the key's secret half."""
HANDOVERS = "serve/head-handovers"
"""Name of the setting with what older keys signed when a newer one took over."""
SEED_BYTES = 32
MAX_HANDOVERS = 20


def load_head_key(store: Store) -> HeadKey:
    """The key of an installation; it is made once, also if several servers start at the same time."""
    return HeadKey(store.setting_once(KEY, token_bytes(SEED_BYTES)))


def handovers(store: Store) -> list[Handover]:
    """What older keys said about newer ones, oldest first."""
    return msgspec.json.decode(store.setting(HANDOVERS) or b"[]", type=list[Handover])


def rotate_head_key(store: Store, keep_old: bool = True) -> None:
    """Sign with a new key from now on; the old one vouches for it, unless it is to be forgotten."""
    old, seed = load_head_key(store), token_bytes(SEED_BYTES)
    new = HeadKey(seed).public
    said = Handover(old.public, new, old.sign(handover_text(old.public, new)))
    known = [*handovers(store), said][-MAX_HANDOVERS:] if keep_old else []
    store.set_setting(HANDOVERS, msgspec.json.encode(known)).result()
    store.set_setting(KEY, seed).result()


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
