"""Entries of the log as sentences, for one seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import msgspec

from astragal.explain.report import sentence
from astragal.rule.inputs.total import listed
from astragal.table import event as e
from astragal.table.access import GM, may_see, name_of
from astragal.table.entry import Entry
from astragal.table.kept import new_faces
from astragal.table.log import people_lines as people
from astragal.table.log import sheet_lines as sheet
from astragal.table.log.shown import EntryShown, LogLine, ThrownTold
from astragal.table.log.telling import Telling, called, hides, start, what_was_put, written
from astragal.table.roll_event import Proof
from astragal.table.state import Member, State

if TYPE_CHECKING:
    from astragal.rule.verdict import Tone


def tell(entry: Entry, state: State, member: Member | None) -> list[LogLine]:
    """The sentences about an entry that this seat may read."""
    events = list(told_once(heard(entry, member)))
    told = {event.roll for event in events if isinstance(event, e.Told)}
    answers = {event.roll for event in events if isinstance(event, e.Opened) and event.request}
    name = partial(name_of, state, member)
    telling = Telling(state, name(entry.by), member, name, told, entry.by, answers)
    said = {event.cause for event in events if isinstance(event, e.Changed) and event.deed}
    events = [event for event in events if not (isinstance(event, e.Noted) and event.said and event.text in said)]
    return [line for event in events if type(event) in _TELLERS for line in _TELLERS[type(event)](telling, event)]


def heard(entry: Entry, member: Member | None) -> Iterator[e.Event]:
    """The events of an entry that this seat may see; GMs get only one of several with the same content.

    Of an undo they get the one that tells it in full, if there is one.
    """
    gm = _is_gm(member)
    in_full = {type(event) for event in entry.events if event.audience == GM}.intersection(UNDOING) if gm else ()
    last: e.Event | None = None
    for event in entry.events:
        if may_see(member, event.audience) and (event.audience == GM or type(event) not in in_full):
            if (
                last is None
                or event.audience == last.audience
                or msgspec.structs.replace(event, audience=last.audience) != last
            ):
                yield event
            last = event


UNDOING = (e.Struck, e.Restored, e.UndoAsked, e.UndoAnswered)


def told_once(events: Iterable[e.Event]) -> Iterator[e.Event]:
    """The events, with one for what several told to different audiences: a request, the turn order."""
    last: e.Event | None = None
    for event in events:
        if isinstance(last, e.Requested) and isinstance(event, e.Requested):
            last = msgspec.structs.replace(event, who=[*last.who, *event.who])
            continue
        if last is not None and not (isinstance(last, e.Turned) and isinstance(event, e.Turned)):
            yield last
        last = event
    if last is not None:
        yield last


def shown(entry: Entry, state: State, member: Member | None) -> EntryShown | None:
    """An entry as this seat sees it; None if it may see nothing of it."""
    if not any(may_see(member, event.audience) for event in entry.events):
        return None
    return EntryShown(
        id=entry.id,
        at=entry.at,
        by=entry.by,
        name=name_of(state, member, entry.by),
        do=entry.do if _acted_openly(entry, member) else "change",
        struck=entry.id in state.struck,
        lines=tell(entry, state, member),
    )


def _acted_openly(entry: Entry, member: Member | None) -> bool:
    """True if a seat may know the action itself, and not only what came of it; what a move is about comes first."""
    known = [event for event in entry.events if may_see(member, event.audience)]
    if len(known) == len(entry.events) or not all(isinstance(event, CONSEQUENCES) for event in known):
        return True
    return entry.do == "move" and known[0] is entry.events[0]


SOMEBODY = "somebody"
"""Whom the title of a kind is against, until it is known."""
CONSEQUENCES = (e.Changed, e.Veiled, e.Filled, e.Noted)


def aimed(title: str, name: str) -> str:
    """The title of a kind of roll with the name of the one whom it is against."""
    return title.replace(SOMEBODY, name) if SOMEBODY in title else f"{title} against {name}"


def _requested(telling: Telling, event: e.Requested) -> Iterator[LogLine]:
    opponent = telling.name(event.against) if event.against else ""
    facts = ["blind"] if event.seen == "blind" else []
    facts += _values(telling, event)
    facts += [f"{called(name, event.labels)} hidden" for name in event.hidden]
    how = f", {', '.join(facts)}" if facts else ""
    names = listed([*map(telling.name, event.who)] or ["nobody"])
    what = f"to roll: {aimed(event.title, opponent) if opponent else event.title}"
    if event.noun:
        what = f"for {event.noun}{f' against {opponent}' if opponent else ''}"
    note = f': "{sentence(event.note)}"' if event.note else "."
    yield LogLine(f"{telling.who} asks {names} {what}{how}{note}", "request", request=event.request)


def _concealed(telling: Telling, event: e.Concealed) -> Iterator[LogLine]:
    yield LogLine(f"Only GMs see: {', '.join(_values(telling, event))}.", "request", request=event.request)


def _values(telling: Telling, event: e.Requested | e.Concealed) -> list[str]:
    plain = partial(sheet.plain, telling)
    return [f"{called(name, event.labels)} {written(value, plain)}" for name, value in event.inputs.items()]


def _excused(telling: Telling, event: e.Excused) -> Iterator[LogLine]:
    names = listed([*map(telling.name, event.who)] or ["Nobody"])
    verb = "need" if len(event.who) > 1 else "needs"
    yield LogLine(f"{names} {verb} not roll any more.", "request", request=event.request)


def _opened(telling: Telling, event: e.Opened) -> Iterator[LogLine]:
    who = event.name or (telling.name(event.who) if event.who else telling.who)
    opponent = event.against_name or (telling.name(event.against) if event.against else "")
    does = event.title or event.kind
    does = aimed(does, opponent) if opponent and not event.tends else does
    joined = "with" if event.shared else "helped by"
    helped = f", {joined} {listed([*map(telling.name, event.helpers)])}" if event.helpers else ""
    blind = " (blind)" if event.seen == "blind" else ""
    does = f" {event.does} {opponent}" if event.tends and opponent else f": {does}"
    if event.begins:
        does = f" {event.begins.replace('{}', opponent)}"
    yield LogLine(f"{who}{does}{helped}{blind}.", "open", roll=event.roll)
    if event.roll not in telling.told:
        yield from _put(telling, event)


def _built(telling: Telling, event: e.Built) -> Iterator[LogLine]:
    if event.against is not None:
        against = f"is against {telling.name(event.against)}" if event.against else "has no opponent"
        if event.tends:
            against = f"is for {telling.name(event.against)}" if event.against else "is for themselves"
        yield LogLine(f"The roll {against} now.", "build", roll=event.roll)
    if event.against_name:
        yield LogLine(f"The roll is against {event.against_name} now.", "build", roll=event.roll)
    if event.roll in telling.answers and (event.by_gm or event.hidden is not None):
        return
    if event.hidden is not None:
        yield LogLine(f"{telling.who} {hides(event.hidden, event.labels)} in the roll.", "build", roll=event.roll)
    if event.roll not in telling.told:
        yield from _put(telling, event)


def _put(telling: Telling, event: e.Opened | e.Built) -> Iterator[LogLine]:
    others = event.by not in ("", telling.by) and any(value is None for value in event.inputs.values())
    whose = f"{telling.name(event.by)}'s" if others else ""
    for text in what_was_put(event, partial(sheet.plain, telling), whose):
        yield LogLine(f"{telling.who} {text}.", "build", roll=event.roll)


def _lost(telling: Telling, event: e.Lost) -> Iterator[LogLine]:
    if event.use:
        what, are = listed(list(event.use.values())), "are" if len(event.use) > 1 else "is"
        why = f"out of the roll: {telling.name(event.left)} no longer takes part" if event.left else ""
        yield LogLine(f"{start(what)} {are} {why or 'gone, and out of the roll'}.", "build", roll=event.roll)
    for helper in event.helpers:
        yield LogLine(f"{start(telling.name(helper))} has left, and no longer helps.", "build", roll=event.roll)
    if event.opponent:
        text = f"{start(telling.name(event.left))} has left; the roll needs another opponent."
        yield LogLine(text, "build", roll=event.roll)


def _awaited(telling: Telling, event: e.Awaited) -> Iterator[LogLine]:
    changed = "Dice have changed, so both sides gather again: the" if event.again else "The"
    yield LogLine(f"{changed} roll waits until {telling.name(event.whom)} is ready.", "build", roll=event.roll)


def _readied(telling: Telling, event: e.Readied) -> Iterator[LogLine]:
    whom = "the GM" if event.whom == GM else telling.name(event.whom)
    now = "is ready" if event.ready else "is not ready any more"
    for_another = event.whom not in (GM, telling.by)
    said = f"{telling.who} says that {whom} {now}." if for_another else f"{start(whom)} {now}."
    yield LogLine(said, "build", roll=event.roll)


def _assisted(telling: Telling, event: e.Assisted) -> Iterator[LogLine]:
    side = ", on the other side" if event.side == "theirs" else ""
    does = "rolls too" if event.shared else "offers to help" if event.idle else "helps"
    ends = (
        "rolls no longer" if event.shared else "puts nothing in and does not help" if event.idle else "no longer helps"
    )
    helps = ends if event.leaves else does
    yield LogLine(f"{start(telling.name(event.helper))} {helps}{side}.", "open", roll=event.roll)


def _asked(telling: Telling, event: e.Asked) -> Iterator[LogLine]:
    if event.told:
        yield LogLine(" ".join(event.told), "open", roll=event.roll)
    for by, claims in event.claims:
        yield LogLine(f"{start(listed(claims))}, claimed by {telling.name(by)}.", "open", roll=event.roll)


def _move_thrown(telling: Telling, event: e.MoveThrown) -> Iterator[LogLine]:
    yield LogLine(f"{start(telling.name(event.by))}: {event.title}.", "done")
    yield from _thrown(telling, event)


def _move_delayed(telling: Telling, event: e.MoveDelayed) -> Iterator[LogLine]:
    move = event.move if event.move in telling.state.world.delayed_moves else ""
    yield from (LogLine(f"{said} waits until you reveal this move.", "note") for said in event.said[:-1])
    yield LogLine(f"{event.said[-1]} waits until you reveal this move.", "note", move=move)


def _move_revealed(telling: Telling, event: e.MoveRevealed) -> Iterator[LogLine]:
    yield LogLine(f"Revealed: {event.title}.", "done")
    yield from (LogLine(text, "note", rule) for text, rule in event.told)


def _thrown(telling: Telling, event: e.Thrown | e.MoveThrown) -> Iterator[LogLine]:
    known = [(event.labels.get(name, ()), face) for name, _, face, _, _ in event.dice]
    labels = tuple([on_faces[face - 1] if face <= len(on_faces) else "" for on_faces, face in known])
    faces = ", ".join(label or str(die[2]) for label, die in zip(labels, event.dice, strict=True))
    faces = _by_side(event) or faces
    reused = event.source == "again"
    typed = f" (typed by {telling.name(event.typed_by)})" if event.typed_by else ""
    cards = tuple([place for place, die in enumerate(event.dice) if die[0] in event.cards]) if event.cards else ()
    called = "cards" if cards and len(cards) == len(event.dice) else "dice"
    # The thrower, where the throw is called by their name: in a roll of several people.
    by = event.by if isinstance(event, e.Thrown) and telling.name(event.by) in event.title else ""
    fresh = f"{telling.who} orders fresh dice. " if event.fresh else ""
    whose = f"{telling.name(by)}'s {called}" if by else called.capitalize()
    thrown = _proven([(new_faces(event.faces, event.kept), event.proof), *event.kept_proofs])
    across = "" if all(each.proof.confirmed for each in thrown) else ", not proven across a restore"
    text = f"{fresh}{whose}: {faces or 'none'}{typed}{_again(event, called)}{across}."
    roll = event.roll if isinstance(event, e.Thrown) else ""
    yield LogLine(
        text, "dice", roll=roll, dice=tuple(event.dice), reused=reused, typed_by=event.typed_by, by=by,
        labels=labels if any(labels) else (), cards=cards, thrown=thrown,
    )  # fmt: skip


def _again(event: e.Thrown | e.MoveThrown, called: str) -> str:
    """That dice are kept from before an undo: all of them, or how many."""
    n = sum(map(len, event.kept.values()))
    if not n:
        return ""
    return (
        f", the same {called} as before the undo"
        if n == len(event.dice)
        else f", {n} of them kept from before the undo"
    )


def _by_side(event: e.Thrown | e.MoveThrown) -> str:
    """Both sides' dice of an opposed throw, each after its name: "Ilse 9 8 3 · Odo 9 4"."""
    laid = event.laid if isinstance(event, e.Thrown) else []
    if len({side for *_, side in laid} - {""}) < 2:
        return ""
    sides: dict[str, list[str]] = {}
    for name, _, face, _, _ in event.dice:
        sides.setdefault(name, []).append(str(face))
    return " · ".join(f"{name} {' '.join(faces)}" for name, faces in sides.items())


