"""What a written game adds for tables: sections of sheets, offers with prices, and what outcomes change."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from astragal.rule.inputs.input import Input, Whole
from astragal.rule.inputs.word import Words
from astragal.rule.sheets.sheet import Section
from astragal.rule.sheets.sheet_offer import SheetOffer, offers_from
from astragal.rule.sheets.table_rules import Change, Move, Participants, TableRules, changed, clocks_section
from astragal.rule.tree.effect import Effect, Role
from astragal.rule.tree.note import Note
from astragal.written.change import CHARACTER, CLOCKS, SCENE, TABLE, Sheets, read_prices
from astragal.written.deck import WrittenDeck
from astragal.written.document import Part
from astragal.written.inputs import check_name, read_input
from astragal.written.roll import SHUFFLE, WrittenRoll
from astragal.written.sides import THEIR

LOOKS = ("pips", "bar", "dots", "list", "words")
"""The looks of a section that counts or only notes. Clocks and boxes are not for sheets in TOML."""
BEFORE = "Before the roll"
"""The heading of all offers."""
FIELD = "now"
"""The field that counts, in every section of a written game."""
FULL = "full"
"""The field that limits it, where there is one."""
COUNTED = frozenset(("whole", "summed"))
"""The kinds of input that take what is counted on a sheet."""
KINDS_OF = {
    "number": COUNTED,
    "sources": COUNTED,
    "option": frozenset(("one_of",)),
    "yes or no": frozenset(("flag",)),
    "words": frozenset(("words",)),
}
"""The kinds of input that take each kind of field."""


class WrittenOffer(NamedTuple):
    """Something that may be put into a roll by a tap, independent of the sheet, and its price."""

    label: str
    into: str
    gives: Any
    most: int
    price: tuple[Effect, ...]
    rule: str
    slot: str = ""

    def of_side(self, by: Role, side: str) -> SheetOffer:
        """The offer to a side. It is not an item of the sheet, and texts of the file have no places."""
        price = tuple(effect._replace(who=by) for effect in self.price)
        said = {"gives": self.gives, "price": price, "slot": self.slot and side + self.slot}
        parts: dict[str, Any] = {name: lambda thing, value=value: value for name, value in said.items()}
        parts |= {"group": BEFORE, "most": self.most, "rule": self.rule}
        return SheetOffer("offers", side + self.into, by=by, names=(self.label,), **parts)


class Written(NamedTuple):
    """The parts of table rules: sections, which of them go into rolls, offers, decks and moves."""

    sheets: Sheets
    goes_into: Mapping[str, Mapping[str, str]]
    """For each section, the field for each input that a tap on an item sets; the item is offered for the first."""
    offers: tuple[WrittenOffer, ...]
    several: Collection[str]
    """The sections that may have several items in a roll."""
    rolls: Mapping[str, WrittenRoll]
    decks: Mapping[str, WrittenDeck] = {}
    moves: tuple[Move, ...] = ()

    def table_rules(self) -> TableRules:
        """The table rules."""
        more: dict[str, Any] = {kind: tuple(self.sheets[kind]) for kind in (CHARACTER, SCENE) if self.sheets[kind]}
        kept = [each for each in self.decks.values() if each.kept]
        return TableRules(
            **more,
            table=(clocks_section(), *(each.deck.section() for each in kept), *self.sheets[TABLE]),
            offers=offers_from({kind: tuple(self.offered(roll)) for kind, roll in self.rolls.items()}),
            completes=self._completes,
            apply=self._apply,
            moves=(*self.moves, *(each.shuffle_move() for each in kept)),
        )

    def offered(self, roll: WrittenRoll) -> Iterator[SheetOffer]:
        """The offers to a roll: from the sheets of each side, of the table and the scene, and of helpers."""
        inputs = roll.ask.inputs
        for by, side, whose in (("roller", "", (CHARACTER, TABLE, SCENE)), ("target", THEIR, (CHARACTER,))):
            for of, section in [(whom, section) for whom in whose for section in self.sheets[whom]]:
                goes = self.goes_into.get(section.name, {}).items()
                goes_there = [(side + into, f"{{{field}}}") for into, field in goes if side + into in inputs]
                slot = "" if section.name in self.several else side + section.name
                for into, gives in goes_there[:1]:
                    shared, also = "" if of == CHARACTER else of, tuple(goes_there[1:])
                    yield SheetOffer(section.name, into, gives, by=by, of=shared, also=also, slot=slot)
            for offer in self.offers:
                if side + offer.into in inputs:
                    yield offer.of_side(by, side)
        for team in roll.helpers:
            yield from team.offered()

    def _completes(self, kind: str, values: Mapping[str, Any], participants: Participants) -> Mapping[str, Any]:
        teams = self.rolls[kind].helpers
        return {name: n for team in teams for name, n in team.completed(values, participants).items()}

    def _apply(
        self, kind: str, ask: Any, effects: Sequence[Effect], participants: Participants
    ) -> Iterator[Change | Note]:
        for effect in effects:
            if effect.what in self.decks and effect.name == SHUFFLE:
                yield self.decks[effect.what].deck.shuffled()
            else:
                yield from changed(effect, participants)


def read_sheets(root: Part) -> Sheets:
    """The sections of a character's sheet, the table's and the scene's."""
    parts = root.parts("sheet", different="sections")
    sections = [(part.choice("of", (CHARACTER, TABLE, SCENE), CHARACTER), _read_section(part)) for part in parts]
    for (of, section), part in zip(sections, parts, strict=True):
        if section.name == CLOCKS and of == TABLE:
            part.refuse(f'"{CLOCKS}" is the table\'s Clocks; call the section something else.', "name")
    return {kind: tuple(each for of, each in sections if of == kind) for kind in (CHARACTER, TABLE, SCENE)}


