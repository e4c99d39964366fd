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
from astragal.table.log.shown import EntryShown, LineKind, LogLine, ThrownTold
from astragal.table.log.telling import Telling, called, hides, start, what_was_put, written
from astragal.table.roll_event import PleaEvent, Proof, RequestEvent, RollEvent
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
    lines: list[LogLine] = []
    for event in events:
        if type(event) in _TELLERS:
            kind, says = _TELLERS[type(event)]
            about: dict[str, Any] = {}
            for field in _FIELDS[type(event)]:
                about[field] = getattr(event, field)
            for line in says(telling, event):
                lines.append(line if isinstance(line, LogLine) else LogLine(line, kind, **about))
    return lines


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


def _requested(telling: Telling, event: e.Requested) -> Iterator[str | LogLine]:
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
    yield f"{telling.who} asks {names} {what}{how}{note}"


def _concealed(telling: Telling, event: e.Concealed) -> Iterator[str | LogLine]:
    yield f"Only GMs see: {', '.join(_values(telling, event))}."


def _values(telling: Telling, event: e.Requested | e.Concealed) -> list[str]:
    plain = partial(sheet.plain, telling)
    return [f"{called(name, event.labels)} {written(value, plain)}" for name, value in event.inputs.items()]


def _excused(telling: Telling, event: e.Excused) -> Iterator[str | LogLine]:
    names = listed([*map(telling.name, event.who)] or ["Nobody"])
    verb = "need" if len(event.who) > 1 else "needs"
    yield f"{names} {verb} not roll any more."


def _opened(telling: Telling, event: e.Opened) -> Iterator[str | LogLine]:
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
    yield f"{who}{does}{helped}{blind}."
    if event.roll not in telling.told:
        yield from _put(telling, event)


def _built(telling: Telling, event: e.Built) -> Iterator[str | LogLine]:
    if event.against is not None:
        against = f"is against {telling.name(event.against)}" if event.against else "has no opponent"
        if event.tends:
            against = f"is for {telling.name(event.against)}" if event.against else "is for themselves"
        yield f"The roll {against} now."
    if event.against_name:
        yield f"The roll is against {event.against_name} now."
    if event.roll in telling.answers and (event.by_gm or event.hidden is not None):
        return
    if event.hidden is not None:
        yield f"{telling.who} {hides(event.hidden, event.labels)} in the roll."
    if event.roll not in telling.told:
        yield from _put(telling, event)


def _put(telling: Telling, event: e.Opened | e.Built) -> Iterator[LogLine]:
    others = event.by not in ("", telling.by) and any(value is None for value in event.inputs.values())
    whose = f"{telling.name(event.by)}'s" if others else ""
    for text in what_was_put(event, partial(sheet.plain, telling), whose):
        yield LogLine(f"{telling.who} {text}.", "build", roll=event.roll)


def _lost(telling: Telling, event: e.Lost) -> Iterator[str | LogLine]:
    if event.use:
        what, are = listed(list(event.use.values())), "are" if len(event.use) > 1 else "is"
        why = f"out of the roll: {telling.name(event.left)} no longer takes part" if event.left else ""
        yield f"{start(what)} {are} {why or 'gone, and out of the roll'}."
    for helper in event.helpers:
        yield f"{start(telling.name(helper))} has left, and no longer helps."
    if event.opponent:
        text = f"{start(telling.name(event.left))} has left; the roll needs another opponent."
        yield text


def _awaited(telling: Telling, event: e.Awaited) -> Iterator[str | LogLine]:
    changed = "Dice have changed, so both sides gather again: the" if event.again else "The"
    yield f"{changed} roll waits until {telling.name(event.whom)} is ready."


def _readied(telling: Telling, event: e.Readied) -> Iterator[str | LogLine]:
    whom = "the GM" if event.whom == GM else telling.name(event.whom)
    now = "is ready" if event.ready else "is not ready any more"
    for_another = event.whom not in (GM, telling.by)
    said = f"{telling.who} says that {whom} {now}." if for_another else f"{start(whom)} {now}."
    yield said


