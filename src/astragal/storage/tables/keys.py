"""Keys in a store: the installation's key, which signs heads and seals, and each table's secret for tickets."""

from __future__ import annotations

from secrets import token_bytes

import msgspec

from astragal.storage import Store
from astragal.table.log.seal import Handover, HeadKey, handover_text
from astragal.table.rolls.ticket import SECRET_BYTES, Tickets

KEY = "serve/head-key"
"""Name of the setting with the key's secret half."""
HANDOVERS = "serve/head-handovers"
"""Name of the setting with the statements of older keys about newer ones."""
SEED_BYTES = 32
MAX_HANDOVERS = 20


def load_head_key(store: Store) -> HeadKey:
    """The key of an installation; it is made once, even if several servers start at the same time."""
    return HeadKey(store.setting_once(KEY, token_bytes(SEED_BYTES)))


def handovers(store: Store) -> list[Handover]:
    """The statements of older keys about newer ones, oldest first."""
    return msgspec.json.decode(store.setting(HANDOVERS) or b"[]", type=list[Handover])


def rotate_head_key(store: Store, keep_old: bool = True) -> None:
    """Sign with a new key from now on; with ``keep_old``, the old key signs a statement about the new one."""
    old, seed = load_head_key(store), token_bytes(SEED_BYTES)
    new = HeadKey(seed).public
    said = Handover(old.public, new, old.sign(handover_text(old.public, new)))
    known = [*handovers(store), said][-MAX_HANDOVERS:] if keep_old else []
    store.set_setting(HANDOVERS, msgspec.json.encode(known)).result()
    store.set_setting(KEY, seed).result()


KIND = "tickets"
"""Settings of this kind are deleted with their table (``storage.sql.TABLE_SETTINGS``), and are not restored from a
backup (``storage.backup.USED_ONCE``)."""


def _name(table: str) -> str:
    return f"{KIND}/{table}/secret"


def load_tickets(store: Store, table: str) -> Tickets:
    """The tickets of a table; its secret is made once, even if several servers open the table at the same time."""
    return Tickets(table, store.setting_once(_name(table), token_bytes(SECRET_BYTES)))


def new_tickets(table: str) -> Tickets:
    """The tickets of a table that is about to be created."""
    return Tickets(table, token_bytes(SECRET_BYTES))


def keep_tickets(store: Store, table: str, tickets: Tickets) -> None:
    """Keep the secret of a new table; creating the table has deleted the settings of an earlier one of its id."""
    store.swap_setting(_name(table), None, tickets.secret).result()
