"""Knocks: people at the door of a table, as rows that every server of the store reads."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from astragal.serve.auth import SeatCookie

KNOCK = 600
"""Seconds that somebody waits at the door, and that an answer waits for them."""

State: TypeAlias = Literal["waiting", "refused", "in"]


class Knock(Struct, frozen=True):
    """Somebody at the door of a table. ``id`` is known to the GMs; the secret that they were given, to them alone."""

    id: str
    table: str
    name: str
    at: int
    address: str
    """A hash of it."""
    state: State = "waiting"
    seat: tuple[str, str, str] | None = None

    @property
    def seat_cookie(self) -> SeatCookie | None:
        """The seat of whoever was let in."""
        return SeatCookie(*self.seat) if self.seat else None

    def has_ended(self, now: int) -> bool:
        """Whether nobody waits any longer, for the answer nor for a GM."""
        return self.at < now - 1000 * KNOCK


decode_knock = msgspec.json.Decoder(Knock).decode
encode_knock = msgspec.json.Encoder().encode


def knock_name(table: str, id: str = "") -> str:
    """The name of a knock's row, or what those of all knocks at a table begin with."""
    return f"live/{table}/knock/{id}"


def waiting(bodies: list[bytes], now: int) -> list[Knock]:
    """Everybody who waits at the door, in order."""
    knocks = sorted(map(decode_knock, bodies), key=lambda knock: (knock.at, knock.id))
    return [knock for knock in knocks if knock.state == "waiting" and not knock.has_ended(now)]
