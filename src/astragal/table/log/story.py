"""The story: a log as Markdown, in prose. A roll is one paragraph, wherever it began and whoever spoke of it later.

It opens with those who play. What a GM wrote is told, what a player wrote is quoted. Numbers and book-keeping stand in
lines of their own, in italics and parentheses, and so does the day when another one begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from msgspec.structs import replace

from astragal.rule.inputs.total import signed
from astragal.rule.report import listed, sentence
from astragal.rule.sheets.table_rules import SCENE, TABLE
from astragal.table import event as e
from astragal.table.access import holder_audience, may_see, name_of
from astragal.table.entry import Entry
from astragal.table.log.lines import answer_told, heard, tell
from astragal.table.log.sheet_lines import counter_name
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, State

_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|~&$@]|(?<=www)\.|:(?=//)", re.IGNORECASE)
"""What means something in Markdown or its dialects, wherever it stands: markup, HTML, tables, formulas, links."""
_LINE_START = re.compile(r"^(\d*)([-+=.)])")
"""What would begin a list or underline a heading."""

ABOUT_ROLLS = (
    e.Opened, e.Built, e.Assisted, e.Asked, e.Thrown, e.Covered, e.Answered, e.Told, e.Described,
    e.Withdrawn, e.Revealed,
)  # fmt: skip
BOOKKEEPING = (e.Changed, e.Veiled, e.Concealed, e.SceneClosed, e.MoveThrown)
"""What has no sentence of its own: changes stand in parentheses, and of a move's dice what they came to is told."""
SILENT = ("undo", "redo", "edit", "seat", "hold", "turn", "save", "withdraw")
"""Actions that keep the books; what they change shows when it matters."""
SEATED = ("found", "join", "create", "leave", "retire", "take")
"""Actions by which people and characters come and go; who is there, the story says at its beginning."""
MILLISECONDS = 1000


def story(entries: Iterable[Entry], state: State, member: Member | None) -> Iterator[str]:
    """The lines of the story, as this seat knows it. What was undone or withdrawn is left out."""
    told = _Story(state, member)
    for entry in entries:
        if entry.id not in state.struck and any(may_see(member, event.audience) for event in entry.events):
            told.take(entry)
    yield f"# {_escape(state.title)}\n"
    if cast := _cast(state, member):
        yield f"*{_escape(cast)}*\n"
    for part in told.parts:
        text = part if isinstance(part, str) else part.text()
        if text:
            yield f"{text}\n"


