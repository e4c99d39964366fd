"""What outcomes of a written game change: so much, by a number or a formula, of something of somebody's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.total import sources_of
from astragal.rule.sheets.sheet import Section
from astragal.rule.tree.effect import Effect, Role
from astragal.written.document import Part, near
from astragal.written.formula import Formula, Values, read_condition, read_formula
from astragal.written.symbols import Gathered

CLOCKS = "clocks"
"""The section of the table's Clocks."""
TABLE, SCENE = "table", "scene"
"""Whose sheets are shared, besides those of characters."""
CHARACTER = "character"
WHO = ("roller", "target", TABLE, SCENE)
HELPER = "helper"
"""The helper whose option it is."""
Sheets: TypeAlias = Mapping[str, Sequence[Section]]
"""The sections of a character's sheet, the table's and the scene's."""
NO_SHEETS: Sheets = {CHARACTER: (), TABLE: (), SCENE: ()}


class Names(NamedTuple):
    """What a part of the file may name.

    In formulas dice, numbers, and questions among these; as the name of an item, inputs of words and of sources; and
    sections of the sheet.
    """

    dice: Sequence[str] = ()
    numbers: Sequence[str] = ()
    questions: Sequence[str] = ()
    words: Sequence[str] = ()
    sources: Sequence[str] = ()
    sheets: Sheets = NO_SHEETS
    reads: Mapping[str, str] = {}
    """The inputs that are read from a sheet, and where."""
    gathered: Gathered | None = None
    """What rewrites formulas of dice."""
    inputs: Sequence[str] = ()
    """The numbers that are known before the dice are thrown."""

    def formula(self, text: str) -> Formula:
        """The formula that a text stands for."""
        return self._rewritten(read_formula(text, self.dice, self.numbers))

    def condition(self, text: str) -> Formula:
        """The condition that a text stands for."""
        return self._rewritten(read_condition(text, self.dice, self.numbers, self.questions))

    def _rewritten(self, formula: Formula) -> Formula:
        return self.gathered.formula(formula) if self.gathered else formula


class WrittenChange(NamedTuple):
    """``what`` of ``who`` changes ``by`` so much; items of a list come or go by it."""

    what: str
    name: str
    who: Role
    by: Formula | int
    rule: str
    given: str = ""
    """The input that names the item: one of words, or one of sources with what was put in."""
    price: bool = False
    """Whether it is a cost, known only when the dice have fallen."""
    when: Formula | None = None
    lists: bool = False
    """Whether the section counts nothing, so that items are put in or taken out."""

    def formulas(self) -> Iterator[Formula]:
        """When something changes, and by how much."""
        yield from (each for each in (self.when, self.by) if isinstance(each, Formula))

    def effects(self, values: Values) -> Iterator[Effect]:
        """The effects for these values, if they come to anything."""
        if self.when is None or self.when.value(values):
            by = self.by if isinstance(self.by, int) else int(self.by.value(values))
            for name, n in self._items(values, by):
                if name and n:
                    to: Any = {} if self.lists and n > 0 else None
                    yield Effect(
                        self.what, self.who, 0 if to is not None else n, name, self.rule, price=self.price, to=to
                    )

    def _items(self, values: Values, by: int) -> Iterator[tuple[str, int]]:
        """The items with what each changes by; of several that were put in, the first goes as far as it was put in."""
        named = values[given_key(self.given)] if self.given else self.name
        if isinstance(named, int):
            for source in sources_of(named):
                n = min(abs(by), source.n)
                yield source.label, n if by > 0 else -n
                by += -n if by > 0 else n
        else:
            yield named, by


def given_key(name: str) -> str:
    """Where values have what was given, as it was given: a text, or a number with its sources."""
    return f"{{{name}}}"


def effects_of(changes: Iterable[WrittenChange], values: Values) -> tuple[Effect, ...]:
    """The effects of all changes that come to something."""
    return tuple([effect for change in changes for effect in change.effects(values)])


def names_in(ask: type[Ask], sheets: Sheets) -> Names:
    """What formulas may name of the inputs alone, and all that changes may name."""
    kinds: dict[str, list[str]] = {}
    for name, input in ask.inputs.items():
        kinds.setdefault(input.kind, []).append(name)
    numbers = [name for name, input in ask.inputs.items() if input.kind in ("whole", "summed", "flag")]
    reads = {name: input.reads for name, input in ask.inputs.items() if input.reads}
    questions, words, sources = (kinds.get(kind, ()) for kind in ("flag", "words", "summed"))
    return Names((), numbers, questions, words, sources, sheets, reads, inputs=numbers)


