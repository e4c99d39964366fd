"""Entries of the log as sentences, for one seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import msgspec

from astragal.rule.report import listed, sentence
from astragal.table import event as e
from astragal.table.access import GM, may_see, name_of
from astragal.table.entry import Entry
from astragal.table.log import people_lines as people
from astragal.table.log import sheet_lines as sheet
from astragal.table.log.building import hides, spoken, what_was_put, written
from astragal.table.log.shown import EntryShown, LogLine, ThrownTold
from astragal.table.log.telling import Telling, start
from astragal.table.proof import Proof
from astragal.table.state import Member, State

if TYPE_CHECKING:
    from astragal.rule.verdict import Tone


def tell(entry: Entry, state: State, member: Member | None) -> list[LogLine]:
    """The sentences about an entry that this seat may read."""
    events = list(told_once(heard(entry, member)))
    told = {event.roll for event in events if isinstance(event, e.Told)}
    answers = {event.roll for event in events if isinstance(event, e.Opened) and event.request}
    name = partial(name_of, state, member)
    telling = Telling(state, name(entry.by), member, name, told, answers)
    return [line for event in events if type(event) in _TELLERS for line in _TELLERS[type(event)](telling, event)]


def heard(entry: Entry, member: Member | None) -> Iterator[e.Event]:
    """The events of an entry that this seat may see; GMs get only one of several with the same content."""
    last: e.Event | None = None
    for event in entry.events:
        if may_see(member, event.audience):
            if (
                last is None
                or event.audience == last.audience
                or msgspec.structs.replace(event, audience=last.audience) != last
            ):
                yield event
            last = event


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
    """Whether a seat may know the action itself, and not only what came of it; what a move is about comes first."""
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
    against = f" against {telling.name(event.against)}" if event.against else ""
    facts = ["blind"] if event.seen == "blind" else []
    facts += [f"{spoken(name)} {written(value, partial(sheet.plain, telling))}" for name, value in event.inputs.items()]
    facts += [f"{spoken(name)} hidden" for name in event.hidden]
    how = f" ({', '.join(facts)})" if facts else ""
    names = listed([*map(telling.name, event.who)] or ["nobody"])
    asks = f"{telling.who} asks {names} to roll: {event.title}{against}{how}."
    yield LogLine(f"{asks} {event.note}".rstrip(), "request", request=event.request)


def _concealed(telling: Telling, event: e.Concealed) -> Iterator[LogLine]:
    facts = ", ".join(
        f"{spoken(name)} {written(value, partial(sheet.plain, telling))}" for name, value in event.inputs.items()
    )
    yield LogLine(f"Hidden in it: {facts}.", "request", request=event.request)


def _excused(telling: Telling, event: e.Excused) -> Iterator[LogLine]:
    names = listed([*map(telling.name, event.who)] or ["Nobody"])
    verb = "need" if len(event.who) > 1 else "needs"
    yield LogLine(f"{names} {verb} not roll any more.", "request", request=event.request)


def _opened(telling: Telling, event: e.Opened) -> Iterator[LogLine]:
    who = event.name or (telling.name(event.who) if event.who else telling.who)
    opponent = event.against_name or (telling.name(event.against) if event.against else "")
    does = event.title or event.kind
    does = aimed(does, opponent) if opponent else does
    joined = "with" if event.shared else "helped by"
    helped = f", {joined} {listed([*map(telling.name, event.helpers)])}" if event.helpers else ""
    blind = " (blind)" if event.seen == "blind" else ""
    yield LogLine(f"{who}: {does}{helped}{blind}.", "open", roll=event.roll)
    if event.roll not in telling.told:
        yield from _put(telling, event)


def _built(telling: Telling, event: e.Built) -> Iterator[LogLine]:
    if event.against is not None:
        against = f"is against {telling.name(event.against)}" if event.against else "has no opponent"
        yield LogLine(f"The roll {against} now.", "build", roll=event.roll)
    if event.against_name:
        yield LogLine(f"The roll is against {event.against_name} now.", "build", roll=event.roll)
    if event.roll in telling.answers and (event.by_gm or event.hidden is not None):
        return
    if event.hidden is not None:
        yield LogLine(f"{telling.who} {hides(event.hidden)} in the roll.", "build", roll=event.roll)
    if event.roll not in telling.told:
        yield from _put(telling, event)


def _put(telling: Telling, event: e.Opened | e.Built) -> Iterator[LogLine]:
    for text in what_was_put(event, partial(sheet.plain, telling)):
        yield LogLine(f"{telling.who} {text}.", "build", roll=event.roll)


def _assisted(telling: Telling, event: e.Assisted) -> Iterator[LogLine]:
    side = ", on the other side" if event.side == "theirs" else ""
    does = "rolls too" if event.shared else "helps"
    helps = ("rolls no longer" if event.shared else "no longer helps") if event.leaves else does
    yield LogLine(f"{start(telling.name(event.helper))} {helps}{side}.", "open", roll=event.roll)


def _asked(telling: Telling, event: e.Asked) -> Iterator[LogLine]:
    if event.told:
        yield LogLine(" ".join(event.told), "open", roll=event.roll)


def _move_thrown(telling: Telling, event: e.MoveThrown) -> Iterator[LogLine]:
    yield LogLine(f"{start(telling.name(event.by))}: {event.title}.", "done")
    yield from _thrown(telling, event)


def _thrown(telling: Telling, event: e.Thrown | e.MoveThrown) -> Iterator[LogLine]:
    labels = ("",) * len(event.dice)
    if event.labels:
        labels = tuple([_label(event.labels, name, face) for name, _, face, _, _ in event.dice])
    faces = ", ".join(label or str(die[2]) for label, die in zip(labels, event.dice, strict=True))
    reused = bool(event.reused_from)
    typed = f" (typed by {telling.name(event.typed_by)})" if event.typed_by else ""
    cards = tuple([place for place, die in enumerate(event.dice) if die[0] in event.cards]) if event.cards else ()
    called = "cards" if cards and len(cards) == len(event.dice) else "dice"
    by = _thrower(telling, event)
    whose = f"{telling.name(by)}'s {called}" if by else called.capitalize()
    again = f", the same {called} as before the undo" if reused else ""
    text = f"{whose}: {faces or 'none'}{typed}{again}."
    roll = event.roll if isinstance(event, e.Thrown) else ""
    yield LogLine(
        text, "dice", roll=roll, dice=tuple(event.dice), reused=reused, typed_by=event.typed_by, by=by,
        labels=labels if any(labels) else (), cards=cards, thrown=_proven([(event.faces, event.proof)]),
    )  # fmt: skip


def _proven(throws: Iterable[tuple[Any, Proof | None]]) -> tuple[ThrownTold, ...]:
    return tuple([ThrownTold(faces, proof) for faces, proof in throws if proof])


def _thrower(telling: Telling, event: e.Thrown | e.MoveThrown) -> str:
    """Whoever threw, where the throw is called by their name: in a roll of several people."""
    return event.by if isinstance(event, e.Thrown) and telling.name(event.by) in event.title else ""


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
    yield from (LogLine(text, "note", rule, event.roll) for text, rule in event.notes)
    if event.verdict:
        tone = cast("Tone", event.tone)
        yield LogLine(f"{event.verdict}.", "verdict", roll=event.roll, tone=tone, tier=event.tier, sum=event.sum)


def _described(telling: Telling, event: e.Described) -> Iterator[LogLine]:
    if event.text:
        yield LogLine(f"{telling.name(event.by)}: {event.text}", "words", roll=event.roll)


def _withdrawn(telling: Telling, event: e.Withdrawn) -> Iterator[LogLine]:
    yield LogLine("The roll is withdrawn.", "open", roll=event.roll)


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
    yield from (LogLine(text, "note", rule, event.roll) for text, rule in event.notes)
    if event.verdict:
        yield LogLine(f"{event.verdict}.", "verdict", roll=event.roll)
    yield from (LogLine(f"{telling.name(by)}: {text}", "words", roll=event.roll) for by, text in event.words)


def _struck(telling: Telling, event: e.Struck) -> Iterator[LogLine]:
    if event.entries or not _is_gm(telling.member):
        yield LogLine(f"{telling.who} undid {_count(len(event.entries))}.", "undo")


def _restored(telling: Telling, event: e.Restored) -> Iterator[LogLine]:
    if event.entries or not _is_gm(telling.member):
        yield LogLine(f"{telling.who} did {_count(len(event.entries))} again.", "undo")


def answer_told(event: e.Answered) -> str:
    """What was answered: "Reroll the Step Die.", "Make a Condition with 2 dice: Off balance."."""
    if not event.label:  # older entries have no more than the names of choice and answer
        return sentence(f"{event.choice}: {event.answer.removeprefix(f'{event.choice}: ')}")
    words = event.answer.partition(": ")[2]
    return sentence(event.told.replace("{}", words) or (f"{event.label}: {words}" if words else event.label))


def _count(n: int) -> str:
    return "something" if n == 0 else "one thing" if n == 1 else f"{n} things"


def _is_gm(member: Member | None) -> bool:
    return member is not None and member.role == GM


_TELLERS: dict[type, Callable[[Telling, Any], Iterator[LogLine]]] = {
    e.Founded: people.founded,
    e.Joined: people.joined,
    e.Seated: people.seated,
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
    e.Assisted: _assisted,
    e.Asked: _asked,
    e.Thrown: _thrown,
    e.Covered: _covered,
    e.Answered: _answered,
    e.Told: _told,
    e.Described: _described,
    e.Withdrawn: _withdrawn,
    e.Noted: _noted,
    e.MoveThrown: _move_thrown,
    e.Revealed: _revealed,
    e.Struck: _struck,
    e.Restored: _restored,
}


def _label(labels: Mapping[str, Sequence[str]], name: str, face: int) -> str:
    """What stands on a face; nothing if that is its number."""
    known = labels.get(name, ())
    return known[face - 1] if face <= len(known) else ""