class _Story:
    """Paragraphs in the order in which things happened."""

    def __init__(self, state: State, member: Member | None) -> None:
        self.parts: list[str | _Tale | _Asking] = []
        self._tales: dict[str, _Tale] = {}
        self._askings: dict[str, _Asking] = {}
        self._state = state
        self._member = member
        self._day = ""

    def take(self, entry: Entry) -> None:
        """Add an entry: its rolls to their tales, everything else as sentences."""
        self._new_day(entry)
        tale: _Tale | None = None
        for event in heard(entry, self._member):
            if isinstance(event, e.SceneOpened):
                self.parts.append(f"## {_escape(event.title)}")
            elif isinstance(event, ABOUT_ROLLS):
                tale = self._tale(event, entry)
                tale.take(event)
            elif isinstance(event, e.Excused) and event.request in self._askings:
                self._askings[event.request].who -= set(event.who)
        rest: list[e.Event] = [event for event in entry.events if not isinstance(event, (e.SceneOpened, *ABOUT_ROLLS))]
        self._say(entry, rest, tale)

    def _new_day(self, entry: Entry) -> None:
        """Say the day before whatever is told of it, but for the first one."""
        day = _day_of(entry)
        if self._day and day not in ("", self._day) and entry.do not in (*SILENT, *SEATED):
            self.parts.append(f"*({day})*")
        self._day = day

    def _changes(self, events: Iterable[e.Event]) -> str:
        """What changed, by holder and without its reasons: "Ruhl: Resolve +3, Disarmed; Into the granary +2"."""
        found: dict[str, list[str]] = {}
        for event in events:
            if isinstance(event, e.Changed) and (text := self._change(event)):
                found.setdefault(event.holder, []).append(text)
        names = {id: "" if id in (TABLE, SCENE) else f"{name_of(self._state, self._member, id)}: " for id in found}
        return "; ".join(f"{names[id]}{', '.join(texts)}" for id, texts in found.items())

    def _reason(self, events: Iterable[e.Event]) -> str:
        """Why things changed, if it is one reason for all; a roll gives its own."""
        causes = {event.cause for event in events if isinstance(event, e.Changed)}
        return f" ({cause})" if len(causes) == 1 and (cause := causes.pop().removesuffix(".")) else ""

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
        return f"{counter_name(section, event)} {signed(event.by)}"

    def _tale(self, event: e.Event, entry: Entry) -> _Tale:
        """The tale of an event's roll. It stands where the roll was first thrown."""
        roll: str = event.roll  # type: ignore[union-attr]
        if roll not in self._tales:
            self._tales[roll] = _Tale(self._state, self._member, entry.by)
        tale = self._tales[roll]
        if isinstance(event, (e.Told, e.Covered, e.Revealed)) and tale not in self.parts:
            self.parts.append(tale)
        return tale

    def _say(self, entry: Entry, events: list[e.Event], tale: _Tale | None) -> None:
        """What else an entry says: after a roll, what came of it; otherwise a paragraph."""
        if entry.do in SILENT or entry.do in SEATED:
            return
        seen = [event for event in events if may_see(self._member, event.audience)]
        changed = self._changes(seen)
        changed += self._reason(seen) if changed and not tale else ""
        said = self._said(entry, events)
        if tale:
            tale.after += [*said, *([_escape(sentence(changed))] if changed else ())]
        elif said and (asked := [event for event in seen if isinstance(event, e.Requested)]):
            asking = _Asking({who for event in asked for who in event.who}, " ".join(said))
            self._askings[asked[0].request] = asking
            self.parts.append(asking)
        elif said or changed:
            lines = [" ".join(said), *([f"*({_escape(sentence(changed))})*"] if changed else ())]
            self.parts.append("  \n".join(line for line in lines if line))

    def _said(self, entry: Entry, events: list[e.Event]) -> list[str]:
        """The sentences of an entry, but for what changed on sheets."""
        if entry.do == "note":
            heard = (event for event in events if may_see(self._member, event.audience))
            return [self._quoted(entry, event.text) for event in heard if isinstance(event, e.Noted)]
        others = [event for event in events if not isinstance(event, BOOKKEEPING)]
        return [_escape(line.text) for line in tell(replace(entry, events=others), self._state, self._member)]

    def _quoted(self, entry: Entry, text: str) -> str:
        """A GM's words are the story's own; a player's are quoted."""
        by = self._state.members.get(entry.by)
        if by is not None and by.role == "gm":
            return _escape(text)
        return f"“{_escape(text)}” *({_escape(name_of(self._state, self._member, entry.by))})*"


class _Asking:
    """A request: what is told of it, unless it was withdrawn from everybody."""

    def __init__(self, who: set[str], told: str) -> None:
        self.who = who
        self._told = told

    def text(self) -> str:
        """The paragraph."""
        return self._told if self.who else ""


