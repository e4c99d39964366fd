"""Undo and redo: entries are struck and restored; both stay in the log.

Dice stay: a roll whose throw is undone is open again, with its faces kept (T-1, see ``kept``). Where dice have fallen,
or where others have acted since, a player's undo is a plea to the GMs (T-2, T-6). Whether it is one depends only on
what the player may see.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from astragal.errors import Forbidden, Illegal, Unknown
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import EVERYBODY, GM, apart, may_see, name_of, refuse_player, seen_rolls
from astragal.table.decide.deal import refuse_drawn_again, refuse_short_after_undo
from astragal.table.decide.ledger import Context
from astragal.table.decide.named import STEPS, named, viewer
from astragal.table.entry import Entry
from astragal.table.fold import GATHERS, NEVER_STRUCK
from astragal.table.fold_sheets import move_name
from astragal.table.kept import fallen
from astragal.table.roll_event import HolderEvent, RollEvent
from astragal.table.state import Kept, Plea, State
from astragal.table.view.build import view

STRETCHES = (256, 4096)
"""Entries searched before the whole log, since mostly recent ones are undone."""
ALWAYS_STAY = "Members, seats and undoing itself cannot be undone."


def undo(context: Context, action: a.UndoAction) -> list[e.Event]:
    """Strike an entry and the later ones that build on it, or ask a GM for it."""
    # The entry named, or the latest of one's own (for a GM: the latest of all).
    target = _found(context, action.entry)
    if target is None and not action.entry:
        raise Illegal("There is nothing of yours to undo.")
    if target is None:
        raise Unknown(f'There is no entry "{action.entry[:40]}" that can be undone. {ALWAYS_STAY}')
    struck = _reach(context, target)
    if context.member.role == GM or _is_free(context, target, struck):
        return _strike(context, struck)
    return _plea(context, target, struck)


def _strike(context: Context, struck: list[Entry]) -> list[e.Event]:
    refuse_short_after_undo(context, struck)
    _refuse_debts(context, struck)
    return _by_audience(context, e.Struck, struck)


# What an undo reaches.


def _can_be_undone(entry: Entry) -> bool:
    return not any(isinstance(event, NEVER_STRUCK) for event in entry.events)


def _found(context: Context, id: str) -> Entry | None:
    version = context.state.version
    for length in (*(each for each in STRETCHES if each < version), version):
        entries = filter(_can_be_undone, context.history(version - length))
        if not id:
            own = [entry for entry in entries if context.member.role == GM or entry.by == context.member.id]
            found = [entry for entry in own if entry.id not in context.state.struck]
        else:
            found = [entry for entry in entries if entry.id == id and _seen(context, entry)]
            if found and id in context.state.struck:
                raise Illegal("That is undone already.")
        if found:
            return found[-1]
    return None


def _seen(context: Context, entry: Entry) -> bool:
    return any(may_see(context.member, event.audience) for event in entry.events)


def _reach(context: Context, target: Entry) -> list[Entry]:
    """The entries that go with this one. What was gathered for a roll stays, once its dice have fallen (T-1)."""
    struck = [target, *_building_on(target, context)]
    if made := {event.holder for event in target.events if isinstance(event, e.Created)}:
        _refuse_dice_of(context, struck, made)
    thrown = {event.roll for entry in struck for event in entry.events if isinstance(event, STEPS)}
    opened = {event.roll for entry in struck for event in entry.events if isinstance(event, e.Opened)}
    kept = {roll.id for roll in context.state.world.rolls.values() if roll.reopened}
    # A hidden roll is not mentioned.
    if (opened & kept - thrown) & {roll.id for roll in seen_rolls(context.state, context.member)}:
        raise Illegal("The dice of this roll are kept: throw it again, or have a GM withdraw it (T-1).")
    return [
        entry
        for entry in struck
        if not (all(isinstance(event, GATHERS) for event in entry.events) and _rolls(entry) & opened & thrown)
    ]


def _building_on(target: Entry, context: Context) -> list[Entry]:
    """Later entries about the same roll, the same turn order, or a character that the target brought to the table.

    A roll goes too if it changed something that the target put on a sheet: who heals an Injury that never was has spent
    nothing on it.
    """
    rolls, made = _rolls(target), {event.holder for event in target.events if isinstance(event, e.Created)}
    changed = [event for event in target.events if isinstance(event, e.Changed) and event.to is not None]
    items = {_place(event) for event in changed if not event.field}
    ordered = _orders(target)
    found = []
    for entry in context.history(target.version):
        if entry.id in context.state.struck or not _can_be_undone(entry):
            continue
        ordered = ordered and not _ends_order(entry)
        about = {event.holder for event in entry.events if isinstance(event, HolderEvent)}
        opened = {id for event in entry.events if isinstance(event, e.Opened) for id in (event.who, event.against)}
        changes = {_place(event) for event in entry.events if isinstance(event, e.Changed)}
        has_steps = any(isinstance(event, STEPS) for event in entry.events)
        of_item = bool(items & changes) and has_steps and _seen(context, entry)
        if of_item or _rolls(entry) & rolls or (about | opened) & made or (ordered and _orders(entry)):
            found.append(entry)
            rolls |= _rolls(entry)
    return found


def _place(event: e.Changed) -> tuple[str, str, str]:
    return event.holder, event.section, event.item


def _orders(entry: Entry) -> bool:
    """True if it tells everybody who acts after whom: the whole order, with what earlier entries made of it."""
    return any(isinstance(event, e.Turned) and event.order and not event.audience for event in entry.events)


def _ends_order(entry: Entry) -> bool:
    return any(
        isinstance(event, e.SceneOpened) or (isinstance(event, e.Turned) and event.order == [])
        for event in entry.events
    )


def _rolls(entry: Entry) -> set[str]:
    """The rolls and hidden moves that an entry is about; what a roll loses with something else is about that."""
    moves = {event.move for event in entry.events if isinstance(event, (e.MoveDelayed, e.MoveRevealed))}
    rolls = {event.roll for event in entry.events if isinstance(event, RollEvent) and not isinstance(event, e.Lost)}
    return moves | rolls


def _refuse_dice_of(context: Context, struck: list[Entry], made: set[str]) -> None:
    """Refuse a player who would take back a character whose dice have fallen: another one would throw new ones."""
    if context.member.role == GM:
        return
    undone = [roll for roll in seen_rolls(context.state, context.member) if roll.undone.struck]
    if any(made & {roll.who, roll.against, *roll.helpers, *roll.their_helpers} for roll in undone) or any(
        _seen_dice(context, entry) for entry in struck
    ):
        raise Illegal("Dice have fallen for this character, so it stays; retire it, or ask a GM.")


# Whom a player has to ask.


def _is_free(context: Context, target: Entry, struck: list[Entry]) -> bool:
    """True if a player may undo this without a GM; refused where no one could allow it."""
    if target.by != context.member.id:
        raise Forbidden(f"That was {_author(context, target)}'s doing; only they or a GM may undo it.")
    others = [entry for entry in struck if entry.by != context.member.id and _seen(context, entry)]
    dice = [entry for entry in struck if _seen_dice(context, entry)]
    paid = any(isinstance(event, e.Thrown) and event.paid for entry in dice for event in entry.events)
    if any(member.role == GM for member in context.state.members.values()):
        return not others and (not dice or (context.state.world.undo == "player" and not paid))
    if others:
        author = _author(context, others[0])
        raise Forbidden(f"What {author} did later would have to go too, and no GM is there to allow it (T-6).")
    if paid:
        raise Illegal("A throw that was paid for is final where no GM is there to allow an undo (T-2).")
    return True


def _author(context: Context, entry: Entry) -> str:
    author = context.state.members.get(entry.by)
    return author.name if author else "somebody"


def _seen_dice(context: Context, entry: Entry) -> bool:
    """True if the member knows of dice in an entry, or of a roll's steps after its dice."""
    about = (event for event in entry.events if may_see(context.member, event.audience))
    return any(isinstance(event, (*STEPS, e.MoveThrown)) for event in about)


