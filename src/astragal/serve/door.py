"""The door: codes that are shown, people who knock, and codes that bring a seat to another device.

All of it lasts minutes and is kept in memory. A join code opens nothing by itself: a GM lets people in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from secrets import token_urlsafe
from typing import Literal, NamedTuple, TypeAlias

from astragal.errors import Illegal, Unknown
from astragal.serve.auth import SeatCookie
from astragal.serve.codes import Codes, spoken_code, typed_code

SHOWN = 90
"""Seconds that a join code works after it was last shown."""
MAX_AGE = 600
"""Seconds after which a join code that is still shown becomes another."""
SEAT_CODE = 600
"""Seconds that a code for a seat works."""
KNOCK = 600
"""Seconds that somebody waits at the door, and that an answer waits for them."""
MAX_KNOCKS = 20
"""People at the door of one table."""
MAX_KNOCKS_BY_ADDRESS = 5
SECRET_BYTES = 18

State: TypeAlias = Literal["waiting", "refused", "in"]


class ShownCode(NamedTuple):
    """A join code, and since when and until when it works, in milliseconds."""

    code: str
    since: int
    until: int


class Knock:
    """Somebody at the door of a table. ``secret`` is known to them alone, ``id`` to the GMs."""

    def __init__(self, table: str, name: str, address: str, at: int) -> None:
        self.id, self.secret = token_urlsafe(6), token_urlsafe(SECRET_BYTES)
        self.table, self.name, self.address, self.at = table, name, address, at
        self.state: State = "waiting"
        self.seat: SeatCookie | None = None
        self.answered = asyncio.Event()

    def answer(self, state: State, seat: SeatCookie | None = None) -> None:
        """Tell whoever waits."""
        self.state, self.seat = state, seat
        self.answered.set()


class Door:
    """The doors of all tables. Time is in milliseconds."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._joins: Codes[str] = Codes(clock)
        self._seats: Codes[SeatCookie] = Codes(clock)
        self._shown: dict[str, ShownCode] = {}
        self._given: dict[tuple[str, str], str] = {}
        """The latest code for each seat; a new one ends it."""
        self._knocks: dict[str, Knock] = {}

    # Join codes.

    def show(self, table: str) -> tuple[str, int]:
        """The join code of a table and the seconds that it works, from now; whoever shows it asks again and again."""
        now, shown = self._clock(), self._shown.get(table)
        if shown is None or shown.until < now or now - shown.since > 1000 * MAX_AGE:
            shown = ShownCode(spoken_code(), now, 0)
        self._shown = {id: other for id, other in self._shown.items() if other.until >= now}
        self._shown[table] = shown._replace(until=now + 1000 * SHOWN)
        self._joins.put(shown.code, table, SHOWN)
        return shown.code, SHOWN

    def hide(self, table: str) -> None:
        """End the join code of a table at once."""
        shown = self._shown.pop(table, None)
        if shown:
            self._joins.drop(shown.code)

    def table_of(self, code: str) -> str:
        """The table whose join code this is; Forbidden if it is none."""
        return self._joins.find(code)

    # Codes for seats.

    def give_seat(self, seat: SeatCookie) -> tuple[str, int]:
        """A code that takes a seat, once, and the seconds that it works; an earlier one for that seat ends."""
        key = (seat.table, seat.member)
        if earlier := self._given.pop(key, None):
            self._seats.drop(earlier)
        if len(self._given) >= 10_000:
            self._given.pop(next(iter(self._given)))
        self._given[key] = code = typed_code()
        self._seats.put(code, seat, SEAT_CODE)
        return code, SEAT_CODE

    def take_seat(self, code: str) -> SeatCookie:
        """The seat that a code takes; the code ends."""
        seat = self._seats.take(code)
        self._given.pop((seat.table, seat.member), None)
        return seat

    # Knocks.

    def knock(self, table: str, name: str, address: str) -> Knock:
        """Somebody waits at the door."""
        self._forget_old()
        if len(self.knocks(table)) >= MAX_KNOCKS:
            raise Illegal("Too many people wait at the door of this table; try again in a while.")
        same = [knock for knock in self._knocks.values() if knock.address == address and knock.state == "waiting"]
        if len(same) >= MAX_KNOCKS_BY_ADDRESS:
            raise Illegal("You wait at several doors already; wait for an answer first.")
        knock = Knock(table, name, address, self._clock())
        self._knocks[knock.secret] = knock
        return knock

    def waiting(self, secret: str) -> Knock:
        """Whoever waits, by their secret; Unknown if they wait no longer."""
        self._forget_old()
        knock = self._knocks.get(secret)
        if knock is None:
            raise Unknown("Nobody waits at the door with this; enter the code again.")
        return knock

    def knocks(self, table: str) -> list[Knock]:
        """Everybody who waits at the door of a table, in order."""
        return [knock for knock in self._knocks.values() if knock.table == table and knock.state == "waiting"]

    def find(self, table: str, id: str) -> Knock:
        """Whoever waits, by what the GMs know of them."""
        self._forget_old()
        for knock in self.knocks(table):
            if knock.id == id:
                return knock
        raise Unknown("Nobody waits at the door any more with this id.")

    def _forget_old(self) -> None:
        oldest = self._clock() - 1000 * KNOCK
        self._knocks = {secret: knock for secret, knock in self._knocks.items() if knock.at >= oldest}

    def close(self) -> None:
        """Let everybody who waits know that the server stops; they ask again when it is back."""
        for knock in self._knocks.values():
            knock.answered.set()
