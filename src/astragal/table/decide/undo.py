"""Undo and redo: entries are struck and restored; both stay in the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from msgspec.structs import astuple, replace

from astragal.errors import Forbidden, Illegal, Unknown
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import EVERYBODY, GM, apart, may_see
from astragal.table.decide.deal import refuse_drawn_again, refuse_short_after_undo
from astragal.table.decide.ledger import Context
from astragal.table.entry import Entry
from astragal.table.fold import NEVER_STRUCK
from astragal.table.state import State
from astragal.table.view.build import view

STRETCHES = (256, 4096)
"""Entries searched before the whole log, since mostly recent ones are undone."""
ALWAYS_STAY = "Members, seats and undoing itself cannot be undone."


def undo(context: Context, action: a.UndoAction) -> list[e.Event]:
    """Strike an entry and the later ones that build on it. Its dice are kept for the same throw."""
    target = _target(context, action)
    struck = [target, *_building_on(target, context)]
    _refuse_others(context, struck)
    refuse_short_after_undo(context, struck)
    return [*_by_audience(e.Struck, struck), *_laid_down(context.state, struck)]


def _laid_down(state: State, struck: list[Entry]) -> list[e.Event]:
    """Keep the dice of undone throws, in the order in which they were thrown."""
    lying: dict[str, list[tuple[Any, ...]] | None] = {}
    for mark, *thrown in _throws(struck):
        there = (lying[mark] if mark in lying else state.undone_dice.get(mark)) or []
        lying[mark] = sorted([*there, tuple(thrown)], key=itemgetter(0))
    return [e.UndoneDiceKept(dice=lying, audience=GM)] if lying else []


def _taken_up(state: State, restored: list[Entry]) -> list[e.Event]:
    """Drop the kept dice of throws that are redone."""
    lying: dict[str, list[tuple[Any, ...]] | None] = {}
    for mark, version, *_ in _throws(restored):
        there = (lying[mark] if mark in lying else state.undone_dice.get(mark)) or []
        lying[mark] = [thrown for thrown in there if thrown[0] != version] or None
    return [e.UndoneDiceKept(dice=lying, audience=GM)] if lying else []


def _throws(entries: list[Entry]) -> Iterator[tuple[Any, ...]]:
    """Mark, first version and faces of every throw, and who typed them or how they were thrown."""
    for entry in entries:
        for event in entry.events:
            if isinstance(event, (e.Thrown, e.MoveThrown)) and event.mark:
                yield event.mark, event.reused_from or entry.version, event.faces, *_how(event)


def _how(event: e.Thrown | e.MoveThrown) -> tuple[Any, ...]:
    """Who typed the faces of a throw, or how the machine threw them, where that is known."""
    if event.proof:
        return event.typed_by, astuple(event.proof)
    return (event.typed_by,) if event.typed_by else ()


def _can_be_undone(entry: Entry) -> bool:
    return not any(isinstance(event, NEVER_STRUCK[:-1]) for event in entry.events)


def _target(context: Context, action: a.UndoAction) -> Entry:
    """The entry named, or the latest of one's own (for a GM: the latest of all)."""
    find = _named if action.entry else _latest
    version = context.state.version
    for length in (*(each for each in STRETCHES if each < version), version):
        target = find(context, action, filter(_can_be_undone, context.history(version - length)))
        if target:
            return target
    if not action.entry:
        raise Illegal("There is nothing of yours to undo.")
    raise Unknown(f'There is no entry "{action.entry[:40]}" that can be undone. {ALWAYS_STAY}')


def _latest(context: Context, action: a.UndoAction, entries: Iterable[Entry]) -> Entry | None:
    found = None
    for entry in entries:
        if entry.id not in context.state.struck and (context.member.role == GM or entry.by == context.member.id):
            found = entry
    return found


def _named(context: Context, action: a.UndoAction, entries: Iterable[Entry]) -> Entry | None:
    for entry in entries:
        if entry.id == action.entry and _seen(context, entry):
            if entry.id in context.state.struck:
                raise Illegal("That is undone already.")
            return entry
    return None


def _seen(context: Context, entry: Entry) -> bool:
    return any(may_see(context.member, event.audience) for event in entry.events)


def _building_on(target: Entry, context: Context) -> list[Entry]:
    """Later entries about the same roll, the same turn order, or a character that the target brought to the table."""
    rolls, made = _rolls(target), {event.holder for event in target.events if isinstance(event, e.Created)}
    ordered = _orders(target)
    found = []
    for entry in context.history(target.version):
        if entry.id in context.state.struck or not _can_be_undone(entry):
            continue
        ordered = ordered and not _ends_order(entry)
        about = {getattr(event, "holder", "") for event in entry.events}
        opened = {id for event in entry.events if isinstance(event, e.Opened) for id in (event.who, event.against)}
        if _rolls(entry) & rolls or (about | opened) & made or (ordered and _orders(entry)):
            found.append(entry)
            rolls |= _rolls(entry)
    return found