def _plea(context: Context, target: Entry, struck: list[Entry]) -> list[e.Event]:
    """The request to the GMs, with what would go."""
    if any(plea.by == context.member.id and plea.entry == target.id for plea in context.state.pleas.values()):
        raise Illegal("You have asked for that; a GM allows or declines it.")
    audience = EVERYBODY if any(event.audience == EVERYBODY for event in target.events) else context.member.id
    told = named(struck, context.state, viewer(context.state, audience))
    asked = e.UndoAsked(plea=f"u{context.id}", by=context.member.id, entry=target.id, told=told, audience=audience)
    in_full = named(struck, context.state, viewer(context.state, GM))
    return [asked] if in_full == told else [asked, replace(asked, told=in_full, audience=GM)]


def allow(context: Context, action: a.AllowAction) -> list[e.Event]:
    """Undo what a player asked for."""
    refuse_player(context.member, "allow an undo")
    plea = _find_plea(context, action.plea)
    target = _found(context, plea.entry)
    if target is None:
        raise Illegal("That cannot be undone any more; decline it.")
    struck = _reach(context, target)
    return [*_answered(plea, allowed=True), *_strike(context, struck)]


def decline(context: Context, action: a.DeclineAction) -> list[e.Event]:
    """Leave what a player asked to undo as it is; the player may also ask no longer."""
    plea = _find_plea(context, action.plea)
    return _answered(plea, allowed=False)


