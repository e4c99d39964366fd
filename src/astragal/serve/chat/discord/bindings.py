"""Bindings: the table of a channel of Discord, and the seat of a person of Discord.

A channel has one table, and a table may have several channels. Bindings are settings of their table and are deleted
with it: ``discord/TABLE/channel-ID`` and ``discord/TABLE/user-ID``. ``discord-channel/ID`` names the table of a
channel, and counts only together with the table's own setting. A person's binding is a seat: it ends with its link.

Commands, HTTP and the page call a binding a tie.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from astragal.errors import Illegal, Unknown
from astragal.serve.access.auth import SeatCookie
from astragal.storage import Store

MAX_CHANNELS = 20
"""Channels of one table."""
MAX_PEOPLE = 200
"""People of Discord with seats at one table."""
TAKEN = (
    "This channel is connected to another table. Its GM, or anyone who may manage the channel, can end that with "
    "/table free."
)

Kind: TypeAlias = Literal["channel", "user"]


class Binding(Struct, frozen=True):
    """A channel or a person of Discord."""

    kind: Kind
    id: str
    at: int
    """Milliseconds since 1970."""
    member: str = ""
    """The member whose seat it is, or who connected the channel."""
    link: str = ""
    """The link that gave a person the seat."""
    name: str = ""
    """The person's name in Discord."""


_decoder = msgspec.json.Decoder(Binding)


class Bindings:
    """The bindings of all tables. Every method reads or waits for the disk: call it in a thread."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def table_of(self, channel: str) -> str | None:
        """The table of a channel, if it has one."""
        body = self._store.setting(_pointer(channel))
        table = body.decode() if body else None
        return table if table and self._find(table, "channel", channel) else None

    def seat_of(self, table: str, user: str) -> SeatCookie | None:
        """The seat of a person at a table, if they have one; the hub checks that its link is still valid."""
        binding = self._find(table, "user", user)
        return SeatCookie(table, binding.member, binding.link) if binding else None

    def _find(self, table: str, kind: Kind, id: str) -> Binding | None:
        body = self._store.setting(_name(table, kind, id))
        return _decoder.decode(body) if body else None

    def all(self, table: str) -> list[Binding]:
        """The bindings of a table, oldest first."""
        bodies = self._store.settings_under([f"discord/{table}/"]).values()
        return sorted(map(_decoder.decode, bodies), key=lambda binding: (binding.at, binding.id))

    def bind_channel(self, table: str, channel: str, member: str, at: int) -> None:
        """Bind a channel to a table; Illegal if it has another one."""
        earlier = self.table_of(channel)
        if earlier not in (None, table):
            raise Illegal(TAKEN)
        self._check_room(table, "channel", channel, MAX_CHANNELS)
        old = self._store.setting(_pointer(channel))
        self._store.set_setting(
            _name(table, "channel", channel), msgspec.json.encode(Binding("channel", channel, at, member))
        ).result()
        swapped = self._store.swap_setting(_pointer(channel), old, table.encode()).result()
        if not swapped and self.table_of(channel) != table:  # another table was faster
            self._store.delete_setting(_name(table, "channel", channel)).result()
            raise Illegal(TAKEN)

    def bind_user(self, seat: SeatCookie, user: str, name: str, at: int) -> None:
        """Bind a person to a seat; their earlier seat at the table is no longer theirs."""
        self._check_room(seat.table, "user", user, MAX_PEOPLE)
        binding = Binding("user", user, at, seat.member, seat.link, name)
        self._store.set_setting(_name(seat.table, "user", user), msgspec.json.encode(binding)).result()

    def _check_room(self, table: str, kind: Kind, id: str, most: int) -> None:
        names = self._store.setting_names(f"discord/{table}/{kind}-")
        if _name(table, kind, id) not in names and len(names) >= most:
            raise Illegal(f"A table has at most {most} connections of this kind to Discord; a GM can end some.")

    def unbind(self, table: str, kind: Kind, id: str) -> None:
        """End a binding; Unknown if there is none."""
        if self._find(table, kind, id) is None:
            raise Unknown(f'There is no connection "{kind}-{id[:20]}" at this table.')
        self._store.delete_setting(_name(table, kind, id)).result()
        if kind == "channel":
            self._store.delete_setting(_pointer(id)).result()


def _name(table: str, kind: Kind, id: str) -> str:
    return f"discord/{table}/{kind}-{id}"


def _pointer(channel: str) -> str:
    return f"discord-channel/{channel}"