def _orders(entry: Entry) -> bool:
    """Whether it tells everybody who acts after whom: the whole order, with what earlier entries made of it."""
    return any(isinstance(event, e.Turned) and event.order and not event.audience for event in entry.events)


def _ends_order(entry: Entry) -> bool:
    return any(
        isinstance(event, e.SceneOpened) or (isinstance(event, e.Turned) and event.order == [])
        for event in entry.events
    )


def _rolls(entry: Entry) -> set[str]:
    return {event.roll for event in entry.events if hasattr(event, "roll")}


def _refuse_others(context: Context, struck: list[Entry]) -> None:
    """Refuse to undo other members' entries, except hidden ones that go along: a refusal would tell of them."""
    if context.member.role == GM:
        return
    for entry in struck:
        if entry.by != context.member.id and _seen(context, entry) and not _only_words(entry):
            author = context.state.members.get(entry.by)
            name = author.name if author else "somebody"
            first = "That was" if entry is struck[0] else "What was done later builds on it and was"
            raise Forbidden(f"{first} {name}'s doing; only they or a GM may undo it.")


def _only_words(entry: Entry) -> bool:
    """Whether it only describes a roll: what others say about it holds nobody back."""
    return all(isinstance(event, e.Described) for event in entry.events)


def _by_audience(how: type[e.Struck] | type[e.Restored], entries: Iterable[Entry]) -> list[e.Event]:
    """One event for each audience: what everybody saw is told to everybody."""
    audiences: dict[str, list[Entry]] = {}
    for entry in entries:
        for audience in apart(*(event.audience for event in entry.events)):
            audiences.setdefault(audience, []).append(entry)
    return [
        how(entries=[entry.id for entry in seen], since=min(entry.version for entry in seen), audience=audience)
        for audience, seen in sorted(audiences.items())
    ]


def redo(context: Context, action: a.RedoAction) -> list[e.Event]:
    """Restore an undone entry, with everything that was undone along with it."""
    struck = context.state.struck
    undone = [entry for entry in context.history(0) if entry.id in struck]
    entries = [entry for entry in undone if _seen(context, entry)]
    if not entries:
        raise Illegal("Nothing is undone.")
    wanted = [entry for entry in entries if entry.id == action.entry]
    if action.entry and not wanted:
        raise Unknown(f'There is no undone entry "{action.entry[:40]}".')
    at = struck[wanted[0].id] if wanted else max(struck[entry.id] for entry in entries)
    restored = [entry for entry in undone if struck[entry.id] == at]
    _refuse_others(context, restored)
    _refuse_gone_on(context, restored, undone)
    refuse_drawn_again(context, restored)
    return [*_by_audience(e.Restored, restored), *_taken_up(context.state, restored)]


def _refuse_gone_on(context: Context, restored: list[Entry], undone: list[Entry]) -> None:
    """A roll that was thrown again after the undo has no place for the old dice, nor one whose beginning is undone.

    What the member may not see does not count: a refusal would tell of it.
    """
    struck, rolls = context.state.struck, {roll for entry in restored for roll in _rolls(entry)}
    at = struck[restored[0].id]
    for entry in undone:
        later = struck[entry.id] > at and entry.version < restored[-1].version
        if later and _rolls(entry) & rolls and _seen(context, entry):
            raise Illegal("It builds on something that was undone later; do that again first.")
    for entry in context.history(at):
        if entry.id not in struck and _rolls(entry) & rolls and _seen(context, entry):
            raise Illegal("The roll has gone on since it was undone; undo that first, or leave it.")


# Who sees a difference when things are undone or done again, and must be told that they were. What an
# entry's events said when it was made is not enough: a thing may have been hidden then and be seen now.


def told_to_all_who_notice(events: Iterable[e.Event], before: State, after: State) -> list[e.Event]:
    """The events, and an empty one for each seat whose view changes and which would see none of them."""
    events = list(events)
    last = max(place for place, event in enumerate(events) if isinstance(event, (e.Struck, e.Restored)))
    audiences = {event.audience for event in events}
    more = [replace(events[last], entries=[], audience=audience) for audience in _who_notice(before, after, audiences)]
    return [*events[: last + 1], *more, *events[last + 1 :]]


def _who_notice(before: State, after: State, audiences: set[str]) -> list[str]:
    if EVERYBODY in audiences:
        return []
    if view(before, None) != view(after, None):
        return [EVERYBODY]
    others = [member for member in after.members.values() if member.role != GM and member.id not in audiences]
    return [member.id for member in others if view(before, member) != view(after, member)]