def read_change(part: Part, rule: str, names: Names, whose: Role = "roller") -> WrittenChange:
    """The change that is written in a part of a roll, an outcome, an option or a move; of ``whose`` if it says none."""
    what, _, item = part.text("what").partition("/")
    who = part.choice("who", dict.fromkeys((whose, *WHO)), whose)
    if (what == CLOCKS and who != TABLE) or (what != CLOCKS and who == TABLE and not names.sheets[TABLE]):
        part.refuse('the table has Clocks: write who = "table" with what = "clocks/Name" or "clocks/{input}".', "what")
    given = item[1:-1] if item.startswith("{") and item.endswith("}") else ""
    if given and given not in (*names.words, *names.sources):
        there = ", ".join((*names.words, *names.sources))
        part.refuse(f"{item} must name an input of words or of sources; there are {there or 'none'}.", "what")
    lists = False
    if what == CLOCKS:
        if not item:
            part.refuse('which Clock? Write what = "clocks/Name", or "clocks/{input}" with an input of words.', "what")
    else:
        section = section_of(part, what, sections_of(who, names.sheets))
        lists = not section.counts
        item = item if given else item_of(part, item, section)
        if not item:
            part.refuse(
                f'which item? Write what = "{what}/Name", or "{what}/{{input}}" with an input of words.', "what"
            )
    when, by = read_when(part, names), read_by(part, names)
    change = WrittenChange(what, item, who, by, part.rule(rule), given, part.yes("price"), when, lists)
    part.finish()
    return change


def read_when(part: Part, names: Names) -> Formula | None:
    """The condition of something, if it has one."""
    if not part.has("when"):
        return None
    with part.telling("when"):
        return names.condition(part.text("when"))


def read_by(part: Part, names: Names, key: str = "by") -> Formula | int:
    """A number, or a formula of one."""
    if not isinstance(part.any(key), str):
        return part.whole(key)
    with part.telling(key):
        return names.formula(part.text(key))


def sections_of(who: Role, sheets: Sheets) -> Sequence[Section]:
    """The sections of somebody's sheet, or of one that is shared."""
    return sheets[who if who in (TABLE, SCENE) else CHARACTER]


def section_of(part: Part, name: str, sections: Sequence[Section], key: str = "what") -> Section:
    """The section of the sheet with this name."""
    for section in sections:
        if section.name == name:
            return section
    there = near(name, [section.name for section in sections])
    part.refuse(f'there is no section "{name}" on the sheet; {there}.', key)


def item_of(part: Part, item: str, section: Section, key: str = "what") -> str:
    """The item of a section, which is its only one where none is named."""
    if not item and len(section.names) == 1:
        return section.names[0]
    if section.names and item not in section.names:
        there = ", ".join(section.names)
        part.refuse(f'{section.title} has no "{item}"; write {section.name}/ and one of {there}.', key)
    return item


def place_of(part: Part, what: str, sections: Sequence[Section], key: str = "what") -> tuple[str, str]:
    """The section and item of a count such as ``stress`` or ``hurt/Arm``."""
    name, _, item = what.partition("/")
    section = section_of(part, name, sections, key)
    item = item_of(part, item, section, key)
    if not section.counts:
        part.refuse(f"{section.title} counts nothing that could change.", key)
    return name, item


def path_of(part: Part, what: str, whose: Role, sheets: Sheets, key: str = "sheet") -> str:
    """Where an input is read, such as ``roller.hurt/Arm``."""
    name, item = place_of(part, what, sections_of(whose, sheets), key)
    return f"{whose}.{name}/{item}"


def read_prices(part: Part, sections: Sequence[Section], paid: Effect, brought: str = "") -> tuple[Effect, ...]:
    """What something costs before the dice are thrown, each ``paid`` so; ``brought`` alone is the item in the roll."""
    found = []
    for each in part.parts("price"):
        what = each.text("what")
        name, item = (what, "") if what == brought else place_of(each, what, sections)
        found.append(paid._replace(what=name, name=item, by=each.whole("by"), when="throw"))
        each.finish()
    return tuple(found)
