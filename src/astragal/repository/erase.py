"""Erasing a person: their name and what they said go from a table's log, which keeps its shape and versions."""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec.structs import replace

from astragal.repository.repository import Repository
from astragal.store import Record
from astragal.table import event as e
from astragal.table.entry import Entry, encode_entry
from astragal.table.state import Member, encode_state
from astragal.table.table import folded

NAME = "(removed)"
WORDS = "(removed)"


class Erased(NamedTuple):
    """How many entries were changed, and the versions of those in which others still say the name."""

    changed: int
    named_by_others: list[int]


def erase_person(repository: Repository, table: str, member: Member) -> Erased:
    """Remove a member's name, and the notes that they wrote; versions, keys, rolls and characters stay.

    A server that has the table open is told by ``store.backup.rewritten``.
    """
    stored_table = repository.open(table)
    before = stored_table.history()
    after = [_without(entry, member) for entry in before]
    changed = [new for old, new in zip(before, after, strict=True) if new != old]
    store = repository.store
    store.rewrite(table, [Record(entry.version, entry.key, encode_entry(entry)) for entry in changed]).result()
    state = folded(after)
    store.save_snapshot(table, state.version, encode_state(state)).result()
    name = f'"{member.name}"'.encode()[1:-1]
    return Erased(len(changed), [entry.version for entry in after if name and name in encode_entry(entry)])


def _without(entry: Entry, member: Member) -> Entry:
    events = [_event_without(event, member, said=entry.by == member.id) for event in entry.events]
    return replace(entry, events=events) if events != entry.events else entry


def _event_without(event: e.Event, member: Member, said: bool) -> e.Event:
    if isinstance(event, (e.Joined, e.Seated)) and event.member == member.id:
        return replace(event, name=NAME)
    if isinstance(event, e.Noted):
        text = (WORDS if said else event.text) if event.said else _unnamed(event.text, member)
        return replace(event, text=text)
    if said and isinstance(event, e.Requested) and event.note:
        return replace(event, note=WORDS)
    if isinstance(event, e.Described) and event.by == member.id and event.text:
        return replace(event, text=WORDS)
    if isinstance(event, e.Changed):
        return replace(event, cause=_unnamed(event.cause, member))
    return event


def _unnamed(text: str, member: Member) -> str:
    """What the rules said, without the name."""
    return re.sub(rf"(?<!\w){re.escape(member.name)}(?!\w)", lambda found: NAME, text) if member.name else text
