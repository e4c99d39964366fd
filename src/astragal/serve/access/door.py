"""The door of a table: join codes, the people who knock with one, and codes that move a seat to another device.

Everything is kept in rows, so every server of a store knows it: one server shows a code, another one takes it, and a GM
at a third lets the newcomer in. A join code opens nothing by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from secrets import token_urlsafe
from time import monotonic
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from astragal.errors import Forbidden, Illegal, Unknown
from astragal.serve.access.auth import SeatCookie, Signer
from astragal.serve.access.codes import PREFIX, Codes, spoken_code, typed_code
from astragal.storage import Store

KNOCK = 600
"""Seconds that a person waits at the door, and that an answer waits for the person."""

State: TypeAlias = Literal["waiting", "refused", "in"]


class Knock(Struct, frozen=True):
    """A person at the door of a table. GMs know the ``id``; only the person knows the secret."""

    id: str
    table: str
    name: str
    at: int
    address: str
    """A hash of the address."""
    state: State = "waiting"
    seat: tuple[str, str, str] | None = None

    @property
    def seat_cookie(self) -> SeatCookie | None:
        """The seat of a person who was let in."""
        return SeatCookie(*self.seat) if self.seat else None

    def has_ended(self, now: int) -> bool:
        """True if the knock has expired, answered or not."""
        return self.at < now - 1000 * KNOCK


decode_knock = msgspec.json.Decoder(Knock).decode
encode_knock = msgspec.json.Encoder().encode


def knock_name(table: str, id: str = "") -> str:
    """The name of a knock's row; without an id, the prefix of all knocks at a table."""
    return f"live/{table}/knock/{id}"


def waiting(bodies: list[bytes], now: int) -> list[Knock]:
    """The people who wait at the door, in order."""
    knocks = sorted(map(decode_knock, bodies), key=lambda knock: (knock.at, knock.id))
    return [knock for knock in knocks if knock.state == "waiting" and not knock.has_ended(now)]


SHOWN = 12 * 3600
"""Seconds that a join code works after it was last shown, unless a GM ends it: an evening."""
SEAT_CODE = 600
"""Seconds that a code for a seat works."""
MAX_KNOCKS = 20
"""People at the door of one table."""
MAX_KNOCKS_BY_ADDRESS = 5
SECRET_BYTES = 18
LOOK_EVERY = 1.0
"""Seconds between two looks for an answer, in case the notice of it is lost."""
NOBODY = "You no longer wait at the door; enter the code again."
NO_LONGER = "This person no longer waits at the door."


class ShownCode(Struct, frozen=True, array_like=True):
    """A join code, and the time of its end in milliseconds."""

    code: str
    until: int


_shown = msgspec.json.Decoder(ShownCode)