def _proven(throws: Iterable[tuple[Any, Proof | None]]) -> tuple[ThrownTold, ...]:
    return tuple([ThrownTold(faces, proof) for faces, proof in throws if proof])


def _covered(telling: Telling, event: e.Covered) -> Iterator[LogLine]:
    yield LogLine(
        "It is rolled where only the GM sees it.",
        "dice",
        roll=event.roll,
        ticket=(event.ticket, event.next) if event.ticket else None,
    )


def _answered(telling: Telling, event: e.Answered) -> Iterator[LogLine]:
    yield LogLine(answer_told(event), "answer", roll=event.roll)


def _told(telling: Telling, event: e.Told) -> Iterator[LogLine]:
    yield LogLine(f"{event.headline}.", "headline", roll=event.roll)
    yield from _outcome(event)


def _outcome(event: e.Told | e.Revealed) -> Iterator[LogLine]:
    """The verdict, and before it the sentences about a roll but for one that it says again, or begins with."""
    said = f"{event.verdict}."
    for text, rule in event.notes:
        begins = text.removesuffix(".")
        if not said.startswith((f"{begins}.", f"{begins}:", f"{begins};")):
            yield LogLine(text, "note", rule, event.roll)
    if event.verdict:
        tone = cast("Tone", event.tone)
        yield LogLine(said, "verdict", roll=event.roll, tone=tone, tier=event.tier, sum=event.sum)


