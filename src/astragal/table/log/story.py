"""The story: a log as Markdown, in prose. A roll is one paragraph, with what was said of it later.

It opens with the players and characters. A GM's words are prose, a player's words are quoted. Numbers and book-keeping
have lines of their own, in italics and parentheses, and so has each new day.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from msgspec.structs import replace

from astragal.explain.report import sentence
from astragal.explain.translator import Say, english
from astragal.rule.inputs.total import listed, signed
from astragal.rule.sheets.sheet import broken
from astragal.rule.sheets.table_rules import SCENE, TABLE
from astragal.table import event as e
from astragal.table.access import may_see, name_of, seen_holders
from astragal.table.entry import Entry
from astragal.table.fold import left_by_undo
from astragal.table.log.lines import heard, tell
from astragal.table.log.sheet_lines import counter_name
from astragal.table.log.tale import Tale, escape
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, State

ABOUT_ROLLS = (
    e.Opened, e.Built, e.Assisted, e.Asked, e.Thrown, e.Covered, e.Answered, e.Told, e.PartlyTold, e.Delayed, e.Picked,
    e.Described, e.Withdrawn, e.Revealed,
)  # fmt: skip
BOOKKEEPING = (e.Changed, e.Veiled, e.Concealed, e.SceneClosed, e.MoveThrown, e.Awaited, e.Readied, e.Lost)
"""Events without a sentence of their own: changes are in parentheses, and of a move's dice only the result is told."""
SILENT = (
    "undo", "allow", "decline", "redo", "correct", "ready", "edit", "seat", "set", "announce", "confirm", "hold",
    "turn", "save", "withdraw",
)  # fmt: skip
"""Actions that keep the books; what they change shows when it matters."""
SEATED = ("found", "join", "create", "leave", "retire", "take")
"""Actions by which people and characters come and go; who is there, the story says at its beginning."""
MILLISECONDS = 1000


def story(entries: Iterable[Entry], state: State, member: Member | None, say: Say = english) -> Iterator[str]:
    """The lines of the story, as this seat knows it. What was undone or withdrawn is left out.

    What people wrote stays as it is; everything else is said in the language of ``say``.
    """
    told = Story(state, member, say)
    for entry in entries:
        told.take(entry)
    return told.lines()


