"""Entries of the log as sentences, for one seat."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import msgspec

from astragal.rule.inputs.input import OneOf
from astragal.rule.inputs.total import signed
from astragal.rule.report import listed, sentence
from astragal.rule.sheets.deck import DRAWN
from astragal.rule.sheets.sheet import Section
from astragal.rule.sheets.table_rules import SCENE, TABLE
from astragal.table import event as e
from astragal.table.access import GM, holder_audience, may_see
from astragal.table.entry import Entry
from astragal.table.log.building import hides, spoken, what_was_put, written
from astragal.table.log.shown import EntryShown, LogLine
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, State

if TYPE_CHECKING:
    from astragal.rule.verdict import Tone


def tell(entry: Entry, state: State, member: Member | None) -> list[LogLine]:
    """The sentences about an entry that this seat may read."""
    events = list(told_once(heard(entry, member)))
    told = {event.roll for event in events if isinstance(event, e.Told)}
    telling = _Telling(state, name_of(state, entry.by, member), member, told)
    telling.answers = {event.roll for event in events if isinstance(event, e.Opened) and event.request}
    return [line for event in events for line in telling.lines(event)]


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
        name=name_of(state, entry.by, member),
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


def name_of(state: State, id: str, member: Member | None) -> str:
    """The name of a member or holder, if this member may know it."""
    if id in state.members:
        return state.members[id].name
    holder = state.world.holders.get(id)
    if holder and may_see(member, holder_audience(holder)):
        # Scenes change names; an entry about an earlier scene must not show the current name.
        return holder.name if holder.kind in ("character", "player") else f"the {holder.kind}"
    name, audience = state.world.retired.get(id, ("somebody", ""))
    return name if may_see(member, audience) else "somebody"


def aimed(title: str, name: str) -> str:
    """The title of a kind of roll with the name of the one whom it is against."""
    return title.replace(SOMEBODY, name) if SOMEBODY in title else f"{title} against {name}"


class _Telling:
    """Sentences about one entry."""

    def __init__(self, state: State, who: str, member: Member | None, told: Container[str] = ()) -> None:
        self._state = state
        self._who = who
        self._member = member
        self._told = told
        """Rolls that are told as a whole in this entry; what was put in needs no words of its own then."""
        self.answers: Container[str] = ()
        """Rolls that were opened in this entry in answer to a request, which has told what the GM put in."""

    def lines(self, event: e.Event) -> Iterator[LogLine]:
        teller = _TELLERS.get(type(event))
        if teller:
            yield from teller(self, event)

    def name(self, id: str) -> str:
        return name_of(self._state, id, self._member)

    def founded(self, event: e.Founded) -> Iterator[LogLine]:
        title = ruleset_of(event.game).game.title
        yield LogLine(f'{self._who} set up "{event.title}", a table of {title}.', "done")

    def joined(self, event: e.Joined) -> Iterator[LogLine]:
        yield LogLine(f"{event.name} sat down as {_role(event.role)}.", "done")

    def seated(self, event: e.Seated) -> Iterator[LogLine]:
        now = "left the table" if event.role == "gone" else f"is {_role(event.role)}"
        yield LogLine(f"{event.name} {now}.", "done")

    def setting_changed(self, event: e.SettingChanged) -> Iterator[LogLine]:
        who = {"everybody": "Everybody", "gm": "Only a GM", "nobody": "Nobody"}[event.typed_dice]
        yield LogLine(f"{who} may type dice now.", "done")

    def created(self, event: e.Created) -> Iterator[LogLine]:
        whose = f", {self.name(event.owner)}'s character," if event.owner else ""
        yield LogLine(f"{event.name}{whose} came to the table.", "done")

    def held(self, event: e.Held) -> Iterator[LogLine]:
        whose = f"belongs to {self.name(event.owner)}" if event.owner else "belongs to the GM"
        if event.free:
            yield LogLine(f"{event.name} is free: any player may take over.", "done")
            return
        yield LogLine(f"{event.name} {whose} and is seen by {_seen(event.seen)}.", "done")

    def retired(self, event: e.Retired) -> Iterator[LogLine]:
        yield LogLine(f"{self.name(event.holder)} left the table.", "done")

    def changed(self, event: e.Changed) -> Iterator[LogLine]:
        section = self._section(event)
        if section and section.look == "cards":
            yield from _card_changed(event, section)
            return
        cause = f" ({event.cause})" if event.cause else ""
        yield LogLine(self._answered(event) or f"{self._change(event)}{cause}.", "change", event.rule)

    def _answered(self, event: e.Changed) -> str:
        """A question in a book that a game keeps for itself, with its answer, and without what else is remembered."""
        section = self._section(event)
        if section is None or section.told or event.field or not event.to or not event.cause:
            return ""
        name, field = next(iter(section.fields.items()))
        return f"{event.cause}: {event.item} {event.to[name]}." if isinstance(field, OneOf) else ""

    def _change(self, event: e.Changed) -> str:
        whose = _start(self.name(event.holder))
        if not event.field and event.to and (section := self._section(event)) and section.look == "clock":
            return self._clock(event, section)
        if not event.field:
            return f"{whose}: {event.item}{' is gone' if event.to is None else self._item_words(event.to, event.cause)}"
        if event.by is not None and event.holder == TABLE and (section := self._section(event)) and section.names:
            return f"{counter_name(section, event)} {signed(event.by)}"
        if event.by is not None:
            return f"{whose}: {self._moved(event)}"
        if isinstance(event.to, bool) and (section := self._section(event)) and len(section.fields) == 1:
            return f"{whose}: {event.item if event.to else f'no longer {event.item.lower()}'}"
        return f"{whose}: {event.item}, {spoken(event.field)} is now {self._plain(event.to)}"

    def _clock(self, event: e.Changed, section: Section) -> str:
        """A Clock that is new or set anew: what it is, and how far it has come."""
        whose = "The Clock" if event.holder in (TABLE, SCENE) else f"{_start(self.name(event.holder))}:"
        counts = f"{event.to.get(section.counts) or 0} of {event.to.get(section.top) or 0}"
        seen = "" if event.to.get("seen", "all") == "all" else f"seen {event.to['seen']}"
        return f"{whose} {event.item} ({', '.join(filter(None, (event.to.get('kind'), counts, seen)))})"

    def _item_words(self, item: dict[str, Any], cause: str) -> str:
        """What a new item says, without what is nothing yet and what its cause says anyway."""
        facts = [f"{spoken(field)} {self._plain(value)}" for field, value in item.items() if value and value != cause]
        facts = [fact for fact in facts if fact != "seen all"]
        return f" ({', '.join(facts)})" if facts else ""

    def _plain(self, value: Any) -> str:
        """A value in words; a holder's id becomes its name."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            return ", ".join(map(str, value)) or "none"
        text = str(value)
        return self.name(text) if text in self._state.world.holders else text.removesuffix(".")

    def _moved(self, event: e.Changed) -> str:
        section = self._section(event)
        if section and section.look == "boxes":
            return f"box {abs(event.by or 0)} of {event.item} is {'crossed' if (event.by or 0) > 0 else 'clear again'}"
        return f"{event.item} {signed(event.by or 0)}"

    def _section(self, event: e.Changed) -> Section | None:
        holder = self._state.world.holders.get(event.holder)
        return ruleset_of(self._state.game).sections.get((holder.kind if holder else "character", event.section))

    def veiled(self, event: e.Veiled) -> Iterator[LogLine]:
        holder = self._state.world.holders.get(event.holder)
        item = holder.sheet.get(event.section, {}).get(event.item, {}) if holder else {}
        there = item.get("seen", "all") in ("all", "veiled") and bool(item)
        text = (
            f"There is something called {event.item}; how it stands is hidden." if there else f"{event.item} is gone."
        )
        yield LogLine(text, "change")

    def filled(self, event: e.Filled) -> Iterator[LogLine]:
        beaten = f", before {event.beats}" if event.beats else ""
        whose = "The" if event.holder in (TABLE, SCENE) else f"{_start(self.name(event.holder))}'s"
        yield LogLine(f"{whose} Clock {event.item} is full{beaten}!", "full")

    def scene_opened(self, event: e.SceneOpened) -> Iterator[LogLine]:
        yield LogLine(f"Scene: {event.title}.", "scene")

    def scene_closed(self, event: e.SceneClosed) -> Iterator[LogLine]:
        yield LogLine("The scene ends.", "scene")

    def turned(self, event: e.Turned) -> Iterator[LogLine]:
        if event.order is not None:
            names = [self.name(who) if who else name for _, name, who, _ in event.order]
            yield LogLine(f"Turn order: {', '.join(names)}." if names else "The turn order ends.", "turn")
        if event.now:
            name = self.name(event.who) if event.who else event.name
            begins = f"Round {event.round}: it" if event.round > 1 else "It"
            yield LogLine(f"{begins} is {name}'s turn.", "turn")

    def saved(self, event: e.Saved) -> Iterator[LogLine]:
        whose = f" for {self.name(event.holder)}" if event.holder != TABLE else ""
        yield LogLine(f"{self._who} {'saves' if event.kind else 'removes'} the pool {event.name}{whose}.", "done")

    def requested(self, event: e.Requested) -> Iterator[LogLine]:
        against = f" against {self.name(event.against)}" if event.against else ""
        facts = ["blind"] if event.seen == "blind" else []
        facts += [f"{spoken(name)} {written(value, self._plain)}" for name, value in event.inputs.items()]
        facts += [f"{spoken(name)} hidden" for name in event.hidden]
        how = f" ({', '.join(facts)})" if facts else ""
        names = listed([*map(self.name, event.who)] or ["nobody"])
        asks = f"{self._who} asks {names} to roll: {event.title}{against}{how}."
        yield LogLine(f"{asks} {event.note}".rstrip(), "request", request=event.request)

    def concealed(self, event: e.Concealed) -> Iterator[LogLine]:
        facts = ", ".join(f"{spoken(name)} {written(value, self._plain)}" for name, value in event.inputs.items())
        yield LogLine(f"Hidden in it: {facts}.", "request", request=event.request)

    def excused(self, event: e.Excused) -> Iterator[LogLine]:
        names = listed([*map(self.name, event.who)] or ["Nobody"])
        verb = "need" if len(event.who) > 1 else "needs"
        yield LogLine(f"{names} {verb} not roll any more.", "request", request=event.request)

    def opened(self, event: e.Opened) -> Iterator[LogLine]:
        who = event.name or (self.name(event.who) if event.who else self._who)
        opponent = event.against_name or (self.name(event.against) if event.against else "")
        does = event.title or event.kind
        does = aimed(does, opponent) if opponent else does
        joined = "with" if event.shared else "helped by"
        helped = f", {joined} {listed([*map(self.name, event.helpers)])}" if event.helpers else ""
        blind = " (blind)" if event.seen == "blind" else ""
        yield LogLine(f"{who}: {does}{helped}{blind}.", "open", roll=event.roll)
        if event.roll not in self._told:
            yield from self._put(event)

    def built(self, event: e.Built) -> Iterator[LogLine]:
        if event.against is not None:
            against = f"is against {self.name(event.against)}" if event.against else "has no opponent"
            yield LogLine(f"The roll {against} now.", "build", roll=event.roll)
        if event.against_name:
            yield LogLine(f"The roll is against {event.against_name} now.", "build", roll=event.roll)
        if event.roll in self.answers and (event.by_gm or event.hidden is not None):
            return
        if event.hidden is not None:
            yield LogLine(f"{self._who} {hides(event.hidden)} in the roll.", "build", roll=event.roll)
        if event.roll not in self._told:
            yield from self._put(event)

    def _put(self, event: e.Opened | e.Built) -> Iterator[LogLine]:
        for text in what_was_put(event, self._plain):
            yield LogLine(f"{self._who} {text}.", "build", roll=event.roll)

    def assisted(self, event: e.Assisted) -> Iterator[LogLine]:
        side = ", on the other side" if event.side == "theirs" else ""
        does = "rolls too" if event.shared else "helps"
        helps = ("rolls no longer" if event.shared else "no longer helps") if event.leaves else does
        yield LogLine(f"{_start(self.name(event.helper))} {helps}{side}.", "open", roll=event.roll)

    def asked(self, event: e.Asked) -> Iterator[LogLine]:
        if event.told:
            yield LogLine(" ".join(event.told), "open", roll=event.roll)

    def move_thrown(self, event: e.MoveThrown) -> Iterator[LogLine]:
        yield LogLine(f"{_start(self.name(event.by))}: {event.title}.", "done")
        yield from self.thrown(event)

    def thrown(self, event: e.Thrown | e.MoveThrown) -> Iterator[LogLine]:
        labels = tuple([_label(event.labels, name, face) for name, _, face, _, _ in event.dice])
        faces = ", ".join(label or str(die[2]) for label, die in zip(labels, event.dice, strict=True))
        reused = bool(event.reused_from)
        typed = f" (typed by {self.name(event.typed_by)})" if event.typed_by else ""
        cards = tuple([place for place, die in enumerate(event.dice) if die[0] in event.cards])
        called = "cards" if cards and len(cards) == len(event.dice) else "dice"
        by = self._thrower(event)
        whose = f"{self.name(by)}'s {called}" if by else _start(called)
        again = f", the same {called} as before the undo" if reused else ""
        text = f"{whose}: {faces or 'none'}{typed}{again}."
        roll = event.roll if isinstance(event, e.Thrown) else ""
        yield LogLine(
            text, "dice", roll=roll, dice=tuple(event.dice), reused=reused, typed_by=event.typed_by, by=by,
            labels=labels if any(labels) else (), cards=cards,
        )  # fmt: skip

    def _thrower(self, event: e.Thrown | e.MoveThrown) -> str:
        """Whoever threw, where the throw is called by their name: in a roll of several people."""
        return event.by if isinstance(event, e.Thrown) and self.name(event.by) in event.title else ""

    def covered(self, event: e.Covered) -> Iterator[LogLine]:
        yield LogLine("It is rolled where only the GM sees it.", "dice", roll=event.roll)

    def answered(self, event: e.Answered) -> Iterator[LogLine]:
        yield LogLine(answer_told(event), "answer", roll=event.roll)

    def told(self, event: e.Told) -> Iterator[LogLine]:
        yield LogLine(f"{event.headline}.", "headline", roll=event.roll)
        yield from (LogLine(text, "note", rule, event.roll) for text, rule in event.notes)
        if event.verdict:
            tone = cast("Tone", event.tone)
            yield LogLine(f"{event.verdict}.", "verdict", roll=event.roll, tone=tone, tier=event.tier, sum=event.sum)

    def described(self, event: e.Described) -> Iterator[LogLine]:
        if event.text:
            yield LogLine(f"{self.name(event.by)}: {event.text}", "words", roll=event.roll)

    def withdrawn(self, event: e.Withdrawn) -> Iterator[LogLine]:
        yield LogLine("The roll is withdrawn.", "open", roll=event.roll)

    def noted(self, event: e.Noted) -> Iterator[LogLine]:
        yield LogLine(f"{self._who}: {event.text}" if event.said else event.text, "note", event.rule)

    def revealed(self, event: e.Revealed) -> Iterator[LogLine]:
        yield LogLine(f"Revealed: {event.headline or 'a roll'}.", "headline", roll=event.roll, dice=tuple(event.dice))
        if event.told:
            yield LogLine(" ".join(event.told), "open", roll=event.roll)
        yield from (LogLine(text, "note", rule, event.roll) for text, rule in event.notes)
        if event.verdict:
            yield LogLine(f"{event.verdict}.", "verdict", roll=event.roll)
        yield from (LogLine(f"{self.name(by)}: {text}", "words", roll=event.roll) for by, text in event.words)

    def struck(self, event: e.Struck) -> Iterator[LogLine]:
        if event.entries or not _is_gm(self._member):
            yield LogLine(f"{self._who} undid {_count(len(event.entries))}.", "undo")

    def restored(self, event: e.Restored) -> Iterator[LogLine]:
        if event.entries or not _is_gm(self._member):
            yield LogLine(f"{self._who} did {_count(len(event.entries))} again.", "undo")