def _partly_told(telling: Telling, event: e.PartlyTold) -> Iterator[LogLine]:
    """What rests on nothing hidden, for those who are not told the outcome."""
    if event.roll not in telling.told:
        yield from (LogLine(sentence(text), "note", roll=event.roll) for text in (event.sum, *event.gains) if text)


def _picked(telling: Telling, event: e.Picked) -> Iterator[LogLine]:
    for name, item in event.names.items():
        said = item.partition(": ")[2].partition(";")[0] if item and name.startswith("step ") else item
        if said:
            yield LogLine(f"{telling.who} names {said}, which is hidden.", "build", roll=event.roll)


def _delayed(telling: Telling, event: e.Delayed) -> Iterator[LogLine]:
    if event.changes:
        yield LogLine("What it changes waits until it is revealed.", "note", roll=event.roll)


def _described(telling: Telling, event: e.Described) -> Iterator[LogLine]:
    if event.text:
        yield LogLine(f"{telling.name(event.by)}: {event.text}", "words", roll=event.roll)


def _withdrawn(telling: Telling, event: e.Withdrawn) -> Iterator[LogLine]:
    gone = ", and its dice are discarded" if event.discarded else ""
    yield LogLine(f"The roll is withdrawn{gone}.", "open", roll=event.roll)


