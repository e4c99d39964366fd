"""Rolls at a table: exact odds and advice, from what a seat may see; and everyone's luck."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct

from astragal.serve.http.operation import Call, Reply
from astragal.serve.workers import roll_answers
from astragal.serve.workers.message import JsonPieces
from astragal.table.access import find_roll
from astragal.table.action import Ref
from astragal.table.log.luck import MAX_BYTES, MAX_ENTRIES


class UpTo(Struct, frozen=True, forbid_unknown_fields=True):
    """Values of an unbounded count are listed up to here."""

    up_to: Annotated[int, Meta(ge=0, le=100)] = 20


class Wished(Struct, frozen=True, forbid_unknown_fields=True):
    """The wish; by default the first one that an option helps."""

    wish: Ref = ""


class WithOffer(Struct, frozen=True, forbid_unknown_fields=True):
    """The id of one more offer, to compute the chances with it."""

    offer: Annotated[str, Meta(max_length=300)] = ""


async def roll_odds(call: Call) -> Reply:
    """The exact odds of a roll that is being built."""
    return await _answer(call, roll_answers.roll_odds, call.query.up_to)


async def roll_advice(call: Call) -> Reply:
    """The effect of each answer to a roll's open choice on the chances."""
    return await _answer(call, roll_answers.roll_advice, call.query.wish)


async def roll_chances(call: Call) -> Reply:
    """The chances of a roll by tone: as it is, with each help, after each option."""
    return await _answer(call, roll_answers.roll_chances, call.query.offer)


async def _answer(call: Call, work: Callable[..., Any], asked: object) -> Reply:
    """A worker's answer about the roll in the path, from what the member may see."""
    state, member = call.hub.state, call.member
    roll = find_roll(state, member, call.path("roll"))
    return await call.answer(work, roll_answers.without_rolls(state), roll, member, asked)


async def stats(call: Call) -> Reply:
    """Everyone's luck, as exact percentiles of their latest throws."""
    state, member = call.hub.state, call.member
    log = call.hub.stored_table.seat_log(state, member)
    entries = await call.compute(lambda: _as_list(log.latest_bodies(MAX_ENTRIES, MAX_BYTES)))
    return await call.answer(roll_answers.stats, roll_answers.without_rolls(state), member, entries, short=False)


def _as_list(bodies: list[bytes]) -> JsonPieces:
    """The list as JSON, without copying the entries, which may have many megabytes."""
    pieces = [piece for body in bodies for piece in (b",", body)]
    return JsonPieces([b"[", *pieces[1:], b"]"])
