"""What a written game keeps at a table: sections of sheets, offers with prices, and what outcomes change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args, get_type_hints

from astragal.rule.effect import Effect
from astragal.rule.input import Input, Whole
from astragal.rule.sheet import Section
from astragal.rule.table_rules import Change, Holder, Offer, Participants, TableRules, clocks_section
from astragal.rule.word import Words
from astragal.written.document import Part
from astragal.written.inputs import check_name
from astragal.written.roll import WrittenRoll

LOOKS = get_args(get_type_hints(Section)["look"])
FIELD = "now"
"""The field that counts, in every section of a written game."""


class WrittenOffer(NamedTuple):
    """Something that may be put into a roll by a tap, whatever is on the sheet, and what it costs."""

    label: str
    into: str
    gives: Any
    most: int
    price: tuple[Effect, ...]
    rule: str


class Written(NamedTuple):
    """Everything that a table needs: sections, which of them go into rolls, offers, and inputs read from sheets."""

    sections: tuple[Section, ...]
    goes_into: Mapping[str, str]
    """The input into which a tap on an item of a section puts its value."""
    offers: tuple[WrittenOffer, ...]
    reads: Mapping[str, Mapping[str, tuple[str, str]]]
    """For each roll: the inputs that are read from a section's item."""

    def table_rules(self) -> TableRules:
        """The table rules."""
        more: dict[str, Any] = {"character": self.sections} if self.sections else {}
        return TableRules(**more, table=(clocks_section(),), offers=self._offers, reads=self._reads, apply=self._apply)

    def _offers(self, kind: str, participants: Participants) -> Iterator[Offer]:
        who = participants.roller
        if who is None:
            return
        for section in self.sections:
            into = self.goes_into.get(section.name, "")
            for item in who.items(section.name) if into else ():
                gives = who.value(section.name, item, FIELD)
                id = f"{who.id}/{section.name}/{item}"
                yield Offer(id, section.title, item, into, gives, by=who.id, rule=section.rule, slot=section.name)
        for offer in self.offers:
            yield self._offered(offer, who)

    def _offered(self, offer: WrittenOffer, who: Holder) -> Offer:
        section = offer.price[0].what if offer.price else ""
        item = offer.price[0].name if offer.price else ""
        id = f"{who.id}/{section}/{item}/{offer.label}"
        return Offer(
            id, "Offers", offer.label, offer.into, offer.gives, who.id, offer.most, price=offer.price, rule=offer.rule
        )

    def _reads(self, kind: str, participants: Participants) -> dict[str, Any]:
        who = participants.roller
        found = self.reads.get(kind, {}) if who else {}
        return {input: who.value(section, item, FIELD) for input, (section, item) in found.items() if who}

    def _apply(self, kind: str, ask: Any, effects: Sequence[Effect], participants: Participants) -> Iterator[Change]:
        for effect in effects:
            holder = participants.holder(effect.who)
            if holder:
                yield Change(
                    holder.id, effect.what, effect.name, FIELD, by=effect.by, rule=effect.rule,
                    cause=effect.cause, whole=effect.when == "throw",
                )  # fmt: skip


def read_table(root: Part, rolls: Sequence[WrittenRoll]) -> Written:
    """What the file says about sheets and offers."""
    goes_into: dict[str, str] = {}
    sections = tuple(_read_section(part, goes_into, rolls) for part in root.parts("sheet"))
    offers = tuple(_read_offer(part, sections, rolls) for part in root.parts("offer"))
    return Written(sections, goes_into, offers, {})


def _read_section(part: Part, goes_into: dict[str, str], rolls: Sequence[WrittenRoll]) -> Section:
    name, title = check_name(part.text("name"), part), part.text("title")
    look = part.text("look", "dots")
    if look not in LOOKS:
        part.refuse(f'look is "{look}"; it may be {", ".join(LOOKS)}.', "look")
    rule, items = part.text("rule", ""), part.texts("items")
    if look in ("list", "words"):
        fields: dict[str, Input] = {"note": Words("what it means", default=None, rule=rule)}
        counts = ""
    else:
        lowest, most = part.whole("min", 0), part.whole("max")
        start = part.whole("start", max(lowest, 0))
        if not lowest <= start <= most:
            part.refuse(f"start is {start}; it must be from {lowest} to {most}.", "start")
        fields = {FIELD: Whole(lowest, most, part.text("help", "how much"), default=start, rule=rule)}
        counts = FIELD
    if part.has("into"):
        goes_into[name] = _input(part, part.text("into"), rolls)
    single = () if items or part.yes("free") or look in ("list", "words") else (title,)
    part.yes("free")
    part.finish()
    return Section(name, title, look, fields, items or single, counts, rule=rule)  # type: ignore[arg-type]


def _input(part: Part, name: str, rolls: Sequence[WrittenRoll]) -> str:
    there = sorted({input for roll in rolls for input in roll.ask.inputs})
    if name not in there:
        part.refuse(f'into names the input "{name}"; there are {", ".join(there) or "none"}.', "into")
    return name


def _read_offer(part: Part, sections: Sequence[Section], rolls: Sequence[WrittenRoll]) -> WrittenOffer:
    rule, label = part.text("rule", ""), part.text("label")
    into = _input(part, part.text("into"), rolls)
    price = tuple(_read_price(each, sections, rule, label) for each in part.parts("price"))
    offer = WrittenOffer(label, into, part.any("gives", 1), part.whole("most", 1), price, rule)
    part.finish()
    return offer


def _read_price(part: Part, sections: Sequence[Section], rule: str, label: str) -> Effect:
    name, item = place_of(part, part.text("what"), sections)
    effect = Effect(name, "roller", part.whole("by"), item, rule, when="throw", cause=label)
    part.finish()
    return effect


def place_of(part: Part, what: str, sections: Sequence[Section]) -> tuple[str, str]:
    """The section and item of a text such as ``stress`` or ``hurt/Arm``."""
    name, _, item = what.partition("/")
    section = next((section for section in sections if section.name == name), None)
    if section is None:
        there = ", ".join(section.name for section in sections) or "none"
        part.refuse(f'there is no section "{name}" on the sheet; there are {there}.', "what")
    if not item and len(section.names) == 1:
        item = section.names[0]
    if section.names and item not in section.names:
        part.refuse(f'{section.title} has no "{item}"; write {name}/ and one of {", ".join(section.names)}.', "what")
    if not section.counts:
        part.refuse(f"{section.title} counts nothing that could change.", "what")
    return name, item
