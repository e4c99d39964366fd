"""Joining a table: invitations, join codes, knocks, codes for a seat on another device, QR codes."""

from __future__ import annotations

import asyncio
from itertools import groupby
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.responses import Response

from astragal.errors import Forbidden, Malformed
from astragal.explain.visible import one_line
from astragal.serve.access.auth import NO_SEAT, Role, SeatCookie
from astragal.serve.access.codes import INVALID
from astragal.serve.access.door import State
from astragal.serve.api.links import SeatShown, member_named, seat_here
from astragal.serve.http.operation import Call, Reply
from astragal.serve.limits.addresses import client_key
from astragal.serve.limits.gate import ALL
from astragal.serve.live.frames import KnockShown
from astragal.serve.live.hub import SCREEN, Hub
from astragal.table.access import GM, refuse_player
from astragal.table.action import JoinAction, Name, Ref
from astragal.table.decide.members import join
from astragal.table.ruleset import ruleset_of
from astragal.table.view.build import member_view
from astragal.table.view.model import MemberView

WAIT = 20
"""Seconds that a request at the door waits for an answer."""

Code = Annotated[str, Meta(min_length=1, max_length=80)]
Token = Annotated[str, Meta(min_length=1, max_length=200)]


class InvitationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A link's token."""

    token: Token


class Invited(Struct, frozen=True):
    """The member whose own link it is."""

    id: str
    name: str


class Invitation(Struct, frozen=True):
    """The target of a link: the table, its GMs, and the seat that this browser already has there."""

    table: str
    title: str
    game: str
    game_title: str
    role: Role
    gms: list[str]
    member: Invited | None
    you: MemberView | None


class SeatCodeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat's member; without one, your own seat."""

    member: Ref | UnsetType = UNSET


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


class CodeShown(Struct, frozen=True):
    """A code, and the seconds that it works."""

    code: str
    seconds: int


class CodeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A code for a seat."""

    code: Code


class KnockRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A join code, and your name."""

    code: Code
    name: Name


class Knocked(Struct, frozen=True):
    """You wait at the door of this table; ``knock`` is your secret."""

    knock: str
    title: str
    game: str
    game_title: str
    gms: list[str]


class WaitRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret from your knock."""

    knock: Annotated[str, Meta(min_length=1, max_length=60)]


class Answered(Struct, frozen=True, omit_defaults=True):
    """The state of your knock: waiting, refused, or in, with your seat."""

    state: State
    table: str = ""
    member: str = ""
    role: str = ""


class KnocksShown(Struct, frozen=True):
    """The people who wait at the door."""

    knocks: list[KnockShown]


class KnockAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """If a person may come in, and the role."""

    let_in: bool
    role: Literal["player", "onlooker"] = "player"


class QrRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A text, such as an address."""

    text: Annotated[str, Meta(min_length=1, max_length=MAX_BYTES)]


async def invitation(call: Call) -> Reply:
    """The target of a link, without taking a seat."""
    asked: InvitationRequest = call.body
    link = await call.hub.find_link(asked.token)
    member = call.hub.member(link.member) if link.member else None
    seat = await seat_here(call)
    you = call.hub.member(seat.member) if seat else None
    state = call.hub.state
    return Reply(
        Invitation(
            call.hub.id,
            state.title,
            state.game,
            ruleset_of(state.game).game.title,
            link.role,
            _gms(call.hub),
            Invited(member.id, member.name) if member else None,
            member_view(you) if you else None,
        )
    )


def _gms(hub: Hub) -> list[str]:
    return [member.name for member in hub.state.members.values() if member.role == GM]


# A seat on another device.


async def give_seat_code(call: Call) -> Reply:
    """A code that moves your seat to another device, once; a GM can make one for any seat."""
    asked: SeatCodeRequest = call.body
    member, link = call.member, call.seat.link
    if asked.member is not UNSET and asked.member not in (member.id, member.name):
        refuse_player(member, "give away another member's seat")
        found = member_named(call.hub, asked.member)
        member, link = found, await _own_link(call, found.id, found.role)  # type: ignore[arg-type]
    if member.id == SCREEN.id:
        raise Forbidden(NO_SEAT)
    seat = SeatCookie(call.hub.id, member.id, link)
    return Reply(CodeShown(*await asyncio.to_thread(call.server.door.give_seat, seat)))


async def _own_link(call: Call, member: str, role: Role) -> str:
    """The id of a link to a member's own seat; the link is made if there is none."""
    links = call.hub.links
    await asyncio.to_thread(links.reload)
    own = [link.id for link in links.all() if link.member == member]
    if own:
        return own[-1]
    return (await asyncio.to_thread(links.create, role, member, call.server.settings.clock())).id


async def take_seat_by_code(call: Call) -> Reply:
    """Exchange a code for its seat; the code works once."""
    asked: CodeRequest = call.body
    await call.server.rates.take_everywhere("all_codes", ALL)
    seat = await asyncio.to_thread(call.server.door.take_seat, asked.code)
    hub = await call.server.registry.open_for_guest(seat.table)
    try:
        member = await hub.seated(seat)
    except Forbidden:
        raise Forbidden(INVALID) from None
    return Reply(SeatShown(hub.id, member.id, member.role), 200, seat)  # type: ignore[arg-type]


# The code that is read aloud, and those who knock with it.


