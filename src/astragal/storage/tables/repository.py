"""The repository: creates tables in a store, opens, imports, exports and deletes them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from secrets import token_urlsafe

from astragal.errors import Unavailable, Unknown, Unsealed
from astragal.storage import Record, Store
from astragal.storage.tables.keys import keep_tickets, load_tickets, new_tickets
from astragal.storage.tables.limits import Limits, Quota
from astragal.storage.tables.staged import Staged, records_of, staged
from astragal.storage.tables.stored_table import StoredTable, announcement_key, new_key, now
from astragal.table.action import AnnounceAction, FoundAction
from astragal.table.entry import Entry, encode_entry
from astragal.table.fold import seen_by
from astragal.table.log.erase import Erased, erase_person
from astragal.table.log.sample import play_sample
from astragal.table.rolls.hand import machine
from astragal.table.rolls.ticket import Tickets
from astragal.table.state import Member, encode_state
from astragal.table.table import Table, folded

FILE = "tables.db"
"""Name of the store's file in the data folder."""


def default_folder() -> Path:
    """The data folder: ASTRAGAL_DATA, or else ``astragal`` in the data home of the XDG standard."""
    if named := os.environ.get("ASTRAGAL_DATA"):
        return Path(named)
    shared = Path(os.environ.get("XDG_DATA_HOME", ""))
    # The standard says to ignore a relative path.
    return (shared if shared.is_absolute() else _home() / ".local" / "share") / "astragal"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise Unavailable("There is no home folder for tables; name a folder with ASTRAGAL_DATA.") from None


def store_path(folder: Path | None = None) -> Path:
    """The path of the store's file in this folder, or in the default one."""
    return (default_folder() if folder is None else folder) / FILE


def new_id() -> str:
    """A random table id. A leading - would look like an option on a command line."""
    while (id := token_urlsafe(9)).startswith("-"):
        pass
    return id


UNSEALED = {
    "broken": "The seal of this file is broken: the file was changed after it was exported.",
    "missing": "This file has no seal, so no one can tell if it was changed after it was exported.",
}


class Repository:
    """The tables of a store. Every method may be called from every thread."""

    def __init__(
        self, store: Store, limits: Limits | None = None, tickets: Callable[[str], Tickets] | None = None
    ) -> None:
        self.store = store
        self.quota = Quota(store, limits or Limits())
        self._tickets = tickets or partial(load_tickets, store)
        self._new_tickets = tickets or new_tickets

    def create(self, action: FoundAction) -> StoredTable:
        """Create a table; its creator is its GM."""
        id = new_id()
        tickets = self._new_tickets(id)
        entry = Table().decide("", action, new_key(), now(), machine, tickets=tickets)
        return self._create(id, entry.events[0].title, [entry], tickets)  # type: ignore[union-attr]

    def create_sample(self, game: str, name: str = "", free: bool = False) -> StoredTable:
        """Create a table with the game's sample campaign; with ``free``, players may take over its characters."""
        id = new_id()
        tickets = self._new_tickets(id)
        table, entries = play_sample(game, now(), name, free, tickets=tickets)
        return self._create(id, table.state.title, entries, tickets)

    def import_table(self, lines: Iterable[bytes], unsealed: bool = False, at: int | None = None) -> StoredTable:
        """Create a table from the lines of an export, under its own id if that is free; see ``take_in``."""
        self.quota.check_table()
        with staged(lines) as found:
            return self.take_in(found, unsealed, at)

    def take_in(self, found: Staged, unsealed: bool = False, at: int | None = None) -> StoredTable:
        """Create a table from a staged one, all of it or nothing, with an entry that it was imported.

        A file with a broken or missing seal is refused unless ``unsealed``; the entry then records it.
        """
        self.quota.check_table()
        if not unsealed and found.seal != "right":
            raise Unsealed(UNSEALED[found.seal])
        own = found.header.table
        self.quota.check_entry(found.state.version, found.store.size(own))
        id = new_id() if self.has(own) else own
        tickets = self._new_tickets(id)
        self.store.adopt(id, found.store.path, own).result()
        self._announce_import(id, found, tickets, now() if at is None else at)
        return self._kept(id, tickets)

    def _announce_import(self, id: str, found: Staged, tickets: Tickets, at: int) -> None:
        """Record in a table's log that it was imported, with the state of its seal and its new tickets."""
        table = Table(found.state)
        action = AnnounceAction(why="imported", seal=found.seal)
        entry = table.decide("", action, announcement_key(tickets), at, tickets=tickets)
        record = Record(entry.version, entry.key, encode_entry(entry), seen_by(found.state, entry))
        self.store.append(id, record).result()
        state = table.apply(entry)
        self.store.save_snapshot(id, state.version, encode_state(state)).result()

    def _create(self, id: str, title: str, entries: list[Entry], tickets: Tickets) -> StoredTable:
        self.quota.check_table()
        records = list(records_of(entries))
        self.quota.check_entry(len(records), sum(len(record.body) for record in records))
        game = entries[0].events[0].game  # type: ignore[union-attr]
        self.store.create(id, game, title, entries[0].at, records).result()
        return self._kept(id, tickets)

    def _kept(self, id: str, tickets: Tickets) -> StoredTable:
        """A new table; it is deleted if other servers created too many at the same time."""
        try:
            self.quota.check_tables()
        except Unavailable:
            self.store.drop(id).result()
            raise
        keep_tickets(self.store, id, tickets)
        return self.open(id)

    def has(self, id: str) -> bool:
        """True if there is a table of this id."""
        try:
            self.store.info(id)
        except Unknown:
            return False
        return True

    def open(self, id: str) -> StoredTable:
        """A table by its id, read from the store; Unknown if there is none. It belongs to the caller."""
        stored_table = StoredTable(self.store, id, self.quota, self._tickets(id))
        stored_table.announce()
        return stored_table

    def erase(self, id: str, member: Member) -> Erased:
        """Remove a member's names and words from a table's log; nothing else ever changes a log.

        The caller notifies servers with ``storage.backup.rewritten``.
        """
        stored_table = self.open(id)
        erased = erase_person(stored_table.history(), member, stored_table.state)
        records = [Record(entry.version, entry.key, encode_entry(entry)) for entry in erased.changed]
        self.store.rewrite(id, records).result()
        state = folded(erased.entries)
        self.store.save_snapshot(id, state.version, encode_state(state)).result()
        return erased

    def delete(self, id: str) -> None:
        """Delete a table for good."""
        self.store.drop(id).result()
        self.store.notify_changed(id)