def _corrected(telling: Telling, event: e.Corrected) -> Iterator[LogLine]:
    changed = listed([f"{die} {was} → {now}" for _, _, die, was, now in event.dice])
    yield LogLine(f"{telling.who} corrects typed dice: {changed}.", "note", roll=event.roll)


def _noted(telling: Telling, event: e.Noted) -> Iterator[LogLine]:
    yield LogLine(f"{telling.who}: {event.text}" if event.said else event.text, "note", event.rule)


def _revealed(telling: Telling, event: e.Revealed) -> Iterator[LogLine]:
    yield LogLine(
        f"Revealed: {event.headline or 'a roll'}.",
        "headline",
        roll=event.roll,
        dice=tuple(event.dice),
        thrown=_proven(event.thrown),
    )
    if event.told:
        yield LogLine(" ".join(event.told), "open", roll=event.roll)
    yield from _outcome(event)
    yield from (LogLine(f"{telling.name(by)}: {text}", "words", roll=event.roll) for by, text in event.words)


def _struck(telling: Telling, event: e.Struck) -> Iterator[LogLine]:
    if event.told or not _is_gm(telling.member):
        yield LogLine(f"{telling.who} undid {_what(event.told)}.", "undo")


def _restored(telling: Telling, event: e.Restored) -> Iterator[LogLine]:
    if event.told or not _is_gm(telling.member):
        yield LogLine(f"{telling.who} put back {_what(event.told)}.", "undo")


