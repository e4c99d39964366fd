"""Sheets: the sections, items and fields of a character, a player, a scene or the table, declared once.

Each field is an input with bounds and help text, so that forms, checks and refusals come from the declaration::

    Section("stats", "Stats", "pips", {"now": Whole(0, 99, "points left"), "full": Whole(0, 99, "points when full")},
            counts="now", top="full")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, Literal, NamedTuple, TypeAlias

from astragal.errors import Illegal, Malformed, Unknown
from astragal.rule.inputs.input import Input, Numbers, OneOf, Whole
from astragal.rule.inputs.total import counted
from astragal.rule.texts import NO_WORDS, Wording, worded

Item: TypeAlias = Mapping[str, Any]
Items: TypeAlias = Mapping[str, Item]
Sheet: TypeAlias = Mapping[str, Items]
Options: TypeAlias = Mapping[str, Any]

MAX_NAME = 80
"""Most characters of an item's name."""
MAX_ITEMS = 200
"""Most items of one section."""
SEEN = OneOf(("all", "owner", "gm", "veiled"), "who sees it", default="all")
SEEN.name = "seen"
"""The field that every item has besides those of its section: its audience."""


Layout: TypeAlias = Literal["tiles", "grid", "skills", "things", "track", "count", "clocks", "words", "cards"]
"""Tiles to tap, columns of them, rows with what hangs on each, things with dice, boxes, one number, Clocks, a text,
what is left of a deck."""
Place: TypeAlias = Literal["primary", "main", "more"]


@worded("title", "help", "group", "column", "offers", "one")
class Section(NamedTuple):
    """One part of a sheet. ``counts`` is the field that goes up and down, ``top`` the field that limits it."""

    name: str
    title: str = ""
    look: Literal["pips", "boxes", "bar", "dots", "clock", "list", "words", "cards"] = "list"
    fields: Mapping[str, Input] = {}
    names: tuple[str, ...] = ()
    """The items of a fixed section; empty if items may be added."""
    counts: str = ""
    top: str = ""
    capped: Callable[[Options], bool] = lambda options: True
    """True if ``top`` is a limit under the table's options."""
    limit: str = ""
    """The option of the table that has the highest count, if it has a value."""
    rule: str = ""
    help: str = ""
    told: bool = True
    """True if the story tells what changes in it; books that a game keeps for itself are not told."""
    secret: bool = False
    """True if a new item that comes of a hidden outcome is hidden from the start, instead of waiting for the reveal."""
    stays: bool = False
    """True if what a roll puts into it stays there when the roll is undone: what was tried was tried."""
    lasts: bool = False
    """True if the items of a scene's section outlive the scene, until they are ended."""
    layout: Layout | None = None
    """How a page lays it out; without it, as its look suggests."""
    group: str = ""
    """The title under which it stands with other sections of the same group, such as the columns of a grid."""
    column: str = ""
    """Its name within its group."""
    hangs: str = ""
    """The field that names the item, of a section laid out as skills, on which each of these hangs."""
    place: Place | None = None
    """Where a page puts it; without it, by its order and layout."""
    coin: bool | None = None
    """True if it stands beside the name, as a count that all watch; without it, the first count does."""
    offers: str = ""
    """Of a scene's section: the title under which it joins the sheets, since it can be put into rolls."""
    says: Callable[[str, Item], str] | None = None
    """An item's description besides its name, in a few words; without it, its fields one after the other."""
    begins: Mapping[str, Item] = {}
    """Fields of fixed items that begin otherwise than by their default."""
    one: str = ""
    """The singular, if the name of the item is a plural: a Beat."""
    damage: bool = False
    """True if it fills as its holder is hurt: what is left is then told, and that it breaks."""
    wording: Wording = NO_WORDS

    @property
    def laid_out(self) -> Layout:
        """How a page lays it out."""
        if self.layout:
            return self.layout
        if self.look in ("pips", "dots", "bar"):
            return "count" if len(self.names) == 1 else "tiles"
        shapes: dict[str, Layout] = {"boxes": "track", "clock": "clocks", "words": "words", "cards": "cards"}
        return shapes.get(self.look, "tiles" if self.names and self.counts else "things")

    def answered(self, question: str, item: Any) -> str:
        """A question with its answer, if this is a book of questions that a game keeps for itself; else nothing."""
        name, field = next(iter(self.fields.items()), ("", None))
        if self.told or not isinstance(field, OneOf) or not isinstance(item, Mapping):
            return ""
        if name not in item:
            return ""
        said = self.says(question, item) if self.says else item[name]
        return f"{question.partition(' (hidden')[0]} {said}"

    def read(self, written: Any, name: str, was: Item | None = None) -> dict[str, Any]:
        """Parse and check an item; fields left out keep their value or take their default."""
        self.check_name(name)
        if not isinstance(written, Mapping):
            raise Malformed(f'"{name}" in {self.title} must be an object with {self._field_names()}.', self.rule)
        item = {**self.start(name), **(was or {})}  # an older version of the game may not have had all fields
        for field, value in written.items():
            item[field] = self.field(field).read(value)
        missing = [field for field in self.fields if field not in item]
        if missing:
            raise Malformed(
                f'"{name}" in {self.title} has no {missing[0]} ({self.fields[missing[0]].help}).', self.rule
            )
        if self.top and self.look == "clock" and item[self.counts] > item[self.top]:
            raise Illegal(
                f"{name} has {counted(item[self.top], 'segment')}; {item[self.counts]} cannot be filled.", self.rule
            )
        if self.top and self.look == "boxes" and any(box > item[self.top] for box in item[self.counts]):
            raise Illegal(f'"{name}" has a box crossed beyond its {item[self.top]}.', self.rule)
        return {field: _plain(item[field]) for field in (*self.fields, "seen") if field in item}

    def start(self, name: str = "") -> dict[str, Any]:
        """The fields of a new item that have a default."""
        usual = {field: _plain(input.default) for field, input in self.fields.items() if not input.required}
        return {**usual, **self.begins.get(name, {})}

    def field(self, name: str) -> Input:
        """The declaration of a field; refuse a name that the section does not have."""
        if name == "seen":
            return SEEN
        if name not in self.fields:
            raise Unknown(f'{self.title} has no field "{name[:40]}"; there are {self._field_names()}.', self.rule)
        self.fields[name].name = name  # an Ask names its inputs itself; a section does it here
        return self.fields[name]

    def check_name(self, name: str) -> None:
        """Refuse a name that items of this section cannot have."""
        if self.names and name not in self.names:
            raise Unknown(f'{self.title} has no "{name[:40]}"; there are {", ".join(self.names)}.', self.rule)
        if not 0 < len(name.strip()) <= MAX_NAME or name != name.strip() or "/" in name:
            raise Malformed(f"A name in {self.title} has 1 to {MAX_NAME} characters and no slash.", self.rule)

    def moved(self, item: Item, field: str, by: int, options: Options) -> Any:
        """The field's value after a change, clamped to its bounds.

        +n crosses box n, -n clears it.
        """
        input = self.fields[field]
        if isinstance(input, Numbers):
            others = {box for box in item[field] if box != abs(by)}
            return sorted(others | {by} if by > 0 else others)
        low, high = self.bounds(item, field, options)
        return max(low, min(high, item[field] + by))

    def bounds(self, item: Item, field: str, options: Options) -> tuple[int, int]:
        """The lowest and highest value that a field may have, given the item and the table's options."""
        input = self.fields[field]
        low, high = (input.lowest, input.highest) if isinstance(input, (Whole, Numbers)) else (0, 0)
        if field == self.counts and self.top and self.capped(options):
            high = min(high, item[self.top])
        if field == self.counts and self.limit and options.get(self.limit) is not None:
            high = min(high, options[self.limit])
        return low, high

    def is_at_most(self, item: Item, options: Options) -> bool:
        """True if what it counts is as high as it may be, so that there is no room for a gain."""
        held = item.get(self.counts)
        return type(held) is int and held >= self.bounds(item, self.counts, options)[1]

    def full(self, item: Item) -> bool:
        """True if the counted field has reached ``top``."""
        if not self.top or self.look == "boxes":
            return False
        return bool(item[self.counts] >= item[self.top])

    def _field_names(self) -> str:
        return ", ".join(self.fields)


