"""A seat: a table of the data folder, and the member who looks at it and acts at it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

from astragal.cli.parser import JSON, Option, Parsed
from astragal.cli.render.screen import Screen, print_json
from astragal.cli.watch import ProgressLine
from astragal.errors import Malformed, Refusal, Unknown
from astragal.storage import Address, Store, TableInfo, open_as_guest, parse_database
from astragal.storage.tables.repository import Repository, store_path
from astragal.storage.tables.stored_table import Acted, StoredTable, new_key, now
from astragal.table.access import GM, find_member
from astragal.table.action import Action, JoinAction, with_nonce
from astragal.table.rolls.hand import Roller, machine
from astragal.table.state import Member, State

DATA = Option("data", "FOLDER", "where tables are kept; otherwise ASTRAGAL_DATA, otherwise ~/.local/share/astragal")
DATABASE = Option("database", "URL", "a PostgreSQL database instead of a folder; otherwise ASTRAGAL_DATABASE")
AS = Option("as", "MEMBER", "whose seat to use, by name; otherwise the founding GM's")
YES = Option("yes", help="needed, since it cannot be undone")
WHERE = (DATA, DATABASE, JSON)
HOW = (AS, *WHERE)
"""The options of commands that act or look from a seat: which seat, where tables are kept, how to answer."""
NONCE_BYTES = 16
"""Of what this program adds to the machine's dice, so that they can be checked."""
NO_TABLE = 'There is no table yet; create one with astragal table new GAME "Title".'


class Seat(NamedTuple):
    """A stored table, and the id of the member who looks or acts."""

    stored_table: StoredTable
    member_id: str

    @property
    def state(self) -> State:
        """The table as it is now."""
        return self.stored_table.state

    @property
    def member(self) -> Member:
        """The member whose seat it is."""
        return self.state.members[self.member_id]

    def act(self, action: Action, dice: Roller = machine) -> Acted:
        """Act from this seat and wait until the action is stored. A joining member has no seat yet."""
        by = "" if isinstance(action, JoinAction) else self.member_id
        return self.stored_table.act(by, with_nonce(action, token_hex(NONCE_BYTES)), new_key(), now(), dice=dice)


def address_of(parsed: Parsed) -> Address:
    """The place of the tables: the named database, else the store's file in the given or default data folder."""
    folder, url = parsed.text("data"), parsed.text("database")
    if folder is not None and not folder.strip():
        raise Malformed("--data needs the name of a folder.")
    if folder is not None and url is not None:
        raise Malformed("Give --data or --database, not both: tables are kept in one place.")
    if url is None and folder is None:
        url = os.environ.get("ASTRAGAL_DATABASE") or None
    return parse_database(url) if url is not None else store_path(Path(folder) if folder is not None else None)


def is_missing(address: Address) -> bool:
    """True if there is no file yet; a database is checked when it is opened."""
    return isinstance(address, Path) and not address.exists()


@contextmanager
def open_repository(parsed: Parsed, make: bool = False) -> Iterator[Repository]:
    """The repository of the data folder or database. Only with ``make`` is a missing one created."""
    address = address_of(parsed)
    if not make and is_missing(address):
        raise Unknown(NO_TABLE)
    with open_as_guest(address) as store:
        yield Repository(store)


@contextmanager
def sit_down(parsed: Parsed, table: str | None) -> Iterator[Seat]:
    """The seat at the table that is named, as the options say."""
    with open_repository(parsed) as repository:
        yield seat_at(repository, find_table(repository.store, table).table, parsed.text("as"))


def seat_at(repository: Repository, id: str, member: str | None = None) -> Seat:
    """A seat at the table with this id: a member's by name, else the founding GM's."""
    with ProgressLine("opening of the table"):
        stored_table = repository.open(id)
    return Seat(stored_table, seat_of(stored_table.state, member).id)


def find_table(store: Store, name: str | None) -> TableInfo:
    """A table by its id, its title or the beginning of its id; without a name, the only one."""
    tables = store.tables()
    if name is None:
        if len(tables) == 1:
            return tables[0]
        if not tables:
            raise Unknown(NO_TABLE)
        raise Malformed(f"There are {len(tables)} tables; name one right after the command: {_listed(tables)}.")
    for found in (
        [about for about in tables if about.table == name],
        [about for about in tables if about.title.casefold() == name.strip().casefold()],
        [about for about in tables if name and about.table.startswith(name)],
    ):
        if len(found) == 1:
            return found[0]
        if found:
            raise Malformed(f'{len(found)} tables match "{name[:40]}"; name one by its id: {_listed(found)}.')
    raise Unknown(f'There is no table "{name[:40]}"; there are {_listed(tables)}.' if tables else NO_TABLE)


def titles(parsed: Parsed) -> list[str]:
    """The titles of all tables; none if the store cannot be read."""
    with suppress(Refusal), open_repository(parsed) as repository:
        return [about.title for about in repository.store.tables()]
    return []


def names_a_table(store: Store, name: str) -> bool:
    """True if a word names exactly one table."""
    try:
        find_table(store, name)
    except Refusal:
        return False
    return True


def _listed(tables: list[TableInfo]) -> str:
    more = f" and {len(tables) - 10} more" if len(tables) > 10 else ""
    return ", ".join(f'"{about.title}" ({about.table})' for about in tables[:10]) + more


def seat_of(state: State, name: str | None) -> Member:
    """A member by name or id; without a name, the founding GM, or the first GM who has not left."""
    if name is None:
        return next(member for member in state.members.values() if member.role == GM)
    member = find_member(state, name)
    if member.role == "gone":
        raise Unknown(f"{member.name} has left the table.")
    return member


def name_of(state: State, id: str) -> str:
    """The name of a member, a character, the table or the scene."""
    if id in state.members:
        return state.members[id].name
    holder = state.world.holders.get(id)
    return (holder.name or f"the {holder.kind}") if holder else state.world.retired.get(id, ("someone", ""))[0]


def answer(parsed: Parsed, data: Any, *lines: str) -> None:
    """Print what a command did: as JSON with ``--json``, otherwise in lines for a person."""
    if parsed.flag("json"):
        print_json(data)
    elif lines:
        print(*lines, sep="\n")


def answer_rows(
    parsed: Parsed, data: Any, heads: Sequence[str], rows: Sequence[Sequence[str]], *, none: str, left: Collection[int]
) -> None:
    """Print a table of what a command found, or the sentence ``none``; with ``--json``, the data."""
    if parsed.flag("json") or not rows:
        answer(parsed, data, none)
    else:
        Screen().show_grid(heads, rows, left)
