"""The tale of one roll in the story: a paragraph of Markdown, with what was said of it later."""

from __future__ import annotations

import re

from astragal.explain.report import sentence
from astragal.explain.translator import Say
from astragal.rule.inputs.total import listed
from astragal.table import event as e
from astragal.table.access import name_of
from astragal.table.log.lines import answer_told
from astragal.table.state import Member, State

_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|~&$@]|(?<=www)\.|:(?=//)", re.IGNORECASE)
"""What means something in Markdown or its dialects, wherever it stands: markup, HTML, tables, formulas, links."""
_LINE_START = re.compile(r"^(\d*)([-+=.)])")
"""What would begin a list or underline a heading."""


class Tale:
    """One roll: who tries what and how, what helps, what came of it, what people say about it."""

    def __init__(self, state: State, member: Member | None, by: str, say: Say) -> None:
        self.after: list[str] = []
        """What the roll changed."""
        self.answers: dict[str, str] = {}
        """Questions that dice answered, each with the answer that stands."""
        self._state = state
        self._member = member
        self._by = by
        self._say = say
        self._opened: e.Opened | None = None
        self._helpers: dict[str, dict[str, None]] = {"ours": {}, "theirs": {}}
        self._asked: list[str] = []
        self._claims: list[tuple[str, list[str]]] = []
        """What players put in that is a GM's to grant (T-7)."""
        self._given: list[tuple[str, str]] = []
        """Words that a member gave with an answer, and a sentence for them unless the rest tells them."""
        self._deed = ""
        """What the roller does, with whom or what it is about."""
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
            if event.leaves:
                self._helpers[event.side].pop(event.helper, None)
            else:
                self._helpers[event.side][event.helper] = None
        elif isinstance(event, (e.Asked, e.Revealed)) and event.ask:
            self._asked = event.told
            self._claims = event.claims
            self._deed = getattr(event, "deed", "") or self._deed
        elif isinstance(event, e.Answered):
            self._answer(event)
        elif isinstance(event, e.Withdrawn):
            self._withdrawn = True
        elif isinstance(event, (e.Covered, e.PartlyTold)):
            self._covered = True
        elif isinstance(event, e.Described) and event.text:
            self._words.append((event.by, event.text))
        self._over = self._over or (isinstance(event, e.Told) and event.over)
        if isinstance(event, (e.Told, e.Revealed)):
            self._verdict = event.tier or event.verdict or self._verdict
            self._sum = event.sum if event.tier else ""
            self._gains = event.gains if event.tier else []
        if isinstance(event, e.Revealed):
            self._words += event.words

    def _answer(self, event: e.Answered) -> None:
        """An answer that no result tells, and the words that came with an answer (T-9)."""
        if self._over or event.told:
            self._offers.append(answer_told(event))
        elif words := event.answer.partition(": ")[2].strip():
            self._given.append((words, answer_told(event)))

    def text(self) -> str:
        """The paragraph; nothing for a roll that was withdrawn."""
        if self._withdrawn:
            return ""
        if not self._verdict:
            how = self._say("Only the GM knows how it went.") if self._covered else ""
        else:
            how = f"**{self._sentence(self._verdict)}**"
        answers = self.answers.values()
        offers = [told for told in self._offers if not any(question in told for question in self.answers)]
        rest = " ".join([*self._asked, *offers, *answers, self._verdict, self._sum, *self._gains, *self.after])
        bare = [(words.removesuffix("."), told) for words, told in self._given]
        given = [told for words, told in bare if escape(words) not in rest and words not in rest]
        told = [
            self._who(),
            *map(self._sentence, [*self._asked, *offers, *answers, *given]),
            how,
            *map(self._sentence, self._gains),
        ]
        said = [f"{escape(text)} *({escape(self._name(by))})*" for by, text in self._words]
        numbers = [*([self._sentence(self._sum)] if self._sum else ()), *map(self._claimed, self._claims), *self.after]
        aside = [f"*({' '.join(numbers)})*"] if numbers else []
        return "  \n".join([" ".join(part for part in told if part), *said, *aside])

    def _claimed(self, claim: tuple[str, list[str]]) -> str:
        """``DC 1 and a bonus of 50, claimed by Bo.``"""
        by, words = claim
        what = listed([self._say(each) for each in words], self._say("and"))
        return escape(f"{what[:1].upper()}{what[1:]}, {self._say('claimed by')} {self._name(by)}.")

    def _sentence(self, text: str) -> str:
        return escape(sentence(self._say(text)))

    def _who(self) -> str:
        """The roller, the opponent and the helpers in words."""
        opened = self._opened
        if opened is None:
            return ""
        name = escape(opened.name or self._name(opened.who or self._by))
        if self._deed:
            return f"**{name}** {escape(self._say(self._deed))}{self._helped('ours')}."
        who = f"**{name}** {escape(self._say(opened.does or 'rolls'))}"
        opponent = opened.against_name or (self._name(opened.against) if opened.against else "")
        to = "" if opened.tends else f" {self._say('against')}"
        against = f"{to} {escape(opponent)}{self._helped('theirs')}" if opponent else ""
        ours = self._helped("ours")
        if ours.startswith(", ") and against:
            return f"{ours[2:3].upper()}{ours[3:]}, {who}{against}."
        return f"{who}{ours}{against}."

    def _helped(self, side: str) -> str:
        helpers = list(map(self._name, self._helpers[side]))
        if not helpers:
            return ""
        joined = f" {self._say('with')}" if self._opened and self._opened.shared else f", {self._say('helped by')}"
        return f"{joined} {escape(listed(helpers, self._say('and')))}"

    def _name(self, id: str) -> str:
        return name_of(self._state, self._member, id)


def escape(text: str) -> str:
    """The text as Markdown that shows it as it is: no markup, no links, no lists, and its line breaks kept."""
    lines = (line.strip() for line in text.splitlines())
    return "  \n".join(_LINE_START.sub(r"\1\\\2", _SIGNS.sub(r"\\\g<0>", line)) for line in lines if line)
