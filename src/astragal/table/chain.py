"""Chains: for each audience, the entries that it may see as a chain of hashes, so that none can be changed later.

An entry has a leaf for each audience of its events: the hash of who did it when, and of those events. A chain's head
is the hash of the head before and the next leaf. ``WHOLE`` is the chain of the whole log, made of all leaves of
every entry. What would count hidden entries, such as versions, is in no leaf but that.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec.structs import replace

from astragal.table import event as e

if TYPE_CHECKING:
    from astragal.table.entry import Entry

WHOLE = "*"
"""The chain of the whole log, which GMs see."""
START = "0" * 64
"""The head of a chain without entries."""
Chains: TypeAlias = dict[str, tuple[int, str]]
"""The number of entries and the head of each chain, by audience."""

_encode = msgspec.json.Encoder().encode
_NUMBERED = {e.Struck: "since", e.Restored: "since", e.Thrown: "reused_from", e.MoveThrown: "reused_from"}
"""Fields of events that are versions of the table."""


def leaf_content(entry: Entry, audience: str) -> bytes:
    """What is hashed of an entry for an audience."""
    return _content(entry, [event for event in entry.events if event.audience == audience])


def _content(entry: Entry, events: list[e.Event]) -> bytes:
    known = [event if type(event) not in _NUMBERED else _unnumbered(event) for event in events]
    return _encode((entry.id, entry.at, entry.by, known))


def _unnumbered(event: e.Event) -> e.Event:
    """The event without a version of the table: it would count what is hidden. That there is one stays."""
    name = _NUMBERED[type(event)]
    return replace(event, **{name: 1}) if getattr(event, name) > 1 else event


def leaf_of(content: bytes) -> str:
    """The leaf of a content."""
    return sha256(b"astragal leaf 1\n" + content).hexdigest()


def link(head: str, leaf: str) -> str:
    """The head of a chain after one more leaf."""
    return sha256(b"astragal link 1\n" + bytes.fromhex(head) + bytes.fromhex(leaf)).hexdigest()


def leaves_of(entry: Entry) -> dict[str, str]:
    """The leaf of an entry for each audience of its events; where words were removed, the one from before."""
    audiences = dict.fromkeys([event.audience for event in entry.events])
    if len(audiences) == 1 and not entry.leaves:  # mostly
        return {entry.events[0].audience: leaf_of(_content(entry, entry.events))}
    return {each: entry.leaves.get(each) or leaf_of(leaf_content(entry, each)) for each in audiences}


def whole_content(entry: Entry, leaves: dict[str, str] | None = None) -> bytes:
    """What is hashed of an entry in the chain of the whole log: its place, its key, all leaves, all versions in it."""
    audiences = [event.audience for event in entry.events]
    leaves = leaves_of(entry) if leaves is None else leaves
    return _encode((entry.version, entry.key, entry.do, entry.v, audiences, leaves, _numbers(entry)))


def _numbers(entry: Entry) -> list[Any]:
    return [getattr(event, _NUMBERED[type(event)]) for event in entry.events if type(event) in _NUMBERED]


def linked(chains: Chains, entry: Entry) -> Chains:
    """The chains after one more entry."""
    leaves = leaves_of(entry)
    after = dict(chains)
    for audience, leaf in (*leaves.items(), (WHOLE, leaf_of(whole_content(entry, leaves)))):
        n, head = after.get(audience, (0, START))
        after[audience] = (n + 1, link(head, leaf))
    return after


def with_leaves(entry: Entry, before: Entry) -> Entry:
    """An entry of which words were removed, with the leaves that it had before, so that its chains go on."""
    ours, old = leaves_of(replace(entry, leaves={})), leaves_of(before)
    return replace(entry, leaves={audience: leaf for audience, leaf in old.items() if leaf != ours.get(audience)})