def _assisted(telling: Telling, event: e.Assisted) -> Iterator[str | LogLine]:
    side = ", on the other side" if event.side == "theirs" else ""
    does = "rolls too" if event.shared else "offers to help" if event.idle else "helps"
    ends = (
        "rolls no longer" if event.shared else "puts nothing in and does not help" if event.idle else "no longer helps"
    )
    helps = ends if event.leaves else does
    yield f"{start(telling.name(event.helper))} {helps}{side}."


def _asked(telling: Telling, event: e.Asked) -> Iterator[str | LogLine]:
    if event.told:
        yield " ".join(event.told)
    for by, claims in event.claims:
        yield f"{start(listed(claims))}, claimed by {telling.name(by)}."


def _move_thrown(telling: Telling, event: e.MoveThrown) -> Iterator[str | LogLine]:
    yield f"{start(telling.name(event.by))}: {event.title}."
    yield from _thrown(telling, event)


def _move_delayed(telling: Telling, event: e.MoveDelayed) -> Iterator[str | LogLine]:
    move = event.move if event.move in telling.state.world.delayed_moves else ""
    yield from (f"{said} waits until you reveal this move." for said in event.said[:-1])
    yield LogLine(f"{event.said[-1]} waits until you reveal this move.", "note", move=move)


def _move_revealed(telling: Telling, event: e.MoveRevealed) -> Iterator[str | LogLine]:
    yield f"Revealed: {event.title}."
    yield from (LogLine(text, "note", rule) for text, rule in event.told)


def _thrown(telling: Telling, event: e.Thrown | e.MoveThrown) -> Iterator[str | LogLine]:
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
    """The part of a sentence that says how many dice are kept from before an undo."""
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


def _covered(telling: Telling, event: e.Covered) -> Iterator[str | LogLine]:
    yield LogLine(
        "It is rolled where only the GM sees it.",
        "dice",
        roll=event.roll,
        ticket=(event.ticket, event.next) if event.ticket else None,
    )


def _told(telling: Telling, event: e.Told) -> Iterator[str | LogLine]:
    yield f"{event.headline}."
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


def _partly_told(telling: Telling, event: e.PartlyTold) -> Iterator[str | LogLine]:
    """The part of an outcome that rests on nothing hidden, for those who may not see the rest."""
    if event.roll not in telling.told:
        yield from (sentence(text) for text in (event.sum, *event.gains) if text)


def _picked(telling: Telling, event: e.Picked) -> Iterator[str | LogLine]:
    for name, item in event.names.items():
        said = item.partition(": ")[2].partition(";")[0] if item and name.startswith("step ") else item
        if said:
            yield f"{telling.who} names {said}, which is hidden."


def _delayed(telling: Telling, event: e.Delayed) -> Iterator[str | LogLine]:
    if event.changes:
        yield "What it changes waits until it is revealed."


def _described(telling: Telling, event: e.Described) -> Iterator[str | LogLine]:
    if event.text:
        yield f"{telling.name(event.by)}: {event.text}"


def _withdrawn(telling: Telling, event: e.Withdrawn) -> Iterator[str | LogLine]:
    gone = ", and its dice are discarded" if event.discarded else ""
    yield f"The roll is withdrawn{gone}."


def _corrected(telling: Telling, event: e.Corrected) -> Iterator[str | LogLine]:
    changed = listed([f"{die} {was} → {now}" for _, _, die, was, now in event.dice])
    yield f"{telling.who} corrects typed dice: {changed}."


def _revealed(telling: Telling, event: e.Revealed) -> Iterator[str | LogLine]:
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


def _undo_answered(telling: Telling, event: e.UndoAnswered) -> Iterator[str | LogLine]:
    asker = telling.name(event.by)
    if event.allowed:
        text = f"{telling.who} allows {asker}'s undo."
    elif telling.who == asker:
        text = f"{asker} no longer asks to undo {_what(event.told)}."
    else:
        text = f"{telling.who} declines {asker}'s undo: {_what(event.told)} stays."
    yield text


