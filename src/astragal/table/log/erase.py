"""Erasing a person: their name and words are removed from a table's log. Its versions, dice and amounts stay (T-10)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.rule.inputs.input import Input, Summed
from astragal.rule.inputs.total import Source, parse_total, sources_of
from astragal.rule.inputs.word import Words
from astragal.rule.tree.play import parse_answer
from astragal.table import event as e
from astragal.table.chain import with_removed
from astragal.table.entry import Entry, encode_entry
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, State
from astragal.table.words import with_words

WORDS = "(removed)"
REASONED = ("edit", "change")
"""Actions for which a member may give a reason, in words of their own."""


class Erased(NamedTuple):
    """A log without a person's names and words."""

    entries: list[Entry]
    changed: list[Entry]
    """Those of the entries that were other ones before."""
    named_by_others: list[int]
    """The versions of entries in which others still say the name."""


class _Person(NamedTuple):
    """A member to erase: every name that they had at the table, and the aims of their rolls."""

    id: str
    names: re.Pattern[str]
    aims: Mapping[str, str]
    """What stands for each aim from now on: different words for different ones, since the rules compare them."""
    inputs: frozenset[str]
    """The names of inputs that are words, or have labels."""
    rolls: frozenset[str]
    """The rolls that they put something in."""

    def aimless(self, word: str, own: bool) -> str:
        """The word, or the mark of a removed one if it says an aim; single words are theirs in ``own`` rolls only."""
        for aim, mark in self.aims.items():
            if (own or " " in aim) and _whole(aim).search(word):
                return mark if word.casefold() == aim.casefold() else WORDS
        return word

    def unlabelled(self, word: str) -> str:
        """A text that was typed into an input, without the aims in it; the amounts of its sources stay."""
        left = self.aimless(word, True)
        if left != WORDS:
            return left
        try:
            sources = sources_of(parse_total([word], ""))
        except Refusal:
            return WORDS
        marks = [self.aims.get(label) or WORDS for label, *_ in sources]
        return ", ".join(f"{amount_of(source)} {mark}" for source, mark in zip(sources, marks, strict=True)) or WORDS


def amount_of(source: Source) -> str:
    """The amount of a source as it is typed."""
    return str(source.n) if source.held is None else f"{source.n}/{source.held}"


def _whole(words: str) -> re.Pattern[str]:
    """Finds words as a whole, however they are written."""
    return re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)


def erase_person(entries: list[Entry], member: Member, state: State) -> Erased:
    """Remove a member's names, and the words that they wrote, from a log that led to a state.

    Versions, keys, rolls and characters stay.
    """
    person = _person(entries, member, state)
    after = [_without(entry, person) for entry in entries]
    changed = [new for old, new in zip(entries, after, strict=True) if new != old]
    return Erased(
        after, changed, [entry.version for entry in after if person.names.search(encode_entry(entry).decode())]
    )


def _person(entries: list[Entry], member: Member, state: State) -> _Person:
    seated = (event for entry in entries for event in entry.events if isinstance(event, (e.Joined, e.Seated)))
    names = {event.name for event in seated if event.member == member.id} - {WORDS, ""}
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
    """The aims of a person's rolls, and other words of theirs; a single word elsewhere is a name or a term."""
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
    """The texts typed into an input: words, or the labels of a number's sources."""
    if isinstance(value, str):
        return (value,) if isinstance(put, Words) else (source.label for source in sources_of(parse_total([value], "")))
    if isinstance(value, dict):
        return value
    return (source["label"] for source in value) if isinstance(value, list) else ()


def _without(entry: Entry, person: _Person) -> Entry:
    why = next((event.cause for event in entry.events if isinstance(event, e.Changed)), "")
    said = entry.by == person.id
    reason = why if said and entry.do in REASONED else ""
    events = [with_words(event, _Removal(event, person, said, reason).of) for event in entry.events]
    return with_removed(replace(entry, events=events), entry) if events != entry.events else entry


class _Removal(NamedTuple):
    """Removes the person's words from an event; ``said`` if the event is of their own action."""

    event: e.Event
    person: _Person
    said: bool
    reason: str
    """What the person gave as the reason for the action."""

    def of(self, word: str, kind: str, way: tuple[str, ...]) -> str:
        """The word, or the mark of a removed one where the person said it or is named in it."""
        event, person, field = self.event, self.person, way[0]
        if self._is_theirs(word, way):
            return WORDS
        if isinstance(event, e.Described) or (isinstance(event, e.Noted) and event.said):
            return word  # what others say is theirs
        if (isinstance(event, e.Noted) or field == "cause") and person.names.search(word):
            return WORDS
        if kind == "typed":
            return person.unlabelled(word) if len(way) > 1 and way[1] in person.inputs else word
        own = getattr(event, "roll", "") in person.rolls or getattr(event, "of", "") in person.rolls
        # Single words of a result are the rules'.
        return person.aimless(word, own and field != "result")

    def _is_theirs(self, word: str, way: tuple[str, ...]) -> bool:
        """True if a word is the person's name as a member, or what they wrote."""
        match self.event:
            case e.Joined(member=member) | e.Seated(member=member):
                return member == self.person.id
            case e.Revealed(words=words) if way[0] == "words":
                return words[int(way[1])][0] == self.person.id
            case e.Changed():
                return bool(self.reason) and way[0] == "cause" and word == self.reason
            case e.Noted(said=True) | e.Described():
                return self.said
        return self.said and isinstance(self.event, e.Requested) and way[0] == "note"
