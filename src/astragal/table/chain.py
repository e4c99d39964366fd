"""Chains: for each audience, the entries that it may see as a chain of hashes, so that none can be changed later.

An entry has a leaf for each audience of its events: the hash of who did it when, of the facts of those events, and of
each of their words by itself. So a word can be removed, if its hash is kept, and nothing else can (T-10). A chain's
head is the hash of the head before and the next leaf. ``WHOLE`` is the chain of the whole log, made of all leaves of
every entry. Only that chain has what would count hidden entries, such as versions.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from astragal.table import event as e
from astragal.table.words import facts_of, is_removed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from astragal.table.entry import Entry

WHOLE = "*"
"""The chain of the whole log, which GMs see."""
START = "0" * 64
"""The head of a chain without entries."""
Chains: TypeAlias = dict[str, tuple[int, str]]
"""The number of entries and the head of each chain, by audience."""

_encode = msgspec.json.Encoder().encode
_NUMBERED = {e.Struck: "since", e.Restored: "since"}
"""Fields of events that are versions of the table."""


class Content(NamedTuple):
    """The content of a leaf: the facts as JSON, and the words in order, each with the kind of its field."""

    facts: bytes
    words: list[tuple[str, str]]


def leaf_text(entry: Entry, audience: str) -> bytes:
    """The part of an entry that an audience may see, as JSON; its leaf follows from it."""
    return _encode((entry.id, entry.at, entry.by, _events(entry, audience)))


def _events(entry: Entry, audience: str) -> list[e.Event]:
    return [_unnumbered(event) for event in entry.events if event.audience == audience]


def content_of(entry: Entry, audience: str) -> Content:
    """The facts and words of an entry for an audience."""
    words: list[tuple[str, str]] = []
    facts = [facts_of(event, words) for event in _events(entry, audience)]
    return Content(_encode((entry.id, entry.at, entry.by, facts)), words)


def _unnumbered(event: e.Event) -> e.Event:
    """The event without a version of the table: it would count what is hidden. That there is one stays."""
    name = _NUMBERED.get(type(event))
    return replace(event, **{name: 1}) if name and getattr(event, name) > 1 else event


def word_hash(entry: Entry, word: str) -> str:
    """The hash of one word of an entry."""
    return sha256(b"astragal word 1\n%b\n%b" % (entry.id.encode(), _encode(word))).hexdigest()


def leaf_of(entry: Entry, audience: str) -> str:
    """The leaf of an entry for an audience. For a removed word its hash is used, which is kept with the entry."""
    content = content_of(entry, audience)
    removed = entry.removed.get(audience, {})
    hashes = [removed.get(str(n)) or word_hash(entry, word) for n, (word, _) in enumerate(content.words)]
    return sha256(b"astragal leaf 2\n" + content.facts + b"\n" + "".join(hashes).encode()).hexdigest()


def leaves_of(entry: Entry) -> dict[str, str]:
    """The leaf of an entry for each audience of its events."""
    audiences = dict.fromkeys([event.audience for event in entry.events])
    return {audience: leaf_of(entry, audience) for audience in audiences}


def whole_content(entry: Entry, leaves: dict[str, str] | None = None) -> bytes:
    """The part of an entry that the chain of the whole log hashes: its place, key, leaves and versions."""
    audiences = [event.audience for event in entry.events]
    leaves = leaves_of(entry) if leaves is None else leaves
    return _encode((entry.version, entry.key, entry.do, entry.v, audiences, leaves, _numbers(entry)))


def _numbers(entry: Entry) -> list[Any]:
    return [getattr(event, _NUMBERED[type(event)]) for event in entry.events if type(event) in _NUMBERED]


def whole_leaf(content: bytes) -> str:
    """The leaf of an entry in the chain of the whole log."""
    return sha256(b"astragal whole 1\n" + content).hexdigest()


def link(head: str, leaf: str) -> str:
    """The head of a chain after one more leaf."""
    return sha256(b"astragal link 1\n" + bytes.fromhex(head) + bytes.fromhex(leaf)).hexdigest()


def linked(chains: Chains, entry: Entry) -> Chains:
    """The chains after one more entry."""
    leaves = leaves_of(entry)
    after = dict(chains)
    for audience, leaf in (*leaves.items(), (WHOLE, whole_leaf(whole_content(entry, leaves)))):
        n, head = after.get(audience, (0, START))
        after[audience] = (n + 1, link(head, leaf))
    return after


def with_removed(entry: Entry, before: Entry) -> Entry:
    """An entry without the removed words, but with their hashes, so that its leaves stay the same.

    ``ValueError`` if anything else is different: an erasure never reaches dice (T-10).
    """
    removed: dict[str, dict[str, str]] = {}
    for audience in dict.fromkeys(event.audience for event in before.events):
        old, new = content_of(before, audience), content_of(entry, audience)
        if old.facts != new.facts or len(old.words) != len(new.words):
            raise ValueError("Only words can be removed from an entry.")
        known = before.removed.get(audience, {})
        gone = {
            str(n): known.get(str(n)) or word_hash(before, was)
            for n, ((was, _), (now, _)) in enumerate(zip(old.words, new.words, strict=True))
            if was != now or str(n) in known
        }
        removed |= {audience: gone} if gone else {}
    return replace(entry, removed=removed)


def blank_fault(entry: Entry) -> str:
    """The fault in the removed words of an entry; empty if only words are missing."""
    audiences: Mapping[str, object] = dict.fromkeys(event.audience for event in entry.events)
    for audience, gone in entry.removed.items():
        words = content_of(entry, audience).words if audience in audiences else []
        for n in gone:
            if not n.isdigit() or int(n) >= len(words) or n != str(int(n)):
                return "Something is said to be removed that was no word."
            if not is_removed(*words[int(n)]):
                return "Other words stand where words were removed."
    return ""