class Story:
    """Paragraphs in the order in which things happened, taken in entry by entry: the time grows with the log only."""

    def __init__(self, state: State, member: Member | None, say: Say = english) -> None:
        self._parts: list[str | Tale | _Asking] = []
        self._tales: dict[str, Tale] = {}
        self._placed: set[str] = set()
        """Rolls whose tale has its place among the paragraphs."""
        self._askings: dict[str, _Asking] = {}
        self._state = state
        self._member = member
        self._say = say
        self._day = ""

    def take(self, entry: Entry) -> None:
        """Add an entry: its rolls to their tales, everything else as sentences. What was undone is left out."""
        entry = replace(entry, events=left_by_undo(entry)) if entry.id in self._state.struck else entry
        if not any(may_see(self._member, event.audience) for event in entry.events):
            return
        self._new_day(entry)
        tale: Tale | None = None
        for event in heard(entry, self._member):
            if isinstance(event, e.SceneOpened):
                self._parts.append(f"## {escape(event.title)}")
            elif isinstance(event, ABOUT_ROLLS):
                tale = self._tale(event, entry)
                tale.take(event)
            elif isinstance(event, e.Excused) and event.request in self._askings:
                self._askings[event.request].who -= set(event.who)
        rest: list[e.Event] = [event for event in entry.events if not isinstance(event, (e.SceneOpened, *ABOUT_ROLLS))]
        self._add(entry, rest, tale)

    def lines(self) -> Iterator[str]:
        """The lines of the story so far."""
        yield f"# {escape(self._state.title)}\n"
        if cast := _cast(self._state, self._member, self._say):
            yield f"*{escape(cast)}*\n"
        for part in self._parts:
            text = part if isinstance(part, str) else part.text()
            if text:
                yield f"{text}\n"

    def _new_day(self, entry: Entry) -> None:
        """Write the day before its first line, except for the first day."""
        day = _day_of(entry)
        if self._day and day not in ("", self._day) and entry.do not in (*SILENT, *SEATED):
            self._parts.append(f"*({day})*")
        self._day = day

    def _changes(self, events: Iterable[e.Event]) -> str:
        """Changes by holder, without their reasons: "Ruhl: Resolve breaks: 3 of 4; Into the granary +2"."""
        found: dict[str, list[str]] = {}
        for event in events:
            if isinstance(event, e.Changed) and (text := self._change(event)):
                found.setdefault(event.holder, []).append(self._say(text))
        names = {id: "" if id in (TABLE, SCENE) else f"{name_of(self._state, self._member, id)}: " for id in found}
        return "; ".join(f"{names[id]}{', '.join(texts)}" for id, texts in found.items())

    def _answers(self, events: Iterable[e.Event]) -> dict[str, str]:
        """Questions that a roll answered, which a game keeps in a book of its own, with their answers."""
        sections = ruleset_of(self._state.game).sections
        found = [event for event in events if isinstance(event, e.Changed) and event.of and not event.field]
        books = ((event, sections.get((event.holder, event.section))) for event in found)
        answers = ((event.item, book.answered(event.item, event.to)) for event, book in books if book)
        return {question: answer for question, answer in answers if answer}

    def _reason(self, events: Iterable[e.Event]) -> str:
        """Why things changed, if it is one reason for all; a roll gives its own."""
        causes = {event.cause for event in events if isinstance(event, e.Changed)}
        cause = causes.pop().removesuffix(".") if len(causes) == 1 else ""
        return f" ({self._say(cause)})" if cause else ""

    def _change(self, event: e.Changed) -> str:
        holder = self._state.world.holders.get(event.holder)
        section = ruleset_of(self._state.game).sections.get((holder.kind if holder else "character", event.section))
        if section is None or not section.told:
            return ""
        if not event.field:
            dice = f" ({_dice(event.to['dice'])})" if isinstance(event.to, dict) and event.to.get("dice") else ""
            return f"{event.item} is gone" if event.to is None else f"{event.item}{dice}"
        if event.by is None:
            return ""
        if section.look == "boxes":
            return f"box {abs(event.by)} of {event.item} {'crossed' if event.by > 0 else 'clear'}"
        if event.stands is not None:
            return broken(event.item, event.by, event.stands)
        return f"{counter_name(section, event)} {signed(event.by)}"

    def _tale(self, event: e.Event, entry: Entry) -> Tale:
        """The tale of an event's roll. It stands where the roll was first thrown."""
        roll: str = event.roll  # type: ignore[union-attr]
        if roll not in self._tales:
            self._tales[roll] = Tale(self._state, self._member, entry.by, self._say)
        tale = self._tales[roll]
        if isinstance(event, (e.Told, e.Covered, e.Revealed)) and roll not in self._placed:
            self._placed.add(roll)
            self._parts.append(tale)
        return tale

    def _add(self, entry: Entry, events: list[e.Event], tale: Tale | None) -> None:
        """Add the rest of an entry: the consequences of a roll, otherwise a paragraph."""
        if entry.do in SILENT or entry.do in SEATED:
            return
        seen = [event for event in events if may_see(self._member, event.audience)]
        changed = self._changes(seen)
        changed += self._reason(seen) if changed and not tale else ""
        said = self._said(entry, events)
        if tale:
            tale.answers |= self._answers(seen)
            tale.after += [*said, *([escape(sentence(changed))] if changed else ())]
        elif said and (asked := [event for event in seen if isinstance(event, e.Requested)]):
            asking = _Asking({who for event in asked for who in event.who}, " ".join(said))
            self._askings[asked[0].request] = asking
            self._parts.append(asking)
        elif said or changed:
            lines = [" ".join(said), *([f"*({escape(sentence(changed))})*"] if changed else ())]
            self._parts.append("  \n".join(line for line in lines if line))

    def _said(self, entry: Entry, events: list[e.Event]) -> list[str]:
        """The sentences of an entry, but for what changed on sheets."""
        if entry.do == "note":
            heard = (event for event in events if may_see(self._member, event.audience))
            return [self._quoted(entry, event.text) for event in heard if isinstance(event, e.Noted)]
        others = [event for event in events if not isinstance(event, BOOKKEEPING)]
        said = [event for event in others if isinstance(event, e.Noted) and event.said]
        words = [self._quoted(entry, event.text) for event in said if may_see(self._member, event.audience)]
        rest: list[e.Event] = [event for event in others if not (isinstance(event, e.Noted) and event.said)]
        told = tell(replace(entry, events=rest), self._state, self._member)
        return [*(escape(self._say(line.text)) for line in told), *words]

    def _quoted(self, entry: Entry, text: str) -> str:
        """A GM's words are the story's own; a player's are quoted."""
        by = self._state.members.get(entry.by)
        if by is not None and by.role == "gm":
            return escape(text)
        return f"“{escape(text)}” *({escape(name_of(self._state, self._member, entry.by))})*"


class _Asking:
    """The text of a request, unless it was withdrawn from everybody."""

    def __init__(self, who: set[str], told: str) -> None:
        self.who = who
        self._told = told

    def text(self) -> str:
        """The paragraph."""
        return self._told if self.who else ""


def _day_of(entry: Entry) -> str:
    """The entry's day; empty if a file that came in says a time that no calendar has."""
    try:
        return datetime.fromtimestamp(entry.at / MILLISECONDS, UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return ""


def _cast(state: State, member: Member | None, say: Say) -> str:
    """Who plays whom, and who runs the table, as far as this seat may know."""
    people = [one for one in state.members.values() if one.role in ("gm", "player")]
    holders = [one for one in seen_holders(state, member) if one.kind == "character"]
    gms = [one.name for one in people if one.role == "gm"]
    told = f"{listed(gms, say('and'))} {say('tells the story' if len(gms) == 1 else 'tell the story')}." if gms else ""
    plays = [
        f"{one.name} {say('plays')} {listed(names, say('and'))}."
        for one in people
        if one.role == "player" and (names := [holder.name for holder in holders if holder.owner == one.id])
    ]
    return " ".join(filter(None, (told, *plays)))


def _dice(n: int) -> str:
    return f"{n} die" if abs(n) == 1 else f"{n} dice"