class _Tale:
    """One roll: who tries what and how, what helps, what came of it, what people say about it."""

    def __init__(self, state: State, member: Member | None, by: str) -> None:
        self.after: list[str] = []
        """What the roll changed."""
        self._state = state
        self._member = member
        self._by = by
        self._opened: e.Opened | None = None
        self._helpers: dict[str, dict[str, None]] = {"ours": {}, "theirs": {}}
        self._asked: list[str] = []
        self._offers: list[str] = []
        """What was answered and the verdict does not say: a declined offer, or one after the roll was over."""
        self._over = False
        self._verdict = ""
        self._sum = ""
        self._gains: list[str] = []
        """What the roll brings besides, such as what it costs."""
        self._words: list[tuple[str, str]] = []
        self._covered = False
        self._withdrawn = False

    def take(self, event: e.Event) -> None:
        """Add what an event says about the roll."""
        if isinstance(event, e.Opened):
            self._opened = event
            self._helpers["ours"] = dict.fromkeys(event.helpers)
        elif isinstance(event, e.Assisted):
            self._assist(event)
        elif isinstance(event, (e.Asked, e.Revealed)) and event.ask:
            self._asked = event.told
        elif isinstance(event, e.Answered) and (self._over or event.told):
            self._offers.append(answer_told(event))
        elif isinstance(event, e.Withdrawn):
            self._withdrawn = True
        elif isinstance(event, e.Covered):
            self._covered = True
        elif isinstance(event, e.Described) and event.text:
            self._words.append((event.by, event.text))
        self._over = self._over or (isinstance(event, e.Told) and event.over)
        if isinstance(event, (e.Told, e.Revealed)):
            tier = getattr(event, "tier", "")
            self._verdict = tier or event.verdict or self._verdict
            self._sum = getattr(event, "sum", "") if tier else ""
            self._gains = getattr(event, "gains", []) if tier else []
        if isinstance(event, e.Revealed):
            self._words += event.words

    def _assist(self, event: e.Assisted) -> None:
        if event.leaves:
            self._helpers[event.side].pop(event.helper, None)
        else:
            self._helpers[event.side][event.helper] = None

    def text(self) -> str:
        """The paragraph; nothing for a roll that was withdrawn."""
        if self._withdrawn:
            return ""
        if not self._verdict:
            how = "Only the GM knows how it went." if self._covered else ""
        else:
            how = f"**{_escape(sentence(self._verdict))}**"
        gains = [_escape(sentence(gain)) for gain in self._gains]
        told = [self._who(), *map(_escape, [*self._asked, *self._offers]), how, *gains]
        said = [f"{_escape(text)} *({_escape(self._name(by))})*" for by, text in self._words]
        numbers = [*([_escape(sentence(self._sum))] if self._sum else ()), *self.after]
        aside = [f"*({' '.join(numbers)})*"] if numbers else []
        return "  \n".join([" ".join(part for part in told if part), *said, *aside])

    def _who(self) -> str:
        """Who rolls, against whom and with whose help."""
        opened = self._opened
        if opened is None:
            return ""
        who = f"**{_escape(opened.name or self._name(opened.who or self._by))}** {opened.does or 'rolls'}"
        opponent = opened.against_name or (self._name(opened.against) if opened.against else "")
        against = f" against {_escape(opponent)}{self._helped('theirs')}" if opponent else ""
        ours = self._helped("ours")
        return f"{who}{ours}{',' if ours and against else ''}{against}."

    def _helped(self, side: str) -> str:
        helpers = list(map(self._name, self._helpers[side]))
        joined = " with" if self._opened and self._opened.shared else ", helped by"
        return f"{joined} {_escape(listed(helpers))}" if helpers else ""

    def _name(self, id: str) -> str:
        return name_of(self._state, self._member, id)


def _day_of(entry: Entry) -> str:
    """The entry's day; empty if a file that came in says a time that no calendar has."""
    try:
        return datetime.fromtimestamp(entry.at / MILLISECONDS, UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return ""


def _cast(state: State, member: Member | None) -> str:
    """Who plays whom, and who runs the table, as far as this seat may know."""
    people = [one for one in state.members.values() if one.role in ("gm", "player")]
    holders = [
        one for one in state.world.holders.values() if one.kind == "character" and may_see(member, holder_audience(one))
    ]
    gms = [one.name for one in people if one.role == "gm"]
    plays = [
        f"{one.name} plays {listed([holder.name for holder in holders if holder.owner == one.id])}."
        for one in people
        if one.role == "player" and any(holder.owner == one.id for holder in holders)
    ]
    return " ".join([*([f"{listed(gms)} {'tells' if len(gms) == 1 else 'tell'} the story."] if gms else ()), *plays])


def _dice(n: int) -> str:
    return f"{n} die" if abs(n) == 1 else f"{n} dice"


def _escape(text: str) -> str:
    """The text as Markdown that shows it as it is: no markup, no links, no lists, and its line breaks kept."""
    lines = (line.strip() for line in text.splitlines())
    return "  \n".join(_LINE_START.sub(r"\1\\\2", _SIGNS.sub(r"\\\g<0>", line)) for line in lines if line)
