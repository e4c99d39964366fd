"""Rolls at a table: their exact odds and advice on them, as far as a seat may know; and everybody's luck."""

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
    """Where a count has no end, values are told apart up to here."""

    up_to: Annotated[int, Meta(ge=0, le=100)] = 20


class Wished(Struct, frozen=True, forbid_unknown_fields=True):
    """The wish; by default the first that an option helps."""

    wish: Ref = ""


class WithOffer(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing more, by the id of its offer, to tell the chance with."""

    offer: Annotated[str, Meta(max_length=300)] = ""


async def roll_odds(call: Call) -> Reply:
    """The exact odds of a roll that is being built."""
    return await _answer(call, roll_answers.roll_odds, call.query.up_to)


async def roll_advice(call: Call) -> Reply:
    """What each answer to a roll's open choice would do to the chances."""
    return await _answer(call, roll_answers.roll_advice, call.query.wish)


async def roll_chances(call: Call) -> Reply:
    """How a roll may go, by tone: as it stands, with each help, after each option."""
    return await _answer(call, roll_answers.roll_chances, call.query.offer)


async def _answer(call: Call, work: Callable[..., Any], asked: object) -> Reply:
    """What a worker answers about the roll in the path, as far as the member may see it."""
    state, member = call.hub.state, call.member
    roll = find_roll(state, member, call.path("roll"))
    return await call.answer(work, roll_answers.without_rolls(state), roll, member, asked)


async def stats(call: Call) -> Reply:
    """Everybody's luck, as exact percentiles of their latest throws."""
    state, member = call.hub.state, call.member
    log = call.hub.stored_table.seat_log(state, member)
    entries = await call.compute(lambda: _as_list(log.latest_bodies(MAX_ENTRIES, MAX_BYTES)))
    return await call.answer(roll_answers.stats, roll_answers.without_rolls(state), member, entries, short=False)


def _as_list(bodies: list[bytes]) -> JsonPieces:
    """The list as JSON, of which nothing is copied: there may be many megabytes."""
    pieces = [piece for body in bodies for piece in (b",", body)]
    return JsonPieces([b"[", *pieces[1:], b"]"])