def _answered(plea: Plea, allowed: bool) -> list[e.Event]:
    told = e.UndoAnswered(plea=plea.id, by=plea.by, allowed=allowed, told=plea.told, audience=plea.audience)
    return [told, replace(told, told=plea.in_full, audience=GM)] if plea.in_full else [told]


def _find_plea(context: Context, id: str) -> Plea:
    """A request to undo by id, or the latest one; for a player, their own."""
    gm = context.member.role == GM
    known = {plea.id: plea for plea in context.state.pleas.values() if gm or plea.by == context.member.id}
    if id in known:
        return known[id]
    if id or not known:
        raise Unknown("Nobody asks for that undo; it was answered, or has lapsed.")
    return list(known.values())[-1]


def _refuse_debts(context: Context, struck: Iterable[Entry]) -> None:
    """Refuse to take back points of a character or player that were spent since, as far as the member sees them."""
    gained: dict[tuple[str, str, str, str], int] = {}
    for event in (event for entry in struck for event in entry.events):
        if isinstance(event, e.Changed) and event.by is not None and may_see(context.member, event.audience):
            place = event.holder, event.section, event.item, event.field
            gained[place] = gained.get(place, 0) + event.by
    for (id, name, item, field), by in gained.items():
        kept = context.state.world.holders.get(id)
        section = context.ruleset.sections.get((kept.kind, name)) if kept else None
        if kept is None or section is None or kept.kind not in ("character", "player") or section.look == "clock":
            continue
        now = kept.sheet.get(name, {}).get(item)
        held = now.get(field) if now else None
        if by > 0 and now and type(held) is int and held - by < section.bounds(now, field, context.state.options)[0]:
            whose = name_of(context.state, context.member, id)
            raise Illegal(f"{whose} has {held} {item}, and this undo would take {by} back; they were spent since.")


# The log.


def _by_audience(context: Context, how: type[e.Struck] | type[e.Restored], entries: list[Entry]) -> list[e.Event]:
    """One event for each audience: everybody gets the entries that everybody saw, by name.

    If those events do not say everything, GMs get one more event with all of it.
    """
    audiences: dict[str, list[Entry]] = {}
    for entry in entries:
        for audience in apart(*(event.audience for event in entry.events)):
            audiences.setdefault(audience, []).append(entry)
    told = {
        audience: named(seen, context.state, viewer(context.state, audience)) for audience, seen in audiences.items()
    }
    in_full = named(entries, context.state, viewer(context.state, GM))
    if [in_full] != list(told.values()):
        audiences.setdefault(GM, [])
        told[GM] = in_full
    return [
        how(
            entries=[entry.id for entry in seen],
            since=min(entry.version for entry in seen or entries),
            told=told[audience],
            audience=audience,
        )
        for audience, seen in sorted(audiences.items())
    ]


def redo(context: Context, action: a.RedoAction) -> list[e.Event]:
    """Restore an undone entry, with everything that was undone along with it; its dice are the same."""
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
    _refuse_others(context, restored, at)
    _refuse_gone_on(context, restored, undone)
    _refuse_other_dice(context.state, restored)
    refuse_drawn_again(context, restored)
    return _by_audience(context, e.Restored, restored)