def read_table(root: Part, sheets: Sheets, rolls: Sequence[WrittenRoll], decks: Mapping[str, WrittenDeck]) -> Written:
    """The table rules of the file, but for moves."""
    every = {section.name: section for sections in sheets.values() for section in sections}
    parts = {part.text("name"): part for part in root.parts("sheet")}
    goes_into = {name: _goes_into(part, every[name], rolls) for name, part in parts.items()}
    several = [name for name, part in parts.items() if part.yes("several")]
    written = root.parts("offer", different="offers", key="label")
    offers = tuple(_read_offer(part, sheets[CHARACTER], rolls) for part in written)
    for name, part in zip(decks, root.parts("deck"), strict=True):
        if name == CLOCKS or name in [section.name for section in sheets[TABLE]]:
            part.refuse(f'"{name}" is the table\'s Clocks; call the deck something else.', "name")
    return Written(sheets, goes_into, offers, several, {roll.name: roll for roll in rolls}, decks)


def _read_section(part: Part) -> Section:
    name, title = check_name(part.text("name"), part), part.text("title")
    look = part.choice("look", LOOKS, "dots")
    rule, items = part.rule(), part.texts("items")
    listed = look in ("list", "words")
    note = Words("what it means", default=None, rule=rule)
    fields: dict[str, Input] = {"note": note} if listed else _read_count(part, rule)
    fields |= _read_fields(part.part("fields"), fields)
    part.has("into"), part.has("several")  # see read_table
    single = () if items or part.yes("free") or listed else (title,)
    part.yes("free")
    part.finish()
    counts, top = FIELD if FIELD in fields else "", FULL if FULL in fields else ""
    return Section(name, title, look, fields, items or single, counts, top, rule=rule)  # type: ignore[arg-type]


def _read_fields(part: Part, taken: Collection[str]) -> dict[str, Input]:
    """Further fields of an item, declared as inputs are; each has a value to begin with."""
    found = {}
    for name, given in part.named_parts():
        if check_name(name, part) in (*taken, "seen"):
            given.refuse(f'"{name}" is a field already; choose another name.')
        given.has("into")  # where it goes with a tap; see read_table
        found[name] = read_input(name, given)
        if found[name].required:
            given.refuse("default is missing; an item begins with it.")
    return found


def _read_count(part: Part, rule: str) -> dict[str, Input]:
    """The fields of a count: how much there is, and how much when it is full."""
    lowest, most = part.whole("min", 0), part.whole("max")
    full = part.whole("full", most, lowest, most)
    start = part.whole("start", full if part.has("full") else max(lowest, 0), lowest, full)
    fields: dict[str, Input] = {FIELD: Whole(lowest, most, part.text("help", "how much"), default=start, rule=rule)}
    if part.has("full"):
        fields[FULL] = Whole(lowest, most, "how much there is when it is full", default=full, rule=rule)
    return fields


def _goes_into(part: Part, section: Section, rolls: Sequence[WrittenRoll]) -> dict[str, str]:
    """Where the fields of an item go with a tap, by input."""
    if part.has("into") and not section.counts:
        part.refuse(f"{section.title} counts nothing that could go into a roll; a field may have into.", "into")
    found = {_input(part, rolls): FIELD} if part.has("into") else {}
    for name, field in part.part("fields").named_parts():
        if field.has("into"):
            into = _input(field, rolls, KINDS_OF[field.text("kind", "number")])
            if into in found:
                field.refuse(f'"{found[into]}" goes into {into} already.', "into")
            found[into] = name
    return found


def _input(part: Part, rolls: Sequence[WrittenRoll], kinds: Set[str] = COUNTED) -> str:
    name = part.among("into", "input", sorted({input for roll in rolls for input in roll.ask.inputs}))
    if not {roll.ask.inputs[name].kind for roll in rolls if name in roll.ask.inputs} & kinds:
        part.refuse(f'into names the input "{name}", into which nothing can be put: it is not a number.', "into")
    return name


def _read_offer(part: Part, sections: Sequence[Section], rolls: Sequence[WrittenRoll]) -> WrittenOffer:
    rule, label = part.rule(), part.text("label")
    into = _input(part, rolls, COUNTED | {"flag", "one_of"})
    price = read_prices(part, sections, Effect("", "roller", rule=rule, cause=label))
    kinds = {roll.ask.inputs[into].kind for roll in rolls if into in roll.ask.inputs}
    gives = part.whole("gives", 1) if kinds & COUNTED else part.any("gives", 1)
    offer = WrittenOffer(label, into, gives, part.whole("most", 1, least=1), price, rule, part.text("slot", ""))
    part.finish()
    return offer