def _undo_asked(telling: Telling, event: e.UndoAsked) -> Iterator[LogLine]:
    yield LogLine(f"{telling.name(event.by)} asks a GM to undo {_what(event.told)}.", "undo", plea=event.plea)


def _undo_answered(telling: Telling, event: e.UndoAnswered) -> Iterator[LogLine]:
    asker = telling.name(event.by)
    if event.allowed:
        text = f"{telling.who} allows {asker}'s undo."
    elif telling.who == asker:
        text = f"{asker} no longer asks to undo {_what(event.told)}."
    else:
        text = f"{telling.who} declines {asker}'s undo: {_what(event.told)} stays."
    yield LogLine(text, "undo", plea=event.plea)


def answer_told(event: e.Answered) -> str:
    """What was answered: "Reroll the Step Die.", "Make a Condition with 2 dice: Off balance."."""
    words = event.answer.partition(": ")[2]
    return sentence(event.told.replace("{}", words) or (f"{event.label}: {words}" if words else event.label))


def _what(told: list[str]) -> str:
    """What was undone; something that is hidden has no name."""
    return listed(told) if told else "something"


def _is_gm(member: Member | None) -> bool:
    return member is not None and member.role == GM


_TELLERS: dict[type, Callable[[Telling, Any], Iterator[LogLine]]] = {
    e.Founded: people.founded,
    e.Joined: people.joined,
    e.Seated: people.seated,
    e.Announced: people.announced,
    e.Confirmed: people.confirmed,
    e.SettingChanged: people.setting_changed,
    e.Created: people.created,
    e.Held: people.held,
    e.Retired: people.retired,
    e.Changed: sheet.changed,
    e.Veiled: sheet.veiled,
    e.Filled: sheet.filled,
    e.SceneOpened: people.scene_opened,
    e.SceneClosed: people.scene_closed,
    e.Turned: people.turned,
    e.Saved: people.saved,
    e.Requested: _requested,
    e.Concealed: _concealed,
    e.Excused: _excused,
    e.Opened: _opened,
    e.Built: _built,
    e.Lost: _lost,
    e.Awaited: _awaited,
    e.Readied: _readied,
    e.Assisted: _assisted,
    e.Asked: _asked,
    e.Thrown: _thrown,
    e.Covered: _covered,
    e.Answered: _answered,
    e.Told: _told,
    e.PartlyTold: _partly_told,
    e.Delayed: _delayed,
    e.Picked: _picked,
    e.Described: _described,
    e.Withdrawn: _withdrawn,
    e.Noted: _noted,
    e.MoveThrown: _move_thrown,
    e.MoveDelayed: _move_delayed,
    e.MoveRevealed: _move_revealed,
    e.Revealed: _revealed,
    e.Corrected: _corrected,
    e.Struck: _struck,
    e.Restored: _restored,
    e.UndoAsked: _undo_asked,
    e.UndoAnswered: _undo_answered,
}
