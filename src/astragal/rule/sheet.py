"""Sheets: the sections, items and fields of a character, a player, a scene or the table, declared once.

Each field is an input with bounds and help text, so that forms, checks and refusals come from the declaration::

    Section("stats", "Stats", "pips", {"now": Whole(0, 99, "points left"), "full": Whole(0, 99, "points when full")},
            counts="now", top="full")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from astragal.errors import Illegal, Malformed, Unknown
from astragal.rule.input import Input, Numbers, OneOf, Whole

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


class Section(NamedTuple):
    """One part of a sheet. ``counts`` is the field that goes up and down, ``top`` the field that limits it."""

    name: str
    title: str
    look: Literal["pips", "boxes", "bar", "dots", "clock", "list", "words"]
    fields: Mapping[str, Input]
    names: tuple[str, ...] = ()
    """The items of a fixed section; empty if items may be added."""
    counts: str = ""
    top: str = ""
    capped: Callable[[Options], bool] = lambda options: True
    """Whether ``top`` is a limit under the table's options."""
    rule: str = ""
    help: str = ""
    told: bool = True
    """Whether the story tells what changes in it; books that a game keeps for itself are not told."""
    lasts: bool = False
    """Whether the items of a scene's section outlive the scene, until somebody ends them."""

    def read(self, written: Any, name: str, was: Item | None = None) -> dict[str, Any]:
        """Parse and check an item; fields left out keep their value or take their default."""
        self.check_name(name)
        if not isinstance(written, Mapping):
            raise Malformed(f'"{name}" in {self.title} must be an object with {self._field_names()}.', self.rule)
        item = {**self.start(), **(was or {})}  # an older version of the game may not have had all fields
        for field, value in written.items():
            item[field] = self.field(field).read(value)
        return self._checked(item, name)

    def _checked(self, item: dict[str, Any], name: str) -> dict[str, Any]:
        missing = [field for field in self.fields if field not in item]
        if missing:
            raise Malformed(
                f'"{name}" in {self.title} has no {missing[0]} ({self.fields[missing[0]].help}).', self.rule
            )
        if self.top and self.look == "boxes" and any(box > item[self.top] for box in item[self.counts]):
            raise Illegal(f'"{name}" has a box crossed beyond its {item[self.top]}.', self.rule)
        return {field: _plain(item[field]) for field in (*self.fields, "seen") if field in item}

    def start(self) -> dict[str, Any]:
        """The fields of a new item that have a default."""
        return {field: _plain(input.default) for field, input in self.fields.items() if not input.required}

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
        return low, high

    def full(self, item: Item) -> bool:
        """Whether the counted field has reached ``top``."""
        if not self.top or self.look == "boxes":
            return False
        return bool(item[self.counts] >= item[self.top])

    def _field_names(self) -> str:
        return ", ".join(self.fields)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


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
