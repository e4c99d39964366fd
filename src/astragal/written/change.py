"""What outcomes of a written game change: so much, by a number or a formula, of something of somebody's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from astragal.errors import Refusal
from astragal.rule.sheets.sheet import Section
from astragal.rule.tree.effect import Effect, Role
from astragal.written.document import Part, near
from astragal.written.formula import Formula, Values, read_formula, said

CLOCKS = "clocks"
"""The section of the table's Clocks."""
WHO = ("roller", "target", "table")


class WrittenChange(NamedTuple):
    """``what`` of ``who`` changes ``by`` so much; a ``typed`` name is what somebody wrote into an input."""

    what: str
    name: str
    who: Role
    by: Formula | int
    rule: str
    typed: bool = False
    price: bool = False
    """Whether it is a cost, known only when the dice have fallen."""

    def effect(self, values: Values) -> Effect | None:
        """The effect for these values; None if it comes to nothing, or names no Clock."""
        by = self.by if isinstance(self.by, int) else int(self.by.value(values))
        name = values[self.name] if self.typed else self.name
        return Effect(self.what, self.who, by, name, self.rule, price=self.price) if by and name else None


def effects_of(changes: Iterable[WrittenChange], values: Values) -> tuple[Effect, ...]:
    """The effects of all changes that come to something."""
    return tuple([effect for change in changes if (effect := change.effect(values))])


def read_change(part: Part, rule: str, dice: list[str], numbers: list[str], words: list[str]) -> WrittenChange:
    """The change that is written in a part of an outcome."""
    what, _, name = part.text("what").partition("/")
    who = part.choice("who", WHO, "roller")
    typed = name.startswith("{") and name.endswith("}")
    if (what == CLOCKS) != (who == "table") or (typed and what != CLOCKS):
        part.refuse('the table has Clocks: write who = "table" with what = "clocks/Name" or "clocks/{input}".', "what")
    if typed and name[1:-1] not in words:
        part.refuse(f"{name} must name an input of words; there are {', '.join(words) or 'none'}.", "what")
    by = _read_by(part, dice, numbers)
    change = WrittenChange(what, name[1:-1] if typed else name, who, by, part.rule(rule), typed, part.yes("price"))
    part.finish()
    return change


def _read_by(part: Part, dice: list[str], numbers: list[str]) -> Formula | int:
    if not isinstance(part.any("by"), str):
        return part.whole("by")
    text = part.text("by")
    try:
        return read_formula(text, dice, numbers)
    except Refusal as refusal:
        part.refuse(f"{said(refusal)}.", "by")


def placed(change: WrittenChange, part: Part, sections: Sequence[Section]) -> WrittenChange:
    """The change at an item that the sheet has; a Clock is there or not when it comes to it."""
    if change.who == "table":
        if not change.name:
            part.refuse('which Clock? Write what = "clocks/Name", or "clocks/{input}" with an input of words.', "what")
        return change
    section, item = place_of(part, part.text("what"), sections)
    return change._replace(what=section, name=item)


def place_of(part: Part, what: str, sections: Sequence[Section], key: str = "what") -> tuple[str, str]:
    """The section and item of a text such as ``stress`` or ``hurt/Arm``."""
    name, _, item = what.partition("/")
    section = next((section for section in sections if section.name == name), None)
    if section is None:
        there = near(name, [section.name for section in sections])
        part.refuse(f'there is no section "{name}" on the sheet; {there}.', key)
    if not item and len(section.names) == 1:
        item = section.names[0]
    if section.names and item not in section.names:
        part.refuse(f'{section.title} has no "{item}"; write {name}/ and one of {", ".join(section.names)}.', key)
    if not section.counts:
        part.refuse(f"{section.title} counts nothing that could change.", key)
    return name, item