class Door:
    """The doors of all tables. Times are in milliseconds. All methods but ``wait`` and ``wake`` wait for the disk."""

    def __init__(self, store: Store, signer: Signer, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._signer = signer
        self._joins, self._seats, self._given, self._secrets = (
            Codes(store, kind, self._hashed, clock) for kind in ("join", "seat", "given", "knock")
        )
        self._woken: asyncio.Event | None = None
        self._closed = False

    def _hashed(self, text: str) -> str:
        return self._signer.sign("code", text)

    # Join codes.

    def show(self, table: str) -> tuple[str, int]:
        """The join code of a table, and the seconds that it works from now, unless a GM ends it."""
        now, body = self._clock(), self._store.setting(_shown_name(table))
        shown = _shown.decode(body) if body else None
        code = shown.code if shown and shown.until >= now else spoken_code()
        new = ShownCode(code, now + 1000 * SHOWN)
        if not self._store.swap_setting(_shown_name(table), body, msgspec.json.encode(new)).result():
            return self.show(table)  # another server shows it at the same time
        self._joins.put(code, (table,), SHOWN)
        return code, SHOWN

    def hide(self, table: str) -> None:
        """End the join code of a table immediately."""
        if body := self._store.setting(_shown_name(table)):
            self._store.delete_setting(_shown_name(table)).result()
            self._joins.drop(_shown.decode(body).code)

    def table_of(self, code: str) -> str:
        """The table of a join code; Forbidden if the code is not valid."""
        return self._joins.find(code)[0]

    # Codes for seats.

    def give_seat(self, seat: SeatCookie) -> tuple[str, int]:
        """A code that takes a seat once, and the seconds that it works; an earlier code for the seat ends."""
        owner = self._hashed(f"{seat.table}/{seat.member}")
        with suppress(Forbidden):
            self._seats.drop(self._given.take(owner)[0])
        code = typed_code()
        self._given.put(owner, (code,), SEAT_CODE)
        self._seats.put(code, tuple(seat), SEAT_CODE)
        return code, SEAT_CODE

    def take_seat(self, code: str) -> SeatCookie:
        """The seat that a code takes; the code ends."""
        return SeatCookie(*self._seats.take(code))

    # Knocks.

    def knock(self, table: str, name: str, address: str) -> tuple[Knock, str]:
        """Let a person wait at the door; the secret is for that person alone. Expired knocks are deleted."""
        hashed = self._hashed(address)[:22]
        for row, body in self._store.settings_under([knock_name(table)]).items():
            if decode_knock(body).has_ended(self._clock()):
                self._store.delete_setting(row)
        if len(self.knocks(table)) >= MAX_KNOCKS:
            raise Illegal("Too many people wait at the door of this table. Try again later.")
        if len(self._knocks_from(hashed)) >= MAX_KNOCKS_BY_ADDRESS:
            raise Illegal("You already wait at several doors; wait for an answer first.")
        secret = token_urlsafe(SECRET_BYTES)
        made = Knock(token_urlsafe(6), table, name, self._clock(), hashed)
        until = msgspec.json.encode([table, made.at + 1000 * KNOCK])
        self._secrets.put(secret, (table, made.id), KNOCK)
        self._store.set_setting(_from_name(hashed, made.id), until).result()
        self._store.set_setting(knock_name(table, made.id), encode_knock(made)).result()
        self._store.notify_changed(table)
        return made, secret

    def _knocks_from(self, address: str) -> list[str]:
        """The rows of the people from one address who wait."""
        now, rows = self._clock(), self._store.settings_under([_from_name(address)])
        return [name for name, body in rows.items() if msgspec.json.decode(body)[1] >= now]

    def knocks(self, table: str) -> list[Knock]:
        """The people who wait at the door of a table, in order."""
        return waiting(list(self._store.settings_under([knock_name(table)]).values()), self._clock())

    def find(self, table: str, id: str) -> Knock:
        """A person who waits, by the id that GMs know."""
        for knock in self.knocks(table):
            if knock.id == id:
                return knock
        raise Unknown(NO_LONGER)

    def answer(self, knock: Knock, state: State, seat: SeatCookie | None = None) -> None:
        """Answer a person who waits; Unknown if another GM gave another answer before."""
        answered = msgspec.structs.replace(knock, state=state, seat=tuple(seat) if seat else None)
        name = knock_name(knock.table, knock.id)
        stored = self._store.swap_setting(name, encode_knock(knock), encode_knock(answered)).result()
        if not stored and self._store.setting(name) != encode_knock(answered):
            raise Unknown(NO_LONGER)
        self._store.delete_setting(_from_name(knock.address, knock.id)).result()
        self._store.notify_changed(knock.table)

    def waits(self, secret: str) -> Knock:
        """The person who knocked, by the secret; Unknown if they no longer wait."""
        try:
            table, id = self._secrets.find(secret)
        except Forbidden:
            raise Unknown(NOBODY) from None
        body = self._store.setting(knock_name(table, id))
        knock = decode_knock(body) if body else None
        if knock is None or knock.has_ended(self._clock()):
            raise Unknown(NOBODY)
        return knock

    # Waiting, in the event loop.

    async def wait(self, secret: str, seconds: float) -> Knock:
        """The person who waits, once they are answered or after this number of seconds."""
        end = monotonic() + seconds
        while True:
            self._woken = self._woken or asyncio.Event()
            woken = self._woken
            knock = await asyncio.to_thread(self.waits, secret)
            left = end - monotonic()
            if knock.state != "waiting" or left <= 0 or self._closed:
                return knock
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, LOOK_EVERY)):
                    await woken.wait()

    def wake(self) -> None:
        """Make everyone who waits look for an answer: a knock was answered, here or at another server."""
        if self._woken:
            self._woken.set()
            self._woken = None

    def close(self) -> None:
        """End all waiting, since the server stops; pages ask again, here or at another server."""
        self._closed = True
        self.wake()


def _shown_name(table: str) -> str:
    return f"{PREFIX}shown/{table}"


def _from_name(address: str, id: str = "") -> str:
    return f"{PREFIX}from/{address}/{id}"
