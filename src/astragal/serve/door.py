"""The door: codes that are shown, people who knock, and codes that bring a seat to another device.

All of it is kept in rows, so that every server of a store knows it: a code is shown at one, typed at a second, and a
GM at a third lets the newcomer in. A join code opens nothing by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from secrets import token_urlsafe
from time import monotonic

import msgspec
from msgspec import Struct

from astragal.errors import Forbidden, Illegal, Unknown
from astragal.serve.auth import SeatCookie, Signer
from astragal.serve.codes import PREFIX, Codes, spoken_code, typed_code
from astragal.serve.knock import KNOCK, Knock, State, decode_knock, encode_knock, knock_name, waiting
from astragal.storage import Store

SHOWN = 12 * 3600
"""Seconds that a join code works after it was last shown, unless a GM ends it: an evening, with the dialog closed."""
SEAT_CODE = 600
"""Seconds that a code for a seat works."""
MAX_KNOCKS = 20
"""People at the door of one table."""
MAX_KNOCKS_BY_ADDRESS = 5
SECRET_BYTES = 18
LOOK_EVERY = 1.0
"""Seconds after which whoever waits looks for an answer by themselves, should nobody tell."""
NOBODY = "Nobody waits at the door with this; enter the code again."
NO_LONGER = "Nobody waits at the door any more with this id."


class ShownCode(Struct, frozen=True, array_like=True):
    """A join code, and until when it works, in milliseconds."""

    code: str
    until: int


_shown = msgspec.json.Decoder(ShownCode)


class Door:
    """The doors of all tables. Time is in milliseconds. All but ``wait`` and ``wake`` wait for the disk."""

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
        """The join code of a table and the seconds that it works, from now, unless a GM ends it."""
        now, body = self._clock(), self._store.setting(_shown_name(table))
        shown = _shown.decode(body) if body else None
        code = shown.code if shown and shown.until >= now else spoken_code()
        new = ShownCode(code, now + 1000 * SHOWN)
        if not self._store.swap_setting(_shown_name(table), body, msgspec.json.encode(new)).result():
            return self.show(table)  # somebody else shows it too, at another server
        self._joins.put(code, (table,), SHOWN)
        return code, SHOWN

    def hide(self, table: str) -> None:
        """End the join code of a table at once."""
        if body := self._store.setting(_shown_name(table)):
            self._store.delete_setting(_shown_name(table)).result()
            self._joins.drop(_shown.decode(body).code)

    def table_of(self, code: str) -> str:
        """The table whose join code this is; Forbidden if it is none."""
        return self._joins.find(code)[0]

    # Codes for seats.

    def give_seat(self, seat: SeatCookie) -> tuple[str, int]:
        """A code that takes a seat, once, and the seconds that it works; an earlier one for that seat ends."""
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
        """Somebody waits at the door; the secret is for them alone. Rows of knocks that have ended are deleted."""
        hashed = self._hashed(address)[:22]
        for row, body in self._store.settings_under([knock_name(table)]).items():
            if decode_knock(body).has_ended(self._clock()):
                self._store.delete_setting(row)
        if len(self.knocks(table)) >= MAX_KNOCKS:
            raise Illegal("Too many people wait at the door of this table; try again in a while.")
        if len(self._knocks_from(hashed)) >= MAX_KNOCKS_BY_ADDRESS:
            raise Illegal("You wait at several doors already; wait for an answer first.")
        secret = token_urlsafe(SECRET_BYTES)
        made = Knock(token_urlsafe(6), table, name, self._clock(), hashed)
        until = msgspec.json.encode([table, made.at + 1000 * KNOCK])
        self._secrets.put(secret, (table, made.id), KNOCK)
        self._store.set_setting(_from_name(hashed, made.id), until).result()
        self._store.set_setting(knock_name(table, made.id), encode_knock(made)).result()
        self._store.tell_changed(table)
        return made, secret

    def _knocks_from(self, address: str) -> list[str]:
        """The rows of those who wait and came from an address."""
        now, rows = self._clock(), self._store.settings_under([_from_name(address)])
        return [name for name, body in rows.items() if msgspec.json.decode(body)[1] >= now]

    def knocks(self, table: str) -> list[Knock]:
        """Everybody who waits at the door of a table, in order."""
        return waiting(list(self._store.settings_under([knock_name(table)]).values()), self._clock())

    def find(self, table: str, id: str) -> Knock:
        """Whoever waits, by what the GMs know of them."""
        for knock in self.knocks(table):
            if knock.id == id:
                return knock
        raise Unknown(NO_LONGER)

    def answer(self, knock: Knock, state: State, seat: SeatCookie | None = None) -> None:
        """Answer whoever waits; Unknown if another GM was faster, and said something else."""
        answered = msgspec.structs.replace(knock, state=state, seat=tuple(seat) if seat else None)
        name = knock_name(knock.table, knock.id)
        stored = self._store.swap_setting(name, encode_knock(knock), encode_knock(answered)).result()
        if not stored and self._store.setting(name) != encode_knock(answered):
            raise Unknown(NO_LONGER)
        self._store.delete_setting(_from_name(knock.address, knock.id)).result()
        self._store.tell_changed(knock.table)

    def waits(self, secret: str) -> Knock:
        """Whoever knocked, by their secret; Unknown if they wait no longer."""
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
        """Whoever waits, once they are answered, or as they are after so long."""
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
        """Have everybody who waits look for an answer: somebody was answered, here or at another server."""
        if self._woken:
            self._woken.set()
            self._woken = None

    def close(self) -> None:
        """Let everybody who waits know that the server stops; they ask again at another, or when it is back."""
        self._closed = True
        self.wake()


def _shown_name(table: str) -> str:
    return f"{PREFIX}shown/{table}"


def _from_name(address: str, id: str = "") -> str:
    return f"{PREFIX}from/{address}/{id}"