def _card_changed(event: e.Changed, section: Section) -> Iterator[LogLine]:
    """What happens to a deck; what was drawn lies there as a throw already."""
    n = event.by or 0
    cards = f"{event.item}{f' × {abs(n)}' if abs(n) > 1 else ''}"
    if not event.item:
        yield LogLine(f"{section.title}: all cards are shuffled together.", "change", event.rule)
    elif n > 0:
        yield LogLine(f"{section.title}: {cards} is put back.", "change", event.rule)
    elif n < 0 and event.cause != DRAWN:
        yield LogLine(f"{section.title}: {cards} is taken out.", "change", event.rule)


def counter_name(section: Section, event: e.Changed) -> str:
    """What a count is called: of the table's own the section's title, such as The GM's IP."""
    return section.title if event.holder == TABLE and section.names else event.item


def answer_told(event: e.Answered) -> str:
    """What was answered: "Reroll the Step Die.", "Make a Condition with 2 dice: Off balance."."""
    if not event.label:  # older entries have no more than the names of choice and answer
        return sentence(f"{event.choice}: {event.answer.removeprefix(f'{event.choice}: ')}")
    words = event.answer.partition(": ")[2]
    return sentence(event.told or (f"{event.label}: {words}" if words else event.label))


def _count(n: int) -> str:
    return "something" if n == 0 else "one thing" if n == 1 else f"{n} things"


