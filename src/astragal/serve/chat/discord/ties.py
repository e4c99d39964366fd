"""Ties: which channel of Discord belongs to which table, and which person of Discord sits in which seat there.

A channel has one table, and a table may have several channels. Ties are settings of their table and go with it:
``discord/TABLE/channel-ID`` and ``discord/TABLE/user-ID``. ``discord-channel/ID`` names the table of a channel; it
counts only together with the table's own setting. A person's tie is a seat as a cookie would be: it ends with its link.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from astragal.errors import Illegal, Unknown
from astragal.serve.auth import SeatCookie
from astragal.storage import Store

MAX_CHANNELS = 20
"""Channels tied to one table."""
MAX_PEOPLE = 200
"""People of Discord tied to one table's seats."""
TAKEN = "This channel is tied to another table; its GM, or whoever may manage the channel, ends that with /table free."

Kind: TypeAlias = Literal["channel", "user"]


class Tie(Struct, frozen=True):
    """A channel or a person of Discord. Of a person, the member and the link that they came by."""

    kind: Kind
    id: str
    at: int
    """Milliseconds since 1970."""
    member: str = ""
    """Whose seat it is, or of a channel who tied it."""
    link: str = ""
    name: str = ""
    """What the person is called in Discord."""


_decoder = msgspec.json.Decoder(Tie)


class Ties:
    """The ties of all tables. Everything here reads or waits for the disk: do it in a thread."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def table_of(self, channel: str) -> str | None:
        """The table of a channel, if it has one."""
        body = self._store.setting(_pointer(channel))
        table = body.decode() if body else None
        return table if table and self._find(table, "channel", channel) else None

    def seat_of(self, table: str, user: str) -> SeatCookie | None:
        """The seat of a person at a table, if they were tied to one; the hub checks whether it still stands."""
        tie = self._find(table, "user", user)
        return SeatCookie(table, tie.member, tie.link) if tie else None

    def _find(self, table: str, kind: Kind, id: str) -> Tie | None:
        body = self._store.setting(_name(table, kind, id))
        return _decoder.decode(body) if body else None

    def all(self, table: str) -> list[Tie]:
        """The ties of a table, oldest first."""
        bodies = self._store.settings_under([f"discord/{table}/"]).values()
        return sorted(map(_decoder.decode, bodies), key=lambda tie: (tie.at, tie.id))

    def tie_channel(self, table: str, channel: str, member: str, at: int) -> None:
        """Tie a channel to a table; Illegal if it has another one."""
        earlier = self.table_of(channel)
        if earlier not in (None, table):
            raise Illegal(TAKEN)
        self._check_room(table, "channel", channel, MAX_CHANNELS)
        old = self._store.setting(_pointer(channel))
        self._store.set_setting(
            _name(table, "channel", channel), msgspec.json.encode(Tie("channel", channel, at, member))
        ).result()
        swapped = self._store.swap_setting(_pointer(channel), old, table.encode()).result()
        if not swapped and self.table_of(channel) != table:  # somebody was faster
            self._store.delete_setting(_name(table, "channel", channel)).result()
            raise Illegal(TAKEN)

    def tie_user(self, seat: SeatCookie, user: str, name: str, at: int) -> None:
        """Tie a person to a seat; an earlier seat of theirs at the table is no longer theirs."""
        self._check_room(seat.table, "user", user, MAX_PEOPLE)
        tie = Tie("user", user, at, seat.member, seat.link, name)
        self._store.set_setting(_name(seat.table, "user", user), msgspec.json.encode(tie)).result()

    def _check_room(self, table: str, kind: Kind, id: str, most: int) -> None:
        names = self._store.setting_names(f"discord/{table}/{kind}-")
        if _name(table, kind, id) not in names and len(names) >= most:
            raise Illegal(f"A table has at most {most} ties of this kind to Discord; a GM can end some.")

    def untie(self, table: str, kind: Kind, id: str) -> None:
        """End a tie; Unknown if there is none."""
        if self._find(table, kind, id) is None:
            raise Unknown(f'There is no tie "{kind}-{id[:20]}" at this table.')
        self._store.delete_setting(_name(table, kind, id)).result()
        if kind == "channel":
            self._store.delete_setting(_pointer(id)).result()


def _name(table: str, kind: Kind, id: str) -> str:
    return f"discord/{table}/{kind}-{id}"


def _pointer(channel: str) -> str:
    return f"discord-channel/{channel}"
