"""What outcomes of a written game change on sheets, by a number or a formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

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
"""The shared sheets."""
CHARACTER = "character"
WHO = ("roller", "target", TABLE, SCENE)
HELPER = "helper"
"""The helper whose option it is."""
Sheets: TypeAlias = Mapping[str, Sequence[Section]]
"""The sections of a character's sheet, the table's and the scene's."""
NO_SHEETS: Sheets = {CHARACTER: (), TABLE: (), SCENE: ()}


class Names(NamedTuple):
    """What a part of the file may name.

    Formulas name dice, numbers, and questions among these; an item may be named by inputs of words and of sources.
    """

    dice: Sequence[str] = ()
    numbers: Sequence[str] = ()
    questions: Sequence[str] = ()
    words: Sequence[str] = ()
    sources: Sequence[str] = ()
    sheets: Sheets = NO_SHEETS
    reads: Mapping[str, str] = {}
    """The inputs that are read from a sheet, with their paths."""
    gathered: Gathered | None = None
    """What rewrites formulas of dice."""
    who: Sequence[Role] = WHO
    """Whose sheets changes may name; the first is the default."""
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
    """``what`` of ``who`` changes ``by`` an amount, which puts items into a list or takes them out."""

    what: str
    name: str
    who: Role
    by: Formula | int
    rule: str
    given: str = ""
    """The input that names the item: one of words, or one of sources with what was put in."""
    price: bool = False
    """True for a cost that is known only when the dice have fallen."""
    when: Formula | None = None
    new: str | None = None
    """For items that are put in: the field with their count, empty for a list; None if a count changes."""

    def formulas(self) -> Iterator[Formula]:
        """When something changes, and by how much."""
        yield from (each for each in (self.when, self.by) if isinstance(each, Formula))

    def effects(self, values: Values) -> Iterator[Effect]:
        """The effects for these values, without those that change nothing."""
        if self.when is None or self.when.value(values):
            by = self.by if isinstance(self.by, int) else int(self.by.value(values))
            for name, n in self._items(values, by):
                if name and n:
                    effect = Effect(self.what, self.who, n, name, self.rule, price=self.price)
                    puts = self.new is not None and n > 0
                    yield effect._replace(by=0, to={self.new: n} if self.new else {}) if puts else effect

    def _items(self, values: Values, by: int) -> Iterator[tuple[str, int]]:
        """The items with their amounts; of several that were put in, each changes by what was put in at most."""
        named = values[given_key(self.given)] if self.given else self.name
        if isinstance(named, int):
            for source in sources_of(named):
                n = min(abs(by), source.n)
                yield source.label, n if by > 0 else -n
                by += -n if by > 0 else n
        else:
            yield named, by


def given_key(name: str) -> str:
    """The name under which values have an input as it was given: a text, or a number with its sources."""
    return f"{{{name}}}"


def effects_of(changes: Iterable[WrittenChange], values: Values) -> tuple[Effect, ...]:
    """The effects of all changes."""
    return tuple([effect for change in changes for effect in change.effects(values)])


def names_in(ask: type[Ask], sheets: Sheets) -> Names:
    """The names that formulas may use before the dice are thrown, and all that changes may name."""

    def of(*kinds: str) -> list[str]:
        return [name for name, input in ask.inputs.items() if input.kind in kinds]

    numbers = of("whole", "summed", "flag")
    reads = {name: input.reads for name, input in ask.inputs.items() if input.reads}
    return Names((), numbers, of("flag"), of("words"), of("summed"), sheets, reads, inputs=numbers)


def read_change(part: Part, rule: str, names: Names) -> WrittenChange:
    """The change in a part of a roll, an outcome, an option or a move."""
    what, _, item = part.text("what").partition("/")
    who = part.choice("who", names.who, names.who[0])
    if (what == CLOCKS and who != TABLE) or (what != CLOCKS and who == TABLE and not names.sheets[TABLE]):
        part.refuse('the table has Clocks: write who = "table" with what = "clocks/Name" or "clocks/{input}".', "what")
    given = item[1:-1] if item.startswith("{") and item.endswith("}") else ""
    inputs = (*names.words, *names.sources)
    if given and given not in inputs:
        part.refuse(f"{item} must name an input of words or of sources; {near(given, inputs)}.", "what")
    section = None if what == CLOCKS else section_of(part, what, sections_of(who, names.sheets))
    new = "" if section and not section.counts else None
    if part.yes("new"):
        if not section or section.names or not section.counts:
            part.refuse("new puts an item into a section that counts, and to which people add items.", "new")
        new = section.counts
    if section and not given:
        item = item_of(part, item, section)
    if not item:
        which = "item" if section else "Clock"
        part.refuse(f'which {which}? Write what = "{what}/Name", or "{what}/{{input}}" with an input of words.', "what")
    when, by = read_when(part, names), read_by(part, names)
    change = WrittenChange(what, item, who, by, part.rule(rule), given, part.yes("price"), when, new)
    part.finish()
    return change


def read_when(part: Part, names: Names) -> Formula | None:
    """The condition of a part, if it has one."""
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
    """The sections of a character's sheet, or of a shared one."""
    return sheets[who if who in (TABLE, SCENE) else CHARACTER]


def section_of(part: Part, name: str, sections: Sequence[Section], key: str = "what") -> Section:
    """The section of the sheet with this name."""
    there = {section.name: section for section in sections}
    if name not in there:
        part.refuse(f'there is no section "{name}" on the sheet; {near(name, list(there))}.', key)
    return there[name]


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
    """The path where an input is read, such as ``roller.hurt/Arm``."""
    name, item = place_of(part, what, sections_of(whose, sheets), key)
    return f"{whose}.{name}/{item}"


def read_prices(part: Part, sections: Sequence[Section], paid: Effect, brought: str = "") -> tuple[Effect, ...]:
    """The prices that are ``paid`` before the dice are thrown; ``brought`` alone is the item in the roll."""
    found = []
    for each in part.parts("price"):
        what = each.text("what")
        name, item = (what, "") if what == brought else place_of(each, what, sections)
        found.append(paid._replace(what=name, name=item, by=each.whole("by"), when="throw"))
        each.finish()
    return tuple(found)
