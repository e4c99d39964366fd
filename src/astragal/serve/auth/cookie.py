"""Seats: who is asking. A signed cookie names the member and the link that they came by."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import msgspec
from starlette.requests import HTTPConnection
from starlette.responses import Response

from astragal.errors import Forbidden
from astragal.serve.auth.signer import Signer, to_bytes, to_text

COOKIE = "seat"
YEAR = 365 * 24 * 60 * 60
NO_SEAT = "You have no seat at this table; open it by the link that you were given."


class SeatCookie(NamedTuple):
    """A member of a table, and the link that made them one."""

    table: str
    member: str
    link: str


def write_seat(signer: Signer, seat: SeatCookie) -> str:
    text = to_text(msgspec.json.encode(seat))
    return f"{text}.{signer.sign('seat', text)}"


@lru_cache(4096)
def read_seat(signer: Signer, written: str) -> SeatCookie | None:
    """The seat in a cookie, if the server wrote it; what was verified once need not be verified again."""
    text, _, signature = written.partition(".")
    if not signer.holds("seat", text, signature):
        return None
    return SeatCookie(*msgspec.json.decode(to_bytes(text), type=tuple[str, str, str]))


def seat_in(signer: Signer, request: HTTPConnection, table: str) -> SeatCookie:
    """The seat of whoever asks. That the link still stands is for the table to say."""
    seat = read_seat(signer, request.cookies.get(COOKIE, ""))
    if seat is None or seat.table != table:
        raise Forbidden(NO_SEAT)
    return seat


def give_seat(response: Response, signer: Signer, seat: SeatCookie, secure: bool) -> None:
    """Scripts cannot read it, other sites cannot send it, and it goes to its own table only."""
    response.set_cookie(
        COOKIE,
        write_seat(signer, seat),
        max_age=YEAR,
        path=f"/api/tables/{seat.table}",
        secure=secure,
        httponly=True,
        samesite="strict",
    )