def _refuse_others(context: Context, restored: list[Entry], at: int) -> None:
    """Refuse a player who would do again what others did, or dice that a GM took back."""
    if context.member.role == GM:
        return
    for entry in restored:
        if entry.by != context.member.id and _seen(context, entry):
            raise Forbidden(f"That was {_author(context, entry)}'s doing; only they or a GM may do it again.")
    undid = next((entry for entry in context.history(at - 1) if entry.version == at), None)
    by_gm = undid is not None and undid.do == "undo" and undid.by != context.member.id
    if by_gm and any(_seen_dice(context, entry) for entry in restored):
        raise Forbidden("A GM took these dice back; only a GM may do that again (T-2).")


def _refuse_gone_on(context: Context, restored: list[Entry], undone: list[Entry]) -> None:
    """A roll that went on after the undo has no place for the old steps, nor one whose beginning is undone.

    What the member may not see does not count: a refusal would tell of it.
    """
    struck, rolls = context.state.struck, {roll for entry in restored for roll in _rolls(entry)}
    at = struck[restored[0].id]
    for entry in undone:
        later = struck[entry.id] > at and entry.version < restored[-1].version
        if later and _rolls(entry) & rolls and _seen(context, entry):
            raise Illegal("It builds on something that was undone later; do that again first.")
    back = _put_back_since(context, at)
    for entry in context.history(0 if back else at):
        if (
            (entry.version > at or entry.id in back)
            and entry.id not in struck
            and _rolls(entry) & rolls
            and _seen(context, entry)
        ):
            raise Illegal("The roll has gone on since it was undone; undo that first, or leave it.")


def _put_back_since(context: Context, at: int) -> set[str]:
    """The entries that were undone before a version, and have been put back since."""
    before: set[str] = set()
    back: set[str] = set()
    for entry in context.history(0):
        for event in entry.events:
            if isinstance(event, e.Struck) and entry.version < at:
                before.update(event.entries)
            elif isinstance(event, e.Restored) and entry.version < at:
                before.difference_update(event.entries)
            elif isinstance(event, e.Restored):
                back.update(before.intersection(event.entries))
    return back


def _refuse_other_dice(state: State, restored: list[Entry]) -> None:
    """Refuse to do a throw again whose dice were discarded since, or have been thrown again in another move."""
    for entry in restored:
        for event in entry.events:
            if not isinstance(event, (e.Thrown, e.MoveThrown)):
                continue
            kept = _kept_for(state, event)
            for die in fallen(event) if kept is not None else ():
                known = kept.get(die.line, {}).get(die.root) if kept else None
                if known is None or known.face != die.face:
                    raise Illegal("Its dice were thrown again or discarded since, so it stays undone.")


def _kept_for(state: State, event: e.Thrown | e.MoveThrown) -> Kept | None:
    """The kept dice of the roll or move to which a throw belongs; None if the roll is not at the table any more."""
    if isinstance(event, e.MoveThrown):
        return state.world.kept_moves.get(move_name(event), {})
    roll = state.world.rolls.get(event.roll)
    return roll.undone.dice if roll else None


# Who sees a difference when things are undone or done again, and must be told that they were. What an
# entry's events said when it was made is not enough: a thing may have been hidden then and be seen now.


def with_empty_events_for_affected_seats(events: Iterable[e.Event], before: State, after: State) -> list[e.Event]:
    """The events, and an empty one for each seat whose view changes and which would see none of them."""
    events = list(events)
    last = max(place for place, event in enumerate(events) if isinstance(event, (e.Struck, e.Restored)))
    audiences = {event.audience for event in events}
    more = [
        replace(events[last], entries=[], told=[], audience=audience)
        for audience in _who_notice(before, after, audiences)
    ]
    return [*events[: last + 1], *more, *events[last + 1 :]]


def _who_notice(before: State, after: State, audiences: set[str]) -> list[str]:
    if EVERYBODY in audiences:
        return []
    if view(before, None) != view(after, None):
        return [EVERYBODY]
    others = [member for member in after.members.values() if member.role != GM and member.id not in audiences]
    return [member.id for member in others if view(before, member) != view(after, member)]
