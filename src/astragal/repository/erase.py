"""Erasing a person: their name and what they said go from a table's log, which keeps its shape and versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from astragal.repository.repository import Repository
from astragal.rule.inputs.input import Input, Summed
from astragal.rule.inputs.total import parse_total, sources_of
from astragal.rule.inputs.word import Words
from astragal.rule.tree.play import parse_answer
from astragal.store import Record
from astragal.table import event as e
from astragal.table.chain import with_leaves
from astragal.table.entry import Entry, encode_entry
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, State, encode_state
from astragal.table.table import folded

NAME = "(removed)"
WORDS = "(removed)"
REASONED = ("edit", "change")
"""Actions for which a member may give a reason, in words of their own."""
QUOTING = ("about", "told", "headline", "verdict", "notes", "effects", "item", "to", "cause", "text", "answer", "label")
"""Fields of events in which the rules repeat what a roll was for, and what was said in it."""
TYPED = ("inputs", "ask", "held")
"""Fields of events with the inputs of a roll, by name."""


class Erased(NamedTuple):
    """How many entries were changed, and the versions of those in which others still say the name."""

    changed: int
    named_by_others: list[int]


class _Person(NamedTuple):
    """Whom to erase: a member, every name that they ever had at the table, and what their rolls were for."""

    id: str
    names: re.Pattern[str]
    aims: Mapping[str, str]
    """What stands for each aim from now on: different words for different ones, since the rules compare them."""
    inputs: frozenset[str]
    """The names of inputs that are words, or have labels."""
    rolls: frozenset[str]
    """The rolls that they put something in."""

    def unnamed(self, text: str) -> str:
        """What the rules said, without the name."""
        return self.names.sub(NAME, text)

    def aimless(self, value: Any, own: bool) -> Any:
        """A value without the aims, wherever in it they are said; single words are theirs in ``own`` rolls only."""
        if isinstance(value, str):
            for aim, words in self.aims.items():
                value = _whole(aim).sub(words, value) if own or " " in aim else value
            return value
        if isinstance(value, dict):
            return {
                self.aimless(key, own) if " " in key else key: self.aimless(part, own) for key, part in value.items()
            }
        return type(value)(self.aimless(part, own) for part in value) if isinstance(value, (list, tuple)) else value


def _whole(words: str) -> re.Pattern[str]:
    """Finds words as a whole, however they are written."""
    return re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)


def erase_person(repository: Repository, table: str, member: Member) -> Erased:
    """Remove a member's names, and the words that they wrote; versions, keys, rolls and characters stay.

    A server that has the table open is told by ``store.backup.rewritten``.
    """
    stored_table = repository.open(table)
    before = stored_table.history()
    person = _person(before, member, stored_table.state)
    after = [_without(entry, person) for entry in before]
    changed = [new for old, new in zip(before, after, strict=True) if new != old]
    store = repository.store
    store.rewrite(table, [Record(entry.version, entry.key, encode_entry(entry)) for entry in changed]).result()
    state = folded(after)
    store.save_snapshot(table, state.version, encode_state(state)).result()
    return Erased(len(changed), [entry.version for entry in after if person.names.search(encode_entry(entry).decode())])


def _person(entries: list[Entry], member: Member, state: State) -> _Person:
    seated = (event for entry in entries for event in entry.events if isinstance(event, (e.Joined, e.Seated)))
    names = {event.name for event in seated if event.member == member.id} - {NAME, ""}
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    named = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)" if names else "(?!)")
    kinds = ruleset_of(state.game).game.kinds.values()
    inputs = {name: put for kind in kinds for name, put in kind.ask.inputs.items() if isinstance(put, (Words, Summed))}
    own = [event for entry in entries if entry.by == member.id for event in entry.events]
    called = {holder.name for holder in state.world.holders.values()}
    said = _aims(own, inputs, {kind.aim for kind in kinds})
    aims = dict.fromkeys(aim for aim in said if aim.strip() and aim not in {WORDS, *called})
    words = {aim: WORDS if n == 1 else f"(removed {n})" for n, aim in enumerate(aims, 1)}
    longest = sorted(words.items(), key=lambda each: len(each[0]), reverse=True)
    rolls = frozenset(event.roll for event in own if isinstance(event, (e.Opened, e.Built, e.Answered)))
    return _Person(member.id, named, dict(longest), frozenset(inputs), rolls)


def _aims(events: Iterable[e.Event], inputs: Mapping[str, Input], aims: set[str]) -> Iterator[str]:
    """What a person's rolls were for, and what else they put in words; a single word elsewhere is a name or a term."""
    for event in events:
        for name, value in getattr(event, "inputs", {}).items():
            for text in _texts(value, inputs[name]) if name in inputs else ():
                if name in aims or " " in text.strip():
                    yield text
        if isinstance(event, e.Answered) and " " in (said := parse_answer(event.answer).words):
            yield said
        if isinstance(event, e.Requested) and event.note:
            yield event.note


def _texts(value: Any, put: Input) -> Iterable[str]:
    """What somebody typed into an input: words, or the labels of a number's sources."""
    if isinstance(value, str):
        return (value,) if isinstance(put, Words) else (source.label for source in sources_of(parse_total([value], "")))
    if isinstance(value, dict):
        return value
    return (source["label"] for source in value) if isinstance(value, list) else ()


def _without(entry: Entry, person: _Person) -> Entry:
    why = next((event.cause for event in entry.events if isinstance(event, e.Changed)), "")
    reason = why if entry.by == person.id and entry.do in REASONED else ""
    events = [_event_without(event, person, entry.by == person.id, reason) for event in entry.events]
    return with_leaves(replace(entry, events=events), entry) if events != entry.events else entry


def _event_without(event: e.Event, person: _Person, said: bool, reason: str) -> e.Event:
    """The event without the person; ``said`` if it is of their own action, ``reason`` is what they gave for it."""
    kept = _without_words(event, person, reason) if said else _without_quotes(event, person)
    return _without_name(_without_aims(kept, person) if person.aims else kept, person)


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


def _without_aims(event: e.Event, person: _Person) -> e.Event:
    """The event without what the person's rolls were for, where inputs say it and the rules repeat it."""
    if isinstance(event, e.Described) or (isinstance(event, e.Noted) and event.said):
        return event  # what others say is theirs
    own = getattr(event, "roll", "") in person.rolls or getattr(event, "of", "") in person.rolls
    changed: dict[str, Any] = {}
    for name in (*QUOTING, *TYPED, "result"):
        kept = getattr(event, name, None)
        if name in TYPED and kept:
            changed[name] = {**kept, **{key: person.aimless(kept[key], True) for key in person.inputs & kept.keys()}}
        elif kept:
            changed[name] = person.aimless(kept, own and name != "result")  # its single words are the rules'
    same = {name: getattr(event, name) for name in changed}
    return replace(event, **changed) if changed != same else event


def _without_name(event: e.Event, person: _Person) -> e.Event:
    match event:
        case e.Joined() | e.Seated() if event.member == person.id:
            return replace(event, name=NAME)
        case e.Noted(said=False):
            return replace(event, text=person.unnamed(event.text))
        case e.Changed():
            return replace(event, cause=person.unnamed(event.cause))
    return event