def answer_told(event: e.Answered) -> str:
    """The answer in words: "Reroll the Step Die.", "Make a Condition with 2 dice: Off balance."."""
    words = event.answer.partition(": ")[2]
    return sentence(event.told.replace("{}", words) or (f"{event.label}: {words}" if words else event.label))


def _what(told: list[str]) -> str:
    """The names of undone entries; a hidden one has none."""
    return listed(told) if told else "something"


def _is_gm(member: Member | None) -> bool:
    return member is not None and member.role == GM


def _undone(did: str, telling: Telling, event: e.Struck | e.Restored) -> Iterator[str]:
    if event.told or not _is_gm(telling.member):
        yield f"{telling.who} {did} {_what(event.told)}."


_TELLERS: dict[type, tuple[LineKind, Callable[[Telling, Any], Iterable[str | LogLine]]]] = {
    e.Founded: ("done", people.founded),
    e.Joined: (
        "done",
        lambda telling, event: [f"{event.name} sat down as {people.ROLES.get(event.role, event.role)}."],
    ),
    e.Seated: ("done", people.seated),
    e.Announced: ("done", people.announced),
    e.Confirmed: ("done", people.confirmed),
    e.SettingChanged: ("done", people.setting_changed),
    e.Created: ("done", people.created),
    e.Held: ("done", people.held),
    e.Retired: ("done", lambda telling, event: [f"{telling.name(event.holder)} left the table."]),
    e.Changed: ("change", sheet.changed),
    e.Veiled: ("change", sheet.veiled),
    e.Filled: ("full", sheet.filled),
    e.SceneOpened: ("scene", lambda telling, event: [f"Scene: {event.title}."]),
    e.SceneClosed: ("scene", lambda telling, event: ["The scene ends."]),
    e.Turned: ("turn", people.turned),
    e.Saved: ("done", people.saved),
    e.Requested: ("request", _requested),
    e.Concealed: ("request", _concealed),
    e.Excused: ("request", _excused),
    e.Opened: ("open", _opened),
    e.Built: ("build", _built),
    e.Lost: ("build", _lost),
    e.Awaited: ("build", _awaited),
    e.Readied: ("build", _readied),
    e.Assisted: ("open", _assisted),
    e.Asked: ("open", _asked),
    e.Thrown: ("dice", _thrown),
    e.Covered: ("dice", _covered),
    e.Answered: ("answer", lambda telling, event: [answer_told(event)]),
    e.Told: ("headline", _told),
    e.PartlyTold: ("note", _partly_told),
    e.Delayed: ("note", _delayed),
    e.Picked: ("build", _picked),
    e.Described: ("words", _described),
    e.Withdrawn: ("open", _withdrawn),
    e.Noted: ("note", lambda telling, event: [f"{telling.who}: {event.text}" if event.said else event.text]),
    e.MoveThrown: ("done", _move_thrown),
    e.MoveDelayed: ("note", _move_delayed),
    e.MoveRevealed: ("done", _move_revealed),
    e.Revealed: ("headline", _revealed),
    e.Corrected: ("note", _corrected),
    e.Struck: ("undo", partial(_undone, "undid")),
    e.Restored: ("undo", partial(_undone, "put back")),
    e.UndoAsked: ("undo", lambda telling, event: [f"{telling.name(event.by)} asks a GM to undo {_what(event.told)}."]),
    e.UndoAnswered: ("undo", _undo_answered),
}
"""The kind of the lines about each event, and the function that tells it; lines of another kind it makes itself."""
_ABOUT: dict[str, type | tuple[type, ...]] = {
    "roll": RollEvent,
    "request": RequestEvent,
    "plea": PleaEvent,
    "rule": (e.Changed, e.Noted),
}
_FIELDS = {kind: [name for name, kinds in _ABOUT.items() if issubclass(kind, kinds)] for kind in _TELLERS}
"""The fields of each event that its lines have too."""