def sections(texts: Wording, *declared: Section) -> tuple[Section, ...]:
    """Sections whose words, and those of their fields, are among these texts: ``stats.title``, ``stats.now.help``."""
    found = []
    for section in declared:
        wording, fields = texts.of(section.name), {name: copy(input) for name, input in section.fields.items()}
        for name, input in fields.items():
            input.name, input.texts = name, wording.of(name)
        found.append(section._replace(fields=fields, wording=wording))
    return tuple(found)


def free_name(wanted: str, taken: Items, otherwise: str = "Something") -> str:
    """Words as the name of a new item, with a number behind them if there is such an item already."""
    name = wanted.replace("/", "-").strip()[: MAX_NAME - 5].strip() or otherwise
    n = 1
    while (found := name if n == 1 else f"{name} {n}") in taken:
        n += 1
    return found


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def broken(item: str, by: int, stands: tuple[int, int]) -> str:
    """The effect of damage or care: "Resolve breaks: 2 of 4"."""
    return f"{item} {'breaks' if by > 0 else 'mends'}: {stands[0]} of {stands[1]}"


def coins_of(sections: tuple[Section, ...]) -> tuple[str, ...]:
    """The sections that stand beside the name: those that say so, or else the first count."""
    said = tuple(section.name for section in sections if section.coin)
    counts = (section.name for section in sections if section.coin is None and section.laid_out == "count")
    return said or tuple(counts)[:1]


def places_of(sections: tuple[Section, ...]) -> dict[str, Place]:
    """Where a page puts each section: the first that has tiles or things is primary, what is only words goes last."""
    coins, first = coins_of(sections), ""
    found: dict[str, Place] = {}
    for section in sections:
        quiet = section.laid_out == "words" or not section.told
        if not first and not quiet and section.name not in coins:
            first = section.group or section.name
        leads = first in (section.name, section.group or None)
        found[section.name] = section.place or ("primary" if leads else "more" if quiet else "main")
    return found


def section_of(sections: tuple[Section, ...], name: str) -> Section:
    """The section with this name."""
    for section in sections:
        if section.name == name:
            return section
    raise Unknown(f'There is no section "{name[:40]}"; there are {", ".join(section.name for section in sections)}.')


def read_sheet(sections: tuple[Section, ...], written: Any) -> dict[str, dict[str, dict[str, Any]]]:
    """Parse and check a whole sheet; fixed items left out take their defaults."""
    if not isinstance(written, Mapping):
        raise Malformed("A sheet is an object with a part for each section.")
    for name in written:
        section_of(sections, str(name))
    return {section.name: _read_items(section, written.get(section.name, {})) for section in sections}


def _read_items(section: Section, written: Any) -> dict[str, dict[str, Any]]:
    if not isinstance(written, Mapping) or len(written) > MAX_ITEMS:
        raise Malformed(f"{section.title} must be an object with at most {MAX_ITEMS} items by name.", section.rule)
    fixed = {name: section.read({}, name) for name in section.names if name not in written}
    items = {str(name): section.read(item, str(name)) for name, item in written.items()}
    return {name: {**fixed, **items}[name] for name in section.names} if section.names else items