async def show_code(call: Call) -> Reply:
    """The table's join code. It works until a GM ends it, for at most 12 hours after the last request."""
    return Reply(CodeShown(*await asyncio.to_thread(call.server.door.show, call.hub.id)))


async def hide_code(call: Call) -> Reply:
    """End the join code immediately."""
    await asyncio.to_thread(call.server.door.hide, call.hub.id)
    return Reply(None, 204)


async def knock(call: Call) -> Reply:
    """Knock at the door of a table, with its join code; a GM lets you in or not."""
    asked: KnockRequest = call.body
    await call.server.rates.take_everywhere("all_codes", ALL)
    door = call.server.door
    hub = await call.server.registry.open_for_guest(await asyncio.to_thread(door.table_of, asked.code))
    name = one_line(asked.name, "Your name")
    join(hub.state, JoinAction(name=name), "")  # refuses a taken name immediately
    _, secret = await asyncio.to_thread(door.knock, hub.id, name, client_key(call.request.scope))
    await call.server.registry.read_door(hub)
    state = hub.state
    title = ruleset_of(state.game).game.title
    return Reply(Knocked(secret, state.title, state.game, title, _gms(hub)), 202)


async def wait_at_door(call: Call) -> Reply:
    """Wait up to 20 seconds for the answer to your knock; with a yes comes your seat."""
    asked: WaitRequest = call.body
    hub = await call.server.registry.open_for_guest(
        (await asyncio.to_thread(call.server.door.waits, asked.knock)).table
    )
    waits = await call.server.door.wait(asked.knock, WAIT)
    seat = waits.seat_cookie
    if waits.state != "in" or seat is None:
        return Reply(Answered(waits.state))
    try:
        member = await hub.seated(seat)
    except Forbidden:
        return Reply(Answered("refused"))
    return Reply(Answered("in", hub.id, member.id, member.role), 200, seat)


async def list_knocks(call: Call) -> Reply:
    """The people who wait at the door."""
    await call.server.registry.read_door(call.hub)
    return Reply(KnocksShown(call.hub.presence.knocks))


async def answer_knock(call: Call) -> Reply:
    """Let a person in or not."""
    asked: KnockAnswer = call.body
    door = call.server.door
    waits = await asyncio.to_thread(door.find, call.hub.id, call.path("knock"))
    if asked.let_in:
        # One key for each knock: if two GMs answer at the same time, the person gets one seat.
        at, key = call.server.settings.clock(), f"knock/{waits.id}"
        acted = await call.hub.submit("", JoinAction(name=waits.name, role=asked.role), key, at)
        call.server.metrics.actions["join"] += 1
        link = await _own_link(call, acted.entry.by, asked.role)
        await asyncio.to_thread(door.answer, waits, "in", SeatCookie(call.hub.id, acted.entry.by, link))
    else:
        await asyncio.to_thread(door.answer, waits, "refused")
    door.wake()
    await call.server.registry.read_door(call.hub)
    return Reply(None, 204)


# The screen of the room.


class ScreenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The token of any link to the table; without one, this browser's seat is used."""

    token: Token | UnsetType = UNSET


async def open_screen(call: Call) -> Reply:
    """A seat for a screen of the room, with an onlooker's view; the browser keeps its own seat."""
    asked: ScreenRequest = call.body
    if asked.token is UNSET:
        seat = await seat_here(call)
        if seat is None:
            raise Forbidden(NO_SEAT)
        link = seat.link
    else:
        link = (await call.hub.find_link(asked.token)).id
    return Reply(SeatShown(call.hub.id, SCREEN.id, "onlooker"), 200, SeatCookie(call.hub.id, SCREEN.id, link))


async def draw_qr(call: Call) -> Response:
    """A text as a QR code, in SVG."""
    asked: QrRequest = call.body
    return Response(await call.compute(lambda: qr_svg(asked.text)), media_type="image/svg+xml")


MAX_BYTES = 213
QUIET = 4
"""White modules around the code."""


def qr_modules(text: str, mask: int | None = None) -> list[list[bool]]:
    """The modules of a text's code, True for black, without the quiet zone; with the best mask, or the given one."""
    from qrcode.constants import ERROR_CORRECT_M  # loaded when it is first needed
    from qrcode.main import QRCode
    from qrcode.util import MODE_8BIT_BYTE, QRData

    data = text.encode()
    if len(data) > MAX_BYTES:
        raise Malformed(f"The text has {len(data)} bytes, and a QR code here holds at most {MAX_BYTES}.")
    code = QRCode(error_correction=ERROR_CORRECT_M, border=0, mask_pattern=mask)
    code.add_data(QRData(data, mode=MODE_8BIT_BYTE))
    matrix: list[list[bool]] = code.get_matrix()
    return matrix


def qr_svg(text: str) -> str:
    """The code as SVG, black on white, one unit for each module."""
    modules = qr_modules(text)
    size, path = len(modules) + 2 * QUIET, ""
    for y, row in enumerate(modules, QUIET):
        x = QUIET
        for black, run in groupby(row):
            n = len(list(run))
            path += f"M{x} {y}h{n}v1h-{n}z" if black else ""
            x += n
    box = f'viewBox="0 0 {size} {size}" shape-rendering="crispEdges"'
    white = f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{white}<path d="{path}"/></svg>'