def _is_gm(member: Member | None) -> bool:
    return member is not None and member.role == GM


def _start(text: str) -> str:
    return text[:1].upper() + text[1:]


def _role(role: str) -> str:
    return {"gm": "a GM", "player": "a player", "onlooker": "an onlooker"}.get(role, role)


def _seen(seen: str) -> str:
    return {"all": "everybody", "owner": "its owner and the GM", "gm": "the GM only"}[seen]


_TELLERS: dict[type, Callable[[_Telling, Any], Iterator[LogLine]]] = {
    e.Founded: _Telling.founded,
    e.Joined: _Telling.joined,
    e.Seated: _Telling.seated,
    e.SettingChanged: _Telling.setting_changed,
    e.Created: _Telling.created,
    e.Held: _Telling.held,
    e.Retired: _Telling.retired,
    e.Changed: _Telling.changed,
    e.Veiled: _Telling.veiled,
    e.Filled: _Telling.filled,
    e.SceneOpened: _Telling.scene_opened,
    e.SceneClosed: _Telling.scene_closed,
    e.Turned: _Telling.turned,
    e.Saved: _Telling.saved,
    e.Requested: _Telling.requested,
    e.Concealed: _Telling.concealed,
    e.Excused: _Telling.excused,
    e.Opened: _Telling.opened,
    e.Built: _Telling.built,
    e.Assisted: _Telling.assisted,
    e.Asked: _Telling.asked,
    e.Thrown: _Telling.thrown,
    e.Covered: _Telling.covered,
    e.Answered: _Telling.answered,
    e.Told: _Telling.told,
    e.Described: _Telling.described,
    e.Withdrawn: _Telling.withdrawn,
    e.Noted: _Telling.noted,
    e.MoveThrown: _Telling.move_thrown,
    e.Revealed: _Telling.revealed,
    e.Struck: _Telling.struck,
    e.Restored: _Telling.restored,
}


def _label(labels: Mapping[str, Sequence[str]], name: str, face: int) -> str:
    """What stands on a face; nothing if that is its number."""
    known = labels.get(name, ())
    return known[face - 1] if face <= len(known) else ""
