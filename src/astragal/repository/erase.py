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
REASONED = ("edit", "change")
"""Actions for which a member may give a reason, in words of their own."""


class Erased(NamedTuple):
    """How many entries were changed, and the versions of those in which others still say the name."""

    changed: int
    named_by_others: list[int]


class _Person(NamedTuple):
    """Whom to erase: a member, and every name that they ever had at the table."""

    id: str
    names: re.Pattern[str]

    def unnamed(self, text: str) -> str:
        """What the rules said, without the name."""
        return self.names.sub(NAME, text)


def erase_person(repository: Repository, table: str, member: Member) -> Erased:
    """Remove a member's names, and the words that they wrote; versions, keys, rolls and characters stay.

    A server that has the table open is told by ``store.backup.rewritten``.
    """
    stored_table = repository.open(table)
    before = stored_table.history()
    person = _person(before, member)
    after = [_without(entry, person) for entry in before]
    changed = [new for old, new in zip(before, after, strict=True) if new != old]
    store = repository.store
    store.rewrite(table, [Record(entry.version, entry.key, encode_entry(entry)) for entry in changed]).result()
    state = folded(after)
    store.save_snapshot(table, state.version, encode_state(state)).result()
    return Erased(len(changed), [entry.version for entry in after if person.names.search(encode_entry(entry).decode())])


def _person(entries: list[Entry], member: Member) -> _Person:
    seated = (event for entry in entries for event in entry.events if isinstance(event, (e.Joined, e.Seated)))
    names = {event.name for event in seated if event.member == member.id} - {NAME, ""}
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return _Person(member.id, re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)" if names else "(?!)"))


def _without(entry: Entry, person: _Person) -> Entry:
    why = next((event.cause for event in entry.events if isinstance(event, e.Changed)), "")
    reason = why if entry.by == person.id and entry.do in REASONED else ""
    events = [_event_without(event, person, entry.by == person.id, reason) for event in entry.events]
    return replace(entry, events=events) if events != entry.events else entry


def _event_without(event: e.Event, person: _Person, said: bool, reason: str) -> e.Event:
    """The event without the person; ``said`` if it is of their own action, ``reason`` is what they gave for it."""
    return _without_name(_without_words(event, person, reason) if said else _without_quotes(event, person), person)


def _without_words(event: e.Event, person: _Person, reason: str) -> e.Event:
    match event:
        case e.Noted(said=True):
            return replace(event, text=WORDS)
        case e.Requested() if event.note:
            return replace(event, note=WORDS)
        case e.Described() if event.text:
            return replace(event, text=WORDS)
        case e.Changed() if reason and event.cause == reason:
            return replace(event, cause=WORDS)
    return _without_quotes(event, person)


def _without_quotes(event: e.Event, person: _Person) -> e.Event:
    """The event of whoever showed a hidden roll, which repeats what was said of it."""
    if not isinstance(event, e.Revealed):
        return event
    return replace(event, words=[(by, WORDS if by == person.id else text) for by, text in event.words])


def _without_name(event: e.Event, person: _Person) -> e.Event:
    match event:
        case e.Joined() | e.Seated() if event.member == person.id:
            return replace(event, name=NAME)
        case e.Noted(said=False):
            return replace(event, text=person.unnamed(event.text))
        case e.Changed():
            return replace(event, cause=person.unnamed(event.cause))
    return event
