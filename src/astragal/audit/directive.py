"""Directives: comments that say what the figures of a table, or a figure in the text, should be."""

from __future__ import annotations

import re
from typing import NamedTuple

from astragal.audit.markup import squeezed
from astragal.errors import Malformed

MOST_COLUMNS = 100
EVERY = "*"
EQUALS = re.compile(r"=")
FIELD = re.compile(r"\{([^{}]*)\}")
LONGEST_CELL = 200
LONGEST = 2000


class Directive(NamedTuple):
    """The lines of a comment above a table."""

    start: int
    lines: tuple[str, ...]


class Column(NamedTuple):
    """A column that is checked: where it stands, and what its figures should be."""

    place: int
    name: str
    expression: str

    @property
    def fields(self) -> list[str]:
        return FIELD.findall(self.expression)


def parse_columns(directive: Directive, names: list[str]) -> list[Column]:
    """The columns that a directive speaks of, from left to right; * stands for all that nobody else speaks of."""
    found: dict[int, Column] = {}
    used: set[str] = set()
    every = ""
    for line in directive.lines:
        name, expression = _parse_line(line, names)
        used.update(map(_key, FIELD.findall(line)))
        if name == EVERY:
            every = expression
            continue
        place = _place_of(name, names)
        if place in found:
            raise Malformed(f'The directive speaks of the column "{names[place]}" twice.')
        found[place] = Column(place, names[place], expression)
    if every:
        others = (place for place, name in enumerate(names) if place not in found and _key(name) not in used)
        found.update({place: Column(place, names[place], every) for place in others})
    if not found:
        raise Malformed("The directive names no column; write a heading, = and an expression.")
    if len(found) > MOST_COLUMNS:
        raise Malformed(f"The directive speaks of more than {MOST_COLUMNS} columns.")
    for column in found.values():
        _check_fields(column, names)
    return [found[place] for place in sorted(found)]


def _parse_line(line: str, names: list[str]) -> tuple[str, str]:
    """The heading and the expression. A heading may have an = in it, so the longest one that the table has is meant."""
    keys = {EVERY, *map(_key, names)}
    cuts = [found.start() for found in EQUALS.finditer(line)][:50]
    fit = [cut for cut in cuts if line[:cut].strip() == EVERY or _key(squeezed(line[:cut])) in keys]
    if not cuts:
        raise Malformed(f'"{line.strip()[:60]}" in a directive has no =; write a heading, = and an expression.')
    cut = fit[-1] if fit else cuts[0]
    name = line[:cut].strip() if line[:cut].strip() == EVERY else squeezed(line[:cut])
    if not line[cut + 1 :].strip():
        raise Malformed(f'The directive says nothing about "{name[:60]}" after the =.')
    return name, line[cut + 1 :].strip()


def _place_of(name: str, names: list[str]) -> int:
    places = [place for place, other in enumerate(names) if _key(other) == _key(name)]
    if len(places) == 1:
        return places[0]
    listed = ", ".join(f'"{other[:40]}"' for other in names[:12])
    problem = "has two columns" if places else "has no column"
    raise Malformed(f'The table {problem} "{name[:60]}"; it has {listed}.')


def _check_fields(column: Column, names: list[str]) -> None:
    for field in column.fields:
        if field.strip() != EVERY:
            _place_of(squeezed(field), names)


def fill(column: Column, names: list[str], cells: list[str]) -> str:
    """The expression for a row: ``{Heading}`` is the cell of that column, ``{*}`` the heading of the column itself."""

    def cell_of(found: re.Match[str]) -> str:
        if found[1].strip() == EVERY:
            return as_operand(column.name)
        place = _place_of(squeezed(found[1]), names)
        return as_operand(cells[place] if place < len(cells) else "", names[place])

    filled = FIELD.sub(cell_of, column.expression)
    if len(filled) > LONGEST:
        raise Malformed(f"An expression has more than {LONGEST:,} characters once the cells are put in.")
    return filled


def as_operand(cell: str, name: str = "") -> str:
    """A cell as part of an expression: the + of "14+" says what the expression says already."""
    text = cell.strip().replace("−", "-")
    if not text or text in ("-", "–", "—"):
        raise Malformed(f'The cell in "{name[:60]}" is empty, and the expression needs it.')
    if len(text) > LONGEST_CELL:
        raise Malformed(f'The cell in "{name[:60]}" is longer than {LONGEST_CELL} characters.')
    return text.removesuffix("+").rstrip() if text[:-1].rstrip()[-1:].isdigit() else text


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()
