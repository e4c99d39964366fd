"""Chains of a seat: the hashed texts of the entries that it may see, and the signed heads, for a page to check."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta, Struct

from astragal.serve.http.operation import Call, Reply
from astragal.serve.live.seat_log import MAX_PAGE
from astragal.storage.tables.keys import handovers, load_head_key
from astragal.table.access import EVERYBODY, GM, seat_version
from astragal.table.chain import START, WHOLE, leaf_text, whole_content
from astragal.table.entry import Entry
from astragal.table.log.seal import Handover, head_text
from astragal.table.state import Member

MOST_BYTES = 1 << 20
"""Approximate bytes of entries in an answer."""


class ChainPart(Struct, frozen=True, forbid_unknown_fields=True):
    """Which entries: those after a version of this seat."""

    since: Annotated[int, Meta(ge=0, le=2**53)] = 0
    limit: Annotated[int, Meta(ge=1, le=MAX_PAGE)] = MAX_PAGE


class EntryHashed(Struct, frozen=True, gc=False):
    """An entry in the chains: its hashed texts, by audience."""

    id: str
    contents: dict[str, str]
    removed: dict[str, dict[str, str]] = {}
    """The hashes of removed words, by audience and the position of the word."""


class HeadShown(Struct, frozen=True, gc=False):
    """The head of a chain after ``n`` entries, and the server's signature of the head."""

    n: int
    head: str
    signature: str


class ChainShown(Struct, frozen=True):
    """Entries of a seat's log, and the heads after the table's last entry, by audience: ``""`` is everyone."""

    since: int
    version: int
    entries: list[EntryHashed]
    heads: dict[str, HeadShown]
    key: str
    """The server's public key, as hex."""
    handovers: list[Handover]
    """Statements of older keys about the next key."""


async def chain(call: Call) -> Reply:
    """The hashed texts of the entries that your seat may see, with the signed heads of its chains."""
    return Reply(await asyncio.to_thread(_chain, call))


def _chain(call: Call) -> ChainShown:
    """Read and sign, in a thread."""
    asked: ChainPart = call.query
    state, member, store = call.hub.state, call.member, call.server.repository.store
    first = asked.since + 1
    entries = call.hub.stored_table.seat_log(state, member).read(first, asked.since + asked.limit)
    key = call.server.settings.head_key or load_head_key(store)
    heads = {}
    for audience in (EVERYBODY, WHOLE if member.role == GM else member.id):
        n, head = state.chains.get(audience, (0, START))
        heads[audience] = HeadShown(n, head, key.sign(head_text(call.hub.id, audience, n, head)))
    shown = _bounded([_shown(entry, member) for entry in entries])
    return ChainShown(asked.since, seat_version(state, member), shown, heads, key.public, handovers(store))


def _bounded(shown: list[EntryHashed]) -> list[EntryHashed]:
    """The first entries that fit, at least one."""
    size = 0
    for n, entry in enumerate(shown):
        size += sum(map(len, entry.contents.values()))
        if size > MOST_BYTES and n:
            return shown[:n]
    return shown


def _shown(entry: Entry, member: Member) -> EntryHashed:
    audiences = dict.fromkeys([event.audience for event in entry.events])
    if member.role != GM:
        audiences = {each: None for each in audiences if each in (EVERYBODY, member.id)}
    contents = {each: leaf_text(entry, each).decode() for each in audiences}
    if member.role == GM:
        contents[WHOLE] = whole_content(entry).decode()
    return EntryHashed(entry.id, contents, {each: entry.removed[each] for each in audiences if each in entry.removed})
